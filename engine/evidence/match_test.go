package evidence

import (
	"slices"
	"strings"
	"testing"

	"assay/engine/research"
	"assay/engine/text"
)

func TestMatchQuantities(t *testing.T) {
	for _, tc := range []struct {
		name, claim, source string
		missing             []string
		reason              string
	}{
		{"equal", "The archive has 64,419 packages.", "It holds 64419 packages today.", nil, ""},
		{"digit changed", "The plant makes 4,120 cars.", "The plant makes 4,210 cars.", []string{"4,120"}, "not in the source"},
		{"no figure", "The plant makes 4,120 cars.", "The plant makes cars.", []string{"4,120"}, "not in the source"},
		{"rounded with a word", "Sales were over $181 million.", "Sales were $181,674,817.", nil, ""},
		{"rounded", "Sales were $4.2 million.", "Sales were $4,215,000.", nil, ""},
		{"rounded wrongly", "Sales were $4.3 million.", "Sales were $4,215,000.", []string{"$4.3 million"}, ""},
		{"rounded zeros", "It has 64,400 packages.", "It has 64,419 packages.", nil, ""},
		{"scale", "Sales were 4.2 billion.", "Sales were 4.2 million.", []string{"4.2 billion"}, "other scale"},
		{"currency", "Sales were $30.", "Sales were €30.", []string{"$30"}, "other unit"},
		{"same scale otherwise written", "Sales were 1.2 billion.", "Sales were 1,200 million.", nil, ""},
		{"approximate", "About 1,000 people came.", "There were 1,030 people.", nil, ""},
		{"too far to be about", "About 1,000 people came.", "There were 1,130 people.", []string{"1,000"}, ""},
		{"half", "50% of users agree.", "Half of the users agree.", nil, ""},
		{"year shifted", "It was founded in 1998.", "It was founded in 1999.", []string{"1998"}, ""},
		{"year about", "It was founded about 1998.", "It was founded in 1999.", []string{"1998"}, ""},
		{"version", "Version 2.1 needs it.", "Version 2.1 needs it.", nil, ""},
		{"version changed", "Address 10.0.2.2 is the host.", "Address 10.0.2.3 is the host.", []string{"10.0.2.2"}, ""},
		{"sum", "Together 42 ships sailed.", "There were 12 sloops and 30 brigs.", nil, ""},
		{"sum over two sentences", "Together 42 ships sailed.", "There were 12 sloops. Later 30 brigs came.", []string{"42"}, ""},
		{"small count", "All 3 of them left.", "They left.", nil, ""},
		{"percent is not a count", "It grew by 40%.", "It grew by 40 shops.", []string{"40%"}, ""},
		{"chinese", "该仓库有64419个软件包。", "仓库中共有64,419个软件包。", nil, ""},
		{"chinese scale", "销售额为4.2亿元。", "销售额为4.2万元。", []string{"4.2亿元"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := MatchQuantities(tc.claim, tc.source)
			if !slices.Equal(m.Missing, tc.missing) || m.OK != (tc.missing == nil) || !strings.Contains(m.Reason, tc.reason) {
				t.Errorf("MatchQuantities(%q, %q) = %+v, want missing %q, reason %q", tc.claim, tc.source, m, tc.missing, tc.reason)
			}
		})
	}
}

func TestMatchDates(t *testing.T) {
	for _, tc := range []struct {
		name, claim, source, published string
		ok                             bool
	}{
		{"equal", "It opened in 2015.", "It opened in 2015.", "", true},
		{"shifted", "It opened in 2016.", "It opened in 2015.", "", false},
		{"coarser", "It opened in 2015.", "It opened on 24 November 2015.", "", true},
		{"finer", "It opened on 24 November 2015.", "It opened in 2015.", "", false},
		{"other day", "It opened on 24 November 2015.", "It opened on 25 November 2015.", "", false},
		{"last year", "It opened in 2022.", "It opened last year.", "2023-05-01", true},
		{"last March", "It opened in March 2021.", "It opened last March.", "2023-05-01", false},
		{"last March of that year", "It opened in March 2023.", "It opened last March.", "2023-05-01", true},
		{"yesterday", "It opened on 30 April 2023.", "It opened yesterday.", "2023-05-01", true},
		{"decade", "It was common in the 1990s.", "It began in 1994.", "", true},
		{"fiscal year", "It rose in 2024.", "It rose in FY24.", "", true},
		{"day without a year", "It will meet on July 8.", "It will now meet on July 8.", "", true},
		{"other day without a year", "It will meet on July 9.", "It will now meet on July 8.", "", false},
		{"abbreviated", "It was due on January 19.", "It was due on Jan. 19, 2022.", "", true},
		{"day before month", "It was due on 19 January.", "It was due on Jan 18.", "", false},
		{"weekday", "It met on July 6.", "It met on Wednesday.", "2022-07-08", true},
		{"weekday of another week", "It met on July 20.", "It met on Wednesday.", "2022-07-08", false},
		{"no date", "It opened.", "It opened in 2015.", "", true},
		{"chinese", "它于2003年11月成立。", "它成立于2003年11月24日。", "", true},
		{"chinese shifted", "它于2004年11月成立。", "它成立于2003年11月24日。", "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if m := MatchDates(tc.claim, tc.source, tc.published); m.OK != tc.ok {
				t.Errorf("MatchDates(%q, %q, %q) = %+v, want %v", tc.claim, tc.source, tc.published, m, tc.ok)
			}
		})
	}
}

