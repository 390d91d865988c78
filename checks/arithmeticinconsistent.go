package checks

import (
	"fmt"
	"math/big"
	"regexp"
	"sort"
	"strings"
	"time"

	"assay/engine/research"
	"assay/engine/text"
)

var arithmeticinconsistent = &Check{
	ID: "G24", Name: "arithmeticinconsistent", Title: "ArithmeticInconsistent", Tier: Grounding, Class: Hard,
	Scope: arithmeticKeys, Eval: evalArithmeticInconsistent,
	Cap: 2, LifeCap: 3, Repair: []Action{Issues}, Terminal: Issues,
}

// arithmeticKeys returns a key for each derived claim that the draft uses, then for each table.
func arithmeticKeys(v View) []Key {
	used := map[string]bool{}
	var tables []Key
	for _, k := range blockKeys(v) {
		b, _ := v.block(k)
		for _, id := range b.Claims {
			if c, ok := v.Claims[id]; ok && c.Derivation != nil {
				used[id] = true
			}
		}
		if b.Kind == research.BlockTable {
			tables = append(tables, k)
		}
	}
	var keys []Key
	for id := range used {
		keys = append(keys, Key{KeyClaim, id})
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i].ID < keys[j].ID })
	return append(keys, tables...)
}

func evalArithmeticInconsistent(v View, k Key) []Hit {
	if k.Kind == KeyBlock {
		return evalTable(v, k)
	}
	c, ok := v.Claims[k.ID]
	if !ok || c.Derivation == nil {
		return nil
	}
	if why := v.wrongResult(c); why != "" {
		return []Hit{{Where: c.ID, Code: "result", What: why}}
	}
	return nil
}

// wrongResult recomputes a derived claim and says how it is wrong; empty when it is right, or when its rule is not arithmetic.
func (v View) wrongResult(c research.Claim) string {
	d := c.Derivation
	var basis []research.Claim
	for _, id := range d.Basis {
		b, ok := v.Claims[id]
		if !ok {
			return fmt.Sprintf("basis %s is missing", id)
		}
		basis = append(basis, b)
	}
	var ok bool
	switch d.Rule {
	case "difference", "growth", "ratio":
		ok = len(basis) == 2 && someValue(basis, func(x []*big.Rat) *big.Rat { return pairResult(d.Rule, x[0], x[1]) }, d.Value)
	case "sum":
		ok = len(basis) > 0 && someValue(basis, sum, d.Value)
	case "order", "interval":
		ok = len(basis) == 2 && someInterval(basis[0], basis[1], d)
	default:
		return ""
	}
	if !ok {
		return fmt.Sprintf("%s of its basis is not %s", d.Rule, d.Value.Decimal(2))
	}
	return ""
}

// pairResult computes one of the rules over an earlier (for ratio: larger) and a later value; nil when it is undefined.
func pairResult(rule string, a, b *big.Rat) *big.Rat {
	switch {
	case rule == "difference":
		return new(big.Rat).Sub(b, a)
	case rule == "growth" && a.Sign() != 0:
		return new(big.Rat).Quo(new(big.Rat).Sub(b, a), a)
	case rule == "ratio" && b.Sign() != 0:
		return new(big.Rat).Quo(a, b)
	}
	return nil
}

func sum(x []*big.Rat) *big.Rat {
	total := new(big.Rat)
	for _, r := range x {
		total.Add(total, r)
	}
	return total
}

// maxChoices bounds how many ways of picking one quantity from each basis claim are tried.
const maxChoices = 4096

// someValue reports whether some choice of one quantity from each claim gives want by fn. A claim of the basis that is
// derived stands for its value.
func someValue(basis []research.Claim, fn func([]*big.Rat) *big.Rat, want research.Ratio) bool {
	options := make([][]*big.Rat, len(basis))
	choices := 1
	for i, c := range basis {
		if c.Derivation != nil {
			options[i] = append(options[i], c.Derivation.Value.Rat())
		}
		for _, q := range c.Quantities {
			options[i] = append(options[i], q.Value.Rat())
		}
		if choices *= len(options[i]); choices == 0 || choices > maxChoices {
			return false
		}
	}
	for n := range choices {
		pick := make([]*big.Rat, len(basis))
		for i := range options {
			pick[i] = options[i][n%len(options[i])]
			n /= len(options[i])
		}
		if got := fn(pick); got != nil && got.Cmp(want.Rat()) == 0 {
			return true
		}
	}
	return false
}

// someInterval reports whether some two dates lie the stated number of days, months or years apart, in that order.
func someInterval(a, b research.Claim, d *research.Derivation) bool {
	for _, x := range a.Dates {
		for _, y := range b.Dates {
			for _, n := range apart(x, y) {
				if d.Value.Cmp(research.NewRatio(n, 1)) == 0 {
					return true
				}
			}
		}
	}
	return false
}

