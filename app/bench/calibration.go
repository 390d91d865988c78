package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sort"
	"strings"

	"assay/engine/evidence"
	"assay/engine/research"
	"assay/engine/text"
)

// labelledClaim is a claim with its support as the engine counted it, and whether it is right.
type labelledClaim struct {
	Set   string         `json:"set"`
	Topic string         `json:"topic"`
	K     int            `json:"k"`
	N     int            `json:"n"`
	X     research.Ratio `json:"x"` // (k+1)/(n+2)
	Right bool           `json:"right"`
	Held  bool           `json:"held"` // its topic was not fitted on
	Y     float64        `json:"y"`    // by the map
}

// reliability is one bin of the reliability table.
type reliability struct {
	N         int     `json:"n"`
	Said      float64 `json:"said"` // mean confidence
	Right     float64 `json:"right"`
	Low, High float64 // Wilson, 95 %
}

// calibrationFigures are those of one part of the claims.
type calibrationFigures struct {
	N        int     `json:"n"`
	Right    float64 `json:"right"`
	ECE      float64 `json:"ece"`
	Brier    float64 `json:"brier"`
	RawECE   float64 `json:"raw_ece"` // of (k+1)/(n+2) without a map
	RawBrier float64 `json:"raw_brier"`
}

// conformal is what split conformal prediction says of the band Accept.
type conformal struct {
	Alpha     float64 `json:"alpha"`
	Reports   int     `json:"reports"`   // that the threshold was set on
	Threshold float64 `json:"threshold"` // claims above are kept; above 1 none are
	Held      int     `json:"held"`      // other reports
	AllRight  float64 `json:"all_right"` // share of those of which every kept claim is right
	Kept      int     `json:"kept"`
	Claims    int     `json:"claims"`
}

// calibrationScore is the result. The figures are of the held topics.
type calibrationScore struct {
	N           int                            `json:"n"`
	ECE         float64                        `json:"ece"`
	Brier       float64                        `json:"brier"`
	Map         string                         `json:"map"`
	Held        calibrationFigures             `json:"held"`
	Sets        map[string]*calibrationFigures `json:"sets"` // of the held topics, by set
	Fitted      map[string]int                 `json:"fitted"`
	Reliability []reliability                  `json:"reliability"`
	Conformal   []conformal                    `json:"conformal"`
	rows        []labelledClaim
}

// fittedOnDay is written into a map that --out makes.
const fittedOnDay = "2026-12-01"

// calibration holds the map from (k+1)/(n+2) to a confidence against labelled claims whose topics it was not fitted on. With --out it
// fits the map again on the other topics and writes it there.
//
// The claims: of RAMDocs and ConflictNQ, one for each right and each made-up answer that a run of the engine states, with its support
// (the best supported where several state it); of FEVER Symmetric each claim with its passage as the only voice; and of made worlds,
// whose voices are independent, copy each other and err, each value that a voice states.
func calibration(ctx context.Context, o options) (any, error) {
	if o.data == "" {
		return nil, fmt.Errorf("%w: calibration needs --data DIR", errUsage)
	}
	rows, err := labelledClaims(ctx, o)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s holds no labelled claim", o.data)
	}
	rows = append(rows, worldClaims()...)
	for i := range rows {
		rows[i].X = evidence.Confidence(rows[i].K, rows[i].N)
		rows[i].Held = heldTopic(rows[i].Topic)
	}
	maps := research.Calibrations()
	if o.out != "" {
		m, err := fitCalibration(rows)
		if err != nil {
			return nil, err
		}
		maps = append(slices.DeleteFunc(slices.Clone(maps), func(old research.Calibration) bool { return old.ID == m.ID }), m)
		b, err := json.MarshalIndent(maps, "", " ")
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(o.out, append(b, '\n'), 0o600); err != nil {
			return nil, err
		}
	}
	if len(maps) == 0 {
		return nil, fmt.Errorf("no calibration map is shipped: fit one with --out FILE")
	}
	s := scoreCalibration(rows, maps[len(maps)-1])
	if err := writePredictions(o.predictions, s.rows); err != nil {
		return nil, err
	}
	if !o.json {
		s.print(o)
	}
	return s, nil
}

// heldTopic puts half of the topics aside, by a hash of their names.
func heldTopic(topic string) bool {
	h := fnv.New32a()
	h.Write([]byte("calibration " + topic))
	return h.Sum32()>>9&1 == 1
}