func TestMatchNames(t *testing.T) {
	for _, tc := range []struct {
		name, claim, source string
		ok                  bool
	}{
		{"same", "The work was led by Ada Lovelace.", "ADA LOVELACE led the work.", true},
		{"nobody in the source", "The work was praised by Orla Venn.", "The work was praised.", false},
		{"title dropped", "The work was praised by Dr. Orla Venn.", "Orla Venn praised it.", true},
		{"surname first", "It was written by Orla Venn.", "Venn, Orla: the book.", true},
		{"company renamed", "It was sold to Acme Holdings.", "It was sold to Apex Holdings.", false},
		{"demonym", "The law applies to Turkish citizens.", "The law applies to citizens of Turkey.", true},
		{"acronym", "It was advised by the WHO.", "The World Health Organization advised it.", true},
		{"long form of an acronym", "It was advised by the World Health Organization.", "The WHO advised it.", true},
		{"diacritics", "It was drawn by José Peña.", "Jose Pena drew it.", true},
		{"possessive", "It was part of Ada Lovelace's notes.", "Ada Lovelace wrote notes.", true},
		{"one plain miss", "The work was shown in Lisbon.", "The work was shown.", true},
		{"two plain misses", "The work was shown in Lisbon and bought by Siemens.", "The work was shown and bought.", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if m := MatchNames(tc.claim, tc.source); m.OK != tc.ok {
				t.Errorf("MatchNames(%q, %q) = %+v, want %v (names %v)", tc.claim, tc.source, m, tc.ok, text.Names(tc.claim))
			}
		})
	}
}

