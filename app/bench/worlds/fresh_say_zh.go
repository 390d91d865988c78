package worlds

import "fmt"

// freshSayZH is freshSayEN in Chinese.
func (s setting) freshSayZH(fact string, form int) string {
	money := func(n int) string { return tenths(n) + "亿元" }
	small := func(n int) string { return fmt.Sprintf("%d万元", n*10) }
	var f [4]string
	switch fact {
	case "output":
		f = [4]string{
			fmt.Sprintf("%d年全年，%s共%s%d%s%s。", s.y2, s.subject, s.Made, s.n2, s.Unit, s.Product),
			fmt.Sprintf("据%s统计，%d年全年%s共%s%d%s%s。", s.authority, s.y2, s.subject, s.Made, s.n2, s.Unit, s.Product),
			fmt.Sprintf("%s表示，%s在%d年共%s%d%s%s。", s.authority, s.subject, s.y2, s.Made, s.n2, s.Unit, s.Product),
			fmt.Sprintf("%d年，该%s%s大约%d%s%s。", s.y2, s.Kind, s.Made, rounded(s.n2), s.Unit, s.Product)}
	case "prior":
		f = [4]string{
			fmt.Sprintf("而在%d年，%s只%s%d%s%s。", s.y1, s.subject, s.Made, s.n1, s.Unit, s.Product),
			fmt.Sprintf("%s %d年%s%d%s%s。", s.subject, s.y1, s.Made, s.n1, s.Unit, s.Product),
			fmt.Sprintf("%d年时，%s%s%d%s%s。", s.y1, s.subject, s.Made, s.n1, s.Unit, s.Product),
			fmt.Sprintf("早在%d年，该%s%s%d%s%s。", s.y1, s.Kind, s.Made, s.n1, s.Unit, s.Product)}
	case "cost":
		f = [4]string{
			fmt.Sprintf("%s总投资为%s。", s.subject, money(s.cost)),
			fmt.Sprintf("根据%s的说法，%s总投资为%s。", s.operator, s.subject, money(s.cost)),
			fmt.Sprintf("修建%s总共投入%s。", s.subject, money(s.cost)),
			fmt.Sprintf("该%s的修建共投入%s。", s.Kind, money(s.cost))}
	case "share":
		f = [4]string{
			fmt.Sprintf("%d年，%s覆盖了%s的%d%%；到%d年，这一比例为%d%%。", s.y1, s.subject, s.Share, s.share1, s.y2, s.share2),
			fmt.Sprintf("%s对%s的覆盖率由%d年的%d%%提高到%d年的%d%%。", s.subject, s.Share, s.y1, s.share1, s.y2, s.share2),
			fmt.Sprintf("由%d年到%d年，%s对%s的覆盖率由%d%%提高到%d%%。", s.y1, s.y2, s.subject, s.Share, s.share1, s.share2),
			fmt.Sprintf("该%s在%d年覆盖了%s的%d%%，而%d年为%d%%。", s.Kind, s.y2, s.Share, s.share2, s.y1, s.share1)}
	case "points":
		d := s.share2 - s.share1
		f = [4]string{
			fmt.Sprintf("%d年至%d年，它在%s中的份额提高了%d个百分点。", s.y1, s.y2, s.Share, d),
			fmt.Sprintf("它在%s中的份额在%d年至%d年提高了%d个百分点。", s.Share, s.y1, s.y2, d),
			fmt.Sprintf("研究者指出，它在%s中的份额在%d年至%d年提高了%d个百分点。", s.Share, s.y1, s.y2, d),
			fmt.Sprintf("就%s而言，%d年至%d年的增幅是%d个百分点，份额有所提高。", s.Share, s.y1, s.y2, d)}
	case "opened":
		f = [4]string{
			fmt.Sprintf("%s于%d年%d月%d日正式建成。", s.subject, s.opened[0], s.opened[1], s.opened[2]),
			fmt.Sprintf("%d年%d月%d日，%s正式建成。", s.opened[0], s.opened[1], s.opened[2], s.subject),
			fmt.Sprintf("%s建成于%d年%d月%d日。", s.subject, s.opened[0], s.opened[1], s.opened[2]),
			fmt.Sprintf("该%s建成于%d年%d月。", s.Kind, s.opened[0], s.opened[1])}
	case "counted":
		f = [4]string{
			fmt.Sprintf("%s现有%d%s。", s.subject, s.count, s.Counted),
			fmt.Sprintf("%s一共有%d%s。", s.subject, s.count, s.Counted),
			fmt.Sprintf("据%s介绍，%s一共有%d%s。", s.authority, s.subject, s.count, s.Counted),
			fmt.Sprintf("该%s一共有%d%s。", s.Kind, s.count, s.Counted)}
	case "upkeep":
		f = [4]string{
			fmt.Sprintf("%s的养护费用由%d年的%s降低到%d年的%s。", s.subject, s.y1, small(s.keep1), s.y2, small(s.keep2)),
			fmt.Sprintf("%s的养护费用由%d年的%s降低到%d年的%s，%s公布。", s.subject, s.y1, small(s.keep1), s.y2, small(s.keep2), s.association),
			fmt.Sprintf("%s介绍，%s的养护费用由%d年的%s降低到%d年的%s。", s.association, s.subject, s.y1, small(s.keep1), s.y2, small(s.keep2)),
			fmt.Sprintf("该%s的养护费用%d年为%s，低于%d年的%s。", s.Kind, s.y2, small(s.keep2), s.y1, small(s.keep1))}
	case "hedge":
		f = [4]string{
			fmt.Sprintf("%s的研究人员估计，%s也许能够%s。", s.univ, s.subject, s.May),
			fmt.Sprintf("%s也许能够%s，%s的研究人员估计。", s.subject, s.May, s.univ),
			fmt.Sprintf("在%s的研究人员看来，%s也许能够%s。", s.univ, s.subject, s.May),
			fmt.Sprintf("%s的研究人员估计，该%s也许可能%s。", s.univ, s.Kind, s.May)}
	case "linked":
		f = [4]string{
			fmt.Sprintf("%s教授%s发现，%s与%s相关。", s.univ, s.scientist, s.subject, s.Linked),
			fmt.Sprintf("%s与%s相关，%s教授%s发现。", s.subject, s.Linked, s.univ, s.scientist),
			fmt.Sprintf("据%s教授%s介绍，%s与%s相关。", s.univ, s.scientist, s.subject, s.Linked),
			fmt.Sprintf("%s教授%s认为，该%s与%s有关联。", s.univ, s.scientist, s.Kind, s.Linked)}
	case "neg":
		f = [4]string{
			fmt.Sprintf("据%s通报，%s在试运行期间并未%s。", s.authority, s.subject, s.Not),
			fmt.Sprintf("%s通报称，%s在试运行期间并未%s。", s.authority, s.subject, s.Not),
			fmt.Sprintf("%s在试运行期间并未%s。", s.subject, s.Not),
			fmt.Sprintf("试运行时，该%s并未%s，%s通报。", s.Kind, s.Not, s.authority)}
	case "quote1":
		f = freshQuotesZH(s.Q1, s.operator+"总裁"+s.head, s.head)
	case "quote2":
		f = freshQuotesZH(s.Q2, s.critics+"主席"+s.critic, s.critic)
	case "deal":
		f = [4]string{
			fmt.Sprintf("%s于%d年并购了%s。", s.operator, s.deal, s.rival),
			fmt.Sprintf("%d年，%s并购了同行%s。", s.deal, s.operator, s.rival),
			fmt.Sprintf("%s的业主%s于%d年并购了%s。", s.subject, s.operator, s.deal, s.rival),
			fmt.Sprintf("%s于%d年被%s并购。", s.rival, s.deal, s.operator)}
	case "head":
		f = [4]string{
			fmt.Sprintf("%s现任总裁为%s。", s.operator, s.head),
			fmt.Sprintf("%s现任%s总裁。", s.head, s.operator),
			fmt.Sprintf("如今担任%s总裁的是%s。", s.operator, s.head),
			fmt.Sprintf("%s如今由%s出任总裁。", s.operator, s.head)}
	case "best":
		f = [4]string{
			fmt.Sprintf("表现最强的是%d年%d月，当月%s%s%d%s%s。", s.y2, s.bestMonth, s.subject, s.Made, s.best, s.Unit, s.Product),
			fmt.Sprintf("%d年%d月，%s当月%s%d%s%s，表现最强。", s.y2, s.bestMonth, s.subject, s.Made, s.best, s.Unit, s.Product),
			fmt.Sprintf("%s在%d年%d月%s%d%s%s，是表现最强的一个月。", s.subject, s.y2, s.bestMonth, s.Made, s.best, s.Unit, s.Product),
			fmt.Sprintf("该%s表现最强的月份是%d年%d月，当月%s%d%s%s。", s.Kind, s.y2, s.bestMonth, s.Made, s.best, s.Unit, s.Product)}
	case "staff":
		f = [4]string{
			fmt.Sprintf("%s在%s的员工为%d人。", s.operator, s.subject, s.staff),
			fmt.Sprintf("在%s工作的%s员工为%d人。", s.subject, s.operator, s.staff),
			fmt.Sprintf("%s称，%s的员工为%d人。", s.operator, s.subject, s.staff),
			fmt.Sprintf("该%s的员工为%d人。", s.Kind, s.staff)}
	case "crews":
		n := smallZH[s.crews]
		f = [4]string{
			fmt.Sprintf("%s分%s个小队轮班。", s.subject, n),
			fmt.Sprintf("在%s，%s个小队轮班。", s.subject, n),
			fmt.Sprintf("轮班的%s个小队都在%s。", n, s.subject),
			fmt.Sprintf("该%s分%s个小队轮班。", s.Kind, n)}
	case "paper":
		f = [4]string{
			fmt.Sprintf("论文编号为 doi:%s，收录号 PMC%s。", s.doi(), s.pmc()),
			fmt.Sprintf("论文收录号为 PMC%s，编号 doi:%s。", s.pmc(), s.doi()),
			fmt.Sprintf("可凭 doi:%s 或 PMC%s 查阅论文。", s.doi(), s.pmc()),
			fmt.Sprintf("%s的论文编号为 doi:%s（PMC%s）。", s.univ, s.doi(), s.pmc())}
	case "growth":
		one := fmt.Sprintf("与%d年相比，%s在%d年多%s%d%s%s。", s.y1, s.subject, s.y2, s.Made, s.n2-s.n1, s.Unit, s.Product)
		f = [4]string{one, one, one, one}
	case "table":
		one := fmt.Sprintf("片区 | %d年来访人数\n--- | ---\n%s | %d\n%s | %d\n%s | %d\n合计 | %d", s.y2, s.rowNames[0], s.rows[0], s.rowNames[1], s.rows[1], s.rowNames[2], s.rows[2], s.total())
		f = [4]string{one, one, one, one}
	}
	return f[form]
}

func freshQuotesZH(words, who, name string) [4]string {
	return [4]string{
		fmt.Sprintf("%s告诉记者：“%s。”", who, words),
		fmt.Sprintf("“%s，”%s强调。", words, who),
		fmt.Sprintf("%s强调：“%s。”", name, words),
		fmt.Sprintf("“%s。”谈到此事，%s这样回应。", words, name)}
}
