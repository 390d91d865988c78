package text

import (
	"math/big"

	"assay/engine/research"
)

// unitInfo is what a unit means. factor turns a value into the base unit of its family; families with a factor of 1 and no
// kin compare by name alone.
type unitInfo struct {
	name   string // normalised
	kind   research.QuantityKind
	base   string // the base unit of the family, "" when the unit has no kin
	factor string // exact rational
}

// units maps a written unit, in the case in which it is used, to its meaning; letters whose case does not matter are listed in
// lower case and found by [unitNamed]. Sources: the SI brochure (9th edition), IEC 80000-13 for the binary prefixes, and the
// international yard and pound agreement of 1959 for the imperial units.
var units = unitTable()

// spaced holds the units of one letter that are also read after a space; the others must be written to their number.
var spaced = map[string]bool{"m": true, "g": true, "s": true, "h": true, "V": true, "W": true}

// maxUnit is the longest written unit in bytes.
const maxUnit = 24

// table collects units under construction.
type table map[string]unitInfo

// add enters a unit under its own name and its other forms.
func (t table) add(name string, kind research.QuantityKind, base, factor string, forms ...string) {
	u := unitInfo{name, kind, base, factor}
	for _, f := range append(forms, name) {
		t[f] = u
	}
}

func unitTable() map[string]unitInfo {
	t := table{}
	t.addTime()
	t.addData()
	t.addPhysical()
	t.addShares()
	t.addMoney()
	for w := range wordSet("名 位 人 台 种 家 次 项 条 篇 本 册 份 件 套 款 所 座 艘 辆 架 张 页 行 卷 部 户 株 头 只 颗 片 组 批 届 期 轮 场 类 层 段 句 字 倍 岁 口 站 门 步") {
		if _, ok := t[w]; !ok {
			t[w] = unitInfo{name: w, kind: research.Count}
		}
	}
	return t
}

func (t table) addTime() {
	d := research.Duration
	t.add("ns", d, "second", "1/1000000000", "nanosecond", "nanoseconds", "纳秒")
	t.add("µs", d, "second", "1/1000000", "us", "μs", "microsecond", "microseconds", "微秒")
	t.add("ms", d, "second", "1/1000", "msec", "millisecond", "milliseconds", "毫秒")
	t.add("second", d, "second", "1", "seconds", "sec", "secs", "s", "秒", "秒钟")
	t.add("minute", d, "second", "60", "minutes", "min", "mins", "分钟")
	t.add("hour", d, "second", "3600", "hours", "hr", "hrs", "h", "小时", "个小时", "钟头", "个钟头")
	t.add("day", d, "second", "86400", "days", "天")
	t.add("week", d, "second", "604800", "weeks", "周", "星期", "个星期", "礼拜", "个礼拜")
	t.add("month", d, "month", "1", "months", "个月", "個月")
	t.add("quarter", d, "month", "3", "quarters", "个季度")
	t.add("year", d, "month", "12", "years", "yr", "yrs", "年", "年间", "周年")
	t.add("decade", d, "month", "120", "decades")
	t.add("century", d, "month", "1200", "centuries", "个世纪")
}

// addData enters amounts of data, rates and clock speeds. Gb is read as GB, as the sizes of software are written.
func (t table) addData() {
	m := research.Measure
	t.add("bit", m, "bit", "1", "bits", "位元")
	t.add("B", m, "bit", "8", "byte", "bytes", "字节", "octet", "octets")
	for i, p := range []string{"k", "M", "G", "T", "P", "E"} {
		dec, bin := new(big.Int).Exp(big.NewInt(1000), big.NewInt(int64(i+1)), nil), new(big.Int).Lsh(big.NewInt(1), uint(10*(i+1)))
		eight := big.NewInt(8)
		decBytes, binBytes := new(big.Int).Mul(dec, eight).String(), new(big.Int).Mul(bin, eight).String()
		full := []string{"kilo", "mega", "giga", "tera", "peta", "exa"}[i]
		half := []string{"kibi", "mebi", "gibi", "tebi", "pebi", "exbi"}[i]
		zh := []string{"千", "兆", "吉", "太", "拍", "艾"}[i]
		bi := p
		if p == "k" {
			bi = "K"
			t.add("kB", m, "bit", decBytes, "KB", "Kb", "kb", "Kbyte", "kbyte", "Kbytes", "kbytes", full+"byte", full+"bytes", zh+"字节")
		} else {
			t.add(p+"B", m, "bit", decBytes, p+"byte", p+"bytes", full+"byte", full+"bytes", zh+"字节", p+"b")
		}
		t.add(bi+"iB", m, "bit", binBytes, half+"byte", half+"bytes")
		t.add(p+"bit", m, "bit", dec.String(), p+"bits", full+"bit", full+"bits")
		t.add(p+"bit/s", m, "bit/s", dec.String(), p+"bps", p+"b/s", p+"bits/s", full+"bits per second")
		t.add(p+"B/s", m, "bit/s", decBytes, p+"Bps", full+"bytes per second")
	}
	t.add("bit/s", m, "bit/s", "1", "bps", "bits/s", "bits per second")
	t.add("baud", m, "", "1")
	t.add("Hz", m, "Hz", "1", "hertz", "赫兹", "赫")
	t.add("kHz", m, "Hz", "1000", "KHz", "千赫")
	t.add("MHz", m, "Hz", "1000000", "Mhz", "megahertz", "兆赫")
	t.add("GHz", m, "Hz", "1000000000", "Ghz", "gigahertz", "吉赫")
	t.add("pixel", m, "", "1", "pixels", "px", "像素")
	t.add("dpi", m, "", "1")
	t.add("fps", m, "", "1")
}

