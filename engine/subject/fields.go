package subject

import "strings"

// field is a part of life that a text speaks of, with the words that give it away. Two things of one name seldom belong to one
// field: a city and its team, a film and a regiment.
//
// The words are ours. They are chosen by what separates things of one name in reference works and in news: contests, offices,
// works, places, trade, transport, arms, learning, faith, nature, medicine, engineering, crime.
type field struct {
	name  string
	words map[string]bool
}

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// contests are kinds of sport. Of two texts that each name one, and not the same, the things are different.
var contests = []field{
	{"association football", words("soccer fifa uefa midfielder striker goalkeeper fa premiership bundesliga eredivisie halftime footballer defender 足球 前锋 门将 中场")},
	{"rugby union", words("rfc irb scrum flyhalf lineout barbarians heineken sanzar 橄榄球")},
	{"rugby league", words("rl rlfc wigan challenge kangaroos superleague rfl nrl")},
	{"cricket", words("cricket cricketer wicket wickets innings batsman bowler bowled odi bowling icc umpire umpires batting wicketkeeper 板球")},
	{"baseball", words("baseball mlb pitcher innings homer shortstop outfielder bullpen 棒球")},
	{"basketball", words("basketball nba euroleague rebounds pct gb wnba point guard clippers lakers 篮球")},
	{"ice hockey", words("hockey nhl goaltender puck winger defenceman gf ga stanley 冰球")},
	{"american football", words("nfl afl quarterback touchdown linebacker pf pa fullback ncaa superbowl")},
	{"tennis", words("tennis atp wta wimbledon seeded seed 网球")},
	{"golf", words("golf pga birdie bogey par 高尔夫")},
	{"motor racing", words("prix formula podium nascar qualifying brabham mclaren lap laps rally cart indycar 赛车")},
	{"cycling", words("cycling cyclist peloton giro vuelta 自行车")},
	{"skiing", words("ski skiing slalom downhill snowboard aerials freestyle biathlon super-g 滑雪")},
	{"athletics", words("athletics sprinter marathon hurdles metres javelin 田径")},
	{"speedway", words("speedway")},
	{"hurling", words("hurling hurler hurlers gaa")},
	{"camogie", words("camogie")},
	{"lacrosse", words("lacrosse")},
	{"volleyball", words("volleyball handball 排球")},
	{"boxing", words("boxing boxer heavyweight bout 拳击")},
	{"swimming", words("swimming swimmer freestyle medley 游泳")},
}

// matters are the other fields.
var matters = []field{
	{"sport", words(`team teams coach season seasons league cup match matches game games played player players club win won lost draw scored score goal goals championship champions
		tournament squad debut defeat beat victory final finals semifinal quarterfinal standings division points cap caps captain stadium playoffs runs round injury 球队 比赛 联赛 教练 冠军 赛季 球员`)},
	{"politics", words(`election elections elected party minister parliament government president senate senator congress congressman mp coalition candidate vote voters
		constituency electorate liberal conservative labour democratic republican diplomat ambassador treaty sanctions cabinet 选举 政府 总统 议会 党 部长 总理 外交`)},
	{"trade", words(`shares share profit bank bonds bond market markets investor investors company companies corp inc ltd percent billion million prices price trade exports
		dollar yen futures rate rates traders output sales crude tonnes wheat 公司 股票 市场 银行 亿元 股价 经济`)},
	{"screen", words("film films movie starring actor actress directed director television tv series episode episodes sitcom cinema screenplay show channel broadcast 电影 电视 演员 导演 剧集")},
	{"music", words("album albums song songs band singer single singles chart charts guitar recorded label vocals concert tour lyrics musician opera orchestra piano 专辑 歌手 歌曲 乐队 音乐")},
	{"letters", words("novel novels book books author poet poetry published publisher writer fiction magazine newspaper comic comics edition stories 小说 作家 出版 诗人")},
	{"place", words(`river creek lake county counties township townships town village city population census miles km located island mountain north south east west northern southern
		eastern western situated region district suburb municipality border tributary watershed coast valley 位于 人口 县 市 河 镇 省`)},
	{"transport", words("railway station trains train rail line route highway interstate airport road airlines airline bus ferry tram platform terminus bridge 铁路 车站 机场 公路")},
	{"arms", words("regiment battalion army navy naval war battle troops military brigade aircraft squadron fort gun guns soldiers missile bomb ship uss hms cruiser 军 部队 战争 海军")},
	{"learning", words("university college school professor phd students student faculty research institute graduate degree academic science doctorate scientist 大学 教授 研究 学院 博士 学校")},
	{"faith", words("church bishop diocese catholic saint priest parish god temple pope biblical christian islam muslim 教会 主教 佛教 寺")},
	{"nature", words("species genus plant plants bird birds fish tree trees habitat animal animals flower insect 物种 植物 动物")},
	{"medicine", words("hospital patient patients disease treatment clinical drug dose cancer surgery doctor medical symptoms 医院 患者 疾病 治疗")},
	{"engineering", words("software computer engine version system windows server network code data processor device web internet user protocol 软件 计算机 系统 网络 程序")},
	{"crime", words("police court arrested killed murder trial judge prison sentence charged attack victim 警察 法院 杀 逮捕")},
	{"myth", words("mythology goddess hero king queen son daughter prince duke emperor dynasty baron earl 神话 皇帝 王朝 国王")},
}

