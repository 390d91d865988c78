package worlds

import (
	"fmt"
	"strings"
)

// sayZH is sayEN in Chinese.
func (s setting) sayZH(fact string, form int) string {
	money := func(n int) string { return tenths(n) + "亿元" }
	small := func(n int) string { return fmt.Sprintf("%d万元", n*10) }
	var f [4]string
	switch fact {
	case "output":
		f = [4]string{
			fmt.Sprintf("%d年，%s%s%d%s%s。", s.y2, s.subject, s.Made, s.n2, s.Unit, s.Product),
			fmt.Sprintf("%s的数据显示，%s在%d年%s%d%s%s。", s.authority, s.subject, s.y2, s.Made, s.n2, s.Unit, s.Product),
			fmt.Sprintf("%s在%d年%s%d%s%s。", s.subject, s.y2, s.Made, s.n2, s.Unit, s.Product),
			fmt.Sprintf("%d年，这座%s%s约%d%s%s。", s.y2, s.Kind, s.Made, rounded(s.n2), s.Unit, s.Product)}
	case "prior":
		f = [4]string{
			fmt.Sprintf("%d年，%s%s%d%s%s。", s.y1, s.subject, s.Made, s.n1, s.Unit, s.Product),
			fmt.Sprintf("%s在%d年%s%d%s%s。", s.subject, s.y1, s.Made, s.n1, s.Unit, s.Product),
			fmt.Sprintf("在%d年，%s%s%d%s%s。", s.y1, s.subject, s.Made, s.n1, s.Unit, s.Product),
			fmt.Sprintf("这座%s在%d年%s%d%s%s。", s.Kind, s.y1, s.Made, s.n1, s.Unit, s.Product)}
	case "cost":
		f = [4]string{
			fmt.Sprintf("建设%s耗资%s。", s.subject, money(s.cost)),
			fmt.Sprintf("%s称，建设%s耗资%s。", s.operator, s.subject, money(s.cost)),
			fmt.Sprintf("%s的建设费用为%s，%s表示。", s.subject, money(s.cost), s.operator),
			fmt.Sprintf("这座%s的建设花费了%s。", s.Kind, money(s.cost))}
	case "share":
		f = [4]string{
			fmt.Sprintf("%s在%d年满足%s的%d%%，%d年为%d%%。", s.subject, s.y1, s.Share, s.share1, s.y2, s.share2),
			fmt.Sprintf("%s所满足的%s比例从%d年的%d%%上升到%d年的%d%%。", s.subject, s.Share, s.y1, s.share1, s.y2, s.share2),
			fmt.Sprintf("从%d年到%d年，%s所满足的%s比例从%d%%上升到%d%%。", s.y1, s.y2, s.subject, s.Share, s.share1, s.share2),
			fmt.Sprintf("%d年，这座%s满足%s的%d%%，高于%d年的%d%%。", s.y2, s.Kind, s.Share, s.share2, s.y1, s.share1)}
	case "points":
		d := s.share2 - s.share1
		f = [4]string{
			fmt.Sprintf("它所占%s的比例在%d年到%d年间上升了%d个百分点。", s.Share, s.y1, s.y2, d),
			fmt.Sprintf("%d年到%d年间，它所占%s的比例上升了%d个百分点。", s.y1, s.y2, s.Share, d),
			fmt.Sprintf("从%d年到%d年，它所占%s的比例上升了%d个百分点。", s.y1, s.y2, s.Share, d),
			fmt.Sprintf("其占%s的比例自%d年至%d年提高了%d个百分点。", s.Share, s.y1, s.y2, d)}
	case "opened":
		f = [4]string{
			fmt.Sprintf("%s于%d年%d月%d日启用。", s.subject, s.opened[0], s.opened[1], s.opened[2]),
			fmt.Sprintf("%d年%d月%d日，%s启用。", s.opened[0], s.opened[1], s.opened[2], s.subject),
			fmt.Sprintf("%s自%d年%d月%d日起启用。", s.subject, s.opened[0], s.opened[1], s.opened[2]),
			fmt.Sprintf("这座%s于%d年%d月启用。", s.Kind, s.opened[0], s.opened[1])}
	case "counted":
		f = [4]string{
			fmt.Sprintf("%s共有%d%s。", s.subject, s.count, s.Counted),
			fmt.Sprintf("%s设有%d%s。", s.subject, s.count, s.Counted),
			fmt.Sprintf("%s统计，%s共有%d%s。", s.authority, s.subject, s.count, s.Counted),
			fmt.Sprintf("这座%s有%d%s。", s.Kind, s.count, s.Counted)}
	case "upkeep":
		f = [4]string{
			fmt.Sprintf("%s的维护支出从%d年的%s下降到%d年的%s。", s.subject, s.y1, small(s.keep1), s.y2, small(s.keep2)),
			fmt.Sprintf("%s报告，%s的维护支出从%d年的%s下降到%d年的%s。", s.association, s.subject, s.y1, small(s.keep1), s.y2, small(s.keep2)),
			fmt.Sprintf("据%s，%s的维护支出从%d年的%s下降到%d年的%s。", s.association, s.subject, s.y1, small(s.keep1), s.y2, small(s.keep2)),
			fmt.Sprintf("这座%s的维护支出在%d年下降到%s，%d年为%s。", s.Kind, s.y2, small(s.keep2), s.y1, small(s.keep1))}
	case "hedge":
		f = [4]string{
			fmt.Sprintf("%s的一项研究认为，%s可能%s。", s.univ, s.subject, s.May),
			fmt.Sprintf("根据%s的一项研究，%s可能%s。", s.univ, s.subject, s.May),
			fmt.Sprintf("%s可能%s，%s的一项研究指出。", s.subject, s.May, s.univ),
			fmt.Sprintf("%s的一项研究认为，这座%s或许可能%s。", s.univ, s.Kind, s.May)}
	case "linked":
		f = [4]string{
			fmt.Sprintf("%s的%s写道，%s与%s有关。", s.univ, s.scientist, s.subject, s.Linked),
			fmt.Sprintf("%s（%s）写道，%s与%s有关。", s.scientist, s.univ, s.subject, s.Linked),
			fmt.Sprintf("%s与%s有关，%s的%s写道。", s.subject, s.Linked, s.univ, s.scientist),
			fmt.Sprintf("%s的%s写道，这座%s与%s有关联。", s.univ, s.scientist, s.Kind, s.Linked)}
	case "neg":
		f = [4]string{
			fmt.Sprintf("%s报告，%s在最初几年没有%s。", s.authority, s.subject, s.Not),
			fmt.Sprintf("%s在最初几年没有%s，%s报告。", s.subject, s.Not, s.authority),
			fmt.Sprintf("据%s报告，%s在最初几年没有%s。", s.authority, s.subject, s.Not),
			fmt.Sprintf("%s指出，这座%s在初期没有%s。", s.authority, s.Kind, s.Not)}
	case "quote1":
		f = quotesZH(s.Q1, s.operator+"负责人"+s.head, s.head)
	case "quote2":
		f = quotesZH(s.Q2, s.critics+"发言人"+s.critic, s.critic)
	case "deal":
		f = [4]string{
			fmt.Sprintf("%s在%d年收购了%s。", s.operator, s.deal, s.rival),
			fmt.Sprintf("%d年，%s收购了%s。", s.deal, s.operator, s.rival),
			fmt.Sprintf("运营%s的%s在%d年收购了%s。", s.subject, s.operator, s.deal, s.rival),
			fmt.Sprintf("%s在%d年被%s收购。", s.rival, s.deal, s.operator)}
	case "head":
		f = [4]string{
			fmt.Sprintf("%s目前是%s的总经理。", s.head, s.operator),
			fmt.Sprintf("%s的总经理目前是%s。", s.operator, s.head),
			fmt.Sprintf("%s现为%s的总经理。", s.head, s.operator),
			fmt.Sprintf("%s目前由总经理%s领导。", s.operator, s.head)}
	case "best":
		f = [4]string{
			fmt.Sprintf("在最好的月份，即%d年%d月，%s%s%d%s%s。", s.y2, s.bestMonth, s.subject, s.Made, s.best, s.Unit, s.Product),
			fmt.Sprintf("最好的月份是%d年%d月，%s%d%s%s。", s.y2, s.bestMonth, s.Made, s.best, s.Unit, s.Product),
			fmt.Sprintf("%s在最好的月份（%d年%d月）%s%d%s%s。", s.subject, s.y2, s.bestMonth, s.Made, s.best, s.Unit, s.Product),
			fmt.Sprintf("这座%s最好的月份是%d年%d月，%s%d%s%s。", s.Kind, s.y2, s.bestMonth, s.Made, s.best, s.Unit, s.Product)}
	case "staff":
		f = [4]string{
			fmt.Sprintf("%s在%s雇用%d人。", s.operator, s.subject, s.staff),
			fmt.Sprintf("在%s，%s雇用%d人。", s.subject, s.operator, s.staff),
			fmt.Sprintf("据%s，%s雇用%d人。", s.operator, s.subject, s.staff),
			fmt.Sprintf("这座%s共雇用%d人。", s.Kind, s.staff)}
	case "crews":
		n := smallZH[s.crews]
		f = [4]string{
			fmt.Sprintf("%s由%s个班组分担工作。", s.subject, n),
			fmt.Sprintf("%s个班组分担%s的工作。", n, s.subject),
			fmt.Sprintf("在%s，%s个班组分担工作。", s.subject, n),
			fmt.Sprintf("这座%s有%s个班组分担工作。", s.Kind, n)}
	case "paper":
		f = [4]string{
			fmt.Sprintf("该研究登记为 doi:%s 和 PMC%s。", s.doi(), s.pmc()),
			fmt.Sprintf("该研究可在 doi:%s 和 PMC%s 查到。", s.doi(), s.pmc()),
			fmt.Sprintf("其论文为 doi:%s，即 PMC%s。", s.doi(), s.pmc()),
			fmt.Sprintf("%s的研究为 doi:%s（PMC%s）。", s.univ, s.doi(), s.pmc())}
	case "growth":
		one := fmt.Sprintf("%s在%d年比%d年多%s%d%s%s。", s.subject, s.y2, s.y1, s.Made, s.n2-s.n1, s.Unit, s.Product)
		f = [4]string{one, one, one, one}
	case "table":
		one := fmt.Sprintf("区域 | %d年访问量\n--- | ---\n%s | %d\n%s | %d\n%s | %d\n合计 | %d", s.y2, s.rowNames[0], s.rows[0], s.rowNames[1], s.rows[1], s.rowNames[2], s.rows[2], s.total())
		f = [4]string{one, one, one, one}
	}
	return f[form]
}

func quotesZH(words, who, name string) [4]string {
	return [4]string{
		fmt.Sprintf("“%s，”%s说。", words, who),
		fmt.Sprintf("%s说：“%s。”", who, words),
		fmt.Sprintf("“%s，”%s说。", words, name),
		fmt.Sprintf("被问到此事时，%s说：“%s。”", name, words)}
}

var smallZH = strings.Fields("零 一 两 三 四 五 六 七 八 九 十")
