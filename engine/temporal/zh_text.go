package temporal

import (
	"sort"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// zhReader reads the Chinese expressions of one text. It sees the text without the spaces beside Chinese characters and digits,
// in simplified characters, half width and lower case.
type zhReader struct {
	z     []rune
	at    []int // byte offset of each
	ends  []int
	now   time.Time
	depth int
}

// newZhReader prepares s; a text without Chinese characters has nothing for it.
func newZhReader(s string, now time.Time) *zhReader {
	r := &zhReader{now: now}
	if !hasHan(s) {
		return r
	}
	prev, gap := rune(0), false
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(c) {
			gap = true
			i += n
			continue
		}
		x := simple(c)
		if gap && prev != 0 && !zhJoins(prev) && !zhJoins(x) {
			r.z, r.at, r.ends = append(r.z, ' '), append(r.at, i), append(r.ends, i)
		}
		gap, prev = false, x
		r.z, r.at, r.ends = append(r.z, x), append(r.at, i), append(r.ends, i+n)
		i += n
	}
	return r
}

// zhJoins reports whether a space beside c means nothing.
func zhJoins(c rune) bool { return unicode.Is(unicode.Han, c) }

// simple returns the simplified, half-width, lower-case form of c.
func simple(c rune) rune {
	switch {
	case c < utf8.RuneSelf:
		return unicode.ToLower(c)
	case '！' <= c && c <= '～':
		return unicode.ToLower(c - '！' + '!')
	}
	if s, ok := simplified[c]; ok {
		return s
	}
	return c
}

// from returns the index of the character at the byte offset.
func (r *zhReader) from(offset int) (int, bool) {
	i := sort.SearchInts(r.at, offset)
	if i < len(r.z) && r.z[i] == ' ' {
		i++
	}
	return i, i < len(r.z) && r.at[i] == offset
}

// bytes returns the byte offsets of the characters from i up to end.
func (r *zhReader) bytes(i, end int) (start, stop int) { return r.at[i], r.ends[end-1] }

func (r *zhReader) get(i int) rune {
	if i < 0 || i >= len(r.z) {
		return 0
	}
	return r.z[i]
}

// lit passes over the first of words that stands at i; the longer ones must come first. ok is false when none does.
func (r *zhReader) lit(i int, words ...string) (next int, ok bool) {
	for _, w := range words {
		if n := r.prefix(i, w); n > 0 {
			return n, true
		}
	}
	return i, false
}

// opt is lit for what need not stand there.
func (r *zhReader) opt(i int, words ...string) int {
	n, _ := r.lit(i, words...)
	return n
}

// prefix returns the end of w at i, 0 when it does not stand there.
func (r *zhReader) prefix(i int, w string) int {
	for _, c := range w {
		if r.get(i) != c {
			return 0
		}
		i++
	}
	return i
}

// zhNum is a number that was read.
type zhNum struct {
	value, next int
	digits      int // Arabic digits, or numerals said digit by digit; else 0
}

// num reads Arabic digits or Chinese numerals at i, up to 9999.
func (r *zhReader) num(i int) zhNum {
	j := i
	v := 0
	for j < len(r.z) && '0' <= r.z[j] && r.z[j] <= '9' && j-i < 9 {
		v = v*10 + int(r.z[j]-'0')
		j++
	}
	if j > i {
		if j-i > 4 {
			return zhNum{}
		}
		return zhNum{v, j, j - i}
	}
	return r.numeral(i)
}