// states are the American ones, by which counties, townships and towns of one name are told apart.
var states = words(`alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky
	louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah
	vermont virginia wisconsin wyoming conn tenn fla calif mass penn`)

// workKinds are the words for kinds of works; one name is often that of an album and of its song.
var workKinds = map[string]string{
	"film": "film", "movie": "film", "album": "album", "song": "song", "single": "song", "track": "song", "novel": "book", "book": "book", "series": "series", "show": "series",
	"sitcom": "series", "episode": "series", "magazine": "magazine", "newspaper": "newspaper", "game": "game", "musical": "musical", "play": "play", "opera": "opera",
	"电影": "film", "专辑": "album", "歌曲": "song", "小说": "book", "剧集": "series",
}

// sportMatter and placeMatter are indices into matters.
const (
	sportMatter = 0
	placeMatter = 6
)

// regions are states and countries by which writers tell places and offices of one name apart: "Albany, Ohio", "Lafayette County,
// Florida". Those of two words are read as one, joined with a space.
var regions = words(`alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky
	louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah
	vermont virginia wisconsin wyoming
	england scotland wales ireland britain british uk france french germany german italy italian spain spanish portugal portuguese netherlands dutch belgium austria
	switzerland sweden swedish norway norwegian denmark danish finland finnish poland polish russia russian ukraine greece greek turkey turkish israel israeli egypt egyptian
	india indian pakistan china chinese japan japanese korea korean australia australian canada canadian mexico mexican brazil brazilian argentina chile
	iran iraq kuwait lebanon tunisia tunisian algeria morocco nigeria kenya zimbabwe tasmania queensland ontario quebec alberta
	中国 美国 英国 法国 德国 日本 俄罗斯 印度 加拿大 澳大利亚 韩国 北京 上海 广东 台湾 香港`)

// sameRegion maps the word for what comes from a region to the region, so that "Canadian" and "Canada" agree.
var sameRegion = map[string]string{
	"british": "britain", "uk": "britain", "england": "britain", "scotland": "britain", "wales": "britain", "french": "france", "german": "germany", "italian": "italy",
	"spanish": "spain", "portuguese": "portugal", "dutch": "netherlands", "swedish": "sweden", "norwegian": "norway", "danish": "denmark", "finnish": "finland",
	"polish": "poland", "russian": "russia", "greek": "greece", "turkish": "turkey", "israeli": "israel", "egyptian": "egypt", "indian": "india", "chinese": "china",
	"japanese": "japan", "korean": "korea", "australian": "australia", "tasmania": "australia", "queensland": "australia", "canadian": "canada", "ontario": "canada",
	"quebec": "canada", "alberta": "canada", "mexican": "mexico", "brazilian": "brazil", "tunisian": "tunisia", "中国": "china", "美国": "america", "英国": "britain",
	"法国": "france", "德国": "germany", "日本": "japan", "俄罗斯": "russia", "印度": "india", "加拿大": "canada", "澳大利亚": "australia", "韩国": "korea",
}

