package app

import "assay/app/desk"

// The model server as the page sees it: which one answers, and the one that Assay starts by itself.

// ServerView is what is known of the model servers.
type ServerView struct {
	Status   desk.ServerStatus `json:"status"`
	Settings ServerSettings    `json:"settings"`
}

// ServerSettings are those of the server that Assay starts. They hold from its next start on.
type ServerSettings struct {
	On             bool   `json:"on"`              // runs use it
	FlashAttention string `json:"flash_attention"` // auto, on, off
	KVType         string `json:"kv_type"`         // auto (as the plan needs), f16, q8_0, q4_0
	Parallel       int    `json:"parallel"`        // calls answered at once, 1 to 16
	Binary         string `json:"binary"`          // the program's path; empty: found by itself
}

// Server looks at the model servers. It starts none.
func (a *API) Server() (s ServerView, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return s, err
	}
	set := d.Settings()
	s.Settings = ServerSettings{
		On: set.ManagedServer, FlashAttention: orText(set.FlashAttention, "auto"), KVType: orText(set.KVType, "auto"), Parallel: max(1, set.Parallel), Binary: set.OllamaBinary,
	}
	s.Status, err = d.ServerStatus(ctx)
	if s.Status.Others == nil {
		s.Status.Others = []desk.OtherServer{}
	}
	return s, err
}

func orText(s, or string) string {
	if s == "" {
		return or
	}
	return s
}

// SetServer keeps the settings of the server that Assay starts.
func (a *API) SetServer(s ServerSettings) (err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return err
	}
	set := d.Settings()
	set.ManagedServer, set.FlashAttention, set.KVType, set.Parallel, set.OllamaBinary = s.On, s.FlashAttention, s.KVType, s.Parallel, s.Binary
	if err := d.SetSettings(set); err != nil {
		return err
	}
	a.outside.emit(ctx, eventServer, nil)
	return nil
}

// StartServer starts the server of Assay's own and returns when it answers.
func (a *API) StartServer() (m desk.ManagedServer, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return m, err
	}
	defer a.changed(ctx)
	defer a.outside.emit(ctx, eventServer, nil)
	return d.StartServer(ctx)
}

// StopServer stops the server that Assay started, never another, and says what it did.
func (a *API) StopServer() (said string, err error) {
	defer recovered(&err)
	ctx, d, err := a.open()
	if err != nil {
		return "", err
	}
	defer a.changed(ctx)
	defer a.outside.emit(ctx, eventServer, nil)
	return d.StopServer(ctx)
}

// maxLogLines bounds the lines of a log that are sent to the page.
const maxLogLines = 400

// ServerLog returns the end of the log of the server that Assay started, and what it says of settings, devices and loads.
func (a *API) ServerLog() (l desk.ServerLog, err error) {
	defer recovered(&err)
	l.Lines = []string{}
	_, d, err := a.open()
	if err != nil {
		return l, err
	}
	l, err = d.ServerLog(maxLogLines)
	for i, line := range l.Lines {
		l.Lines[i] = short(line)
	}
	return l, err
}
