package answer

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestMend holds one case or more for each kind of fault; want is the value as JSON.
func TestMend(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"a mark in a value", `{"a": "the "old" tower", "b": 1}`, `{"a": "the \"old\" tower", "b": 1}`},
		{"a mark and a comma in a value", `{"a": "the "old", now lost", "b": 1}`, `{"a": "the \"old\", now lost", "b": 1}`},
		{"a mark in an element", `["the "old" tower", "6 "2" [x]"]`, `["the \"old\" tower", "6 \"2\" [x]"]`},
		{"an address in marks", `{"a": "[see]("https://example.org/a")"}`, `{"a": "[see](\"https://example.org/a\")"}`},
		{"no closing mark before a member", `{"a": "x, y,"b": "z"}`, `{"a": "x, y", "b": "z"}`},
		{"no closing mark before a bare member", `{"a": "x, b: [1]}`, `{"a": "x", "b": [1]}`},
		{"no closing mark at the end", `{"a": "x and y. }`, `{"a": "x and y."}`},
		{"no closing mark in a name", `{"a:"x", "b": 1}`, `{"a": "x", "b": 1}`},
		{"no opening mark", `{"a": x, y and z", "b": 1}`, `{"a": "x, y and z", "b": 1}`},
		{"marks written twice", `{""a"": ""(x) y,"", ""b"": [""{z""]}`, `{"a": "(x) y,", "b": ["{z"]}`},
		{"every mark escaped", `{\"a\": \"x\", \"b\": [\"y\"]}`, `{"a": "x", "b": ["y"]}`},
		{"typographic marks", `{“a”: “x, y”, ‘b’: 'z'}`, `{"a": "x, y", "b": "z"}`},
		{"a comma at the end of an element", `["x,", "y",]`, `["x,", "y"]`},
		{"a tuple", `{"a": (1, 2), "b": ("x"), "c": (3,), "d": ()}`, `{"a": [1, 2], "b": "x", "c": [3], "d": []}`},
		{"a set", `{'a', 'b'}`, `["a", "b"]`},
		{"pairs in a list", `["a": 1, "b": 2]`, `[{"a": 1, "b": 2}]`},
		{"words of Python", `{"a": TRUE, "b": None, "c": NaN}`, `{"a": true, "b": null, "c": null}`},
		{"a word that begins like one", `{"a": nullable, "b": Trueman}`, `{"a": "nullable", "b": "Trueman"}`},
		{"numbers", `{"a": 1_000, "b": .5, "c": +2, "d": 5., "e": 007, "f": 1/3, "g": 2e}`, `{"a": 1000, "b": 0.5, "c": 2, "d": 5.0, "e": "007", "f": "1/3", "g": 2e0}`},
		{"a number with a stray mark", `{"a": 12", "b": 1}`, `{"a": 12, "b": 1}`},
		{"members after the end", `{"a": 1}, "b": 2}`, `{"a": 1, "b": 2}`},
		{"a list that goes on", `{"a": [1], [2, 3], "b": 4}`, `{"a": [1, 2, 3], "b": 4}`},
		{"a bracket too many", `[{"a": 1}}, {"a": 2}]`, `[{"a": 1}, {"a": 2}]`},
		{"a bracket missing", `{"a": [{"b": 1], "c": 2}`, `{"a": [{"b": 1}], "c": 2}`},
		{"a brace missing", `[{"a": 1, {"a": 2}]`, `[{"a": 1}, {"a": 2}]`},
		{"a remark", `{"a": 1, SEE "b": "x "y" z"}`, `{"a": 1, "b": "x \"y\" z"}`},
		{"a fence in a string", "{\"a\": \"```json {\"b\": 1}```\"}", `{"a": {"b": 1}}`},
		{"code in a string", "{\"a\": \"\n```go\nfunc f() {\n}\n```\nSee \"f\".\n\", \"b\": 1}", `{"a": "\n` + "```go\\nfunc f() {\\n}\\n```" + `\nSee \"f\".", "b": 1}`},
		{"a call", `{"a": ObjectId("x"), "b": Date(5)}`, `{"a": "x", "b": 5}`},
		{"LaTeX", `{'a': '\alpha and \upcite{x}', "b": "\/"}`, `{"a": "\\alpha and \\upcite{x}", "b": "/"}`},
		{"a path", `{a: "C:\Users\ada\notes"}`, `{"a": "C:\\Users\\ada\\notes"}`},
		{"values one after another", `{"a": 1} [2] {}`, `[{"a": 1}, [2]]`},
		{"prose around", "As \"said\" above: {\"a\": \"x \"y\" z\"}\nDone.", `{"a": "x \"y\" z"}`},
		{"prose and a fence", "The pair:\n```\n(1, 2)\n```", `[1, 2]`},
		{"cut in a name", `{"a": 1, "`, `{"a": 1}`},
		{"cut after a mark", `["a", "`, `["a"]`},
		{"cut before a value", `{"a": "`, `{"a": ""}`},
		{"cut in an escape", `{"a": "x\u00`, `{"a": "x"}`},
		{"a pair of surrogates", `{'a': '\ud83d\ude00 \ud83d'}`, `{"a": "\ud83d\ude00 \ufffd"}`},
		{"white space of every kind", "{\"a\":\u3000\"x\",\u00a0\"b\":\u20021}", `{"a": "x", "b": 1}`},
		{"joined strings", `{"a": "x " + /* and */ "y", b: 1_0}`, `{"a": "x y", "b": 10}`},
		{"nothing but words", `the lamp`, `"the lamp"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want, ok := decode(tc.want)
			if !ok {
				t.Fatalf("want is no JSON: %s", tc.want)
			}
			for name, read := range map[string]func(string) (any, bool){"mend": mend, "readLoosely": loosely} {
				if name == "readLoosely" && !readLooselyToo[tc.name] {
					continue
				}
				got, ok := read(tc.text)
				if !ok || !reflect.DeepEqual(got, want) {
					t.Errorf("%s(%q) = %s, %v, want %s", name, tc.text, inJSON(got), ok, tc.want)
				}
			}
		})
	}
}

// readLooselyToo names the cases that the loose reading must manage without the library, because a long text is given to it
// alone.
var readLooselyToo = map[string]bool{"a mark in a value": true, "a mark in an element": true, "words of Python": true, "numbers": true, "a bracket missing": true,
	"a brace missing": true, "a call": true, "a path": true, "a word that begins like one": true, "typographic marks": true, "joined strings": true, "nothing but words": true}

func loosely(s string) (any, bool) {
	v, _, ok := readLoosely(s)
	return v, ok
}

func inJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// breaks are faults that leave only one reading of a text.
var breaks = []struct {
	name string
	do   func(string) string
}{
	{"none", func(s string) string { return s }},
	{"trailing commas", strings.NewReplacer("}]", ",}]", `"}`, `",}`).Replace},
	{"no brackets at the end", func(s string) string { return strings.TrimRight(s, "}]") }},
	{"a fence and prose", func(s string) string { return "Here is the result:\n```json\n" + s + "\n```\nLet me know!" }},
	{"prose", func(s string) string { return "Sure! The answer is " + s + " as you asked." }},
	{"single marks", func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "'", "’"), `"`, "'") }},
	{"bare names", func(s string) string {
		for _, k := range names {
			s = strings.ReplaceAll(s, `"`+k+`":`, k+": ")
		}
		return s
	}},
	{"comments", func(s string) string { return strings.ReplaceAll(s, `","`, "\", // and\n \"") }},
	{"no commas", func(s string) string { return strings.ReplaceAll(s, `","`, "\"\n\"") }},
	{"words in capitals", strings.NewReplacer(":true", ": TRUE", ":false", ":FALSE").Replace},
	{"escaped marks", func(s string) string { return strings.ReplaceAll(s, `"`, `\"`) }},
	{"doubled marks", func(s string) string { return strings.ReplaceAll(s, `"`, `""`) }},
	{"brackets too many", func(s string) string { return s + "}]" }},
}

