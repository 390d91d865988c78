//go:build linux && cgo

package gpu

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

// The shapes of nvml.h that are used, as the library's documentation gives them (NVML API reference, CUDA 12).
typedef struct { unsigned int version; unsigned long long total, reserved, free, used; } assay_memory_v2;
typedef struct { unsigned long long total, free, used; } assay_memory;
typedef struct { unsigned int gpu, memory; } assay_utilization;
typedef struct { char legacy[16]; unsigned int domain, bus, device, id, subsystem; char bus_id[32]; } assay_pci;
typedef struct { unsigned int pid; unsigned long long memory; unsigned int gi, ci; } assay_process;
typedef void *assay_device;

static void *lib;
#define FIND(name) static int (*fn)(); fn = (int (*)())dlsym(lib, name); if (!fn) return 13; // NVML_ERROR_FUNCTION_NOT_FOUND

static int assay_open(void) {
	lib = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!lib) return -1;
	FIND("nvmlInit_v2"); return ((int (*)(void))fn)();
}
static void assay_close(void) {
	int (*fn)(void) = (int (*)(void))dlsym(lib, "nvmlShutdown");
	if (fn) fn();
}
static const char *assay_error(int code) {
	const char *(*fn)(int) = (const char *(*)(int))dlsym(lib, "nvmlErrorString");
	return fn ? fn(code) : "unknown fault";
}
static int assay_driver(char *to, unsigned int n) { FIND("nvmlSystemGetDriverVersion"); return ((int (*)(char *, unsigned int))fn)(to, n); }
static int assay_count(unsigned int *n) { FIND("nvmlDeviceGetCount_v2"); return ((int (*)(unsigned int *))fn)(n); }
static int assay_handle(unsigned int i, assay_device *d) { FIND("nvmlDeviceGetHandleByIndex_v2"); return ((int (*)(unsigned int, assay_device *))fn)(i, d); }
static int assay_name(assay_device d, char *to, unsigned int n) { FIND("nvmlDeviceGetName"); return ((int (*)(assay_device, char *, unsigned int))fn)(d, to, n); }
static int assay_uuid(assay_device d, char *to, unsigned int n) { FIND("nvmlDeviceGetUUID"); return ((int (*)(assay_device, char *, unsigned int))fn)(d, to, n); }
static int assay_mem2(assay_device d, assay_memory_v2 *m) { m->version = sizeof *m | (2u << 24); FIND("nvmlDeviceGetMemoryInfo_v2"); return ((int (*)(assay_device, assay_memory_v2 *))fn)(d, m); }
static int assay_mem1(assay_device d, assay_memory *m) { FIND("nvmlDeviceGetMemoryInfo"); return ((int (*)(assay_device, assay_memory *))fn)(d, m); }
static int assay_busy(assay_device d, assay_utilization *u) { FIND("nvmlDeviceGetUtilizationRates"); return ((int (*)(assay_device, assay_utilization *))fn)(d, u); }
static int assay_temperature(assay_device d, unsigned int *v) { FIND("nvmlDeviceGetTemperature"); return ((int (*)(assay_device, int, unsigned int *))fn)(d, 0, v); }
static int assay_power(assay_device d, unsigned int *v) { FIND("nvmlDeviceGetPowerUsage"); return ((int (*)(assay_device, unsigned int *))fn)(d, v); }
static int assay_state(assay_device d, int *v) { FIND("nvmlDeviceGetPerformanceState"); return ((int (*)(assay_device, int *))fn)(d, v); }
static int assay_bus(assay_device d, assay_pci *p) { FIND("nvmlDeviceGetPciInfo_v3"); return ((int (*)(assay_device, assay_pci *))fn)(d, p); }
static int assay_mig(assay_device d, unsigned int *now, unsigned int *then) { FIND("nvmlDeviceGetMigMode"); return ((int (*)(assay_device, unsigned int *, unsigned int *))fn)(d, now, then); }
static int assay_processes(assay_device d, unsigned int *n, assay_process *p) { FIND("nvmlDeviceGetComputeRunningProcesses_v3"); return ((int (*)(assay_device, unsigned int *, assay_process *))fn)(d, n, p); }
static int assay_process_name(unsigned int pid, char *to, unsigned int n) { FIND("nvmlSystemGetProcessName"); return ((int (*)(unsigned int, char *, unsigned int))fn)(pid, to, n); }
*/
import "C"

import (
	"fmt"
	"strconv"
	"strings"
	"unsafe"
)

// Codes of the library that have a word of the tool.
const (
	nvmlNotSupported  = 3
	nvmlNoPermission  = 4
	nvmlLost          = 15
	nvmlNoFunction    = 13
	nvmlNotAvailable  = ^uint64(0) // a size that the driver does not tell
	nvmlText          = 256
	nvmlMostProcesses = 512
)

// loadedNVML is the library in this process.
type loadedNVML struct{ driver string }

// openNVML loads the library and starts it.
func openNVML() (nvmlLibrary, error) {
	code := C.assay_open()
	if code == -1 {
		return nil, errNoNVML
	}
	if code != 0 {
		return nil, fmt.Errorf("NVIDIA's library does not start: %s", C.GoString(C.assay_error(code)))
	}
	driver := nvmlString(func(to *C.char, n C.uint) C.int { return C.assay_driver(to, n) })
	return loadedNVML{driver}, nil
}

func (loadedNVML) close() { C.assay_close() }

