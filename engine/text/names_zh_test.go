package text

import (
	"slices"
	"testing"
)

func TestChineseNames(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"浙江大学教授李秋白说，水位还会上升。", []string{"浙江大学", "李秋白"}},
		{"“我们没有退路，”港务局局长周一鸣强调。", nil}, // 一 is a number: such a name is missed
		{"总经理目前是傅景行。", []string{"傅景行"}},
		{"据发言人王芳介绍，工程按期完成。", []string{"王芳"}},
		{"欧阳振华现任总裁。", []string{"欧阳振华"}},
		{"公司由诸葛瑾瑜领导。", []string{"诸葛瑾瑜"}},
		{"埃隆·马斯克表示不会出售。", []string{"埃隆·马斯克"}},
		{"周三，高温天气将持续，方案尚未公布。", nil},
		{"如何发展，还有待时间检验。", nil},
		{"高度重视安全，严格管理，任务完成。", nil},
		{"由于成本上升，对于早期项目影响较大。", nil},
		{"2018年，银线投资公司收购了长汀口出行公司。", []string{"银线投资公司", "长汀口出行公司"}},
		{"大型科技公司和初创公司都在招人。", nil},
		{"本公司与有关公司签约。", nil},
		{"The mayor spoke.", nil},
		{"", nil},
	} {
		var got []string
		for _, n := range ChineseNames(c.text) {
			if c.text[n.Start:n.End] != n.Text {
				t.Errorf("%q: %q does not stand at %d", c.text, n.Text, n.Start)
			}
			got = append(got, n.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func FuzzChineseNames(f *testing.F) {
	for _, s := range []string{"浙江大学教授李秋白说", "埃隆·马斯克展示了", "公司", "·", "欧阳", "高", "\xff李\xfe小明说"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, n := range ChineseNames(s) {
			if n.Start < end || n.End <= n.Start || n.End > len(s) || s[n.Start:n.End] != n.Text {
				t.Fatalf("%q at %d to %d of %q", n.Text, n.Start, n.End, s)
			}
			end = n.End
		}
	})
}
