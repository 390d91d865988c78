package text

import (
	"strings"

	"assay/engine/research"
)

// amountUnits are the units that [Numbers] reads: those of [Quantities], and more of money and measure. Letters whose case does not
// matter are in lower case. moneyBefore are the words that stand before their number.
var amountUnits, moneyBefore = makeAmountUnits()

func makeAmountUnits() (units table, before map[string]string) {
	t := table{}
	for w, u := range unitTable() {
		t[w] = u
	}
	before = t.addMoreMoney()
	t.addMoreMeasures()
	for w, u := range t { // Chinese units are looked up in simplified characters
		if s := simplifyString(w); s != w {
			t[s] = u
		}
	}
	return t, before
}

func simplifyString(s string) string {
	return strings.Map(Simplify, s)
}

// moneyTable has one currency a line: its code, and its names, plural and sign. Sources: ISO 4217 and everyday use.
const moneyTable = `
USD: us dollar | us dollars | united states dollar | united states dollars | american dollar | american dollars | u.s. dollar | u.s. dollars | u.s dollar | u.s dollars | dollar | dollars | buck | bucks | usd | us$ | 美元 | 美金 | 美国元 | 美刀 | 刀
EUR: euro | euros | eur | 欧元
GBP: pound sterling | pounds sterling | british pound | british pounds | quid | gbp | 英镑 | sterling
CNY: yuan | renminbi | rmb | cny | chinese yuan | kuai | 元 | 块 | 块钱 | 人民币 | 元人民币 | 人民币元 | 圆
JPY: yen | jpy | japanese yen | yens | 日元 | 日圆 | 円
HKD: hong kong dollar | hong kong dollars | hkd | hk dollars | 港元 | 港币 | 港纸 | 蚊
TWD: new taiwan dollar | new taiwan dollars | taiwan dollar | taiwan dollars | twd | ntd | 台币 | 新台币 | 台币元
INR: rupee | rupees | indian rupee | indian rupees | inr | rs | 卢比 | 印度卢比
KRW: won | wons | korean won | south korean won | krw | 韩元 | 韩圆
CHF: swiss franc | swiss francs | chf | 瑞士法郎
FRF: franc | francs | french franc | french francs | 法郎
AUD: australian dollar | australian dollars | aud | 澳元 | 澳大利亚元 | 澳币
CAD: canadian dollar | canadian dollars | cad | c dollar | 加元 | 加拿大元 | 加币
NZD: new zealand dollar | new zealand dollars | nzd | 新西兰元 | 纽元
SGD: singapore dollar | singapore dollars | sgd | 新加坡元 | 新元 | 新币
RUB: ruble | rubles | rouble | roubles | rub | russian ruble | russian rubles | 卢布
BRL: real | reais | brazilian real | brazilian reais | brl | 雷亚尔
MXN: mexican peso | mexican pesos | mxn | 墨西哥比索
PHP: philippine peso | philippine pesos | php | 菲律宾比索
PESO: peso | pesos | 比索
ZAR: rand | zar | 兰特
MYR: ringgit | ringgits | malaysian ringgit | malaysian ringgits | malaysia ringgit | malaysia ringgits | myr | rm | 林吉特 | 令吉 | 马币
THB: baht | bahts | thai baht | thb | 泰铢
VND: dong | dongs | vietnamese dong | vnd | 越南盾
IDR: rupiah | rupiahs | indonesian rupiah | idr | 印尼盾
EGP: egyptian pound | egyptian pounds | egyptianpound | egyptianpounds | egp | l.e | l.e. | le | geneh | genehs | geneh masry | genihat | genihat masriya | 埃及镑
TRY: turkish lira | turkish liras | try | 土耳其里拉
ITL: lira | liras | lire | italian lire | 里拉
SEK: swedish krona | swedish kronor | sek | 瑞典克朗
NOK: norwegian krone | norwegian kroner | nok | 挪威克朗
DKK: danish krone | danish kroner | dkk | 丹麦克朗
KRONE: krone | kroner | krona | kronor | 克朗
PLN: zloty | zlotys | polish zloty | pln | 兹罗提
CZK: czech koruna | koruna | korunas | czk
HUF: forint | forints | huf
DEM: mark | marks | deutsche mark | deutsche marks | german mark | german marks | deutschmark | deutschmarks | dem | 马克 | 德国马克
FIM: finnish markka | markka | fim
ATS: schilling | schillings
ILS: shekel | shekels | israeli shekel | israeli shekels | ils | nis | 谢克尔
SAR: saudi riyal | saudi riyals | sar | 沙特里亚尔
RIAL: riyal | riyals | rial | rials | 里亚尔
IRR: iranian rial | iranian rials | irr
QAR: qatari riyal | qatari riyals | qatari rial | qar
OMR: omani rial | omr
AED: dirham | dirhams | emirati dirham | emirati dirhams | uae dirham | aed | 迪拉姆
MAD: moroccan dirham | moroccan dirhams
KWD: kuwaiti dinar | kuwaiti dinars | kwd
DINAR: dinar | dinars | 第纳尔
JOD: jordanian dinar | jordanian dinars | jod
BHD: bahraini dinar | bhd
IQD: iraqi dinar | iraqi dinars | iqd
LBP: lebanese pound | lebanese pounds | lbp
SYP: syrian pound | syrian pounds
PKR: pakistani rupee | pakistani rupees | pkr | 巴基斯坦卢比
BDT: taka | takas | bangladeshi taka | bdt
LKR: sri lankan rupee | lkr
NPR: nepalese rupee | npr
MNT: tugrik | tugriks | togrog | mnt | 图格里克
KZT: tenge | kzt | 坚戈
UAH: hryvnia | hryvnias | ukrainian hryvnia | uah | 格里夫纳
GEL: lari | georgian lari | gel
RON: romanian leu | leu | lei | ron
BGN: lev | leva | bgn
HRK: kuna | hrk
RSD: serbian dinar | rsd
NGN: naira | nigerian naira | ngn | 奈拉
KES: kenyan shilling | kenyan shillings | kes
GHS: cedi | cedis | ghs
ETB: birr | etb
ARS: argentine peso | argentine pesos | ars
CLP: chilean peso | chilean pesos | clp
COP: colombian peso | colombian pesos | cop
PEN: peruvian sol | pen
VEF: bolivar | bolivars | bolívar | bolívares
CRC: costa rican colon | colon costarricense | colones | crc
PYG: guarani | guaranis | pyg
IEP: irish pound | irish pounds
TND: tunisian dinar | tnd
LYD: libyan dinar
BTC: bitcoin | bitcoins | btc | 比特币
ETH: ether of ethereum | eth
MOP: pataca | patacas | mop | 澳门元
MMK: kyat | kyats | mmk
KHR: riel | riels | khr
LAK: kip | lak
AFN: afghani | afghanis | afn
JMD: jamaican dollar | jamaican dollars | jmd
ISK: icelandic krona | icelandic kronur | isk
ESP: peseta | pesetas | spanish peseta | spanish pesetas | 比塞塔
NLG: guilder | guilders | dutch guilder | dutch guilders | 荷兰盾
BEF: belgian franc | belgian francs
LUF: luxembourg franc | luxembourg francs
PTE: escudo | escudos | portuguese escudo | portuguese escudos
GRD: greek drachma | greek drachmas
ATS: austrian schilling | austrian schillings
XAF: cfa franc | cfa francs | xaf
XOF: xof
AZN: manat | manats | azerbaijani manat | azn
AMD: armenian dram | armenian drams | amd
BYN: belarusian ruble | belarusian rubles | byn
UZS: uzbekistani som | uzs
KGS: kyrgyzstani som | kgs
ALL: albanian lek | lek | leks
MKD: macedonian denar | denar | denars | mkd
BAM: bosnian mark | bam
HTG: gourde | gourdes | htg
HNL: lempira | lempiras | hnl
NIO: nicaraguan cordoba | cordobas | nio
GTQ: quetzal | quetzals | gtq
PAB: balboa | balboas | pab
DOP: dominican peso | dominican pesos | dop
CUP: cuban peso | cuban pesos
UYU: uruguayan peso | uruguayan pesos | uyu
BOB: boliviano | bolivianos
TTD: trinidad and tobago dollar | trinidad and tobago dollars | ttd
BBD: barbadian dollar | barbadian dollars | bbd
BSD: bahamian dollar | bahamian dollars
BZD: belize dollar | belize dollars | bzd
BND: brunei dollar | brunei dollars | bnd
FJD: fijian dollar | fiji dollar | fiji dollars | fjd
GYD: guyanese dollar | gyd
LRD: liberian dollar | liberian dollars | lrd
NAD: namibian dollar | namibian dollars
ZWD: zimbabwe dollar | zimbabwe dollars | zimbabwean dollar | zimbabwean dollars
MUR: mauritian rupee | mauritian rupees | mur
MVR: rufiyaa | maldivian rufiyaa | mvr
SCR: seychelles rupee | seychellois rupee | scr
BWP: pula | botswana pula | bwp
ZMW: zambian kwacha | kwacha | kwachas | zmw
MWK: malawian kwacha | mwk
MZN: metical | meticais | mzn
AOA: kwanza | kwanzas | aoa
UGX: ugandan shilling | ugandan shillings | ugx
TZS: tanzanian shilling | tanzanian shillings | tzs
SOS: somali shilling | somali shillings
GMD: dalasi | gmd
SLL: leone | leones | sll
SDG: sudanese pound | sudanese pounds | sdg
DZD: algerian dinar | algerian dinars | dzd
YER: yemeni rial | yemeni rials | yer
BTN: ngultrum | ngultrums | btn
PGK: papua new guinean kina | pgk
YUD: yugoslav dinar | yugoslav dinars
SKK: slovak koruna | slovak korunas
SIT: tolar | tolars
EEK: estonian kroon | kroon
LVL: lats | latvian lats
LTL: litas | lithuanian litas
CYP: cypriot pound | cyprus pound | cyprus pounds
MTL: maltese lira
shilling: shilling | shillings | 先令
ECU: ecu | ecus
cent: cent | cents | penny | pennies | ¢ | c | 美分
pence: pence | p | 便士
`

