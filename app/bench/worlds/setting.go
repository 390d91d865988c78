package worlds

import (
	"fmt"
	"sort"
	"strings"
)

// setting is what one made run is about: the names, dates and numbers from which both its pages and its report are written.
type setting struct {
	kit
	topic, lang                                  string
	subject, place, region                       string
	operator, rival, authority, univ, journal    string
	critics, association, courier, herald, guide string
	head, critic, scientist, reviewer            string
	opened                                       [3]int // year, month, day
	y1, y2, deal, now                            int
	n1, n2                                       int // output in y1 and y2
	count                                        int
	cost                                         int // tenths of a million (zh: of 亿元)
	share1, share2                               int // percent in y1 and y2
	keep1, keep2                                 int // upkeep in y1 and y2, tenths of a million; keep2 < keep1
	best, bestMonth, staff, crews                int // output of the best month, the month, people employed, crews (2 to 9)
	rows                                         [3]int
	rowNames                                     [3]string
}

// Topics lists the topics in order.
func Topics() []string {
	var out []string
	for _, kits := range []map[string]kit{kitsEN, freshEN} {
		for t := range kits {
			out = append(out, t)
		}
	}
	sort.Strings(out)
	return out
}

// Part is the share of the worlds a topic belongs to.
type Part string

// Thresholds may be set by looking at the tuning part. Figures came from the reporting part until its misses had been read and
// rules mended for them; since then they come from the fresh part, which has its own topics, names, templates and phrases.
const (
	Tuning    Part = "tuning"
	Reporting Part = "reporting"
	Fresh     Part = "fresh"
)

// tuningTopics were drawn once; the vocabulary of neither part occurs in the other.
var tuningTopics = map[string]bool{
	"bikes": true, "cement": true, "coffee": true, "desalination": true, "farm": true, "library": true, "oysters": true, "telescope": true,
}

// PartOf says which part a topic belongs to.
func PartOf(topic string) Part {
	if tuningTopics[topic] {
		return Tuning
	}
	if _, ok := freshEN[topic]; ok {
		return Fresh
	}
	return Reporting
}

var (
	placesEN  = strings.Fields("Brelin Torvik Masden Oxmere Kelby Halvard Pontare Sennick Ostrava Wexholm Calder Durnholt Farrowby Glensted Hestvik Islemoor Jarrowby Kirkdale Lowmere Marstrand Nethwick Orsund Penhallow Quarley Rivelin Stanmoor Thornby Ulverton Varmouth Whitmoor")
	regionsEN = strings.Fields("Norland Estmark Westria Sundale Karrow Vestholm Midmere Alverland")
	firstsEN  = strings.Fields("Orla Tomas Ines Marta Kofi Leila Anders Priya Hugo Selma Dario Nadia Felix Amara Jonas Renata Emil Tamsin Viktor Elena Oskar Miriam Rafael Ingrid")
	lastsEN   = strings.Fields("Venn Reidel Calvo Lindqvist Mensah Farouk Bergstrom Raman Castel Okafor Moretti Haddad Brandt Nwosu Keller Duarte Aalto Pryce Sorokin Marchetti Lund Adler Vidal Holm")

	placesZH  = strings.Fields("青岚 临川湾 云屏 白鹭港 石桥 南浦 东岭 沙洲 望海 清溪 柳湾 北坪 金渡 长汀口 乌兰湖 双塔 海棠 竹溪 平远 安澜")
	regionsZH = strings.Fields("岭东省 海南岸省 云中省 江左省 北原省 漠西省")
	surnames  = strings.Fields("沈 顾 陆 严 韩 秦 方 薛 邱 孟 温 苗 龚 卢 岳 尹 洪 邵 康 傅")
	givens    = strings.Fields("文澜 志远 雨桐 承泽 思齐 若水 景行 明轩 雪莹 立峰 嘉禾 慕白 静怡 浩然 子衿 安宁")
	monthsEN  = strings.Fields("January February March April May June July August September October November December")
)

