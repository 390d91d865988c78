package evidence

import "testing"

// TestAttributed: who says so may stand elsewhere in a claim than in its source; what is turned round is found all the same, and
// what is not turned stays silent.
func TestAttributed(t *testing.T) {
	const (
		upkeep   = "Spending on upkeep at the Harrow Mill fell from $4.1 million in 2019 to $2.2 million in 2023."
		trial    = "According to the Harbour Board, the ferry did not lose a single sailing during its first winter season."
		upkeepZH = "渡口的养护费用由2019年的410万元降低到2023年的220万元。"
		linkZH   = "临海大学的李秋白写道，渡轮与客流增加有关，影响遍及全岛。"
	)
	for _, c := range []struct {
		claim, source string
		ask           func(claim, source string) Match
		ok            bool
	}{
		{"The Millers Union reported that spending on upkeep at the Harrow Mill rose from $4.1 million in 2019 to $2.2 million in 2023.", upkeep, Direction, false},
		{"The Millers Union reported that spending on upkeep at the Harrow Mill fell from $4.1 million in 2019 to $2.2 million in 2023.", upkeep, Direction, true},
		{"The Millers Union denied that spending on upkeep at the Harrow Mill rose from $4.1 million in 2019 to $2.2 million in 2023.", upkeep, Direction, true},
		{"The ferry lost a single sailing during its first winter season, officials said.", trial, Polarity, false},
		{"The ferry did not lose a single sailing during its first winter season, officials said.", trial, Polarity, true},
		{"The ferry never lost a single sailing during its first winter season.", trial, Polarity, true},
		{"船工会介绍，渡口的养护费用由2019年的410万元提高到2023年的220万元。", upkeepZH, Direction, false},
		{"船工会介绍，渡口的养护费用由2019年的410万元降低到2023年的220万元。", upkeepZH, Direction, true},
		{"新船提高了票价，乘客平均每天增加38人。", "新船降低了票价，乘客平均每天增加38人。", Direction, false},
		{"新船降低了票价，乘客平均每天增加38人。", "新船降低了票价，乘客平均每天增加38人。", Direction, true},
		{"临海大学的李秋白写道，渡轮与客流增加无关，影响遍及全岛。", linkZH, Polarity, false},
		{"临海大学的李秋白写道，渡轮与客流增加有关，影响遍及全岛。", linkZH, Polarity, true},
	} {
		if m := c.ask(c.claim, c.source); m.OK != c.ok {
			t.Errorf("%q against %q: %v (%s), want %v", c.claim, c.source, m.OK, m.Reason, c.ok)
		}
	}
}

func TestWithoutAttribution(t *testing.T) {
	for claim, want := range map[string]string{
		"According to the board, the mill is closed.":          "the mill is closed.",
		"The board said that the mill is closed.":              "the mill is closed.",
		"The mill is closed, the board reported.":              "The mill is closed",
		"The board did not say that the mill is closed.":       "The board did not say that the mill is closed.",
		"No one reported that the mill is closed.":             "No one reported that the mill is closed.",
		"The board denied that the mill is closed.":            "The board denied that the mill is closed.",
		"据港务局统计，磨坊已经关闭。":                                       "磨坊已经关闭。",
		"港务局表示，磨坊已经关闭。":                                        "磨坊已经关闭。",
		"港务局没有表示，磨坊已经关闭。":                                      "港务局没有表示，磨坊已经关闭。",
		"磨坊已经关闭，港务局称。":                                         "磨坊已经关闭",
		"The mill, which the board bought in 1990, is closed.": "The mill, which the board bought in 1990, is closed.",
	} {
		if got := withoutAttribution(claim); got != want {
			t.Errorf("%q: %q, want %q", claim, got, want)
		}
	}
}

func TestMatchChineseNames(t *testing.T) {
	const source = "临海大学教授顾若水写道，渡轮减少了排队。青岚水务公司在2018年收购了云屏水务公司。埃隆·马斯克没有到场。李先生在北大任教。"
	for _, c := range []struct {
		claim string
		ok    bool
	}{
		{"临海大学教授顾若水认为，渡轮减少了排队。", true},
		{"临海大学教授司马云飞认为，渡轮减少了排队。", false},
		{"据教授陈若水介绍，渡轮减少了排队。", false},
		{"2018年，青岚水务公司并购了云屏水务公司。", true},
		{"2018年，青岚水务公司收购了银线投资公司。", false},
		{"记者马斯克没有到场。", true},
		{"伊隆·马斯克表示没有到场。", true},
		{"约翰·史密斯表示没有到场。", false},
		{"教授李秋白说他很满意。", true}, // the source calls him 李先生
		{"他毕业于北京大学。", true},   // in short 北大
		{"渡輪與臨海大學教授顧若水有關。", true},
	} {
		if m := MatchNames(c.claim, source); m.OK != c.ok {
			t.Errorf("%q: %v, without %v, want %v", c.claim, m.OK, m.Missing, c.ok)
		}
	}
}
