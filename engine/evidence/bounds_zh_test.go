package evidence

import (
	"testing"

	"assay/engine/research"
)

func TestBoundZh(t *testing.T) {
	const visitors = "灯塔位于北礁。2019年，灯塔接待了15500名游客，为开放以来最多的一年。2018年，灯塔接待了12400名游客。"
	const tower = "斯凯里角灯塔建于1874年。塔高38米，塔基用花岗岩砌成。"
	for _, tc := range []struct {
		claim, passage string
		want           research.Stance
	}{
		{"2019年灯塔接待的游客超过2万名。", visitors, research.Contradicts},
		{"2019年灯塔接待的游客超过1万名。", visitors, research.Confirms},
		{"2019年灯塔接待的游客不到1万名。", visitors, research.Contradicts},
		{"2019年灯塔接待的游客不到两万名。", visitors, research.Confirms},
		{"2019年灯塔接待了约1.6万名游客。", visitors, research.Confirms},
		{"2019年灯塔接待了约2万名游客。", visitors, research.Contradicts},
		{"2019年灯塔接待游客15500名以上。", visitors, research.Confirms},
		{"2019年灯塔接待的游客超过15500名。", visitors, research.Contradicts},
		{"2018年灯塔接待的游客至少12400名。", visitors, research.Confirms},
		{"2018年灯塔接待的游客不超过12000名。", visitors, research.Contradicts},
		{"2019年灯塔接待的游客没有超过1万名。", visitors, research.Contradicts},
		{"2019年灯塔接待的游客没有超过2万名。", visitors, research.Confirms},
		{"灯塔的塔高不到40米。", tower, research.Neutral}, // 灯塔 is in the sentence before: not enough of the claim in one
		{"塔高不到40米。", tower, research.Confirms},
		{"灯塔的塔高超过3800厘米。", tower, research.Contradicts},
		{"2017年灯塔接待的游客超过2万名。", visitors, research.Neutral},             // another year
		{"2019年灯塔接待了15500名游客。", visitors, research.Neutral},            // no bound: others compare it
		{"2019年灯塔接待的船只超过2万艘。", visitors, research.Neutral},             // another unit
		{"港务局2019年出售的面包和鱼超过2万名单。", visitors, research.Neutral},         // something else
		{"The lighthouse is over 40 m high.", tower, research.Neutral}, // not Chinese
		{"灯塔的塔高不到40米。", "据称塔高超过30米。", research.Neutral},                // a bound against a bound
		{"灯塔的塔高不到40米。", "塔高38米，原塔高42米。", research.Neutral},             // two of the unit
	} {
		if got, why := BoundZh(tc.claim, tc.passage); got != tc.want || (why == "") != (got == research.Neutral) {
			t.Errorf("BoundZh(%s) = %s (%s), want %s", tc.claim, got, why, tc.want)
		}
	}
}
