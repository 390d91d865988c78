package worlds

// freshEN and freshZH are the vocabulary of the topics of the fresh part, as [kitsEN] and [kitsZH] are of the others.
var freshEN = map[string]kit{
	"solar": {"%s Solar Park", "solar park", "fed", "gigawatt-hours", "solar power", "inverters", "the canton's consumption of electricity",
		"push down midday prices", "fewer blackouts in the south", "harm nesting birds", "harmed nesting birds", "Renewables",
		"the sun sends no invoice but the cables certainly do", "our pasture was drawn as empty land on their map",
		[]string{"Sheep graze between the rows.", "Dust is washed off with rainwater.", "A hedge hides the panels from the lane."}},
	"dairy": {"%s Cheese Dairy", "cheese dairy", "matured", "tonnes", "mountain cheese", "cellars", "the milk of the upper valley",
		"hold young families in the valley", "steadier milk prices", "pass the hygiene inspection", "passed the hygiene inspection", "Dairy",
		"milk that leaves the valley as milk takes our wages along", "the small barns were counted out before the first wheel was salted",
		[]string{"Wheels are turned by hand twice a week.", "The whey goes to a neighbour's pigs.", "Spruce boards line the cellars."}},
	"dam": {"%s Storage Dam", "storage dam", "released", "million cubic metres", "irrigation water", "spillway gates", "the irrigated fields of the plain",
		"secure a second harvest", "rising land values", "flood the burial ground", "flooded the burial ground", "Hydraulics",
		"a dry canal is a promise that everyone can see into", "they moved the graves at night and the records by day",
		[]string{"The keeper lives above the outlet tower.", "Silt is flushed at high water.", "Anglers come in the autumn."}},
	"hospitalship": {"%s Hospital Ship", "hospital ship", "treated", "thousand patients", "outpatient care", "wards", "the islanders without a doctor",
		"shorten the wait for surgery", "earlier detection of cataracts", "call at the eastern islands", "called at the eastern islands", "Relief",
		"the quay is the only waiting room with a view", "after she sails the bandages stay and nobody changes them",
		[]string{"Surgeons sleep in six-berth cabins.", "A launch brings patients from shallow harbours.", "The laundry runs day and night."}},
	"archive": {"%s Sound Archive", "sound archive", "digitised", "thousand tapes", "field recordings", "listening booths", "the dialect recordings of the country",
		"revive dying dialects", "more pupils choosing the local language", "lose any wax cylinder", "lost a wax cylinder", "Acoustics",
		"a voice that nobody plays is silent twice", "grandmother's songs now need a form and a fee",
		[]string{"Tapes are baked before they are played.", "Booths are lined with felt.", "Volunteers transcribe in the evening."}},
	"tramdepot": {"%s Battery Depot", "bus depot for battery buses", "charged", "thousand bus runs", "electric bus service", "charging bays", "the bus kilometres of the agglomeration",
		"cut noise on the night lines", "fewer complaints from residents", "keep the winter timetable", "kept the winter timetable", "Buslines",
		"diesel was loud so that we would notice what it cost", "the first frost cancelled more buses than any strike",
		[]string{"Buses are rinsed with reused water.", "Drivers rest in a former goods shed.", "A green roof covers the bays."}},
}

