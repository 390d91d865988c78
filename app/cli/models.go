package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/app/desk"
	"assay/engine/research"
	"assay/gpu"
)

func (p *program) modelsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "models", Short: "List, fetch, make, load and delete the models of the model server", Args: cobra.NoArgs,
		Long: "List, fetch, make, load and delete the models of the model server: the one that Assay started, or the one that\n" +
			"OLLAMA_HOST or the settings name.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(p.modelsList(), p.modelsShow(), p.modelsPull(), p.modelsRemove(), p.modelsCopy(), p.modelsCreate(), p.modelsLoad(), p.modelsUnload())
	return cmd
}

// serverFault gives the errors of a model server their exit code, and says how to get a server where there is none.
func serverFault(err error) error {
	if errors.Is(err, research.ErrUnavailable) && !strings.Contains(err.Error(), "; ") {
		err = fmt.Errorf("%w; start Ollama, or have Assay start it: assay server start", err)
	}
	for _, kind := range []error{research.ErrUnavailable, research.ErrMissing, research.ErrForbidden, research.ErrHung, research.ErrBusy, research.ErrServer} {
		if errors.Is(err, kind) {
			return &codedError{desk.ExitModel, err}
		}
	}
	return err
}

// withModels opens the home and does something with the model server.
func (p *program) withModels(fn func(*desk.Desk) error) error {
	return p.open(func(d *desk.Desk) error { return serverFault(fn(d)) })
}

func (p *program) modelsList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Short: "List the models, what they can do and what is loaded", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withModels(func(d *desk.Desk) error {
				list, err := d.Models(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, list)
				}
				err = p.table("NAME\tDISK\tFAMILY\tSIZE\tWEIGHTS\tCONTEXT\tCAN\tSTATE", len(list.Models), func(w io.Writer, i int) {
					m := list.Models[i]
					say(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", m.Name, desk.DiskText(m.Size), known(m.Family), known(m.Parameters), known(m.Quantization),
						tokens(m.ContextLength), known(strings.Join(m.Capabilities, ",")), modelState(m.Remote, m.Running, list.Loaded != nil))
				}, "The model server has no model yet: fetch one with assay models pull gpt-oss:20b.")
				if len(list.Models) > 0 {
					say(p.out, "%s, %s, on the Ollama server %s at %s\n", count(len(list.Models), "model"), desk.DiskText(list.Bytes), list.Version, list.BaseURL)
				}
				return err
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// known is a word, or that there is none.
func known(s string) string {
	if s == "" || s == "unknown" {
		return "?"
	}
	return s
}

func tokens(n int) string {
	if n == 0 {
		return "?"
	}
	return fmt.Sprint(n)
}

// modelState is where a model is now. told says that the server tells what is loaded.
func modelState(remote string, r *desk.RunningModel, told bool) string {
	switch {
	case remote != "":
		return "not on this machine: runs on " + remote
	case r != nil:
		return runningText(*r)
	case !told:
		return "?"
	}
	return "not loaded"
}

// runningText is where a loaded model lies.
func runningText(r desk.RunningModel) string {
	where := "in main memory"
	switch {
	case r.SizeVRAM > 0 && r.SizeVRAM >= r.Size:
		where = "on the GPU"
	case r.SizeVRAM > 0:
		where = fmt.Sprintf("%d %% on the GPU", r.SizeVRAM*100/r.Size)
	}
	text := fmt.Sprintf("loaded %s, %s", where, desk.DiskText(r.Size))
	if r.ContextLength > 0 {
		text += fmt.Sprintf(", window %d", r.ContextLength)
	}
	if r.ExpiresMs > 0 {
		text += ", until " + time.UnixMilli(r.ExpiresMs).Format("15:04")
	}
	return text
}

func (p *program) modelsShow() *cobra.Command {
	var asJSON, raw bool
	cmd := &cobra.Command{Use: "show NAME", Short: "Show all that the server says of a model", Args: oneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withModels(func(d *desk.Desk) error {
				m, err := d.ShowModel(cmd.Context(), args[0])
				switch {
				case err != nil:
					return err
				case raw:
					_, err := fmt.Fprintf(p.out, "%s\n", m.Shown)
					return err
				case asJSON:
					return printJSON(p.out, m)
				}
				for _, line := range [][2]string{
					{"Model", m.Name}, {"Digest", known(m.Digest)}, {"Disk", desk.DiskText(m.Size)}, {"Family", known(m.Family)}, {"Size", known(m.Parameters)},
					{"Weights", known(m.Quantization)}, {"Context", tokens(m.ContextLength)}, {"Can", known(strings.Join(m.Capabilities, ", "))},
					{"State", modelState(m.Remote, m.Running, true)},
				} {
					say(p.out, "%-9s%s\n", line[0], line[1])
				}
				return nil
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, the server's own answer in it")
	cmd.Flags().BoolVar(&raw, "raw", false, "print the server's own answer only, as assay fit --model-info reads it")
	return cmd
}

func (p *program) modelsRemove() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{Use: "rm NAME...", Short: "Delete models from the server's disk", Args: someArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withModels(func(d *desk.Desk) error {
				for _, name := range args {
					err := p.confirmed(cmd.Context(), yes, func(yes bool) error { return d.DeleteModel(cmd.Context(), name, yes) })
					if err != nil {
						return err
					}
					say(p.out, "Deleted %s.\n", name)
				}
				return nil
			})
		}}
	cmd.Flags().BoolVar(&yes, "yes", false, "delete without asking")
	return cmd
}

// confirmed does what may need a yes, and asks for it unless yes was said.
func (p *program) confirmed(ctx context.Context, yes bool, do func(yes bool) error) error {
	err := do(yes)
	if errors.Is(err, desk.ErrUnconfirmed) {
		var ok bool
		if ok, err = p.confirm(ctx, err, "--yes", "yes"); ok {
			err = do(true)
		}
	}
	return err
}

// confirm shows what needs a yes and reads it on a terminal: the word that stands for it. Elsewhere the error names the option.
func (p *program) confirm(ctx context.Context, what error, option, word string) (bool, error) {
	if !terminal(p.in) || !terminal(p.err) {
		return false, &codedError{desk.ExitUsage, fmt.Errorf("%w; say yes with %s", what, option)}
	}
	say(p.err, "%v\nType %s to go on: ", what, word)
	answer, err := readLine(ctx, p.in)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if strings.TrimSpace(answer) != word {
		return false, &codedError{desk.ExitUsage, errors.New("nothing was done")}
	}
	return true, nil
}

func (p *program) modelsCopy() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{Use: "cp FROM TO", Short: "Give a model a second name, which takes no room", Args: twoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withModels(func(d *desk.Desk) error {
				err := p.confirmed(cmd.Context(), yes, func(yes bool) error { return d.CopyModel(cmd.Context(), args[0], args[1], yes) })
				if err != nil {
					return err
				}
				say(p.out, "%s is now also called %s.\n", args[0], args[1])
				return nil
			})
		}}
	cmd.Flags().BoolVar(&yes, "yes", false, "replace the model that has the name TO, without asking")
	return cmd
}