// newSetting draws a setting: the same topic, language and variant give the same one.
func newSetting(topic, lang string, variant int) setting {
	r := seeded("setting", topic, lang, variant)
	s := setting{topic: topic, lang: lang, now: 2026}
	if lang == "zh" {
		s.kit = kitsZH[topic]
	} else {
		s.kit = kitsEN[topic]
	}
	switch {
	case PartOf(topic) == Fresh:
		s.nameFresh(r)
	case lang == "zh":
		s.nameZH(r)
	default:
		s.nameEN(r)
	}
	s.opened = [3]int{r.between(2008, 2016), r.between(1, 12), r.between(1, 28)}
	s.y1 = r.between(2019, 2021)
	s.y2 = r.between(2023, 2024)
	s.deal = r.between(2017, 2018)
	s.n1 = r.between(12_030, 69_970)
	s.n2 = s.n1 + r.between(1_030, 22_970)
	s.count = r.between(14, 96)
	s.cost = 10*r.between(34, 380) + r.between(1, 9)
	s.share1 = r.between(21, 38)
	s.share2 = s.share1 + r.between(12, 17)
	s.keep2 = 10*r.between(11, 24) + r.between(1, 9)
	s.keep1 = s.keep2 + 10*r.between(3, 9) + r.between(1, 9)
	s.best, s.bestMonth, s.staff, s.crews = r.between(1_210, 9_870), r.between(1, 12), r.between(112, 468), r.between(3, 9)
	for i := range s.rows {
		s.rows[i] = r.between(112, 988)
	}
	return s
}

func (s *setting) nameEN(r *random) {
	p := take(r, placesEN, 6)
	s.place, s.region = p[0], pick(r, regionsEN)
	s.subject = fmt.Sprintf("the "+s.Name, s.place)
	s.operator, s.rival = p[0]+" "+s.Firm, p[1]+" "+s.Firm
	s.authority = "the " + s.region + " Statistics Office"
	s.univ, s.journal = "the University of "+p[2], s.region+" Journal of Public Works"
	s.critics, s.association = p[3]+" Citizens Forum", s.region+" "+s.Firm+" Association"
	s.courier, s.herald, s.guide = p[4]+" Courier", s.region+" Herald", "Atlas of "+s.region
	first, last := take(r, firstsEN, 4), take(r, lastsEN, 4)
	s.head, s.critic, s.scientist, s.reviewer = first[0]+" "+last[0], first[1]+" "+last[1], first[2]+" "+last[2], first[3]+" "+last[3]
	s.rowNames = [3]string{"North", "Harbour", "South"}
}

func (s *setting) nameZH(r *random) {
	p := take(r, placesZH, 6)
	s.place, s.region = p[0], pick(r, regionsZH)
	s.subject = fmt.Sprintf(s.Name, s.place)
	s.operator, s.rival = p[0]+s.Firm+"公司", p[1]+s.Firm+"公司"
	s.authority = s.region + "统计局"
	s.univ, s.journal = p[2]+"大学", "《"+s.region+"公共工程学报》"
	s.critics, s.association = p[3]+"居民论坛", s.region+s.Firm+"协会"
	s.courier, s.herald, s.guide = p[4]+"晚报", s.region+"日报", s.region+"图志"
	sur, given := take(r, surnames, 4), take(r, givens, 4)
	s.head, s.critic, s.scientist, s.reviewer = sur[0]+given[0], sur[1]+given[1], sur[2]+given[2], sur[3]+given[3]
	s.rowNames = [3]string{"北区", "港区", "南区"}
}

// total is the sum of the table.
func (s setting) total() int { return s.rows[0] + s.rows[1] + s.rows[2] }

// grouped writes 12345 as "12,345".
func grouped(n int) string {
	out := fmt.Sprint(n)
	for i := len(out) - 3; i > 0; i -= 3 {
		out = out[:i] + "," + out[i:]
	}
	return out
}

// tenths writes 412 as "41.2".
func tenths(n int) string { return fmt.Sprintf("%d.%d", n/10, n%10) }

// rounded writes a number with two significant digits: 53,412 is 53,000.
func rounded(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// doi, pmc and paperTitle are of the one study; the DOI holds brackets, as many do.
func (s setting) doi() string {
	return fmt.Sprintf("10.5555/s%d-%d(26)%05d", s.opened[0], s.count, s.n1%99_991)
}

func (s setting) pmc() string { return fmt.Sprint(7_000_000 + s.n2) }

func (s setting) paperTitle() string {
	if s.lang == "zh" {
		return s.subject + "对" + s.Share + "的影响研究"
	}
	return "Effects of " + s.subject + " on " + s.Share
}
