// A stand-in for NVIDIA's library, with the functions and shapes of its documentation, for machines without a card.
// FAKE_NVML chooses what it is like: "", "old" (without the newer functions), "crash", "hang", "broken" (does not start).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct { unsigned int version; unsigned long long total, reserved, free, used; } memory_v2;
typedef struct { unsigned long long total, free, used; } memory;
typedef struct { unsigned int gpu, memory; } utilization;
typedef struct { char legacy[16]; unsigned int domain, bus, device, id, subsystem; char bus_id[32]; } pci;
typedef struct { unsigned int pid; unsigned long long memory; unsigned int gi, ci; } process;

static int is(const char *what) {
	const char *v = getenv("FAKE_NVML");
	return v && strcmp(v, what) == 0;
}
static long at(void *d) { return (long)d - 1; }
static const unsigned long long MiB = 1 << 20;

int nvmlInit_v2(void) { return is("broken") ? 9 : 0; }
int nvmlShutdown(void) { return 0; }
const char *nvmlErrorString(int code) { return code == 9 ? "Driver Not Loaded" : "Unknown Error"; }
int nvmlSystemGetDriverVersion(char *to, unsigned int n) { snprintf(to, n, "550.54.14"); return 0; }
int nvmlDeviceGetCount_v2(unsigned int *n) {
	if (is("crash")) abort();
	while (is("hang")) sleep(1);
	*n = 2;
	return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned int i, void **d) { *d = (void *)(long)(i + 1); return i < 2 ? 0 : 2; }
int nvmlDeviceGetName(void *d, char *to, unsigned int n) { snprintf(to, n, at(d) ? "NVIDIA RTX A4000, Rev 2" : "NVIDIA GeForce RTX 4080"); return 0; }
int nvmlDeviceGetUUID(void *d, char *to, unsigned int n) { snprintf(to, n, "GPU-%ld", at(d)); return 0; }
int nvmlDeviceGetMemoryInfo_v2(void *d, memory_v2 *m) {
	if (is("old")) return 13;
	if (m->version != (sizeof *m | (2u << 24))) return 25;
	m->total = 16376 * MiB; m->reserved = 404 * MiB; m->used = (1000 + at(d)) * MiB; m->free = m->total - m->reserved - m->used;
	return 0;
}
int nvmlDeviceGetMemoryInfo(void *d, memory *m) {
	m->total = 16376 * MiB; m->used = (1404 + at(d)) * MiB; m->free = m->total - m->used;
	return 0;
}
int nvmlDeviceGetUtilizationRates(void *d, utilization *u) { u->gpu = 7; u->memory = 3; return at(d) ? 3 : 0; }
int nvmlDeviceGetTemperature(void *d, int sensor, unsigned int *v) { *v = 41; return sensor; }
int nvmlDeviceGetPowerUsage(void *d, unsigned int *v) { *v = 23450; return at(d) ? 4 : 0; }
int nvmlDeviceGetPerformanceState(void *d, int *v) { *v = 8; return 0; }
int nvmlDeviceGetPciInfo_v3(void *d, pci *p) { memset(p, 0, sizeof *p); snprintf(p->bus_id, sizeof p->bus_id, "00000000:0%ld:00.0", at(d) + 1); return 0; }
int nvmlDeviceGetMigMode(void *d, unsigned int *now, unsigned int *then) { *now = *then = 0; return at(d) ? 0 : 3; }
int nvmlDeviceGetComputeRunningProcesses_v3(void *d, unsigned int *n, process *p) {
	if (at(d)) { *n = 0; return 0; }
	if (*n < 2) return 7;
	memset(p, 0, 2 * sizeof *p);
	p[0].pid = 4711; p[0].memory = 812 * MiB;
	p[1].pid = 4712; p[1].memory = ~0ull;
	*n = 2;
	return 0;
}
int nvmlSystemGetProcessName(unsigned int pid, char *to, unsigned int n) { snprintf(to, n, "/usr/lib/ollama/runner"); return pid == 4711 ? 0 : 6; }