func TestPolarity(t *testing.T) {
	for _, tc := range []struct {
		name, claim, source string
		ok                  bool
	}{
		{"dropped not", "The board did approve the merger of both Dutch banks yesterday.", "The board did not approve the merger of both Dutch banks yesterday.", false},
		{"added not", "The new reactor design is not safe for coastal cities.", "The new reactor design is safe for coastal cities.", false},
		{"contraction", "The board approved the merger of both Dutch banks yesterday.", "The board didn't approve the merger of both Dutch banks yesterday.", false},
		{"same", "The board did not approve the merger of both Dutch banks yesterday.", "The board did not approve the merger of both Dutch banks yesterday.", true},
		{"lexical negation", "The board failed to approve the merger of both Dutch banks yesterday.", "The board did not approve the merger of both Dutch banks yesterday.", true},
		{"double negation", "The board did approve the merger of both Dutch banks yesterday.", "The board did not fail to approve the merger of both Dutch banks yesterday.", true},
		{"not only", "The board did approve the merger of both Dutch banks yesterday.", "The board not only did approve the merger of both Dutch banks yesterday.", true},
		{"another sentence agrees", "The board did approve the merger of both Dutch banks yesterday.", "Some say the board did not approve the merger of both Dutch banks yesterday. The board did approve the merger of both Dutch banks yesterday.", true},
		{"negation reaches further", "The childhood vaccines do not protect children against the new virus.", "The childhood vaccines do not give protection to children against the new virus.", true},
		{"failed is not not", "The council of the old town failed in its bid to host the games.", "The council of the old town lost its bid to host the games.", true},
		{"short", "It is safe.", "It is not safe.", true},
		{"paraphrase", "Directors turned down the proposal to join the two lenders.", "The board did not approve the merger of both Dutch banks.", true},
		{"chinese", "董事会昨天没有批准两家银行的合并计划。", "董事会昨天批准两家银行的合并计划。", false},
		{"chinese same", "董事会昨天没有批准两家银行的合并计划。", "董事会昨天未批准两家银行的合并计划。", true},
		{"not until", "The council approved the bridge over the northern harbour in May.", "The council did not until in May approve the bridge over the northern harbour.", true},
		{"bound", "The bridge over the northern harbour may stay open for longer than two hours daily.", "The bridge over the northern harbour may stay open for no longer than two hours daily.", true},
		{"bound with later", "The board must send the merger report later than Friday to both banks.", "The board must send the merger report no later than Friday to both banks.", true},
		{"praise", "The value of free source code for public schools can be overstated easily.", "The value of free source code for public schools cannot be overstated easily.", true},
		{"nothing but", "The old harbour tower shows sailors red light every foggy night.", "The old harbour tower shows sailors nothing but red light every foggy night.", true},
		{"non- is no not", "The default interactive login shell of every new user account is bash.", "The default non-interactive login shell of every new user account is bash.", true},
		{"not of another clause", "Ubuntu ships the binary driver for all new graphics cards.", "Debian does not ship the binary driver, but Ubuntu ships the binary driver for all new graphics cards.", true},
		{"not of a clause before", "The board did approve the merger of both Dutch banks yesterday.", "If it was not yesterday, the board did approve the merger of both Dutch banks yesterday.", true},
		{"not in its own clause", "The board did approve the merger of both Dutch banks yesterday.", "The mayor was glad, but the board did not approve the merger of both Dutch banks yesterday.", false},
		{"chinese words in english", "The name of the project is Debian 项目领导人 in the Chinese edition.", "The name of the project is not Debian 项目领导人 in the Chinese edition.", false},
		{"chinese compound", "默认的交互式 POSIX shell 是 /usr/bin/bash。", "默认的非交互式 POSIX shell 是 /usr/bin/dash。", true},
		{"chinese attribute", "系统管理员可以直接安装稳定的软件包版本。", "系统管理员可以直接安装不稳定的软件包版本。", true},
		{"chinese plain words", "这个软件包的安装速度快而且界面清楚。", "这个软件包的安装速度非常快而且不仅界面清楚。", true},
		{"chinese wireless", "该设备支持多种网络连接方式和协议。", "该设备支持多种无线网络连接方式和协议。", true},
		{"chinese other clause", "委员会昨天批准两家银行的合并计划。", "虽然市长不同意这一做法，委员会昨天批准两家银行的合并计划。", true},
		{"chinese double", "委员会昨天批准两家银行的合并计划。", "委员会昨天不得不批准两家银行的合并计划。", true},
		{"chinese question form", "请先查看系统是否支持这种文件的格式。", "请先查看系统支不支持这种文件的格式。", true},
		{"chinese in its own clause", "委员会昨天批准两家银行的合并计划。", "市长表示欢迎，委员会昨天没有批准两家银行的合并计划。", false},
		{"chinese copula", "这个文件系统是目前默认安装的格式。", "这个文件系统并非是目前默认安装的格式。", false},
		{"chinese cannot", "普通用户可以修改这个系统配置文件。", "普通用户不可以修改这个系统配置文件。", false},
		{"chinese need not", "安装之后需要重新启动整个计算机系统。", "安装之后无需要重新启动整个计算机系统。", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if m := Polarity(tc.claim, tc.source); m.OK != tc.ok {
				t.Errorf("Polarity(%q, %q) = %+v, want %v", tc.claim, tc.source, m, tc.ok)
			}
		})
	}
}

// TestCoined holds that the negative kind of a thing is neither a denial nor a confirmation of what is said of the thing.
func TestCoined(t *testing.T) {
	const en, zh = "The default interactive login shell of every new user account is bash.", "默认的交互式 POSIX shell 是 /usr/bin/bash。"
	for _, tc := range []struct {
		name, claim, source string
		want                research.Stance
	}{
		{"other kind", en, "The default non-interactive login shell of every new user account is bash.", research.Neutral},
		{"both kinds", en, "The default non-interactive login shell of every new user account is dash. The default interactive login shell of every new user account is bash.", research.Confirms},
		{"same kind", "The default non-interactive login shell of every new user account is bash.", "The default non-interactive login shell of every new user account is bash.", research.Confirms},
		{"chinese other kind", zh, "默认的非交互式 POSIX shell 是 /usr/bin/bash。", research.Neutral},
		{"chinese both kinds", zh, "默认的非交互式 POSIX shell 是 /usr/bin/dash。默认的交互式 POSIX shell 是 /usr/bin/bash。", research.Confirms},
		{"chinese attribute", "系统管理员可以直接安装稳定的软件包版本。", "系统管理员可以直接安装不稳定的软件包版本。", research.Neutral},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, why := Stance(research.Claim{Text: tc.claim}, tc.source); got != tc.want {
				t.Errorf("Stance(%q, %q) = %s, %s; want %s", tc.claim, tc.source, got, why, tc.want)
			}
		})
	}
}