func (t table) addPhysical() {
	m := research.Measure
	t.add("nm", m, "m", "1/1000000000", "纳米", "nanometres", "nanometers")
	t.add("µm", m, "m", "1/1000000", "um", "μm", "微米", "micrometres", "micrometers")
	t.add("mm", m, "m", "1/1000", "millimetre", "millimetres", "millimeter", "millimeters", "毫米")
	t.add("cm", m, "m", "1/100", "centimetre", "centimetres", "centimeter", "centimeters", "厘米", "公分")
	t.add("m", m, "m", "1", "metre", "metres", "meter", "meters", "米", "公尺")
	t.add("km", m, "m", "1000", "kilometre", "kilometres", "kilometer", "kilometers", "公里", "千米")
	t.add("inch", m, "m", "127/5000", "inches", "英寸")
	t.add("ft", m, "m", "381/1250", "foot", "feet", "英尺")
	t.add("yd", m, "m", "1143/1250", "yard", "yards")
	t.add("mi", m, "m", "201168/125", "mile", "miles", "英里")
	t.add("m²", m, "m²", "1", "m2", "sq m", "square metres", "square meters", "平方米", "square metre", "square meter")
	t.add("km²", m, "m²", "1000000", "km2", "sq km", "square kilometres", "square kilometers", "平方公里", "square kilometre", "square kilometer")
	t.add("ha", m, "m²", "10000", "hectare", "hectares", "公顷")
	t.add("acre", m, "m²", "316160658/78125", "acres", "英亩")
	t.add("sq mi", m, "m²", "40468564224/15625", "square miles", "square mile", "平方英里")
	t.add("mu", m, "m²", "2000/3", "亩")

	t.add("mg", m, "g", "1/1000", "milligram", "milligrams", "毫克")
	t.add("g", m, "g", "1", "gram", "grams", "克")
	t.add("kg", m, "g", "1000", "kilogram", "kilograms", "kilo", "kilos", "公斤", "千克")
	t.add("jin", m, "g", "500", "斤")
	t.add("t", m, "g", "1000000", "tonne", "tonnes", "ton", "tons", "吨")
	t.add("lb", m, "g", "45359237/100000", "lbs", "pound", "pounds", "磅")
	t.add("oz", m, "g", "45359237/1600000", "ounce", "ounces", "盎司")
	t.add("ml", m, "l", "1/1000", "mL", "millilitre", "millilitres", "milliliters", "毫升")
	t.add("l", m, "l", "1", "L", "litre", "litres", "liter", "liters", "升", "公升")
	t.add("gallon", m, "", "1", "gallons", "加仑")
	t.add("barrel", m, "", "1", "barrels", "桶")

	t.add("°C", m, "", "1", "℃", "degrees Celsius", "degree Celsius", "degrees celsius", "摄氏度", "C°")
	t.add("°F", m, "", "1", "℉", "degrees Fahrenheit", "degrees fahrenheit", "华氏度")
	t.add("K", m, "", "1", "kelvin", "kelvins")
	t.add("degree", m, "", "1", "degrees", "°", "度")
	t.add("W", m, "W", "1", "watt", "watts", "瓦")
	t.add("kW", m, "W", "1000", "kilowatt", "kilowatts", "千瓦")
	t.add("MW", m, "W", "1000000", "megawatt", "megawatts", "兆瓦")
	t.add("GW", m, "W", "1000000000", "gigawatt", "gigawatts", "吉瓦")
	t.add("Wh", m, "Wh", "1")
	t.add("kWh", m, "Wh", "1000", "千瓦时", "kilowatt-hours", "kilowatt hours")
	t.add("MWh", m, "Wh", "1000000", "megawatt-hours", "兆瓦时")
	t.add("GWh", m, "Wh", "1000000000")
	t.add("TWh", m, "Wh", "1000000000000")
	t.add("V", m, "", "1", "volt", "volts", "伏")
	t.add("A", m, "", "1", "amp", "amps", "ampere", "amperes", "安培")
	t.add("J", m, "", "1", "joule", "joules", "焦耳")
	t.add("N", m, "", "1", "newtons")
	t.add("km/h", m, "", "1", "kph", "kmh", "kilometres per hour", "kilometers per hour", "公里每小时")
	t.add("mph", m, "", "1", "miles per hour")
	t.add("m/s", m, "", "1", "metres per second", "meters per second")
}

