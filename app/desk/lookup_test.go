package desk

import (
	"strings"
	"testing"

	"assay/engine/fetch"
	"assay/engine/research"
)

// TestLookUpIsAskedFor: cited works are looked up in a run of the web whose reader asked for it, and in no other; the switch for offline
// wins over all.
func TestLookUpIsAskedFor(t *testing.T) {
	for _, tc := range []struct {
		name         string
		set, flag    string
		offline, web bool
		want         bool
	}{
		{name: "by itself it is off", web: true},
		{name: "set", set: "on", web: true, want: true},
		{name: "for one run", flag: "on", web: true, want: true},
		{name: "set, and the run is closed", set: "on"},
		{name: "asked for, and the run is closed", flag: "on"},
		{name: "set and asked for, and offline", set: "on", flag: "on", offline: true, web: true},
		{name: "set back", set: "off", web: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := testDesk(t, nil)
			var dialed []string
			d.wire.dialed = func(_, address string) { dialed = append(dialed, address) }
			if tc.set != "" {
				if err := d.SetWeb("lookup", []string{tc.set}); err != nil {
					t.Fatal(err)
				}
			}
			if tc.offline {
				s := d.Settings()
				s.Offline = true
				if err := d.SetSettings(s); err != nil {
					t.Fatal(err)
				}
			}
			req := research.Request{Question: "How deep is the bay?", Libraries: []string{t.TempDir()}, LookUp: tc.flag == "on", Model: "extractive"}
			if tc.web {
				req.Egress = research.Web
			}
			got, err := d.complete(req)
			if err != nil {
				t.Fatal(err)
			}
			if got.LookUp != tc.want {
				t.Errorf("look up %v, want %v", got.LookUp, tc.want)
			}
			o, err := d.lookOutside(got, func(research.Outbound) {}, func(fetch.Page) {})
			if err != nil {
				t.Fatal(err)
			}
			works := 0
			if o != nil {
				defer o.client.Close()
				works = len(o.works)
			}
			if want := map[bool]int{true: 3}[tc.want]; works != want {
				t.Errorf("%d catalogues, want %d", works, want)
			}
			if len(dialed) > 0 {
				t.Errorf("dialed %v before anything was asked", dialed)
			}
		})
	}
	d := testDesk(t, nil)
	if err := d.SetWeb("lookup", []string{"maybe"}); err == nil || !strings.Contains(err.Error(), "on or off") {
		t.Errorf("lookup maybe: %v", err)
	}
	// A record that was asked to look up, opened on a desk that is offline since, asks nobody.
	s := d.Settings()
	s.Offline = true
	if err := d.SetSettings(s); err != nil {
		t.Fatal(err)
	}
	o, err := d.lookOutside(research.Request{Egress: research.Web, LookUp: true}, func(research.Outbound) {}, func(fetch.Page) {})
	if err != nil || len(o.works) > 0 {
		t.Errorf("offline since: %v, %d catalogues", err, len(o.works))
	}
	o.client.Close()
}

func TestTemplateIsChecked(t *testing.T) {
	d := testDesk(t, nil)
	ask := func(name string) (research.Request, error) {
		return d.complete(research.Request{Question: "How deep is the bay?", Libraries: []string{t.TempDir()}, Template: name, Model: "extractive"})
	}
	if _, err := ask("poem"); err == nil || !strings.Contains(err.Error(), "literature") {
		t.Errorf("a template that is not there: %v", err)
	}
	if r, err := ask("auto"); err != nil || r.Template != "" {
		t.Errorf("auto: %q, %v", r.Template, err)
	}
	s := d.Settings()
	s.Template = "policy"
	if err := d.SetSettings(s); err != nil {
		t.Fatal(err)
	}
	if r, err := ask(""); err != nil || r.Template != "policy" {
		t.Errorf("as set: %q, %v", r.Template, err)
	}
	if r, err := ask("person"); err != nil || r.Template != "person" {
		t.Errorf("asked for: %q, %v", r.Template, err)
	}
	s.Template = "poem"
	if err := d.SetSettings(s); err == nil {
		t.Error("a template that is not there is kept")
	}
}