var freshZH = map[string]kit{
	"solar": {"%s光伏园", "光伏园区", "输送了", "吉瓦时", "光伏电量", "台逆变器", "全州的用电量",
		"压低午间电价", "南部停电减少", "伤害筑巢的鸟类", "伤害了筑巢的鸟类", "新能",
		"太阳从不寄账单，可是电缆会", "我们的牧场在他们的图上画成了空地",
		[]string{"羊在一排排支架之间吃草。", "灰尘用收集的雨水冲洗。", "一道树篱把面板挡在小路之外。"}},
	"dairy": {"%s奶酪坊", "奶酪作坊", "熟成了", "吨", "山地奶酪", "座地窖", "上谷的鲜奶",
		"留住谷里的年轻家庭", "奶价趋于平稳", "通过卫生检查", "通过了卫生检查", "乳业",
		"奶要是只当奶卖出谷去，工钱也跟着走了", "第一轮奶酪还没撒盐，小牛棚就被划掉了",
		[]string{"每周两次用手翻动奶酪轮。", "乳清送给邻居喂猪。", "地窖里铺着云杉木板。"}},
	"dam": {"%s蓄水坝", "蓄水大坝", "下泄了", "百万立方米", "灌溉用水", "扇泄洪闸", "平原的灌溉农田",
		"保住第二季收成", "地价走高", "淹没旧墓园", "淹没了旧墓园", "水工",
		"干了的渠是人人都看得见底的诺言", "他们夜里迁坟，白天迁账本",
		[]string{"看守人住在取水塔上面。", "高水位时冲走淤泥。", "秋天有人来钓鱼。"}},
	"hospitalship": {"%s医疗船", "医疗船", "诊治了", "万人次", "门诊病人", "间病房", "没有医生的岛民",
		"缩短手术等候时间", "白内障更早查出", "停靠东部诸岛", "停靠了东部诸岛", "救助",
		"码头是唯一看得见海的候诊室", "船一开走，纱布留下了，却没有人来换",
		[]string{"外科人员住六人舱。", "小艇从浅港接来病人。", "洗衣房日夜运转。"}},
	"archive": {"%s声音馆", "声音资料馆", "转录了", "万盘磁带", "田野录音", "个听音间", "全境的方言录音",
		"挽救濒危方言", "选修本地话的学生增加", "丢失蜡筒录音", "丢失了一只蜡筒录音", "声学",
		"没有人播放的嗓音等于沉默两次", "外婆的歌如今要填表，还要交钱",
		[]string{"磁带先烘干再播放。", "听音间贴着毛毡。", "志愿者晚上来听写。"}},
	"tramdepot": {"%s充电场站", "电动公交场站", "完成了", "万个班次", "电动公交服务", "个充电车位", "城市群的公交里程",
		"降低夜间线路噪声", "居民投诉减少", "维持冬季时刻", "维持了冬季时刻", "公交",
		"柴油车吵，是为了让我们听见它的代价", "头一场霜取消的班次比哪次罢工都多",
		[]string{"车辆用回收的水冲洗。", "司机在旧货棚里休息。", "充电车位上盖着绿屋顶。"}},
}

var freshPlacesEN = []string{"Ardwen", "Bellcombe", "Corvane", "Dunmarsh", "Eskleigh", "Fennimoor", "Garrowick", "Hollinsea", "Inverlode", "Juniper Falls", "Kestmere", "Lydgate Cross", "Morwick", "Northolm", "Pellworth", "Ravensey"}
var freshRegionsEN = []string{"Aldermark", "Broughland", "Cairnvale", "Dorrinshire", "Elmsland", "Fallowmark"}
var freshFirstsEN = []string{"Beatrix", "Caspian", "Delphine", "Ewan", "Fatima", "Gideon", "Harriet", "Idris", "Joanna", "Kenji", "Lucinda", "Matteo"}
var freshLastsEN = []string{"Abernathy", "Brockway", "Castellane", "Dragomir", "Eisenberg", "Faulkner", "Grimaldi", "Hawksworth", "Iwasaki", "Jankovic", "Kirchner", "Lavallee"}

var freshPlacesZH = []string{"汶溪", "松阳坡", "凤鸣", "碧落湖", "大岭", "燕子矶", "桃源渡", "银杏坪", "赤水湾", "鹿寨", "葵花岗", "玉屏山"}
var freshRegionsZH = []string{"河套州", "江右州", "苍南州", "滇北州", "辽海州"}
var freshSurnamesZH = []string{"梁", "郭", "谢", "宋", "唐", "冯", "程", "曹", "彭", "吕", "蒋", "贾", "魏", "潘", "杜", "钟"}
var freshGivensZH = []string{"建国", "丽华", "晓东", "春燕", "德胜", "桂芳", "永强", "海霞", "宗翰", "诗涵", "俊杰", "梓萱"}
