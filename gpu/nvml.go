package gpu

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// NVIDIA's library answers in a few milliseconds where its tool takes hundreds, but it is the driver's code: it may hang, crash
// and leave threads behind. So it is only ever loaded in a child, the program's own subcommand [NVMLCommand], which speaks as
// nvidia-smi does: one reader serves both, and what the child cannot say the tool is asked for.

// NVMLCommand is the subcommand under which the program is the child that loads NVIDIA's library.
const NVMLCommand = "nvml-probe"

// Exit codes of the child. 2 is Go's own for a crash, so it is none of them.
const (
	nvmlUnknown   = 3   // the query holds a field that is not known, which is said as the tool says it
	nvmlNoLibrary = 127 // there is no library, it does not start, or this build cannot load one
)

// errNoNVML: this build cannot load the library, or it is not there.
var errNoNVML = errors.New("NVIDIA's library libnvidia-ml.so.1 cannot be loaded here")

// nvmlCard is what the library says of a card, as the tool would print it, by the names of its query's fields.
type nvmlCard map[string]string

// nvmlProcess is a program on a card.
type nvmlProcess struct {
	uuid, name, memory string
	pid                uint32
}

// nvmlLibrary is the loaded library.
type nvmlLibrary interface {
	count() (int, error)
	card(i int) nvmlCard
	processes(i int) []nvmlProcess
	close()
}

// NVMLProbe is the child: it answers the queries of the tool that a [Monitor] asks, from the library, and returns its exit code.
// It may hang or crash where the driver does, which is why it is a process of its own.
func NVMLProbe(args []string, stdout, stderr io.Writer) int {
	var fields, only []string
	apps := false
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case strings.HasPrefix(a, "--query-gpu="):
			fields = strings.Split(strings.TrimPrefix(a, "--query-gpu="), ",")
		case strings.HasPrefix(a, "--query-compute-apps="):
			fields, apps = strings.Split(strings.TrimPrefix(a, "--query-compute-apps="), ","), true
		case a == "--format=csv,noheader,nounits":
		case a == "-i" && i+1 < len(args):
			i++
			only = strings.Split(args[i], ",")
		default:
			fmt.Fprintf(stderr, "%s: %q is no query that it answers\n", NVMLCommand, a)
			return nvmlUnknown
		}
	}
	if len(fields) == 0 {
		fmt.Fprintf(stderr, "%s: nothing was asked\n", NVMLCommand)
		return nvmlUnknown
	}
	lib, err := openNVML()
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", NVMLCommand, err)
		return nvmlNoLibrary
	}
	defer lib.close()
	if err := nvmlAnswer(lib, fields, only, apps, stdout); err != nil {
		fmt.Fprintln(stdout, err) // where the tool says it
		return nvmlUnknown
	}
	return 0
}

// nvmlAnswer writes the lines of a query.
func nvmlAnswer(lib nvmlLibrary, fields, only []string, apps bool, out io.Writer) error {
	n, err := lib.count()
	if err != nil {
		return err
	}
	for i := range min(n, maxCards) {
		card := lib.card(i)
		if len(only) > 0 && !slices.ContainsFunc(only, func(s string) bool {
			return s == strconv.Itoa(i) || strings.EqualFold(s, card["pci.bus_id"]) || sameBus(s, card["pci.bus_id"])
		}) {
			continue
		}
		rows := []nvmlCard{card}
		if apps {
			rows = nil
			for _, p := range lib.processes(i) {
				rows = append(rows, nvmlCard{"gpu_uuid": p.uuid, "pid": strconv.FormatUint(uint64(p.pid), 10), "process_name": p.name, "used_gpu_memory": p.memory})
			}
		}
		for _, row := range rows {
			values := make([]string, len(fields))
			for k, f := range fields {
				v, ok := row[f]
				if !ok {
					//lint:ignore ST1005 the tool's own sentence, by which the field is found
					return fmt.Errorf("Field %q is not a valid field to query.", f)
				}
				values[k] = v
			}
			if _, err := fmt.Fprintln(out, strings.Join(values, ", ")); err != nil {
				return err
			}
		}
	}
	return nil
}

// sameBus compares places on the bus that are written with a domain of four or of eight digits.
func sameBus(a, b string) bool {
	short := func(s string) string {
		domain, rest, ok := strings.Cut(strings.ToLower(s), ":")
		if !ok {
			return s
		}
		return strings.TrimLeft(domain, "0") + ":" + rest
	}
	return short(a) == short(b)
}

// TryNVML asks the child for the number of each card and says why it cannot answer; nil when it can.
func TryNVML(ctx context.Context, self string) error {
	_, stderr, err := runTool(ctx, self, NVMLCommand, "--query-gpu=index", "--format=csv,noheader,nounits")
	if said := strings.TrimSpace(strings.TrimPrefix(string(stderr), NVMLCommand+":")); err != nil && said != "" && !strings.Contains(said, "\n") {
		return errors.New(said)
	}
	return err
}

// WithNVML returns a runner that has the program's own child ask NVIDIA's library in place of nvidia-smi. self is the program's
// file. Whatever the child does not answer, and every other tool, is run as always.
func WithNVML(self string) Runner { return nvmlRunner(self, runTool) }

func nvmlRunner(self string, tool Runner) Runner {
	return func(ctx context.Context, name string, args ...string) (stdout, stderr []byte, err error) {
		if name != "nvidia-smi" || len(args) == 0 {
			return tool(ctx, name, args...)
		}
		stdout, stderr, err = runTool(ctx, self, append([]string{NVMLCommand}, args...)...)
		var ended *exec.ExitError
		if err == nil || ctx.Err() != nil || errors.As(err, &ended) && ended.ExitCode() == nvmlUnknown {
			return stdout, stderr, err
		}
		return tool(ctx, name, args...) // no library, or the child crashed in it
	}
}