// labelledClaims reads the claims of the sets.
func labelledClaims(ctx context.Context, o options) ([]labelledClaim, error) {
	var rows []labelledClaim
	per := map[string]int{}
	err := eachCase(o.data, func(_ string, fields map[string]json.RawMessage) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if has(fields, "src", "claim", "passage", "label", "group") {
			var p pair
			if err := into(fields, &p); err != nil || !strings.HasPrefix(p.Src, "fever-symmetric") {
				return err
			}
			if per[p.Src]++; o.limit == 0 || per[p.Src] <= o.limit {
				rows = append(rows, feverClaim(p))
			}
			return nil
		}
		cases, err := conflictCases(fields)
		for _, c := range cases {
			if c.update || c.sameDay {
				continue
			}
			if per[c.set]++; o.limit > 0 && per[c.set] > o.limit {
				continue
			}
			d, _, err := runConflict(ctx, c)
			if err != nil {
				return fmt.Errorf("case %s: %w", c.id, err)
			}
			rows = append(rows, answerClaims(c, d)...)
		}
		return err
	})
	return rows, err
}

// feverClaim is a claim over its passage as the only voice: it confirms, contradicts or does not speak.
func feverClaim(p pair) labelledClaim {
	c := labelledClaim{Set: "fever_symmetric", Topic: "fever " + p.Group, Right: p.Label == "supported"}
	switch evidence.Compare(p.Claim, p.Passage).Stance {
	case research.Confirms:
		c.K, c.N = 1, 1
	case research.Contradicts:
		c.N = 1
	}
	return c
}

// answerClaims are the claims of a report that state an answer of the case: for each answer the one that most voices bear out.
func answerClaims(c conflictCase, d research.Digest) []labelledClaim {
	doc := map[string]int{}
	for i := range c.docs {
		doc[research.ID("s", conflictLocation(i))] = i
	}
	best := func(right bool, states func(cl research.Claim) bool) []labelledClaim {
		out := labelledClaim{Set: c.set, Topic: c.set + " " + c.id, Right: right}
		found := false
		for _, id := range sortedKeys(d.Claims) {
			cl := d.Claims[id]
			if cl.Support == nil || (c.docs[doc[cl.Source]].kind == "misinfo") == right || !states(cl) {
				continue
			}
			if k, n := cl.Support.K, cl.Support.N; !found || (k+1)*(out.N+2) > (out.K+1)*(n+2) {
				out.K, out.N, found = k, n, true
			}
		}
		if !found {
			return nil
		}
		return []labelledClaim{out}
	}
	var out []labelledClaim
	for _, g := range c.golds {
		out = append(out, best(true, func(cl research.Claim) bool { return says(cl.Text, g) || c.long != "" && says(cl.Text, c.long) })...)
	}
	for _, w := range c.wrongs {
		out = append(out, best(false, func(cl research.Claim) bool { return says(cl.Text, w) })...)
	}
	return out
}

// The made worlds of the calibration: facts, and how often an independent voice states one rightly.
const worldFacts = 600

var worldTruth = []float64{0.6, 0.75, 0.9}

// worldClaims are the values that the voices of made worlds state. One to five voices speak of a fact; each is right as often as its world
// says, else it states one of three other values; every third copies the voice before it, word for word.
func worldClaims() []labelledClaim {
	random := rand.New(rand.NewPCG(11, 5))
	var out []labelledClaim
	for i := range worldFacts {
		truth := 100 + random.IntN(900)
		says := []int{}
		copyOf := []int{}
		for v := range 1 + random.IntN(5) {
			value, from := truth, -1
			switch {
			case v > 0 && random.IntN(3) == 0:
				value, from = says[v-1], v-1
			case random.Float64() > worldTruth[i%len(worldTruth)]:
				value = truth + 1 + random.IntN(3)
			}
			says, copyOf = append(says, value), append(copyOf, from)
		}
		done := map[int]bool{}
		for v, value := range says {
			if done[value] {
				continue
			}
			done[value] = true
			c := worldClaim(i, v, says, copyOf)
			c.Right = value == truth
			out = append(out, c)
		}
	}
	return out
}

// worldClaim counts the voices on what voice v states, with the matchers and the independence of the engine.
func worldClaim(fact, v int, says, copyOf []int) labelledClaim {
	line := func(j int) string {
		if j%2 == 0 {
			return fmt.Sprintf("In 1931 the grain store of Vale %d had %d wagons and a yard for the horses.", fact, says[j])
		}
		return fmt.Sprintf("The grain store of Vale %d, with a yard for the horses, had %d wagons in 1931.", fact, says[j])
	}
	name := func(j int) string { return fmt.Sprintf("s%d", j) }
	s := line(v)
	c := research.Claim{ID: "c", Text: s, Source: name(v), Quantities: text.Quantities(s), Dates: []string{"1931"}}
	sources := map[string]research.Source{}
	var ev []research.Evidence
	var edges []research.Edge
	for j := range says {
		sources[name(j)] = research.Source{ID: name(j), Voice: name(j), Location: name(j)}
		stance := research.Confirms
		if j != v {
			stance, _ = evidence.Stance(c, line(j))
		}
		ev = append(ev, research.Evidence{Passage: name(j), Source: name(j), Stance: stance})
		if copyOf[j] >= 0 {
			edges = append(edges, research.Edge{A: name(copyOf[j]), B: name(j), Why: "duplicate", Score: "1"})
		}
	}
	k := evidence.Support(c, ev, sources, edges)
	return labelledClaim{Set: "made_worlds", Topic: fmt.Sprintf("world %d", fact), K: k.K, N: k.N}
}