func (loadedNVML) count() (int, error) {
	var n C.uint
	if code := C.assay_count(&n); code != 0 {
		return 0, fmt.Errorf("NVIDIA's library does not count the cards: %s", C.GoString(C.assay_error(code)))
	}
	return int(n), nil
}

// nvmlWord is the word that the tool prints for a figure that is not there.
func nvmlWord(code C.int) string {
	switch code {
	case nvmlNotSupported, nvmlNoFunction:
		return "[N/A]"
	case nvmlNoPermission:
		return "[Insufficient Permissions]"
	case nvmlLost:
		return "[GPU is lost]"
	}
	return "[Unknown Error]"
}

// nvmlString reads a text of the library; its comma would part the fields.
func nvmlString(read func(*C.char, C.uint) C.int) string {
	var text [nvmlText]C.char
	if code := read(&text[0], nvmlText); code != 0 {
		return nvmlWord(code)
	}
	text[nvmlText-1] = 0
	return strings.ReplaceAll(C.GoString(&text[0]), ",", " ")
}

func nvmlNumber(code C.int, n uint64) string {
	if code != 0 {
		return nvmlWord(code)
	}
	return strconv.FormatUint(n, 10)
}

func (l loadedNVML) card(i int) nvmlCard {
	var d C.assay_device
	code := C.assay_handle(C.uint(i), &d)
	out := nvmlCard{"index": strconv.Itoa(i), "driver_version": l.driver}
	if code != 0 {
		for _, f := range nvidiaFields {
			if out[f] == "" {
				out[f] = nvmlWord(code)
			}
		}
		return out
	}
	out["name"] = nvmlString(func(to *C.char, n C.uint) C.int { return C.assay_name(d, to, n) })
	out["uuid"] = nvmlString(func(to *C.char, n C.uint) C.int { return C.assay_uuid(d, to, n) })
	nvmlMemory(d, out)
	var busy C.assay_utilization
	code = C.assay_busy(d, &busy)
	out["utilization.gpu"] = nvmlNumber(code, uint64(busy.gpu))
	var v C.uint
	code = C.assay_temperature(d, &v)
	out["temperature.gpu"] = nvmlNumber(code, uint64(v))
	if code = C.assay_power(d, &v); code == 0 {
		out["power.draw"] = fmt.Sprintf("%.2f", float64(v)/1000)
	} else {
		out["power.draw"] = nvmlWord(code)
	}
	var state C.int
	if code = C.assay_state(d, &state); code == 0 {
		out["pstate"] = "P" + strconv.Itoa(int(state))
	} else {
		out["pstate"] = nvmlWord(code)
	}
	var bus C.assay_pci
	if code = C.assay_bus(d, &bus); code == 0 {
		bus.bus_id[len(bus.bus_id)-1] = 0
		out["pci.bus_id"] = C.GoString(&bus.bus_id[0])
	} else {
		out["pci.bus_id"] = nvmlWord(code)
	}
	var now, then C.uint
	switch code = C.assay_mig(d, &now, &then); {
	case code != 0:
		out["mig.mode.current"] = nvmlWord(code)
	case now != 0:
		out["mig.mode.current"] = "Enabled"
	default:
		out["mig.mode.current"] = "Disabled"
	}
	return out
}

// nvmlMemory fills the sizes in: from the call that knows the driver's reserve, else from the older one, which counts the
// reserve as used.
func nvmlMemory(d C.assay_device, out nvmlCard) {
	var two C.assay_memory_v2
	if code := C.assay_mem2(d, &two); code == 0 {
		out["memory.total"], out["memory.free"] = nvmlMiB(two.total), nvmlMiB(two.free)
		out["memory.used"], out["memory.reserved"] = nvmlMiB(two.used), nvmlMiB(two.reserved)
		return
	}
	var one C.assay_memory
	if code := C.assay_mem1(d, &one); code != 0 {
		for _, f := range []string{"memory.total", "memory.free", "memory.used", "memory.reserved"} {
			out[f] = nvmlWord(code)
		}
		return
	}
	out["memory.total"], out["memory.free"], out["memory.used"] = nvmlMiB(one.total), nvmlMiB(one.free), nvmlMiB(one.used)
	out["memory.reserved"] = "[N/A]"
}

func nvmlMiB(n C.ulonglong) string { return strconv.FormatUint(uint64(n)>>20, 10) }

func (l loadedNVML) processes(i int) []nvmlProcess {
	var d C.assay_device
	if C.assay_handle(C.uint(i), &d) != 0 {
		return nil
	}
	var list [nvmlMostProcesses]C.assay_process
	n := C.uint(nvmlMostProcesses)
	if C.assay_processes(d, &n, (*C.assay_process)(unsafe.Pointer(&list[0]))) != 0 {
		return nil
	}
	uuid := nvmlString(func(to *C.char, n C.uint) C.int { return C.assay_uuid(d, to, n) })
	out := make([]nvmlProcess, 0, n)
	for _, p := range list[:min(int(n), nvmlMostProcesses)] {
		memory := "[N/A]"
		if uint64(p.memory) != nvmlNotAvailable {
			memory = nvmlMiB(p.memory)
		}
		name := nvmlString(func(to *C.char, n C.uint) C.int { return C.assay_process_name(p.pid, to, n) })
		if strings.HasPrefix(name, "[") && name != "[Insufficient Permissions]" {
			name = "[Not Found]" // the tool's word for a program whose name it is not given
		}
		out = append(out, nvmlProcess{uuid: uuid, pid: uint32(p.pid), name: name, memory: memory})
	}
	return out
}
