package bench

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestCrossval runs small worlds: what speaks to a claim is found and nothing else is. How time grows says nothing in worlds so small.
func TestCrossval(t *testing.T) {
	var out, errOut bytes.Buffer
	if code := Main(t.Context(), []string{"crossval", "--limit", "60", "--json"}, &out, &errOut); code != 0 {
		t.Fatalf("code %d: %s", code, errOut.String())
	}
	var r crossvalResult
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.N != 480 || len(r.Sizes) != 4 || r.Confirmed < 0.98 || r.Contradicted < 0.9 || r.Wrong > 0 {
		t.Errorf("%+v", r)
	}
}

func TestSlope(t *testing.T) {
	if got := slope([]crossvalPoint{{Claims: 10, Seconds: 1}, {Claims: 100, Seconds: 100}, {Claims: 1000, Seconds: 10000}}); got != 2 {
		t.Errorf("slope of a square = %v", got)
	}
}
