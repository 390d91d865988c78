package library

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/engine/research"
	"assay/engine/text"
)

// synonyms is a model of meaning that can be checked: words of one group have one direction, any other word its own.
type synonyms struct {
	name  string
	most  int // bytes of a text; longer ones are refused
	calls int
	fail  error
	slow  time.Duration
	dim   int // numbers of a vector; if zero, 96
}

func (s *synonyms) Name() string {
	if s.name == "" {
		return "synonyms"
	}
	return s.name
}

func (s *synonyms) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	s.calls += len(texts)
	if s.fail != nil {
		return nil, s.fail
	}
	time.Sleep(s.slow)
	dim := cmp.Or(s.dim, 96)
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if s.most > 0 && len(t) > s.most {
			return nil, fmt.Errorf("synonyms: %w", research.ErrTooLong)
		}
		v := make([]float32, dim)
		for _, w := range text.Terms(t, "") {
			switch w {
			case "ship", "boat", "vessel":
				v[0] += 3
			case "fire", "blaze":
				v[1] += 3
			default:
				h := fnv.New32a()
				h.Write([]byte(w))
				v[2+h.Sum32()%uint32(dim-2)] += 0.2
			}
		}
		out[i] = v
	}
	return out, ctx.Err()
}

var port = map[string]string{
	"a.txt": "The vessel left the harbour at dawn.\n\nBread was sold in the market.\n",
	"b.txt": "A blaze destroyed the warehouse in the spring.\n",
	"c.md":  "# Notes\n\nThe baker opened early.\n\nShip lists are kept in the tower.\n",
}

func meant(t testing.TB, l *Library, e Embedder) (*Scope, *[]string) {
	t.Helper()
	s, err := l.Within()
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	s.Meaning(e, func(why string) { told = append(told, why) })
	return s, &told
}