var names = []string{"text", "passage", "why", "note"}

// TestMendBrokenValues breaks made-up values in each of the ways and reads them back. The words hold what misleads a reader:
// brackets, colons, commas, apostrophes.
func TestMendBrokenValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		v := madeUp(r, 0)
		if !compound(v) {
			continue
		}
		text := inJSON(v)
		for _, b := range breaks {
			broken := b.do(text)
			got, _, err := Value(broken)
			if err != nil {
				t.Fatalf("%s: Value(%q): %v", b.name, broken, err)
			}
			want := v
			if b.name == "single marks" {
				want, _ = decode(strings.ReplaceAll(text, "'", "’"))
			}
			if inJSON(want) != inJSON(got) {
				t.Errorf("%s: Value(%q) = %s, want %s", b.name, broken, got, inJSON(want))
			}
		}
		if got, ok := loosely(text); !ok || inJSON(got) != text {
			t.Errorf("readLoosely(%q), which is JSON, = %s", text, inJSON(got))
		}
	}
}

var someWords = strings.Fields("the lighthouse was built in 1902 by Alan Stevenson, and its lamp (a Fresnel lens) burned 40 litres: oil; it's 7.5 m high {see note} [2] 灯塔 建于 café")

func madeUp(r *rand.Rand, depth int) any {
	switch k := r.IntN(8); {
	case k < 3 || depth > 2:
		var words []string
		for range 1 + r.IntN(9) {
			words = append(words, someWords[r.IntN(len(someWords))])
		}
		return strings.Join(words, " ")
	case k == 3:
		return json.Number(fmt.Sprint(r.IntN(1000)))
	case k == 4:
		return r.IntN(2) == 0
	case k == 5:
		var list []any
		for range 1 + r.IntN(4) {
			list = append(list, madeUp(r, depth+1))
		}
		return list
	}
	m := map[string]any{}
	for _, k := range names[:1+r.IntN(4)] {
		m[k] = madeUp(r, depth+1)
	}
	return m
}