// numeral reads Chinese numerals at i: 十五, 二十三, 廿, 一百零二, or digit by digit 二零一三.
func (r *zhReader) numeral(i int) zhNum {
	total, current, plain, count := 0, -1, 0, 0
	scaled := false
	j := i
	for ; j < len(r.z) && count < 8; j++ {
		c := r.z[j]
		if d := zhDigit(c); d >= 0 {
			if scaled && current > 0 {
				break
			}
			current = d
			plain = plain*10 + d
			count++
			continue
		}
		scale := map[rune]int{'十': 10, '百': 100, '千': 1000}[c]
		switch {
		case scale > 0 && !(count > 1 && !scaled):
			total += max(current, 1) * scale
			current, scaled = -1, true
			count++
			continue
		case c == '廿' && !scaled && count == 0:
			total, scaled = 20, true
			count++
			continue
		case c == '卅' && !scaled && count == 0:
			total, scaled = 30, true
			count++
			continue
		}
		break
	}
	switch {
	case count == 0:
		return zhNum{}
	case scaled:
		return zhNum{total + max(current, 0), j, 0}
	case count == 1:
		return zhNum{plain, j, 0}
	case count > 4:
		return zhNum{}
	}
	return zhNum{plain, j, count}
}

// count reads how many units there are: a number, 几, 数, 半.
func (r *zhReader) count(i int) zhNum {
	if n := r.num(i); n.next > 0 {
		if c := r.get(n.next); (c == '几' || c == '多' || c == '余') && n.value >= 10 {
			n.next++
		}
		return n
	}
	if n, ok := r.lit(i, "好几", "几", "数"); ok {
		return zhNum{3, n, 0}
	}
	return zhNum{}
}

// zhUnitWords are the calendar units, the longer first. "月" and "年" alone are units only behind a count, see unit.
var zhUnitWords = []struct {
	w string
	u unit
}{
	{"个星期", weeks}, {"个礼拜", weeks}, {"个季度", quarters}, {"个世纪", centuries}, {"个周末", weekends}, {"个年头", years}, {"个年代", decades}, {"个月", monthsUnit},
	{"星期", weeks}, {"礼拜", weeks}, {"季度", quarters}, {"世纪", centuries}, {"周末", weekends}, {"年代", decades}, {"周年", years}, {"个周", weeks}, {"周", weeks},
	{"天", days}, {"日", days}, {"年", years}, {"季", quarters},
}

// unit reads a unit at i; 0 when there is none.
func (r *zhReader) unit(i int) (u unit, next int) {
	for _, x := range zhUnitWords {
		if n := r.prefix(i, x.w); n > 0 {
			return x.u, n
		}
	}
	return 0, 0
}

