package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"assay/app/desk"
)

func (p *program) modelsPull() *cobra.Command {
	var from string
	var asJSON bool
	cmd := &cobra.Command{Use: "pull NAME", Short: "Have the model server fetch a model; doing it again goes on where it stopped", Args: oneArg,
		Long: "Have the model server fetch a model from Ollama's registry. Ctrl-C stops it; what was fetched is kept, and the same\n" +
			"command goes on there. A name with another host, such as hf.co/USER/MODEL, needs --from-host with that host.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withModels(func(d *desk.Desk) error {
				ctx := cmd.Context()
				pull, joined, err := d.PullModel(ctx, args[0], from)
				if errors.Is(err, desk.ErrForeignHost) && from == "" {
					host := desk.ModelHost(args[0])
					var ok bool
					if ok, err = p.confirm(ctx, err, "--from-host "+host, host); ok {
						pull, joined, err = d.PullModel(ctx, args[0], host)
					}
				}
				if err != nil {
					return err
				}
				return p.followPull(cmd, pull, joined, asJSON)
			})
		}}
	cmd.Flags().StringVar(&from, "from-host", "", "say yes to fetching from `HOST`, which is not Ollama's registry")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print progress as JSON, a line each")
	return cmd
}

// followPull shows a pull to its end and stops it when the person stops this program.
func (p *program) followPull(cmd *cobra.Command, pull *desk.ModelPull, joined, asJSON bool) error {
	ctx := cmd.Context()
	v := p.transfer()
	defer v.end()
	if joined {
		say(p.err, "This model is being fetched already.\n")
	}
	var last desk.PullProgress
	for ended := false; !ended; {
		changed := pull.Changed()
		at := pull.Progress()
		switch {
		case !asJSON:
			v.show(pullText(at), at.Done, at.Total, at.PerSecond, at.LeftMs)
		case at.Phase != last.Phase || at.Done != last.Done || at.Total != last.Total:
			if err := printJSON(p.out, at); err != nil {
				return err
			}
		}
		last = at
		select {
		case <-changed:
		case <-pull.Done():
			ended = true
		case <-ctx.Done():
			pull.Cancel()
			<-pull.Done()
			v.end()
			return &codedError{desk.ExitInterrupted, errors.New("stopped; what was fetched is kept, and the same command goes on there")}
		}
	}
	v.end()
	if asJSON {
		if err := printJSON(p.out, pull.Progress()); err != nil {
			return err
		}
	}
	if err := pull.Wait(ctx); err != nil {
		return err
	}
	if !asJSON {
		say(p.out, "Fetched %s, %s.\n", pull.Progress().Name, desk.DiskText(pull.Progress().Total))
	}
	return nil
}

// pullText is what a pull does.
func pullText(at desk.PullProgress) string {
	switch at.Phase {
	case "asking":
		return "Asking for the parts of " + at.Name
	case "checking":
		return "Checking the checksums of " + at.Name
	case "waiting":
		return fmt.Sprintf("Trying again (%d): %s", at.Tries, at.Error)
	}
	return "Fetching " + at.Name
}

// transfer shows how far bytes are: a bar on a terminal, now and then a line otherwise.
type transfer interface {
	// show is told what goes on, bytes and, when they are known, bytes a second and milliseconds left.
	show(what string, done, total int64, perSecond, leftMs *int64)
	end()
}

func (p *program) transfer() transfer {
	if terminal(p.err) {
		return &barTransfer{out: p.err}
	}
	return &lineTransfer{out: p.err}
}

// farText is "45 % of 13.8 GB, 34.1 MB/s, 3 min left".
func farText(done, total int64, perSecond, leftMs *int64) string {
	if total <= 0 {
		return ""
	}
	text := fmt.Sprintf("%d %% of %s", done*100/total, desk.DiskText(total))
	if perSecond != nil {
		text += fmt.Sprintf(", %s/s", desk.DiskText(*perSecond))
	}
	if leftMs != nil {
		text += ", " + leftText(time.Duration(*leftMs)*time.Millisecond) + " left"
	}
	return text
}

func leftText(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds())+1)
	case d < 90*time.Minute:
		return fmt.Sprintf("%d min", int(d.Minutes())+1)
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

// barTransfer is a bar with its words before it.
type barTransfer struct {
	out  io.Writer
	bar  *progressbar.ProgressBar
	what string
}

func (v *barTransfer) show(what string, done, total int64, perSecond, leftMs *int64) {
	if v.bar == nil {
		v.bar = progressbar.NewOptions64(max(total, 1), progressbar.OptionSetWriter(v.out), progressbar.OptionSetWidth(24),
			progressbar.OptionSetPredictTime(false), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
	}
	if strings.HasPrefix(what, "Trying again") && what != v.what { // it would be gone with the next change
		_ = v.bar.Clear()
		say(v.out, "%s\n", what)
	}
	v.what = what
	// The bar cannot be drawn only when the terminal is gone; then there is nobody to tell.
	v.bar.Describe(plain(strings.TrimSuffix(what+": "+farText(done, total, perSecond, leftMs), ": ")))
	if total > 0 {
		v.bar.ChangeMax64(total)
		_ = v.bar.Set64(min(done, total-1)) // a full bar is taken away
	}
}

func (v *barTransfer) end() {
	if v.bar != nil {
		_ = v.bar.Clear()
		v.bar = nil
	}
}

// lineTransfer prints a line for every tenth part and whenever something else goes on.
type lineTransfer struct {
	out   io.Writer
	what  string
	tenth int64
}

func (v *lineTransfer) show(what string, done, total int64, perSecond, leftMs *int64) {
	tenth := int64(0)
	if total > 0 {
		tenth = done * 10 / total
	}
	if what == v.what && tenth <= v.tenth {
		return
	}
	v.what, v.tenth = what, tenth
	say(v.out, "%s\n", strings.TrimSuffix(what+": "+farText(done, total, perSecond, leftMs), ": "))
}

func (v *lineTransfer) end() {}
