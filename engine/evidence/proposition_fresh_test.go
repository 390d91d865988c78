package evidence

import "testing"

// sidedFresh are sentences on other topics, written after the rules: on the first run 37 of 42 were right, 5 had no side, none a wrong one.
// Four of the five were mended as kinds since ("no effect on", "does little to", "should W do so"). Sides are as a reader takes them.
var sidedFresh = []struct {
	lang, question, words string
	want                  int
}{
	{"en", "Does night lighting reduce burglaries?", "Night lighting reduced burglaries by a fifth in the old town.", 1},
	{"en", "Does night lighting reduce burglaries?", "Burglaries did not fall in the streets with night lighting.", -1},
	{"en", "Does night lighting reduce burglaries?", "The council found that night lighting had no effect on burglaries.", -1},
	{"en", "Does night lighting reduce burglaries?", "Researchers doubt that night lighting reduces burglaries.", -1},
	{"en", "Does night lighting reduce burglaries?", "Burglaries increased after night lighting was installed.", -1},
	{"en", "Does night lighting reduce burglaries?", "Night lighting was installed in 1997.", 0},
	{"en", "Does night lighting reduce burglaries?", "Night lighting reduces accidents at crossings.", 0},
	{"en", "Does night lighting reduce burglaries?", "The police hope that night lighting will reduce burglaries.", 0},
	{"en", "Do hedges increase the yield of wheat?", "Hedges raise the yield of wheat on windy land.", 1},
	{"en", "Do hedges increase the yield of wheat?", "Hedges lower the yield of wheat near the field's edge.", -1},
	{"en", "Do hedges increase the yield of wheat?", "Wheat yields are higher behind hedges.", 1},
	{"en", "Do hedges increase the yield of wheat?", "Hedges cannot increase the yield of wheat.", -1},
	{"en", "Do hedges increase the yield of wheat?", "Stone walls increase the yield of wheat.", 0},
	{"en", "Does coffee harm the heart?", "Coffee does not harm the heart in healthy adults.", -1},
	{"en", "Does coffee harm the heart?", "Coffee damages the heart when it is drunk in litres.", 1},
	{"en", "Does coffee harm the heart?", "Coffee protects the heart.", -1},
	{"en", "Does coffee harm the heart?", "Coffee was brought to the town by sailors.", 0},
	{"en", "Can gravel roads prevent flooding?", "Gravel roads prevented flooding in the lower quarter.", 1},
	{"en", "Can gravel roads prevent flooding?", "Gravel roads do little to prevent flooding.", -1},
	{"en", "Can gravel roads prevent flooding?", "Gravel roads lead to flooding of cellars.", -1},
	{"en", "Should the library open on Sundays?", "The library should open on Sundays.", 1},
	{"en", "Should the library open on Sundays?", "The library should not open on Sundays.", -1},
	{"en", "Should plastic bags be prohibited?", "Plastic bags are a danger to turtles.", 1},
	{"en", "Should plastic bags be prohibited?", "Plastic bags are useful and hygienic.", -1},
	{"en", "Should plastic bags be prohibited?", "Plastic bags must not be prohibited.", -1},
	{"en", "Should plastic bags be prohibited?", "Plastic bags were first sold in 1965.", 0},
	{"en", "Is the new bridge safe?", "The new bridge is not safe for lorries.", -1},
	{"en", "Is the new bridge safe?", "Engineers say that the new bridge is safe.", 1},
	{"en", "Is the new bridge safe?", "The new bridge is painted green.", 0},
	{"en", "Are wooden floors warmer than stone floors?", "Stone floors are cold and a problem in winter.", 1},
	{"zh", "夜间照明能减少盗窃吗？", "夜间照明使盗窃减少了两成。", 1},
	{"zh", "夜间照明能减少盗窃吗？", "夜间照明并未减少盗窃。", -1},
	{"zh", "夜间照明能减少盗窃吗？", "安装夜间照明后，盗窃反而增加了。", -1},
	{"zh", "夜间照明能减少盗窃吗？", "夜间照明安装于1997年。", 0},
	{"zh", "夜间照明能减少盗窃吗？", "研究者怀疑夜间照明能减少盗窃。", -1},
	{"zh", "树篱能提高小麦产量吗？", "树篱提高了小麦产量。", 1},
	{"zh", "树篱能提高小麦产量吗？", "树篱降低了小麦产量。", -1},
	{"zh", "树篱能提高小麦产量吗？", "石墙提高了小麦产量。", 0},
	{"zh", "咖啡会损害心脏吗？", "咖啡不会损害心脏。", -1},
	{"zh", "咖啡会损害心脏吗？", "过量的咖啡会伤害心脏。", 1},
	{"zh", "是否应该使用塑料袋？", "塑料袋对海龟有害。", -1},
	{"zh", "是否应该使用塑料袋？", "塑料袋方便又可靠。", 1},
}

// TestSideFresh holds how many of them the rules get right, and that next to none is put on the wrong side: none at all is an error of
// another weight than a side that is not told.
func TestSideFresh(t *testing.T) {
	right, wrong := 0, 0
	for _, tc := range sidedFresh {
		got, _ := PropositionOf(tc.question, tc.lang).Side(tc.words, "")
		got = min(1, max(-1, got))
		switch {
		case got == tc.want:
			right++
		case got != 0:
			wrong++
			t.Logf("wrong side %d: %q of %q", got, tc.words, tc.question)
		default:
			t.Logf("no side, want %d: %q of %q", tc.want, tc.words, tc.question)
		}
	}
	if right < 40 || wrong > 0 {
		t.Errorf("%d of %d right, %d on a side that is not theirs", right, len(sidedFresh), wrong)
	}
}