func (t table) addShares() {
	p := research.Percent
	t.add("%", p, "%", "1", "％", "percent", "per cent", "pct", "percents", "巴仙")
	t.add("pp", p, "pp", "1", "percentage points", "percentage point", "points of percentage", "个百分点", "百分点")
	t.add("bp", p, "pp", "1/100", "basis points", "basis point", "个基点", "基点")
	t.add("‰", p, "%", "1/10", "per mille", "per mil")
}

func (t table) addMoney() {
	c := research.Money
	t.add("USD", c, "USD", "1", "dollar", "dollars", "US dollars", "US dollar", "U.S. dollars", "usd", "美元", "美金", "bucks")
	t.add("cent", c, "USD", "1/100", "cents", "美分")
	t.add("EUR", c, "EUR", "1", "euro", "euros", "Euro", "Euros", "eur", "欧元")
	t.add("GBP", c, "GBP", "1", "pounds sterling", "British pounds", "英镑", "gbp")
	t.add("CNY", c, "CNY", "1", "RMB", "yuan", "renminbi", "元", "块钱", "人民币", "元人民币", "块", "Yuan")
	t.add("JPY", c, "JPY", "1", "yen", "日元", "日圆")
	t.add("HKD", c, "HKD", "1", "港元", "港币", "Hong Kong dollars")
	t.add("TWD", c, "TWD", "1", "新台币", "台币")
	t.add("INR", c, "INR", "1", "rupee", "rupees", "卢比")
	t.add("KRW", c, "KRW", "1", "韩元")
	t.add("CHF", c, "CHF", "1", "Swiss francs", "francs", "瑞士法郎", "法郎")
	t.add("AUD", c, "AUD", "1", "Australian dollars", "澳元")
	t.add("CAD", c, "CAD", "1", "Canadian dollars", "加元")
	t.add("RUB", c, "RUB", "1", "rubles", "roubles", "卢布")
	t.add("BRL", c, "BRL", "1")
	t.add("SGD", c, "SGD", "1", "Singapore dollars", "新元")
}

// currencySigns stand before a number. (A plain ¥ is yen in a text without Chinese characters.)
var currencySigns = map[string]string{
	"$": "USD", "＄": "USD", "US$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "HK$": "HKD", "NT$": "TWD", "S$": "SGD", "R$": "BRL",
	"€": "EUR", "£": "GBP", "￡": "GBP", "¥": "CNY", "￥": "CNY", "₹": "INR", "₩": "KRW", "₽": "RUB",
}

// Canonical returns the value of q in the base unit of its family and that unit, so that 1 GiB equals 1,024 MiB and 90 minutes
// equal 1.5 hours. A quantity without kin comes back as it is. ("month" and "second" are two families: a month has no fixed
// number of days. Decimal and binary byte units are told apart as written.)
func Canonical(q research.Quantity) (value research.Ratio, unit string) {
	u, ok := units[q.Unit]
	if !ok || u.base == "" || !q.Value.Known() {
		return q.Value, q.Unit
	}
	f, err := research.ParseDecimal(u.factor)
	if err != nil {
		return q.Value, q.Unit
	}
	return q.Value.Mul(f), u.base
}
