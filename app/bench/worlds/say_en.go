package worlds

import (
	"fmt"
	"strings"
)

// sayEN writes one fact. Forms 0 and 1 are how pages say it; a report of level 0 repeats form 0, levels 1 to 3 use forms 1 to
// 3, each further from the page.
func (s setting) sayEN(fact string, form int) string {
	S := capital(s.subject)
	month := monthsEN[s.opened[1]-1]
	money := func(n int) string { return "$" + tenths(n) + " million" }
	var f [4]string
	switch fact {
	case "output":
		n := grouped(s.n2)
		f = [4]string{
			fmt.Sprintf("%s %s %s %s of %s in %d.", S, s.Made, n, s.Unit, s.Product, s.y2),
			fmt.Sprintf("In %d, %s %s of %s were %s at %s, figures of %s show.", s.y2, n, s.Unit, s.Product, s.Made, s.subject, s.authority),
			fmt.Sprintf("For %d, %s puts the %s %s at %s at %s %s.", s.y2, s.authority, s.Product, s.Made, s.subject, n, s.Unit),
			fmt.Sprintf("The %s %s about %s %s of %s in %d.", s.Kind, s.Made, grouped(rounded(s.n2)), s.Unit, s.Product, s.y2)}
	case "prior":
		n := grouped(s.n1)
		f = [4]string{
			fmt.Sprintf("%s %s %s %s of %s in %d.", S, s.Made, n, s.Unit, s.Product, s.y1),
			fmt.Sprintf("In %d, %s %s of %s were %s at %s.", s.y1, n, s.Unit, s.Product, s.Made, s.subject),
			fmt.Sprintf("In %d, %s %s %s %s of %s.", s.y1, s.subject, s.Made, n, s.Unit, s.Product),
			fmt.Sprintf("The %s had %s %s %s of %s in %d.", s.Kind, s.Made, n, s.Unit, s.Product, s.y1)}
	case "cost":
		f = [4]string{
			fmt.Sprintf("Building %s cost %s.", s.subject, money(s.cost)),
			fmt.Sprintf("The construction of %s cost %s, %s said.", s.subject, money(s.cost), s.operator),
			fmt.Sprintf("%s put the cost of building %s at %s.", s.operator, s.subject, money(s.cost)),
			fmt.Sprintf("Some %s went into building the %s.", money(s.cost), s.Kind)}
	case "share":
		f = [4]string{
			fmt.Sprintf("%s covered %d percent of %s in %d and %d percent in %d.", S, s.share1, s.Share, s.y1, s.share2, s.y2),
			fmt.Sprintf("The part of %s covered by %s rose from %d%% in %d to %d%% in %d.", s.Share, s.subject, s.share1, s.y1, s.share2, s.y2),
			fmt.Sprintf("Between %d and %d the part of %s that %s covered rose from %d%% to %d%%.", s.y1, s.y2, s.Share, s.subject, s.share1, s.share2),
			fmt.Sprintf("The %s covered %d percent of %s in %d, up from %d percent in %d.", s.Kind, s.share2, s.Share, s.y2, s.share1, s.y1)}
	case "points":
		d := s.share2 - s.share1
		f = [4]string{
			fmt.Sprintf("Its part of %s rose by %d percentage points between %d and %d.", s.Share, d, s.y1, s.y2),
			fmt.Sprintf("That is a rise of %d percentage points in its part of %s between %d and %d.", d, s.Share, s.y1, s.y2),
			fmt.Sprintf("From %d to %d its part of %s rose by %d percentage points.", s.y1, s.y2, s.Share, d),
			fmt.Sprintf("It gained %d percentage points of %s between %d and %d.", d, s.Share, s.y1, s.y2)}
	case "opened":
		f = [4]string{
			fmt.Sprintf("%s opened on %d %s %d.", S, s.opened[2], month, s.opened[0]),
			fmt.Sprintf("On %d %s %d, %s opened.", s.opened[2], month, s.opened[0], s.subject),
			fmt.Sprintf("%s has been open since %d %s %d.", S, s.opened[2], month, s.opened[0]),
			fmt.Sprintf("The %s opened in %s %d.", s.Kind, month, s.opened[0])}
	case "counted":
		f = [4]string{
			fmt.Sprintf("%s has %d %s.", S, s.count, s.Counted),
			fmt.Sprintf("There are %d %s at %s.", s.count, s.Counted, s.subject),
			fmt.Sprintf("%s counts %d %s at %s.", capital(s.authority), s.count, s.Counted, s.subject),
			fmt.Sprintf("The %s runs %d %s.", s.Kind, s.count, s.Counted)}
	case "upkeep":
		a, b := money(s.keep1), money(s.keep2)
		f = [4]string{
			fmt.Sprintf("Spending on upkeep at %s fell from %s in %d to %s in %d.", s.subject, a, s.y1, b, s.y2),
			fmt.Sprintf("At %s, spending on upkeep fell from %s in %d to %s in %d, %s reported.", s.subject, a, s.y1, b, s.y2, s.association),
			fmt.Sprintf("%s reported that spending on upkeep at %s fell from %s in %d to %s in %d.", s.association, s.subject, a, s.y1, b, s.y2),
			fmt.Sprintf("Spending on upkeep of the %s fell to %s in %d, after %s in %d.", s.Kind, b, s.y2, a, s.y1)}
	case "hedge":
		f = [4]string{
			fmt.Sprintf("%s may %s, a study by %s suggests.", S, s.May, s.univ),
			fmt.Sprintf("According to a study by %s, %s may %s.", s.univ, s.subject, s.May),
			fmt.Sprintf("A study by %s suggests that %s may %s.", s.univ, s.subject, s.May),
			fmt.Sprintf("The %s might %s, a study by %s suggests.", s.Kind, s.May, s.univ)}
	case "linked":
		f = [4]string{
			fmt.Sprintf("%s is associated with %s, %s of %s wrote.", S, s.Linked, s.scientist, s.univ),
			fmt.Sprintf("%s of %s wrote that %s is associated with %s.", s.scientist, s.univ, s.subject, s.Linked),
			fmt.Sprintf("%s of %s found that %s is associated with %s.", s.scientist, s.univ, s.subject, s.Linked),
			fmt.Sprintf("The %s is linked with %s, %s of %s wrote.", s.Kind, s.Linked, s.scientist, s.univ)}
	case "neg":
		f = [4]string{
			fmt.Sprintf("%s did not %s in its first years of service, %s reported.", S, s.Not, s.authority),
			fmt.Sprintf("%s reported that %s did not %s in its first years of service.", capital(s.authority), s.subject, s.Not),
			fmt.Sprintf("In its first years of service %s did not %s, %s reported.", s.subject, s.Not, s.authority),
			fmt.Sprintf("According to %s, early on the %s did not %s.", s.authority, s.Kind, s.Not)}
	case "quote1":
		f = quotesEN(capital(s.Q1), s.head, "who runs "+s.operator)
	case "quote2":
		f = quotesEN(capital(s.Q2), s.critic, "a speaker of "+s.critics)
	case "deal":
		f = [4]string{
			fmt.Sprintf("%s bought %s in %d.", s.operator, s.rival, s.deal),
			fmt.Sprintf("In %d, %s bought %s.", s.deal, s.operator, s.rival),
			fmt.Sprintf("%s, which runs %s, bought %s in %d.", s.operator, s.subject, s.rival, s.deal),
			fmt.Sprintf("%s was bought by %s in %d.", s.rival, s.operator, s.deal)}
	case "head":
		f = [4]string{
			fmt.Sprintf("%s is currently the chief executive of %s.", s.head, s.operator),
			fmt.Sprintf("The chief executive of %s is currently %s.", s.operator, s.head),
			fmt.Sprintf("%s is now the chief executive of %s.", s.head, s.operator),
			fmt.Sprintf("%s is at present led by its chief executive, %s.", s.operator, s.head)}
	case "best":
		n, m := grouped(s.best), monthsEN[s.bestMonth-1]
		f = [4]string{
			fmt.Sprintf("In its best month, %s %d, %s %s %s %s of %s.", m, s.y2, s.subject, s.Made, n, s.Unit, s.Product),
			fmt.Sprintf("Its best month was %s %d, when %s %s of %s were %s.", m, s.y2, n, s.Unit, s.Product, s.Made),
			fmt.Sprintf("%s %s %s %s of %s in its best month, %s %d.", S, s.Made, n, s.Unit, s.Product, m, s.y2),
			fmt.Sprintf("The best month of the %s was %s %d, with %s %s of %s.", s.Kind, m, s.y2, n, s.Unit, s.Product)}
	case "staff":
		f = [4]string{
			fmt.Sprintf("%s employs %d people at %s.", s.operator, s.staff, s.subject),
			fmt.Sprintf("At %s, %s employs %d people.", s.subject, s.operator, s.staff),
			fmt.Sprintf("%s employs %d people, according to %s.", S, s.staff, s.operator),
			fmt.Sprintf("There are %d people employed at the %s.", s.staff, s.Kind)}
	case "crews":
		n := smallEN[s.crews]
		f = [4]string{
			fmt.Sprintf("%s crews share the work at %s.", capital(n), s.subject),
			fmt.Sprintf("The work at %s is shared by %s crews.", s.subject, n),
			fmt.Sprintf("At %s %s crews share the work.", s.subject, n),
			fmt.Sprintf("The %s has %s crews to share the work.", s.Kind, n)}
	case "paper":
		f = [4]string{
			fmt.Sprintf("The study is registered as doi:%s and as PMC%s.", s.doi(), s.pmc()),
			fmt.Sprintf("It can be read under doi:%s and as PMC%s.", s.doi(), s.pmc()),
			fmt.Sprintf("Its paper is doi:%s, or PMC%s.", s.doi(), s.pmc()),
			fmt.Sprintf("The study of %s is doi:%s (PMC%s).", s.univ, s.doi(), s.pmc())}
	case "growth":
		d := grouped(s.n2 - s.n1)
		one := fmt.Sprintf("%s %s %s %s of %s more in %d than in %d.", S, s.Made, d, s.Unit, s.Product, s.y2, s.y1)
		f = [4]string{one, one, one, one}
	case "table":
		one := fmt.Sprintf("Area | Visits in %d\n--- | ---\n%s | %d\n%s | %d\n%s | %d\nTotal | %d", s.y2, s.rowNames[0], s.rows[0], s.rowNames[1], s.rows[1], s.rowNames[2], s.rows[2], s.total())
		f = [4]string{one, one, one, one}
	}
	return f[form]
}

func quotesEN(words, who, role string) [4]string {
	return [4]string{
		fmt.Sprintf("“%s,” said %s, %s.", words, who, role),
		fmt.Sprintf("%s, %s, said: “%s.”", who, role, words),
		fmt.Sprintf("“%s,” %s said.", words, who),
		fmt.Sprintf("Asked about it, %s said: “%s.”", who, words)}
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

var smallEN = strings.Fields("zero one two three four five six seven eight nine ten")
