package gpu

import (
	"regexp"
	"strings"
)

// nvidiaFaults are the driver's sentences and what they mean for the person, in the order they are looked for. They are
// recorded from public reports; two spellings of one fault differ between drivers, so the stable part is matched. The text
// is matched and not the exit code, which differs between drivers for one and the same fault: "No devices were found" was
// seen with 0 and with 6.
var nvidiaFaults = []struct {
	text string
	kind Kind
	note string
}{
	{"driver/library version mismatch", KindDriverMismatch,
		"NVIDIA's driver was updated while it was loaded: restart the machine; until then no program can use the card, Ollama neither"},
	{"couldn't communicate with the nvidia driver", KindNoDriver,
		"NVIDIA's driver does not answer: it is not loaded, or the card of a laptop is switched off to save power; it is looked for again later"},
	{"gpu access blocked by the operating system", KindBlocked,
		"the operating system keeps this environment from the card: under Windows' Linux run wsl --shutdown in Windows and open it again, in a container give it the card"},
	{"no supported gpus were found", KindNoSupported,
		"NVIDIA's driver started and is bound to no card that it supports: look whether the card is given to another driver or to a virtual machine; models run on the processor"},
	{"unable to determine the device handle", KindOffBus,
		"a card does not answer and may have fallen off the bus: restart the machine; other cards may go on working and are asked one by one"},
	{"gpu is lost", KindOffBus,
		"a card does not answer and may have fallen off the bus: restart the machine; other cards may go on working and are asked one by one"},
	{"no devices were found", KindNoDevices,
		"NVIDIA's driver is loaded and found no usable card; models run on the processor"},
	{"insufficient permissions", KindNoPermission,
		"the driver hides the card from this environment (insufficient permissions), so its memory is unknown"},
	{"driver not loaded", KindNoDriver,
		"NVIDIA's driver is not loaded; it is looked for again later"},
	{"failed to initialize nvml", KindToolFailed,
		"NVIDIA's driver could not be started, so the card is unknown; run nvidia-smi by hand to see why"},
}

var handleOf = regexp.MustCompile(`(?i)device handle for GPU ?([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f])`)

// nvidiaFault is the fault that a tool's output names; the kind is "" when there is none.
func nvidiaFault(output string) (Kind, string) {
	low := strings.ToLower(output)
	for _, f := range nvidiaFaults {
		if !strings.Contains(low, f.text) {
			continue
		}
		if m := handleOf.FindStringSubmatch(output); m != nil && f.kind == KindOffBus {
			return f.kind, "the card at " + busAddress(m[1]) + strings.TrimPrefix(f.note, "a card")
		}
		return f.kind, f.note
	}
	return "", ""
}

var unknownField = regexp.MustCompile(`Field "([a-z._]+)" is not a valid field to query`)

// fieldUnknown is the field that the tool does not know and for which it refused the whole query, or "".
func fieldUnknown(output string) string {
	if m := unknownField.FindStringSubmatch(output); m != nil {
		return m[1]
	}
	return ""
}