// moneySigns are signs of currency beside those of currencySigns.
var moneySigns = map[rune]string{'₡': "CRC", '₾': "GEL", '₦': "NGN", '₱': "PHP", '₫': "VND", '฿': "THB", '₪': "ILS", '₴': "UAH", '₺': "TRY", '₸': "KZT", '₮': "MNT", '₲': "PYG", '₵': "GHS",
	'₭': "LAK", '₼': "AZN", '₿': "BTC", '﷼': "RIAL", '৳': "BDT", '៛': "KHR"}

// needSign are the words of moneyBefore that are currency only with a $ behind them.
var needSign = wordSet(`us u.s u.s. c ca a au hk nt s nz r mex`)

// addMoreMoney enters the currencies, and returns the words that stand before their number.
func (t table) addMoreMoney() (before map[string]string) {
	before = map[string]string{"us": "USD", "u.s": "USD", "u.s.": "USD", "c": "CAD", "ca": "CAD", "a": "AUD", "au": "AUD", "hk": "HKD", "nt": "TWD", "s": "SGD", "nz": "NZD", "r": "BRL",
		"mex": "MXN", "sen": "JPYsen"}
	for _, line := range strings.Split(moneyTable, "\n") {
		code, names, ok := strings.Cut(line, ": ")
		if !ok {
			continue
		}
		for _, n := range strings.Split(names, "|") {
			n = strings.TrimSpace(n)
			t[n] = unitInfo{name: code, kind: research.Money}
			if code != "cent" && code != "pence" && n != "le" && n != "try" && n != "real" && n != "won" && n != "cop" && n != "pen" && n != "mark" && n != "marks" && n != "all" {
				before[n] = code
			}
		}
	}
	for sign, code := range moneySigns {
		t[string(sign)] = unitInfo{name: code, kind: research.Money}
	}
	for sign, code := range currencySigns {
		if len([]rune(sign)) == 1 {
			t[sign] = unitInfo{name: code, kind: research.Money}
		}
	}
	t["分"] = unitInfo{name: "CNYcent", kind: research.Money}
	t["角"] = unitInfo{name: "CNYjiao", kind: research.Money}
	t["毛"] = unitInfo{name: "CNYjiao", kind: research.Money}
	t["毫"] = unitInfo{name: "CNYjiao", kind: research.Money}
	t["毛钱"] = unitInfo{name: "CNYjiao", kind: research.Money}
	t["分钱"] = unitInfo{name: "CNYcent", kind: research.Money}
	t["仙"] = unitInfo{name: "CNYcent", kind: research.Money}
	t["日本钱"] = unitInfo{name: "JPYsen", kind: research.Money}
	for p, f := range map[string]string{"m": "1000000", "k": "1000", "b": "1000000000"} { // 30 MUSD
		for _, c := range []string{"usd", "eur", "gbp"} {
			t[p+c] = unitInfo{name: strings.ToUpper(c), kind: research.Money, factor: f}
		}
	}
	return before
}

