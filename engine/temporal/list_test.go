package temporal

import (
	"strings"
	"testing"
)

// TestExpressionsListed holds that relative expressions in a list stay apart, whichever stand side by side and whatever
// separates them.
func TestExpressionsListed(t *testing.T) {
	items := []string{
		"this week", "last week", "next week", "this month", "last month", "next month", "this quarter", "last quarter", "this year", "last year", "next year",
		"last decade", "next decade", "last weekend", "the last 3 months", "the next two years", "last March", "next Friday", "last Wednesday", "today", "yesterday",
		"two weeks ago", "last summer", "last Christmas",
	}
	alone := map[string]string{}
	for _, x := range items {
		got := expressionStrings(x, "")
		if len(got) != 1 {
			t.Fatalf("Expressions(%q) = %q, want one", x, got)
		}
		alone[x] = got[0]
	}
	for _, a := range items {
		for _, b := range items {
			for _, sep := range []string{", ", ", and ", "; ", " and ", " or "} {
				if a == b {
					continue
				}
				in := a + sep + b
				if got, want := strings.Join(expressionStrings(in, ""), "; "), alone[a]+"; "+alone[b]; got != want {
					t.Errorf("Expressions(%q) = %s, want %s", in, got, want)
				}
			}
		}
	}
	zh := []string{"上周", "本周", "下周", "上个月", "这个月", "下个月", "去年", "今年", "明年", "昨天", "最近三个月", "三天前"}
	for _, x := range zh {
		got := expressionStrings(x, "zh")
		if len(got) != 1 {
			t.Fatalf("Expressions(%q) = %q, want one", x, got)
		}
		alone[x] = got[0]
	}
	for _, a := range zh {
		for _, b := range zh {
			for _, sep := range []string{"，", "、", "；", "和"} {
				if got, want := strings.Join(expressionStrings(a+sep+b, "zh"), "; "), alone[a]+"; "+alone[b]; a != b && got != want {
					t.Errorf("Expressions(%q) = %s, want %s", a+sep+b, got, want)
				}
			}
		}
	}
}
