package desk

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/engine/research"
)

func TestTokens(t *testing.T) {
	d := testDesk(t, succeed)
	secrets := map[string]string{}
	for _, role := range Roles {
		s, err := d.AddToken(string(role)+"1", role)
		if err != nil || !strings.HasPrefix(s, "assay_") || len(s) < 50 {
			t.Fatalf("AddToken(%s) = %q, %v", role, s, err)
		}
		secrets[string(role)+"1"] = s
	}
	for name, secret := range secrets {
		if c, ok, err := d.Identify(secret); err != nil || !ok || c.Name != name || string(c.Role)+"1" != name {
			t.Errorf("Identify(%s) = %+v, %v, %v", name, c, ok, err)
		}
		for _, wrong := range []string{"", secret[:len(secret)-1], secret + "x", strings.ToUpper(secret), "assay_"} {
			if c, ok, _ := d.Identify(wrong); ok {
				t.Errorf("Identify(%q) = %+v", wrong, c)
			}
		}
	}
	b, err := os.ReadFile(d.tokenFile())
	if err != nil {
		t.Fatal(err)
	}
	for name, secret := range secrets {
		if strings.Contains(string(b), secret) || strings.Contains(string(b), strings.TrimPrefix(secret, tokenPrefix)) {
			t.Errorf("the token %s is on disk", name)
		}
	}
	var wrong *UsageError
	for _, tc := range []struct {
		name string
		role Role
	}{{"reader1", Reader}, {"", Reader}, {"A", Reader}, {"../x", Reader}, {"x\n", Reader}, {strings.Repeat("x", 41), Reader}, {"b", ""}, {"b", "king"}} {
		if _, err := d.AddToken(tc.name, tc.role); !errors.As(err, &wrong) {
			t.Errorf("AddToken(%q, %q) = %v", tc.name, tc.role, err)
		}
	}
	if err := d.RemoveToken("reader1"); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := d.Identify(secrets["reader1"]); ok {
		t.Error("a revoked token is known")
	}
	if err := d.RemoveToken("reader1"); !errors.As(err, &wrong) {
		t.Errorf("RemoveToken again = %v", err)
	}
	// A damaged list lets nobody in.
	if err := os.WriteFile(d.tokenFile(), []byte(`[{"name":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := d.Identify(secrets["admin1"]); ok || err == nil {
		t.Errorf("Identify with a damaged list = %v, %v", ok, err)
	}
}

func TestMay(t *testing.T) {
	for _, tc := range []struct {
		role, least Role
		want        bool
	}{
		{Reader, Reader, true}, {Reader, Researcher, false}, {Researcher, Reader, true}, {Researcher, Admin, false}, {Admin, Admin, true},
		{"", Reader, false}, {"king", Reader, false}, {Admin, "king", false}, {Admin, "", false},
	} {
		if got := tc.role.May(tc.least); got != tc.want {
			t.Errorf("%q.May(%q) = %v", tc.role, tc.least, got)
		}
	}
}

// Quotas are counted exactly, also by many at once, and begin anew at midnight of UTC.
func TestSpend(t *testing.T) {
	d := testDesk(t, succeed)
	now := time.Date(2026, 3, 1, 23, 30, 0, 0, time.FixedZone("east", 3600)) // 22:30 UTC
	d.clock = func() time.Time { return now }
	most := 20
	set := d.Settings()
	set.Access = map[Role]RoleLimits{Reader: {Lookups: &most}}
	if err := d.SetSettings(set); err != nil {
		t.Fatal(err)
	}
	c := Caller{"a", Reader}
	var group sync.WaitGroup
	var mu sync.Mutex
	given := 0
	for range 4 {
		group.Go(func() {
			for range 10 {
				if d.SpendLookup(c) == nil {
					mu.Lock()
					given++
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	var full *QuotaError
	if err := d.SpendLookup(c); given != most || !errors.As(err, &full) || full.After != 90*time.Minute {
		t.Errorf("%d were given of %d, then %v", given, most, err)
	}
	if spent, err := d.Spent(c); err != nil || spent.Lookups != most {
		t.Errorf("spent %+v, %v", spent, err)
	}
	now = now.Add(full.After)
	if err := d.SpendLookup(c); err != nil {
		t.Errorf("after midnight: %v", err)
	}
	for range most * 2 {
		if err := d.SpendLookup(Caller{"b", Admin}); err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []map[Role]RoleLimits{{"king": {}}, {Reader: {Depth: "x"}}, {Reader: {Reach: "x"}}, {Reader: {Runs: new(-2)}}} {
		set.Access = bad
		if err := d.SetSettings(set); err == nil || !strings.Contains(err.Error(), "access") {
			t.Errorf("settings %+v: %v", bad, err)
		}
	}
	// A start that fails gives its count back.
	if _, err := d.StartFor(t.Context(), Caller{"c", Researcher}, research.Request{Question: "???"}, StartOptions{}); err == nil {
		t.Error("a question without a word was started")
	}
	if spent, err := d.Spent(Caller{"c", Researcher}); err != nil || spent.Runs != 0 {
		t.Errorf("spent %+v, %v", spent, err)
	}
}

func TestMasked(t *testing.T) {
	for in, want := range map[string]string{
		"get https://me:pw@host/x?a=1&api_key=K1&b=2: 403":    "get https://[masked]@host/x?a=1&api_key=[masked]&b=2: 403",
		"https://host/?token=T;secret=S":                      "https://host/?token=[masked];secret=[masked]",
		"postgres://user:pass@db/x":                           "postgres://[masked]@db/x",
		"write to me@example.org, see https://host/a@b/c?q=1": "write to me@example.org, see https://host/a@b/c?q=1",
		"nothing": "nothing",
	} {
		if got := Masked(in); got != want {
			t.Errorf("Masked(%q) = %q, want %q", in, got, want)
		}
	}
}
