package worlds

import "fmt"

// nameFresh draws the names of a setting of the fresh part, and its vocabulary.
func (s *setting) nameFresh(r *random) {
	if s.lang == "zh" {
		s.kit = freshZH[s.topic]
		p := take(r, freshPlacesZH, 6)
		s.place, s.region = p[0], pick(r, freshRegionsZH)
		s.subject = fmt.Sprintf(s.Name, s.place)
		s.operator, s.rival = p[0]+s.Firm+"集团", p[1]+s.Firm+"集团"
		s.authority = s.region + "统计局"
		s.univ, s.journal = p[2]+"理工学院", "《"+s.region+"工程年刊》"
		s.critics, s.association = p[3]+"业主联盟", s.region+s.Firm+"联合会"
		s.courier, s.herald, s.guide = p[4]+"快报", s.region+"早报", s.region+"手册"
		sur, given := take(r, freshSurnamesZH, 4), take(r, freshGivensZH, 4)
		s.head, s.critic, s.scientist, s.reviewer = sur[0]+given[0], sur[1]+given[1], sur[2]+given[2], sur[3]+given[3]
		s.rowNames = [3]string{"上片", "中片", "下片"}
		return
	}
	s.kit = freshEN[s.topic]
	p := take(r, freshPlacesEN, 6)
	s.place, s.region = p[0], pick(r, freshRegionsEN)
	s.subject = fmt.Sprintf("the "+s.Name, s.place)
	s.operator, s.rival = p[0]+" "+s.Firm+" Group", p[1]+" "+s.Firm+" Group"
	s.authority = "the " + s.region + " Bureau of Statistics"
	s.univ, s.journal = p[2]+" Polytechnic", "Annals of "+s.region+" Engineering"
	s.critics, s.association = p[3]+" Residents Alliance", s.region+" Federation of "+s.Firm
	s.courier, s.herald, s.guide = p[4]+" Observer", s.region+" Tribune", "Handbook of "+s.region
	first, last := take(r, freshFirstsEN, 4), take(r, freshLastsEN, 4)
	s.head, s.critic, s.scientist, s.reviewer = first[0]+" "+last[0], first[1]+" "+last[1], first[2]+" "+last[2], first[3]+" "+last[3]
	s.rowNames = [3]string{"Upper", "Middle", "Lower"}
}