// apart returns the days, months and years from one partial ISO date to a later one, as far as both are known.
func apart(a, b string) []int64 {
	ta, na := partialDate(a)
	tb, nb := partialDate(b)
	n := min(na, nb)
	var out []int64
	if n >= 1 {
		out = append(out, int64(tb.Year()-ta.Year()))
	}
	if n >= 2 {
		out = append(out, int64(tb.Year()-ta.Year())*12+int64(tb.Month()-ta.Month()))
	}
	if n >= 3 {
		out = append(out, int64(tb.Sub(ta).Hours()/24))
	}
	return out
}

// partialDate reads "2015", "2015-11" or "2015-11-24" and returns how many of its parts are there; 0 for no date.
func partialDate(s string) (time.Time, int) {
	for n, layout := range []string{"2006", "2006-01", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, n + 1
		}
	}
	return time.Time{}, 0
}

var (
	totalRow = regexp.MustCompile(`(?i)^\W*(?:grand |sub)?(?:total|sum|all)\b|^\W*(?:合计|总计|共计)`)
	shareOf  = regexp.MustCompile(`(?i)\b(?:share|proportion|percentage of|percent of|% of|distribution)\b|占比|比例|份额`)
	excused  = regexp.MustCompile(`(?i)\bround|multiple (?:answers|responses|choices)|more than one|median|average|mean\b|四舍五入|多选`)
)

// The range in which the shares of one whole add up, in percent; what is missing is rounding (CHECKS 1B).
var shareLow, shareHigh = big.NewRat(99, 1), big.NewRat(101, 1)

// evalTable adds up the columns of a table: against a row that is called the total, and to 100 % where the heading speaks
// of shares. A table that mentions rounding or several answers is left alone.
func evalTable(v View, k Key) []Hit {
	b, _ := v.block(k)
	if b.Kind != research.BlockTable || excused.MatchString(b.Text) {
		return nil
	}
	header, rows := cells(b.Text)
	var hits []Hit
	for col := 1; col < len(header); col++ {
		if why := wrongColumn(header, rows, col); why != "" {
			hits = append(hits, Hit{Where: b.ID, Code: "table", What: why})
		}
	}
	return hits
}

// cells splits a table: lines of cells separated by a bar, the first of them the heading.
func cells(table string) (header []string, rows [][]string) {
	for _, line := range strings.Split(table, "\n") {
		line = strings.Trim(strings.TrimSpace(line), "|")
		if !strings.Contains(line, "|") || strings.Trim(line, "|-: ") == "" {
			continue
		}
		row := strings.Split(line, "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		if header == nil {
			header = row
			continue
		}
		rows = append(rows, row)
	}
	return header, rows
}

func wrongColumn(header []string, rows [][]string, col int) string {
	total, stated := new(big.Rat), (*big.Rat)(nil)
	step, n, percent := new(big.Rat), 0, true
	for _, row := range rows {
		if len(row) != len(header) {
			return ""
		}
		q := text.Quantities(row[col])
		if len(q) != 1 {
			return ""
		}
		if totalRow.MatchString(row[0]) {
			stated = q[0].Value.Rat()
			continue
		}
		total.Add(total, q[0].Value.Rat())
		step.Add(step, lastDigit(q[0]))
		percent = percent && q[0].Kind == research.Percent
		n++
	}
	switch {
	case n < 2:
		return ""
	case stated != nil:
		// Each printed value may be off by half its last digit, and so may the sum.
		if diff := new(big.Rat).Abs(new(big.Rat).Sub(total, stated)); diff.Cmp(step) > 0 || diff.Sign() != 0 && wholeNumbers(rows, col) {
			return fmt.Sprintf("column %q adds up to %s, its total says %s", header[col], trimZeros(total), trimZeros(stated))
		}
	case percent && shareOf.MatchString(header[col]) && (total.Cmp(shareLow) < 0 || total.Cmp(shareHigh) > 0):
		return fmt.Sprintf("the shares of column %q add up to %s %%", header[col], trimZeros(total))
	}
	return ""
}

// wholeNumbers reports whether every cell of a column is printed as a plain whole number: then nothing was rounded.
func wholeNumbers(rows [][]string, col int) bool {
	for _, row := range rows {
		if strings.Trim(row[col], "0123456789,") != "" {
			return false
		}
	}
	return true
}

// lastDigit returns half a unit of the last digit that a quantity is printed with.
func lastDigit(q research.Quantity) *big.Rat {
	digits := 0
	if _, frac, ok := strings.Cut(q.Text, "."); ok {
		for digits < len(frac) && frac[digits] >= '0' && frac[digits] <= '9' {
			digits++
		}
	}
	unit := big.NewRat(1, 2)
	for range min(digits, 12) {
		unit.Quo(unit, big.NewRat(10, 1))
	}
	// A scaled value ("1.9 billion") has a last digit of that scale.
	if printed, err := research.ParseDecimal(strings.ReplaceAll(firstNumber.FindString(q.Text), ",", "")); err == nil && printed.Rat().Sign() != 0 {
		unit.Mul(unit, new(big.Rat).Abs(new(big.Rat).Quo(q.Value.Rat(), printed.Rat())))
	}
	return unit
}

var firstNumber = regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)

func trimZeros(r *big.Rat) string {
	return strings.TrimRight(strings.TrimRight(r.FloatString(2), "0"), ".")
}