// measureTable has one unit a line: name, base, factor, and its forms.
const measureTable = `
pm m 1/1000000000000: picometer | picometers | picometre | picometres | 皮米
nm m 1/1000000000: nanometer | nanometre | 奈米
µm m 1/1000000: micrometer | micrometre | micron | microns | 微米
mm m 1/1000: mms | 公厘
cm m 1/100: cms | 公分 | 厘米
dm m 1/10: dm | decimeter | decimeters | decimetre | decimetres | 分米
m m 1: mtr | mtrs | 公尺
hm m 100: hm | hectometer | hectometers | 百米
km m 1000: kms | k.m | kilometer | klick | klicks | 公里 | 千米
inch m 127/5000: in | ins | 英寸 | 吋 | 英吋
ft m 381/1250: fts | 英尺 | 呎 | 英呎
yd m 1143/1250: yds | 码
mi m 201168/125: mls | 哩 | 英哩 | 英里
nmi m 1852: nautical mile | nautical miles | nmi | 海里
ly m 9460730472580800: light year | light years | light-year | light-years | lightyear | lightyears | 光年
chi m 1/3: 尺 | 市尺
cun m 1/30: 寸
li m 500: 里 | 华里
zhang m 10/3: 丈
m² m² 1: sq meter | sq meters | sq metre | sq metres | m^2 | 平米 | 平方公尺
km² m² 1000000: km^2 | sq kilometer | sq kilometers | 平方千米
cm² m² 1/10000: cm2 | cm² | cm^2 | square centimeter | square centimeters | square centimetre | square centimetres | 平方厘米
mm² m² 1/1000000: mm2 | mm² | square millimeter | square millimeters | 平方毫米
sq ft m² 145161/1562500: square foot | square feet | sq ft | sqft | sq. ft | sq feet | 平方英尺
sq in m² 16129/25000000: square inch | square inches | sq in | 平方英寸
sq yd m² 1306449/1562500: square yard | square yards | sq yd
sq mi m² 40468564224/15625: sq mile | sq miles | 平方哩
ha m² 10000: hectares | 公顷 | 顷
m³ m³ 1: m3 | m³ | m^3 | cubic meter | cubic meters | cubic metre | cubic metres | 立方米 | 立方公尺 | 方
cm³ m³ 1/1000000: cm3 | cm³ | cm^3 | cc | ccs | cubic centimeter | cubic centimeters | cubic centimetre | cubic centimetres | 立方厘米
km³ m³ 1000000000: km3 | km³ | km^3 | cubic kilometer | cubic kilometers | cubic kilometre | cubic kilometres | km cubed | 立方千米
cu ft m³ 55306341/1953125000: cubic foot | cubic feet | cu ft | 立方英尺
cu in m³ 2048383/125000000000: cubic inch | cubic inches | cu in
µg g 1/1000000: microgram | micrograms | µg | ug | mcg | 微克
mg g 1/1000: mgs | 毫克
g g 1: gm | gms | gramme | grammes
kg g 1000: kgs | kilogramme | kilogrammes
t g 1000000: metric ton | metric tons | 公吨
short ton g 45359237/50: short ton | short tons
lb g 45359237/100000: lb. | pound-mass | 磅
oz g 45359237/1600000: ozs | 安士
stone g 317514659/50000: stone | stones | 英石
dram g 45359237/25600000: dram | drams | drachm | drachma | drachmas
grain g 6479891/100000000: grain | grains
liang g 50: 两
qian g 5: 钱
dan g 50000: 担
carat g 1/5: carat | carats | 克拉
ml l 1/1000: milliliter | milliliters | millilitre | mls | cc | 毫升
cl l 1/100: cl | centiliter | centiliters | centilitre | centilitres | 厘升
dl l 1/10: dl | deciliter | deciliters | decilitre | decilitres | 分升
hl l 100: hl | hectoliter | hectoliters | hectolitre | hectolitres | 百升
kl l 1000: kl | kiloliter | kiloliters | kilolitre | kilolitres
l l 1: ltr | ltrs | 公升 | 立升
gallon l 473176473/125000000: gallon | gallons | gal | gals | gal. | 加仑
quart l 473176473/500000000: quart | quarts | qt | qts | 夸脱
pint l 473176473/1000000000: pint | pints | pt | pts | 品脱
cup l 473176473/2000000000: cup | cups | 杯
tbsp l 473176473/32000000000: tablespoon | tablespoons | tbsp | tbsps | tbs | 大汤匙
soup spoon l 3/200: 汤匙 | 大匙
tsp l 157725491/32000000000: teaspoon | teaspoons | tsp | tsps
tea spoon l 1/200: 茶匙 | 小匙
fl oz l 473176473/16000000000: fluid ounce | fluid ounces | fl oz | fl. oz | fl ounce | 液盎司
barrel l 158987294928/1000000000: bbl | bbls | 桶
bushel l 0: bushel | bushels | 蒲式耳
pinch - 0: pinch | pinches
dash - 0: dash of | dashes of
km/h m/s 5/18: km/h | km/hr | kmph | kph | kmh | kilometer per hour | kilometre per hour | kilometers per hour | kilometres per hour | kilometers an hour | kilometres an hour | 公里每小时 | 千米每小时 | 公里/小时 | 千米/小时
mph m/s 1397/3125: mph | mile per hour | miles per hour | mile an hour | miles an hour | mi/h | 英里每小时 | 英里/小时
m/s m/s 1: meter per second | meters per second | metre per second | metres per second | meters a second | 米每秒 | 米/秒
ft/s m/s 381/1250: foot per second | feet per second | ft/s
knot m/s 463/900: knot | knots | 节
degree deg 1: deg | degs | deg. | ° | 度
rad rad 1: rad | radian | radians | 弧度
Hz Hz 1: hertz | 赫兹 | 赫
MHz Hz 1000000: 兆赫兹
kHz Hz 1000: kilohertz | 千赫兹
GHz Hz 1000000000: 吉赫兹
bit bit 1: bits | 比特 | 位 | b
kbit bit 1000: kb per | 千比特 | kilobit | kilobits
B bit 8: 字节 | byte | bytes | 位元组
kB bit 8000: 千字节 | kb
MB bit 8000000: mb | 兆字节 | megabyte | megabytes
GB bit 8000000000: gb | 吉字节 | gigabyte | gigabytes
TB bit 8000000000000: tb | 太字节 | terabyte | terabytes
kbit/s bit/s 1000: kb per second | kilobit per second | kilobits per second
Mbit/s bit/s 1000000: mbps | megabit per second | megabits per second
W W 1: 瓦特 | watt
hp W 74570/100: horsepower | hp | 马力
J J 1: j | joule | joules | 焦
kJ J 1000: kj | kilojoule | kilojoules | 千焦
cal J 4184/1000: calorie | calories | cal | cals | 卡路里 | 卡
kcal J 4184: kcal | kilocalorie | kilocalories | 千卡 | 大卡
BTU J 1055: btu | btus | british thermal unit | british thermal units
N N 1: newton | 牛顿 | 牛
Pa Pa 1: pa | pascal | pascals | 帕 | 帕斯卡
hPa Pa 100: hpa | hectopascal | hectopascals
kPa Pa 1000: kpa | kilopascal | kilopascals | 千帕
bar Pa 100000: bar | bars
psi Pa 6895: psi
atm Pa 101325: atm | atmosphere | atmospheres | 大气压
V V 1: 伏特 | volt
A A 1: 安 | ampere
Ω Ω 1: ohm | ohms | Ω | 欧姆
mol mol 1: mol | mole | moles | 摩尔
dB - 0: db | decibel | decibels | 分贝
lm - 0: lumen | lumens | 流明
lux - 0: lux | 勒克斯
Gy - 0: gy | gray | grays
Sv - 0: sv | sievert | sieverts
rpm - 0: rpm
mu m² 2000/3: 亩
ping m² 400/121: 坪
baker's dozen - 0: baker's dozen
°C °C 1: °c | celsius | celcius | degree celcius | degrees celcius | deg celsius | degs celsius | deg c | degs c | degree c | degrees c | degree centigrade | degrees centigrade | centigrade | 摄氏度 | 摄氏 | 摄氏°
°F °F 1: °f | fahrenheit | degree fahrenheit | degrees fahrenheit | deg fahrenheit | degs fahrenheit | farenheit | degree farenheit | degrees farenheit | fahrenheits | deg farenheit | deg f | degs f | degree f | degrees f | 华氏度 | 华氏 | 华氏°
K K 1: kelvin | degrees kelvin | degree kelvin | deg kelvin | deg k | 开尔文 | 开氏度
R R 1: rankine | degrees rankine | degree rankine | deg r
`