// lands are countries, continents and what comes from them, in English. Written bare they nearly always mean the land, unless
// they stand as a side of a contest.
var lands = words(`afghanistan albania algeria america american andorra angola argentina argentine argentinian armenia australia australian austria austrian azerbaijan bahamas
	bahrain bangladesh barbados belarus belgium belgian belize benin bermuda bhutan bolivia bosnia botswana brazil brazilian britain british brunei bulgaria bulgarian burkina burma burundi
	cambodia cameroon canada canadian chad chile chilean china chinese colombia colombian comoros congo croatia croatian cuba cuban cyprus czech denmark danish djibouti dominica
	ecuador egypt egyptian england english eritrea estonia estonian ethiopia ethiopian europe european fiji finland finnish france french gabon gambia georgia germany german ghana greece greek grenada
	guatemala guinea guyana haiti honduras hungary hungarian iceland icelandic india indian indonesia indonesian iran iranian iraq iraqi ireland irish israel israeli italy italian jamaica japan japanese
	jordan kazakhstan kenya kenyan korea korean kuwait kyrgyzstan laos latvia latvian lebanon lebanese lesotho liberia libya libyan liechtenstein lithuania luxembourg macedonia madagascar malawi
	malaysia malaysian maldives mali malta mauritania mauritius mexico mexican moldova monaco mongolia montenegro montenegrin morocco moroccan mozambique myanmar namibia nepal netherlands dutch nicaragua
	niger nigeria nigerian norway norwegian oman pakistan pakistani palestine palestinian panama paraguay peru peruvian philippines filipino poland polish portugal portuguese qatar romania romanian russia russian
	rwanda samoa scotland scottish senegal serbia serb serbian singapore slovakia slovak slovenia slovenian somalia spain spanish sudan suriname swaziland sweden swedish switzerland swiss syria syrian
	taiwan tajikistan tanzania thailand thai togo tonga tunisia tunisian turkey turkish turkmenistan uae uganda ukraine ukrainian uruguay us usa u.s uk uzbekistan vanuatu venezuela vietnam vietnamese
	wales welsh yemen yugoslavia zambia zimbabwe africa african asia asian soviet zealand
	中国 美国 英国 法国 德国 日本 俄罗斯 印度 加拿大 澳大利亚 韩国`)

// bodyWords make a name one of an institution, a law or a feature of the land, which few others share.
var bodyWords = words(`university college office agency act initiative lake river ocean sea mountain island court commission committee bank council department ministry museum museum institute
	association society academy hospital airport station bridge cathedral treaty programme program project center centre corporation company group brothers`)

// peopleWords are the words for what comes from a land.
var peopleWords = words(`english scottish irish welsh british american european african asian swiss czech roman croatian serbian french german italian spanish portuguese dutch
	swedish norwegian danish finnish polish russian greek turkish israeli egyptian indian chinese japanese korean australian canadian mexican brazilian tunisian iraqi iranian
	lebanese kenyan nigerian hungarian romanian bulgarian ukrainian austrian belgian argentine argentinian chilean colombian peruvian cuban thai vietnamese malaysian indonesian
	pakistani albanian slovak slovenian estonian latvian lithuanian icelandic moroccan algerian libyan syrian kuwaiti saudi palestinian rican`)

var compass = words("north south east west")

var twoWordLands = map[string]bool{
	"united states": true, "united kingdom": true, "new zealand": true, "new york": true, "new jersey": true, "new mexico": true, "new hampshire": true, "north carolina": true,
	"south carolina": true, "north dakota": true, "south dakota": true, "west virginia": true, "rhode island": true, "saudi arabia": true, "sri lanka": true, "hong kong": true,
	"el salvador": true, "costa rica": true, "soviet union": true,
}

// Words beside a name that say what it stands for.
var (
	placeBefore  = words("in at near from around outside toward towards through via into visit visited city town village born leaving reached across northern southern eastern western central")
	placeOf      = words("city town village county state capital port province island district region people streets mayor university")
	sideBefore   = words("against beat beating v vs versus defeated defeating over face faces faced facing play plays playing joined joining signed represented represent coached captained thrashed host hosts hosted")
	personBefore = words("mr mrs ms dr sir lord lady president minister judge general captain senator professor prof king queen prince actor singer striker")
	workBefore   = words("film movie album song single novel book series show magazine episode called titled entitled")
	personAfter  = words("said says told added who wrote born")
	sideAfter    = words("beat won lost scored defeated v vs play played drew led thrashed squad")
	squadWords   = words("team squad side coach captain defence defense attack innings striker midfielder players player manager dressing batting xi selectors fans supporters second")
	capitalPart  = words("county city university college township fc united rovers rangers station airport party district division island river lake church hospital school company museum park")
	undergone    = words("beaten defeated signed purchased released beating owned hired sacked knocked eliminated thrashed bought drafted acquired")
	lostTo       = words("defeat loss lost losing fell transfer transferred sold loan losses defeats traded win victory")
	listWords    = words("and or")
)