// fewInKnot is how many claims a knot has at least; a smaller one joins its neighbour.
const fewInKnot = 10

// fitCalibration fits the map on the topics that are not held: the share that is right at each value of (k+1)/(n+2), made monotone by
// pooling neighbours that are out of order (PAV), each set weighing by its claims.
func fitCalibration(rows []labelledClaim) (research.Calibration, error) {
	type block struct {
		x        research.Ratio // the mean of its claims, as an exact number
		sum      *ratioSum
		right, n int
	}
	at := map[research.Ratio]*block{}
	m := research.Calibration{Method: "isotonic regression by pool adjacent violators, (right+1)/(n+2) a knot, linear between", FittedOn: fittedOnDay}
	for _, r := range rows {
		if r.Held {
			continue
		}
		b := at[r.X]
		if b == nil {
			b = &block{x: r.X, sum: newRatioSum()}
			at[r.X] = b
		}
		b.sum.add(r.X)
		b.n++
		b.right += count(r.Right)
		m.N++
	}
	if m.N == 0 {
		return m, fmt.Errorf("no claim to fit on")
	}
	var blocks []*block
	for _, b := range at {
		blocks = append(blocks, b)
	}
	sort.Slice(blocks, func(i, j int) bool { return blocks[i].x.Cmp(blocks[j].x) < 0 })
	for i := 0; i+1 < len(blocks); {
		a, b := blocks[i], blocks[i+1]
		if a.n >= fewInKnot && b.n >= fewInKnot && (a.right+1)*(b.n+2) <= (b.right+1)*(a.n+2) {
			i++
			continue
		}
		a.sum.join(b.sum)
		a.right, a.n, a.x = a.right+b.right, a.n+b.n, a.sum.mean()
		blocks = slices.Delete(blocks, i+1, i+2)
		i = max(i-1, 0)
	}
	for _, b := range blocks {
		m.Knots = append(m.Knots, research.CalibrationKnot{X: b.x, Y: research.NewRatio(int64(b.right)+1, int64(b.n)+2), N: b.n})
	}
	m.ID = research.CalibrationID(m.Knots)
	origins := map[string]string{
		"ramdocs": "HanNight/RAMDocs, MIT", "conflict_nq": "4-en/ConflictNQ, Apache-2.0", "fever_symmetric": "TalSchuster/FeverSymmetric, CC BY-SA 3.0", "made_worlds": "assay bench calibration",
	}
	for _, name := range sortedKeys(origins) {
		set := research.CalibrationSet{Name: name, Origin: origins[name]}
		for _, r := range rows {
			if r.Set == name {
				set.Held += count(r.Held)
				set.Fitted += count(!r.Held)
			}
		}
		m.Sets = append(m.Sets, set)
	}
	f := scoreCalibration(rows, m).Held
	m.Held = research.CalibrationFigures{N: f.N, ECE: f.ECE, Brier: f.Brier, RawECE: f.RawECE, RawBrier: f.RawBrier}
	return m, nil
}

// scoreCalibration holds a map against the claims of the held topics.
func scoreCalibration(rows []labelledClaim, m research.Calibration) calibrationScore {
	s := calibrationScore{Map: m.ID, Sets: map[string]*calibrationFigures{}, Fitted: map[string]int{}}
	held := map[string][]labelledClaim{}
	for _, r := range rows {
		r.Y = evidence.Calibrated(m, r.X).Float()
		s.rows = append(s.rows, r)
		if r.Held {
			held[""], held[r.Set] = append(held[""], r), append(held[r.Set], r)
		} else {
			s.Fitted[r.Set]++
		}
	}
	for name, of := range held {
		f, bins := figuresOf(of)
		if name == "" {
			s.Held, s.Reliability = f, bins
			continue
		}
		s.Sets[name] = &f
	}
	s.N, s.ECE, s.Brier = s.Held.N, s.Held.ECE, s.Held.Brier
	for _, alpha := range []float64{0.2, 0.1} {
		s.Conformal = append(s.Conformal, conform(s.rows, alpha))
	}
	return s
}

// bins of equal mass; claims of one confidence are never parted.
const calibrationBins = 10