func TestDirection(t *testing.T) {
	for _, tc := range []struct {
		name, claim, source string
		ok                  bool
	}{
		{"rose and fell", "Company revenue rose 4% in the quarter.", "Company revenue fell 4% in the quarter.", false},
		{"before and after", "The minister resigned before the vote on taxes.", "The minister resigned after the vote on taxes.", false},
		{"same", "Company revenue rose 4% in the quarter.", "Company revenue rose 4% in the quarter.", true},
		{"turned comparison", "The output of Acme exceeds that of Apex.", "The output of Apex trails that of Acme.", true},
		{"negated", "Company revenue did not rise in the quarter.", "Company revenue fell in the quarter.", true},
		{"another sentence agrees", "Company revenue rose 4% in the quarter.", "Company revenue fell 4% in the quarter. Later figures: company revenue rose 4% in the quarter.", true},
		{"two exchanges", "Company imports rose before the war.", "Company exports fell before the war.", true},
		{"other words", "Company revenue rose.", "The price of tea fell in every port.", true},
		{"chinese", "公司第一季度收入上升百分之四。", "公司第一季度收入下降百分之四。", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if m := Direction(tc.claim, tc.source); m.OK != tc.ok {
				t.Errorf("Direction(%q, %q) = %+v, want %v", tc.claim, tc.source, m, tc.ok)
			}
		})
	}
}

func TestStance(t *testing.T) {
	count := research.Claim{ID: "c1", Text: "Debian 12 has 64,419 packages in its archive.", Subject: "Debian 12", Key: "debian 12|packages|"}
	count.Quantities = text.Quantities(count.Text)
	merger := research.Claim{ID: "c2", Text: "The board did approve the merger of both Dutch banks yesterday."}
	for _, tc := range []struct {
		name   string
		claim  research.Claim
		window string
		want   research.Stance
	}{
		{"its own words", count, "Debian 12 has 64,419 packages in its archive.", research.Confirms},
		{"other words", count, "In all, the archive of Debian 12 holds 64,419 packages, which is more than before.", research.Confirms},
		{"another number", count, "Debian 12 has 59,551 packages in its archive.", research.Contradicts},
		{"rounded", count, "Debian 12 has about 64,400 packages in its archive.", research.Neutral},
		{"another subject", count, "Fedora 40 has 59,551 packages in its archive.", research.Neutral},
		{"something else", count, "The weather was fine in the mountains.", research.Neutral},
		{"nothing", count, "", research.Neutral},
		{"negated", merger, "The board did not approve the merger of both Dutch banks yesterday.", research.Contradicts},
		{"not negated", merger, "The board did approve the merger of both Dutch banks yesterday.", research.Confirms},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, reason := Stance(tc.claim, tc.window); got != tc.want {
				t.Errorf("Stance(%q, %q) = %s (%s), want %s", tc.claim.Text, tc.window, got, reason, tc.want)
			}
		})
	}
}

// FuzzMatchers wants that no pair of texts makes a matcher panic, that a text supports itself, and that the answer is the same
// twice.
func FuzzMatchers(f *testing.F) {
	f.Add("Sales were $4.2 million in 2015.", "Sales fell to 4.1 million on 3 May 2015.")
	f.Add("公司收入上升。", "公司收入没有上升。")
	f.Add("not not no", "\xff\xfe 10.0.0.1 \x00")
	f.Fuzz(func(t *testing.T, claim, source string) {
		if len(claim) > 2000 || len(source) > 4000 {
			return
		}
		for name, m := range map[string]func() Match{
			"quantities": func() Match { return MatchQuantities(claim, source) }, "dates": func() Match { return MatchDates(claim, source, "2024-02-29") },
			"names": func() Match { return MatchNames(claim, source) }, "polarity": func() Match { return Polarity(claim, source) }, "coined": func() Match { return Coined(claim, source) }, "direction": func() Match { return Direction(claim, source) },
		} {
			a, b := m(), m()
			if a.OK != b.OK || a.Reason != b.Reason || !slices.Equal(a.Missing, b.Missing) {
				t.Errorf("%s differs: %+v, %+v", name, a, b)
			}
		}
		if m := MatchQuantities(claim, claim); !m.OK {
			t.Errorf("MatchQuantities(%q, itself) = %+v", claim, m)
		}
		if m := MatchDates(claim, claim, ""); !m.OK {
			t.Errorf("MatchDates(%q, itself) = %+v", claim, m)
		}
		if m := MatchNames(claim, claim); !m.OK {
			t.Errorf("MatchNames(%q, itself) = %+v", claim, m)
		}
		Stance(research.Claim{ID: "c", Text: claim, Quantities: text.Quantities(claim)}, source)
	})
}