func twoArgs(cmd *cobra.Command, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("%s takes two arguments and was given %d: write it as %s", cmd.CommandPath(), len(args), cmd.UseLine())
	}
	return nil
}

func (p *program) modelsCreate() *cobra.Command {
	var file, template, system string
	var opt desk.CreateOptions
	var numCtx int
	cmd := &cobra.Command{Use: "create NAME --file FILE", Short: "Make a model of a GGUF file, such as one from a stick", Args: oneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			if file == "" {
				return &desk.UsageError{Err: errors.New("name the model file with --file FILE")}
			}
			opt.Template, opt.System = template, system
			if numCtx > 0 {
				opt.Parameters = map[string]any{"num_ctx": numCtx}
			}
			return p.withModels(func(d *desk.Desk) error {
				v := p.transfer()
				opt.Progress = func(phase string, done, total int64) { v.show(title(phase)+" "+file, done, total, nil, nil) }
				err := p.confirmed(cmd.Context(), opt.Replace, func(yes bool) error {
					opt.Replace = yes
					defer v.end() // a question stands below the bar
					return d.CreateModel(cmd.Context(), args[0], file, opt)
				})
				if err != nil {
					return err
				}
				say(p.out, "Made %s of %s.\n", args[0], file)
				return nil
			})
		}}
	f := cmd.Flags()
	f.StringVar(&file, "file", "", "the GGUF `FILE`")
	f.StringVar(&opt.SHA256, "sha256", "", "refuse the file unless it has the checksum `HEX`")
	f.BoolVar(&opt.Replace, "yes", false, "replace the model that has the name NAME, without asking")
	f.StringVar(&template, "template", "", "the model's `TEMPLATE`, when the file's own is wrong")
	f.StringVar(&system, "system", "", "the model's system prompt, as `TEXT`")
	f.IntVar(&numCtx, "ctx", 0, "the model's own window of `N` tokens")
	return cmd
}

// maxAsked bounds a window or batch that is asked for: no model has one of more tokens.
const maxAsked = 1 << 26

func (p *program) modelsLoad() *cobra.Command {
	var opt desk.LoadOptions
	var asJSON bool
	var keep string
	cmd := &cobra.Command{Use: "load NAME", Short: "Load a model into memory and say where it lies", Args: oneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			for flag, n := range map[string]int{"ctx": opt.NumCtx, "batch": opt.NumBatch} {
				if cmd.Flags().Changed(flag) && (n < 1 || n > maxAsked) {
					return &desk.UsageError{Err: fmt.Errorf("--%s %d: use a number of tokens from 1 to %s", flag, n, gpu.Grouped(maxAsked))}
				}
			}
			if keep != "" {
				var err error
				if opt.KeepAlive, err = time.ParseDuration(keep); err != nil {
					return &desk.UsageError{Err: fmt.Errorf("--keep-alive %.40q: write a time as 30m, 2h or -1s", keep)}
				}
			}
			return p.withModels(func(d *desk.Desk) error {
				r, err := d.LoadModel(cmd.Context(), args[0], opt)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(p.out, r)
				}
				say(p.out, "%s is %s.\n", r.Name, runningText(r))
				if opt.NumCtx > 0 && r.ContextLength > 0 && r.ContextLength != opt.NumCtx {
					say(p.out, "A window of %s was asked for; the server made one of %s, as the model or the server allows.\n", count(opt.NumCtx, "token"), gpu.Grouped(r.ContextLength))
				}
				return nil
			})
		}}
	f := cmd.Flags()
	f.IntVar(&opt.NumCtx, "ctx", 0, "a window of `N` tokens (default: the server's)")
	f.IntVar(&opt.NumBatch, "batch", 0, "batches of `N` tokens (default: the server's)")
	f.StringVar(&keep, "keep-alive", "", "keep it for `TIME` after its last use, such as 30m; -1s keeps it until it is unloaded (default: the server's)")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (p *program) modelsUnload() *cobra.Command {
	return &cobra.Command{Use: "unload NAME...", Short: "Let models go from memory", Args: someArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withModels(func(d *desk.Desk) error {
				for _, name := range args {
					if err := d.UnloadModel(cmd.Context(), name); err != nil {
						return err
					}
					say(p.out, "%s is not loaded any more.\n", name)
				}
				return nil
			})
		}}
}