// figuresOf works out the errors of the confidences of claims, and the reliability table.
func figuresOf(rows []labelledClaim) (calibrationFigures, []reliability) {
	f := calibrationFigures{N: len(rows)}
	right := 0
	for _, r := range rows {
		y, x, t := r.Y, r.X.Float(), float64(count(r.Right))
		f.Brier += (y - t) * (y - t) / float64(len(rows))
		f.RawBrier += (x - t) * (x - t) / float64(len(rows))
		right += count(r.Right)
	}
	f.Right = share(right, len(rows))
	var bins []reliability
	f.ECE, bins = expectedError(rows, func(r labelledClaim) float64 { return r.Y })
	f.RawECE, _ = expectedError(rows, func(r labelledClaim) float64 { return r.X.Float() })
	return f, bins
}

// expectedError is the expected calibration error over bins of equal mass.
func expectedError(rows []labelledClaim, said func(labelledClaim) float64) (float64, []reliability) {
	rows = slices.Clone(rows)
	sort.SliceStable(rows, func(i, j int) bool { return said(rows[i]) < said(rows[j]) })
	var bins []reliability
	ece := 0.0
	for i := 0; i < len(rows); {
		end := min(len(rows), i+max(1, len(rows)/calibrationBins))
		for end < len(rows) && said(rows[end]) == said(rows[end-1]) {
			end++
		}
		b := reliability{N: end - i}
		right := 0
		for _, r := range rows[i:end] {
			b.Said += said(r) / float64(b.N)
			right += count(r.Right)
		}
		b.Right = share(right, b.N)
		b.Low, b.High = wilson(right, b.N)
		ece += math.Abs(b.Said-b.Right) * float64(b.N) / float64(len(rows))
		bins = append(bins, b)
		i = end
	}
	return ece, bins
}

// conform sets the threshold of the band Accept by split conformal prediction: each topic of the fitted half is a report, and its score the
// least threshold at which all that it keeps is right; the threshold is the ceil((n+1)(1-alpha))-th smallest of the scores (Mohri and
// Hashimoto 2024). It holds for a report of the same mix of topics and says nothing of another.
func conform(rows []labelledClaim, alpha float64) conformal {
	c := conformal{Alpha: alpha}
	wrong := map[string]float64{} // by topic, the highest confidence of a wrong claim
	topics := map[string]bool{}
	for _, r := range rows {
		topics[r.Topic] = true
		if !r.Right {
			wrong[r.Topic] = max(wrong[r.Topic], r.Y)
		}
	}
	var scores []float64
	for _, t := range sortedKeys(topics) {
		if !heldTopic(t) {
			scores = append(scores, wrong[t])
		}
	}
	sort.Float64s(scores)
	c.Reports = len(scores)
	c.Threshold = 1.01
	if i := int(math.Ceil(float64(len(scores)+1) * (1 - alpha))); i >= 1 && i <= len(scores) {
		c.Threshold = scores[i-1]
	}
	good := 0
	for t := range topics {
		if heldTopic(t) {
			c.Held++
			good += count(wrong[t] <= c.Threshold)
		}
	}
	for _, r := range rows {
		if r.Held {
			c.Claims++
			c.Kept += count(r.Y > c.Threshold)
		}
	}
	c.AllRight = share(good, c.Held)
	return c
}

// print writes the figures.
func (s calibrationScore) print(o options) {
	fmt.Fprintf(o.stdout, "map %s\n", s.Map)
	for _, name := range sortedKeys(s.Sets) {
		f := s.Sets[name]
		fmt.Fprintf(o.stdout, "  %-16s fitted on %4d claims, held %4d (%.3f right): expected calibration error %.4f (without a map %.4f), Brier %.4f (%.4f)\n", name, s.Fitted[name], f.N, f.Right, f.ECE, f.RawECE, f.Brier, f.RawBrier)
	}
	fmt.Fprintf(o.stdout, "held topics of all sets, %d claims: expected calibration error %.4f (without a map %.4f), Brier %.4f (%.4f)\n", s.N, s.ECE, s.Held.RawECE, s.Brier, s.Held.RawBrier)
	for _, b := range s.Reliability {
		fmt.Fprintf(o.stdout, "  said %.3f: right %.3f (%.3f to %.3f) of %d\n", b.Said, b.Right, b.Low, b.High, b.N)
	}
	for _, c := range s.Conformal {
		fmt.Fprintf(o.stdout, "split conformal, alpha %.2f: over %d topics the threshold is %.4f; of %d held topics all kept claims are right in %.4f; %d of %d claims kept\n", c.Alpha, c.Reports, c.Threshold, c.Held, c.AllRight, c.Kept, c.Claims)
	}
}