// TestReadLooselyWork: twice the text is at most little more than twice the work, whatever it is made of.
func TestReadLooselyWork(t *testing.T) {
	work := func(s string) int {
		p := &loose{s: s, left: 1 << 40, next: -1}
		p.all()
		return 1<<40 - p.left
	}
	for _, unit := range []string{`"`, `"a `, `["a" `, `a,`, `{"a":`, `/* `, "# a\n", `"a":`, `"a":"b" "c `, `\"`, "```", "(1", "f(", "a b ", ":", `{"a": "b, "c" d], `, `'a" `, "/a", "\n\"", "“a", `\u`, "1_0,", "...,", `"x "y" z, `} {
		for _, before := range []string{"", "[", `{"a":`, `["`, `{"a":"`} {
			small, large := before+strings.Repeat(unit, 2000), before+strings.Repeat(unit, 4000)
			a, b := work(small), work(large)
			if bound := looseWork * (len(large) + 64); b > bound && b > 3*a {
				t.Errorf("%q, %q: work %d for %d bytes, %d for %d: the bound of %d is met", before, unit, a, len(small), b, len(large), bound)
			}
		}
	}
}

// FuzzMend holds that a value that was repaired can be written and read again, and reads the same.
func FuzzMend(f *testing.F) {
	for _, s := range []string{`{"a": "the "old" tower"}`, `{'a', 'b'}`, `["a":1`, `{"a": (1, 2)`, "```json {\"a\"", `{""a"": ""b""}`, `{\"a\": 1}`, `f(1`, `{"a": "\ud83d`, `1_0.`, `“a”, ‘b`, `[1e999]`, `{"a": "x}`, "[\"a\n\", /*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, ok := mend(strings.ToValidUTF8(s, ""))
		if !ok {
			return
		}
		again, ok := decode(inJSON(v))
		if !ok || inJSON(again) != inJSON(v) {
			t.Errorf("mend(%q) = %s, which does not read the same", s, inJSON(v))
		}
	})
}