// simplified are the simplified forms of the traditional characters in words of time, numbers and holidays.
var simplified = pairs(`後后 週周 禮礼 個个 這这 兩两 點点 鐘钟 號号 幾几 過过 內内 數数 來来 從从 開开 節节 復复 聖圣 誕诞 萬万 億亿 貳贰 陸陆 參叁 間间 時时
	爲为 為为 農农 曆历 歷历 陽阳 陰阴 歲岁 壹一 國国 慶庆 獨独 紀纪 臘腊 除除 燈灯 勞劳 動动 婦妇 兒儿 親亲 師师 軍军 黨党 愛爱 恩恩 難难 棄弃 贖赎 爾尔 齋斋 穀谷
	歡欢 悅悦 灑洒 紅红 荷荷 麗丽 侶侣 霍霍 樂乐 魯鲁 衛卫 薩萨 寶宝 蕉蕉 伊伊 蘭兰 教教 東东 懺忏 悔悔 灑洒 殿殿 馬马 幼幼 特特 實实 棚棚 搭搭 聯联 際际 環环 護护 護护
	護护 體体 訊讯 廣广 婚婚 樹树 植植 頭头 龍龙 掃扫 端端 陽阳 鬥斗 鬼鬼 盂盂 蘭兰 遊游 賽赛 記记 憶忆 戰战 爭争 勝胜 敗败 憲宪 結结 終终 滿满 澳澳 門门 歸归 灣湾 臺台
	達达 濕湿 維维 羅罗 蘇苏 亞亚 貝贝 貢贡 邁迈 薦荐 顯显 靈灵 週周 發发 現现 說说 繫系 係系 華华 運运 遠远 隔隔 餘余 當当 該该 將将 未未 舊旧 嚴严 會会 還还 單单 雙双
	獻献 穫获 獲获 貞贞 緒绪 統统 順顺 鹹咸 豐丰 乾乾 禎祯 諾诺 啟启 啓启 黃黄 聽听 尋寻 裏里 裡里 閏闰 銀银 擺摆 潔洁 興兴 湯汤 員员 無无 蠟蜡 燭烛 猶犹 讀读 書书 術术 藝艺 學学 醫医
	藥药 藏藏 護护 僱雇 傭佣 職职 業业 務务 產产 廠厂 勵励 勛勋 總总 選选 舉举 權权 衆众 眾众 條条 約约 締缔 盟盟 團团 圓圆 餅饼 餃饺 龜龟 鳥鸟 獸兽 貓猫 豬猪 雞鸡 鴨鸭 魚鱼 蝦虾
	蟲虫 樣样 灑洒 潑泼 澆浇 澤泽 濟济 淨净 淚泪 溫温 涼凉 熱热 爐炉 煙烟 煉炼 燒烧 禪禅 禱祷 禦御 禮礼 祿禄 禍祸 禎祯 經经 緯纬 線线 組组 織织 緊紧 綠绿 維维 網网 級级 紡纺 純纯
	紙纸 納纳 紛纷 絲丝 絕绝 績绩 縣县 總总 繞绕 繼继 續续 纜缆 罷罢 羅罗 習习 聲声 職职 肅肃 腳脚 腦脑 膽胆 臉脸 臨临 興兴 艦舰 莊庄 莖茎 葉叶 蒼苍 蓋盖 蔣蒋 蕭萧 藍蓝 虛虚 虧亏
	衝冲 補补 裝装 製制 複复 褲裤 襪袜 見见 規规 視视 覺觉 觀观 觸触 計计 訂订 討讨 訓训 託托 設设 許许 訴诉 診诊 詞词 試试 詩诗 話话 詳详 認认 語语 誠诚 誤误 課课 調调 談谈 請请
	論论 講讲 謝谢 證证 譜谱 譯译 議议 變变 讓让 豎竖 財财 責责 貨货 販贩 貴贵 買买 費费 賀贺 賓宾 賞赏 賢贤 質质 購购 贊赞 贏赢 趕赶 趙赵 跡迹 踐践 躍跃 車车 軌轨 軟软 載载 較较
	輔辅 輕轻 輛辆 輪轮 輸输 轉转 辦办 辭辞 邊边 遲迟 適适 遷迁 選选 遺遗 郵邮 鄉乡 鄧邓 鄭郑 醒醒 釋释 針针 釣钓 鈴铃 鉛铅 銅铜 鋼钢 錄录 錢钱 錦锦 鎮镇 鏡镜 鐵铁 長长 閉闭 閑闲
	閣阁 閱阅 關关 隊队 階阶 陳陈 陽阳 險险 隨随 隱隐 隻只 離离 霧雾 靜静 韓韩 響响 項项 須须 預预 領领 頻频 題题 顏颜 願愿 類类 顧顾 風风 飛飞 飯饭 飲饮 飾饰 館馆 騎骑 驅驱 驚惊
	髮发 鬧闹 鮮鲜 鹽盐 麥麦 麵面 點点 齊齐 齡龄 龐庞 `)

func pairs(s string) map[rune]rune {
	out := map[rune]rune{}
	for _, p := range strings.Fields(s) {
		r := []rune(p)
		out[r[0]] = r[1]
	}
	return out
}

// zhStarters are the characters an expression may begin with.
var zhStarters = makeZhStarters()

func makeZhStarters() map[rune]bool {
	out := map[rune]bool{}
	add := func(s string) {
		for _, c := range s {
			out[c] = true
			break
		}
	}
	for _, c := range "0123456789〇零○一二两三四五六七八九十廿卅百千农阴旧公阳上下前后本这今当该同每周星礼正腊冬初月年第最近过未将接往此之在好几数半春夏秋冬截直自从=q介于大" {
		out[c] = true
	}
	for _, e := range reigns {
		add(e.name)
	}
	for _, e := range relativeYears {
		add(e.w)
	}
	for _, e := range dayWords {
		add(e.w)
	}
	for _, e := range [...]string{"近期", "新近", "头", "倒"} {
		add(e)
	}
	for name := range holidaysZH {
		add(name)
	}
	return out
}