// prefixes are those of the SI that are written to the signs of units; factor as a power of ten.
var prefixes = map[string]string{"n": "1/1000000000", "µ": "1/1000000", "μ": "1/1000000", "m": "1/1000", "k": "1000", "M": "1000000", "G": "1000000000", "T": "1000000000000"}

// addPrefixed adds the prefixed forms of signs of the SI that are not listed.
func (t table) addPrefixed() {
	for _, base := range [...]string{"Gy", "Sv", "J", "N", "Pa", "W", "V", "A", "Ω", "mol", "Hz", "Wh", "eV", "Bq"} {
		if _, ok := t[base]; !ok {
			t[base] = unitInfo{name: base, kind: research.Measure, base: base, factor: "1"}
		}
		for p, f := range prefixes {
			if _, ok := t[p+base]; !ok {
				t[p+base] = unitInfo{name: p + base, kind: research.Measure, base: base, factor: f}
			}
		}
	}
}

func (t table) addMoreMeasures() {
	for _, line := range strings.Split(measureTable, "\n") {
		head, names, ok := strings.Cut(line, ": ")
		if !ok {
			continue
		}
		f := strings.Fields(head)
		u := unitInfo{name: strings.Join(f[:len(f)-2], " "), kind: research.Measure, base: f[len(f)-2], factor: f[len(f)-1]}
		if u.base == "-" || u.factor == "0" {
			u.base, u.factor = "", "1"
		}
		for _, n := range append(strings.Split(names, "|"), u.name) {
			t[strings.TrimSpace(n)] = u
		}
	}
	t.addPrefixed()
	for _, n := range [...]string{"m", "km", "cm", "mm", "meters", "metres", "meter", "metre", "feet", "foot", "inches", "kilometers", "kilometres", "miles"} {
		for suffix, cube := range map[string]string{" squared": "m²", " cubed": "m³"} {
			if u := t[n]; u.base == "m" {
				power := 2
				if cube == "m³" {
					power = 3
				}
				t[n+suffix] = unitInfo{name: n + suffix, kind: research.Measure, base: cube, factor: powRat(rat(u.factor), power).RatString()}
			}
		}
	}
	for n, v := range map[string]string{"dime": "10", "nickel": "5"} {
		u := unitInfo{name: "cent", kind: research.Money, factor: v}
		t[n], t[n+"s"] = u, u
	}
	t["percentage"] = t["percent"]
	t["percents"] = t["percent"]
	t["per cent"] = t["percent"]
	t["个百分点"] = unitInfo{name: "%", kind: research.Percent, base: "%", factor: "1"}
	t["百分点"] = t["个百分点"]
	t["percentage points"] = t["个百分点"]
	t["percentage point"] = t["个百分点"]
	delete(t, "块")
	t["块"] = unitInfo{name: "CNY", kind: research.Money}
	for _, w := range [...]string{"quarter", "quarters"} {
		delete(t, w)
	}
}