func embed(t testing.TB, l *Library, e Embedder) Meant {
	t.Helper()
	m, err := l.Embed(t.Context(), e, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func asked(t testing.TB, s *Scope, words string) []string {
	t.Helper()
	hits, err := s.Search(t.Context(), research.Query{Text: words, Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range hits {
		out = append(out, h.Snippet)
	}
	return out
}

func TestMeaningFindsWhatNoWordDoes(t *testing.T) {
	l := open(t)
	folder := tree(t, "port", port)
	add(t, l, folder)
	if got := search(t, l, "boat"); len(got) != 0 {
		t.Fatalf("words alone find %v", got)
	}
	e := &synonyms{}
	s, told := meant(t, l, e)
	if got := asked(t, s, "ship"); len(got) != 1 || len(*told) != 1 || !strings.Contains((*told)[0], "words alone") {
		t.Errorf("without vectors: %q, told %q, want what words find and that it is said", got, *told)
	}
	m := embed(t, l, e)
	if m.Have != 3 || m.Passages != 3 {
		t.Errorf("Embed = %+v", m)
	}
	calls := e.calls
	if again := embed(t, l, e); again.Have != m.Have || e.calls != calls {
		t.Errorf("embedding again asked for %d vectors", e.calls-calls)
	}
	got := asked(t, s, "boat")
	if len(got) < 2 || !strings.Contains(got[0]+got[1], "vessel") || !strings.Contains(got[0]+got[1], "Ship") {
		t.Errorf("Search(boat) = %q, want the two about ships first", got)
	}
	if got := asked(t, s, "ship"); len(got) < 2 || !strings.Contains(got[0], "Ship") || !strings.Contains(got[1], "vessel") {
		t.Errorf("Search(ship) = %q, want what both orders have first", got)
	}
	// A vector without its passage is not found: the file is gone, and nobody embedded since.
	if err := os.Remove(filepath.Join(folder, "a.txt")); err != nil {
		t.Fatal(err)
	}
	add(t, l, folder)
	if got := asked(t, s, "boat"); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "vessel") }) {
		t.Errorf("a deleted file is found: %q", got)
	}
	// A file that was moved needs no new vectors.
	if err := os.Rename(filepath.Join(folder, "b.txt"), filepath.Join(folder, "z.txt")); err != nil {
		t.Fatal(err)
	}
	add(t, l, folder)
	calls = e.calls
	if m = embed(t, l, e); m.Have != m.Passages || e.calls != calls {
		t.Errorf("Embed after a move = %+v, %d vectors asked for", m, e.calls-calls)
	}
	if got := asked(t, s, "fire"); len(got) == 0 || !strings.Contains(got[0], "blaze") {
		t.Errorf("Search(fire) = %q", got)
	}
}

func TestMeaningOfAnotherModel(t *testing.T) {
	l := open(t)
	add(t, l, tree(t, "port", port))
	embed(t, l, &synonyms{name: "one"})
	two := &synonyms{name: "two"}
	if m := embed(t, l, two); m.Have != m.Passages || two.calls != m.Passages {
		t.Errorf("Embed = %+v with %d vectors, want all anew", m, two.calls)
	}
	list, err := filepath.Glob(filepath.Join(l.vectorsDir(), "*.vec"))
	if err != nil || len(list) != 1 {
		t.Errorf("files %v, %v, want one", list, err)
	}
}

// ACCEPTANCE 76: an embedding model with vectors of 384 numbers is replaced by one with 768. Until the passages are embedded anew the
// library is searched by its words, which is said; nothing is compared that cannot be.
func TestEmbeddingModelChanged(t *testing.T) {
	for _, tc := range []struct{ case76, name string }{{"under another name", "two"}, {"under the same name", "one"}} {
		t.Run(tc.case76, func(t *testing.T) {
			l := open(t)
			add(t, l, tree(t, "port", port))
			embed(t, l, &synonyms{name: "one", dim: 384})
			two := &synonyms{name: tc.name, dim: 768}
			s, told := meant(t, l, two)
			for range 2 {
				if got := asked(t, s, "boat baker"); len(got) != 1 || !strings.Contains(got[0], "baker") {
					t.Errorf("Search = %q, want what words find", got)
				}
			}
			if len(*told) != 1 {
				t.Errorf("told %q, want once why meaning is not used", *told)
			}
			m, err := l.Meant(t.Context(), two.Name())
			if err != nil {
				t.Fatal(err)
			}
			if tc.name == "two" && m.Have != 0 {
				t.Errorf("Meant = %+v, want that all passages lack a vector", m)
			}
			if tc.name == "one" { // nothing but their length tells that they are another model's
				if !strings.Contains(strings.Join(*told, ""), "has them made anew") {
					t.Errorf("told %q, want how they are made anew", *told)
				}
				if err := l.DropVectors(); err != nil {
					t.Fatal(err)
				}
			}
			if m, err = l.Embed(t.Context(), two, nil); err != nil || m.Have != m.Passages {
				t.Fatalf("Embed = %+v, %v, want all anew", m, err)
			}
			s, told = meant(t, l, two)
			if got := asked(t, s, "boat"); len(got) == 0 || !strings.Contains(got[0], "vessel") && !strings.Contains(got[0], "Ship") || len(*told) > 0 {
				t.Errorf("Search = %q, told %q, want what is meant", got, *told)
			}
		})
	}
}

func TestMeaningFails(t *testing.T) {
	l := open(t)
	add(t, l, tree(t, "port", port))
	e := &synonyms{}
	embed(t, l, e)
	s, told := meant(t, l, e)
	e.fail = errors.New("nobody answers")
	for range 2 {
		if got := asked(t, s, "ship"); len(got) != 1 {
			t.Errorf("Search = %q, want what words find", got)
		}
	}
	if len(*told) != 1 || !strings.Contains((*told)[0], "nobody answers") {
		t.Errorf("told %q, want it once", *told)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Search(ctx, research.Query{Text: "ship"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Search = %v, want the cancellation", err)
	}
}

func TestLongTextsAreEmbeddedByTheirBeginning(t *testing.T) {
	l := open(t)
	add(t, l, tree(t, "long", map[string]string{"a.txt": "The vessel sailed. " + strings.Repeat("Then it went on for a while. ", 20) + "\n"}))
	e := &synonyms{most: 150}
	if m := embed(t, l, e); m.Have == 0 || m.Have != m.Passages {
		t.Errorf("Embed = %+v", m)
	}
}

// TestMeaningReranks asks the same above the bound of the flat scan, where only the vectors of what words find are read.
func TestMeaningReranks(t *testing.T) {
	l := open(t)
	add(t, l, tree(t, "port", port))
	e := &synonyms{}
	embed(t, l, e)
	s, _ := meant(t, l, e)
	s.mean.flatMost = 1
	if got := asked(t, s, "boat dawn tower"); len(got) < 2 || s.mean.data != nil {
		t.Errorf("Search = %q, want both passages, read from the disk", got)
	}
	if got := asked(t, s, "boat"); len(got) != 0 {
		t.Errorf("Search = %q, want nothing: no word stands anywhere", got)
	}
}

// TestEmbedKilled kills a program that embeds, at random moments. The next one goes on where it was.
func TestEmbedKilled(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("f%02d.txt", i)] = strings.Repeat(fmt.Sprintf("Ship number %d came in. ", i), 120) + "\n"
	}
	folder, dir := tree(t, "many", files), t.TempDir()
	l, err := Open(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	add(t, l, folder)
	r := rand.New(rand.NewPCG(3, 3))
	last := -1
	for range 4 {
		cmd := exec.Command(os.Args[0], "embed-library", dir)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+r.IntN(150)) * time.Millisecond)
		_ = cmd.Process.Kill() // or it is done already
		_ = cmd.Wait()
		m, err := l.Meant(t.Context(), "synonyms")
		if err != nil || m.Have < last {
			t.Fatalf("Meant = %+v, %v after %d", m, err, last)
		}
		last = m.Have
	}
	e := &synonyms{}
	m := embed(t, l, e)
	if m.Have != m.Passages || e.calls != m.Passages-last {
		t.Errorf("Embed = %+v with %d vectors, want %d less %d that were kept", m, e.calls, m.Passages, last)
	}
	fresh := open(t)
	add(t, fresh, folder)
	embed(t, fresh, e)
	a, _ := meant(t, l, e)
	b, _ := meant(t, fresh, e)
	if x, y := asked(t, a, "boat number 7"), asked(t, b, "boat number 7"); !slices.Equal(x, y) || len(x) == 0 {
		t.Errorf("after kills %q, undisturbed %q", x, y)
	}
}

