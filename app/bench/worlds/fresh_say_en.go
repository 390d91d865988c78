package worlds

import "fmt"

// freshSayEN writes a fact of the fresh part in phrasings of its own; forms as in [setting.sayEN].
func (s setting) freshSayEN(fact string, form int) string {
	S := capital(s.subject)
	month := monthsEN[s.opened[1]-1]
	money := func(n int) string { return "$" + tenths(n) + " million" }
	var f [4]string
	switch fact {
	case "output":
		n := grouped(s.n2)
		f = [4]string{
			fmt.Sprintf("Over the whole of %d, %s %s %s %s of %s.", s.y2, s.subject, s.Made, n, s.Unit, s.Product),
			fmt.Sprintf("%s recorded that %s %s %s %s of %s in %d.", capital(s.authority), s.subject, s.Made, n, s.Unit, s.Product, s.y2),
			fmt.Sprintf("During %d %s %s %s %s of %s, according to %s.", s.y2, s.subject, s.Made, n, s.Unit, s.Product, s.authority),
			fmt.Sprintf("Roughly %s %s of %s were %s by the %s in %d.", grouped(rounded(s.n2)), s.Unit, s.Product, s.Made, s.Kind, s.y2)}
	case "prior":
		n := grouped(s.n1)
		f = [4]string{
			fmt.Sprintf("The figure for %d was lower: %s %s of %s were %s by %s.", s.y1, n, s.Unit, s.Product, s.Made, s.subject),
			fmt.Sprintf("%s %s of %s were %s by %s in %d.", n, s.Unit, s.Product, s.Made, s.subject, s.y1),
			fmt.Sprintf("During %d, %s %s %s %s of %s.", s.y1, s.subject, s.Made, n, s.Unit, s.Product),
			fmt.Sprintf("Back in %d the %s %s %s %s of %s.", s.y1, s.Kind, s.Made, n, s.Unit, s.Product)}
	case "cost":
		f = [4]string{
			fmt.Sprintf("%s was built for %s.", S, money(s.cost)),
			fmt.Sprintf("According to %s, %s was built for %s.", s.operator, s.subject, money(s.cost)),
			fmt.Sprintf("The bill for building %s came to %s.", s.subject, money(s.cost)),
			fmt.Sprintf("It took %s to build the %s.", money(s.cost), s.Kind)}
	case "share":
		f = [4]string{
			fmt.Sprintf("%s met %d%% of %s in %d, and %d%% in %d.", S, s.share1, s.Share, s.y1, s.share2, s.y2),
			fmt.Sprintf("In %d, %s met %d%% of %s; in %d it was %d%%.", s.y1, s.subject, s.share1, s.Share, s.y2, s.share2),
			fmt.Sprintf("%s, which had met %d%% of %s in %d, met %d%% in %d.", S, s.share1, s.Share, s.y1, s.share2, s.y2),
			fmt.Sprintf("The %s served %d%% of %s in %d against %d%% in %d.", s.Kind, s.share2, s.Share, s.y2, s.share1, s.y1)}
	case "points":
		d := s.share2 - s.share1
		f = [4]string{
			fmt.Sprintf("Between %d and %d its share of %s grew by %d percentage points.", s.y1, s.y2, s.Share, d),
			fmt.Sprintf("Its share of %s grew by %d percentage points between %d and %d.", s.Share, d, s.y1, s.y2),
			fmt.Sprintf("The researchers found that its share of %s grew by %d percentage points between %d and %d.", s.Share, d, s.y1, s.y2),
			fmt.Sprintf("An increase of %d percentage points in %s was counted between %d and %d.", d, s.Share, s.y1, s.y2)}
	case "opened":
		f = [4]string{
			fmt.Sprintf("%s was inaugurated on %s %d, %d.", S, month, s.opened[2], s.opened[0]),
			fmt.Sprintf("The inauguration of %s took place on %s %d, %d.", s.subject, month, s.opened[2], s.opened[0]),
			fmt.Sprintf("On %s %d, %d, %s was inaugurated.", month, s.opened[2], s.opened[0], s.subject),
			fmt.Sprintf("The %s was inaugurated in %s %d.", s.Kind, month, s.opened[0])}
	case "counted":
		f = [4]string{
			fmt.Sprintf("%d %s belong to %s.", s.count, s.Counted, s.subject),
			fmt.Sprintf("%s comprises %d %s.", S, s.count, s.Counted),
			fmt.Sprintf("There are now %d %s at %s.", s.count, s.Counted, s.subject),
			fmt.Sprintf("The %s comprises %d %s in all.", s.Kind, s.count, s.Counted)}
	case "upkeep":
		a, b := money(s.keep1), money(s.keep2)
		f = [4]string{
			fmt.Sprintf("Maintenance costs of %s dropped from %s in %d to %s in %d.", s.subject, a, s.y1, b, s.y2),
			fmt.Sprintf("%s stated that maintenance costs of %s dropped from %s in %d to %s in %d.", s.association, s.subject, a, s.y1, b, s.y2),
			fmt.Sprintf("According to %s, maintenance costs of %s dropped from %s in %d to %s in %d.", s.association, s.subject, a, s.y1, b, s.y2),
			fmt.Sprintf("Maintenance of the %s was cheaper in %d, at %s, than in %d, at %s.", s.Kind, s.y2, b, s.y1, a)}
	case "hedge":
		f = [4]string{
			fmt.Sprintf("Researchers of %s think that %s could %s.", s.univ, s.subject, s.May),
			fmt.Sprintf("%s could %s, researchers of %s think.", S, s.May, s.univ),
			fmt.Sprintf("In the view of researchers of %s, %s could %s.", s.univ, s.subject, s.May),
			fmt.Sprintf("The %s could possibly %s, as researchers of %s think.", s.Kind, s.May, s.univ)}
	case "linked":
		f = [4]string{
			fmt.Sprintf("In a paper, %s of %s showed that %s is correlated with %s.", s.scientist, s.univ, s.subject, s.Linked),
			fmt.Sprintf("%s is correlated with %s, %s of %s showed.", S, s.Linked, s.scientist, s.univ),
			fmt.Sprintf("As %s of %s observed, %s is correlated with %s.", s.scientist, s.univ, s.subject, s.Linked),
			fmt.Sprintf("%s, a researcher at %s, sees the %s correlated with %s.", s.scientist, s.univ, s.Kind, s.Linked)}
	case "neg":
		f = [4]string{
			fmt.Sprintf("According to %s, %s did not %s during its trial period.", s.authority, s.subject, s.Not),
			fmt.Sprintf("%s did not %s during its trial period, according to %s.", S, s.Not, s.authority),
			fmt.Sprintf("During its trial period %s did not %s.", s.subject, s.Not),
			fmt.Sprintf("When it was on trial the %s did not %s, %s found.", s.Kind, s.Not, s.authority)}
	case "quote1":
		f = freshQuotesEN(capital(s.Q1), s.head, "the head of "+s.operator)
	case "quote2":
		f = freshQuotesEN(capital(s.Q2), s.critic, "who chairs "+s.critics)
	case "deal":
		f = [4]string{
			fmt.Sprintf("%s took over %s in %d.", s.operator, s.rival, s.deal),
			fmt.Sprintf("In %d %s took over its neighbour %s.", s.deal, s.operator, s.rival),
			fmt.Sprintf("The owner of %s, %s, took over %s in %d.", s.subject, s.operator, s.rival, s.deal),
			fmt.Sprintf("%s was taken over by %s in %d.", s.rival, s.operator, s.deal)}
	case "head":
		f = [4]string{
			fmt.Sprintf("The managing director of %s is at present %s.", s.operator, s.head),
			fmt.Sprintf("%s is at present the managing director of %s.", s.head, s.operator),
			fmt.Sprintf("Today's managing director of %s is %s.", s.operator, s.head),
			fmt.Sprintf("%s is presently headed by %s as managing director.", s.operator, s.head)}
	case "best":
		n, m := grouped(s.best), monthsEN[s.bestMonth-1]
		f = [4]string{
			fmt.Sprintf("The strongest month was %s %d, when %s %s %s %s of %s.", m, s.y2, s.subject, s.Made, n, s.Unit, s.Product),
			fmt.Sprintf("In %s %d, its strongest month, %s %s %s %s of %s.", m, s.y2, s.subject, s.Made, n, s.Unit, s.Product),
			fmt.Sprintf("%s %s %s %s of %s in %s %d, its strongest month.", S, s.Made, n, s.Unit, s.Product, m, s.y2),
			fmt.Sprintf("With %s %s of %s, %s %d was the strongest month of the %s.", n, s.Unit, s.Product, m, s.y2, s.Kind)}
	case "staff":
		f = [4]string{
			fmt.Sprintf("The workforce of %s at %s numbers %d.", s.operator, s.subject, s.staff),
			fmt.Sprintf("%s has a workforce of %d at %s.", s.operator, s.staff, s.subject),
			fmt.Sprintf("At %s, the workforce of %s numbers %d.", s.subject, s.operator, s.staff),
			fmt.Sprintf("The %s has a workforce of %d.", s.Kind, s.staff)}
	case "crews":
		n := smallEN[s.crews]
		f = [4]string{
			fmt.Sprintf("The shifts of %s are run by %s teams.", s.subject, n),
			fmt.Sprintf("%s teams run the shifts of %s.", capital(n), s.subject),
			fmt.Sprintf("At %s the shifts are run by %s teams.", s.subject, n),
			fmt.Sprintf("The %s is run in shifts by %s teams.", s.Kind, n)}
	case "paper":
		f = [4]string{
			fmt.Sprintf("Readers find the paper under doi:%s and PMC%s.", s.doi(), s.pmc()),
			fmt.Sprintf("The paper is kept as PMC%s, with doi:%s.", s.pmc(), s.doi()),
			fmt.Sprintf("The paper's identifiers are doi:%s and PMC%s.", s.doi(), s.pmc()),
			fmt.Sprintf("The paper of %s has doi:%s (PMC%s).", s.univ, s.doi(), s.pmc())}
	case "growth":
		d := grouped(s.n2 - s.n1)
		one := fmt.Sprintf("Compared with %d, %s %s %s %s of %s more in %d.", s.y1, s.subject, s.Made, d, s.Unit, s.Product, s.y2)
		f = [4]string{one, one, one, one}
	case "table":
		one := fmt.Sprintf("District | Guests in %d\n--- | ---\n%s | %d\n%s | %d\n%s | %d\nTotal | %d", s.y2, s.rowNames[0], s.rows[0], s.rowNames[1], s.rows[1], s.rowNames[2], s.rows[2], s.total())
		f = [4]string{one, one, one, one}
	}
	return f[form]
}

func freshQuotesEN(words, who, role string) [4]string {
	return [4]string{
		fmt.Sprintf("%s, %s, told reporters: “%s.”", who, role, words),
		fmt.Sprintf("“%s,” %s, %s, explained.", words, who, role),
		fmt.Sprintf("“%s,” argued %s.", words, who),
		fmt.Sprintf("“%s.” With these words %s answered the question.", words, who)}
}