func embedLibrary(dir string) int {
	l, err := Open(dir, testOptions())
	if err == nil {
		_, err = l.Embed(context.Background(), &synonyms{slow: 5 * time.Millisecond}, nil)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// TestVectorsShrink asks that vectors that nothing refers to do not stay for ever.
func TestVectorsShrink(t *testing.T) {
	l := open(t)
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("f%02d.txt", i)] = strings.Repeat(fmt.Sprintf("Entry %d of the ship.\n\n%s\n\n", i, strings.Repeat("word ", 90)), 40)
	}
	folder := tree(t, "many", files)
	add(t, l, folder)
	e := &synonyms{}
	before := embed(t, l, e)
	if before.Have < 2*leastDead/2 {
		t.Fatalf("only %d passages", before.Have)
	}
	for i := 1; i < 40; i++ {
		if err := os.Remove(filepath.Join(folder, fmt.Sprintf("f%02d.txt", i))); err != nil {
			t.Fatal(err)
		}
	}
	add(t, l, folder)
	after := embed(t, l, e)
	if after.Have != after.Passages || after.Bytes > before.Bytes/8 {
		t.Errorf("%+v after %+v", after, before)
	}
	s, _ := meant(t, l, e)
	if len(asked(t, s, "boat")) == 0 {
		t.Error("what is left is not found")
	}
}

// TestQuantised asks that the order by bytes is that of the numbers they stand for.
func TestQuantised(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	made := func() []float32 {
		v := make([]float32, 384)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		return v
	}
	worst := 0.0
	for range 200 {
		a, b := made(), made()
		exact, x, y := 0.0, 0.0, 0.0
		for i := range a {
			exact += float64(a[i]) * float64(b[i])
			x += float64(a[i]) * float64(a[i])
			y += float64(b[i]) * float64(b[i])
		}
		exact /= math.Sqrt(x * y)
		sa, qa := quantise(a)
		sb, qb := quantise(b)
		worst = max(worst, math.Abs(exact-float64(sa)*float64(sb)*float64(dot(qa, qb))))
	}
	if worst > 0.004 {
		t.Errorf("a cosine is off by %.4f", worst)
	}
	if scale, _ := quantise([]float32{0, 0}); scale != 0 {
		t.Error("nothing has a direction")
	}
	if scale, _ := quantise([]float32{float32(math.NaN()), 1}); scale != 0 {
		t.Error("what is no number has a direction")
	}
}

// FuzzVectors reads hostile files: no panic, no memory beyond them, and what is read is whole.
func FuzzVectors(f *testing.F) {
	sha, _ := hashOf(research.SHA256("a"))
	scale, at := quantise([]float32{1, 2, 3})
	good := slices.Concat(vectorsHead("m"), placeBlock("notes/a.txt", sha), vectorsBlock(sha, 3, []vector{{research.Span{Start: 1, End: 2}, scale, at}}))
	f.Add(good)
	f.Add(good[:len(good)-2])
	f.Add(append(slices.Clone(good), 1, 255, 255, 255, 3, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		n := 0
		s, err := readShelved(bytes.NewReader(b), "m", func(kind byte, offset int64, payload []byte) {
			if kind == blockVectors {
				eachVector(payload, func(v vector) {
					n++
					if len(v.at) == 0 || len(v.at) > maxDim {
						t.Errorf("a vector of %d numbers", len(v.at))
					}
				})
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if s.good > int64(len(b)) || s.all != n {
			t.Errorf("good to %d of %d bytes, %d passages of %d", s.good, len(b), n, s.all)
		}
		if live := s.locate(); live > s.all {
			t.Errorf("%d live of %d", live, s.all)
		}
		again, err := readShelved(bytes.NewReader(b[:s.good]), "m", nil)
		if err != nil || again.good != s.good || again.all != s.all {
			t.Errorf("the good part reads otherwise: %v", err)
		}
	})
}

// BenchmarkScan compares a question with 200,000 vectors of 768 numbers.
func BenchmarkScan(b *testing.B) {
	const n, dim, each = 200_000, 768, 40
	m := &meaning{held: &shelved{dim: dim, where: map[textHash][]string{}}, data: make([]byte, n*dim), scale: make([]float32, n), spans: make([]research.Span, n)}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range m.data {
		m.data[i] = byte(int8(r.IntN(255) - 127))
	}
	for i := range n {
		m.scale[i] = 1
		m.spans[i] = research.Span{Start: i % each * 100, End: i%each*100 + 99}
		if i%each == 0 {
			sha, _ := hashOf(research.SHA256(fmt.Sprint(i)))
			m.texts, m.first = append(m.texts, sha), append(m.first, i)
			m.held.where[sha] = []string{fmt.Sprintf("notes/%d", i)}
		}
	}
	q := m.data[:dim]
	for b.Loop() {
		m.scan(q, fuseDepth, func(string) bool { return true })
	}
}
