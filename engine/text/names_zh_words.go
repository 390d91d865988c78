package text

// surnames are the signs of common surnames: those of the hundred families that bear nearly all people, and rarer ones. Signs
// that are far more often another word (和, 时, 向, 能) are left out.
const surnames = `王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧肖程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎闫余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文` +
	`庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦柳邢路岳齐梅庄辛管祝左涂谷祁耿牟卜詹关苗凌费纪靳盛童欧甄项曲查裴屈鲍位覃霍翁植甘景薄柯阮桂宁舒冉房褚蒲包娄滕宫仇栾卞隋晏苑冷沙尚游柴米丘佟邝池巫瞿骆穆奚闻屠鞠`

var longSurnames = wordSet(`欧阳 司马 诸葛 上官 司徒 东方 独孤 南宫 夏侯 皇甫 尉迟 公孙 慕容 令狐 长孙 宇文 司空 轩辕 端木 百里 呼延 东郭 南门 羊舌 公羊 澹台 太史 申屠 钟离 闻人 赫连 万俟 濮阳 淳于 单于 拓跋 完颜 纳兰 叶赫`)

// riskySurnames begin so many other words that only an office before or something done behind shows a name.
const riskySurnames = `高易于何万文方金黄严谷甘鲁舒曾石林安常段雷武范管左关包叶田路季冷米`

// notGiven are signs that are hardly ever part of a given name: words of grammar, of number and of time.
const notGiven = `的了是在和与为有不这那也就而及或被把从向对说称年月日个其之所以于会将能可要由们你我他她它吗呢吧啊么没未已曾都很更最每各某次度额件项位名家座台部款种类号级层倍吨元亿万千百十零一二三四五六七八九两几多少后前里内外间时候分秒点到至让使给跟但则因果`

// ordinarySurname are words that begin with the sign of a surname.
var ordinarySurname = wordSet(`高度 高中 高级 高速 高校 高层 高温 高于 高达 高峰 高原 高铁 高压 高质 高效 高等 高考 高兴 高价 高端 高额 高新 高产 高山 高危 高管 高低 高架 高空 黄金 黄色 黄河 黄山 黄海 黄昏 马上 马路 马匹 马力 马车 马达 马来 何时 何地 何种 何处 何况 何必 何人
	程度 程序 程式 许多 许可 曾经 曾任 余地 余额 余下 余量 夏季 夏天 夏日 夏令 钟表 钟头 田地 田间 田野 田园 任何 任务 任期 任命 任职 任意 任由 方面 方法 方式 方案 方向 方便 方针 方才 方言 方程 石油 石头 石材 石化 石灰 金额 金属 金融 金钱 金牌 金价 金色 金矿
	白天 白色 白银 白酒 白人 白领 毛利 毛病 毛巾 江河 江南 江北 江水 江苏 江西 史上 史料 史学 史前 万元 万人 万一 万物 段落 段时 雷电 雷达 雷雨 雷击 钱财 钱包 汤水 易于 易燃 易学 常常 常见 常年 常规 常用 常态 常务 常委 常住 武器 武装 武术 武力 武汉 文化 文件 文章 文物 文字 文学 文明 文本 文献 文旅 文艺 文科 文教
	安全 安排 安装 安静 安置 安保 严重 严格 严厉 严峻 严肃 严禁 温度 温室 温暖 温泉 温和 季节 季度 章节 章程 申请 申报 申诉 尤其 毕业 毕竟 丛林 焦点 路线 路面 路段 路上 路径 路边 路口 路程 梅花 庄园 庄稼 庄严 管理 管道 管线 管辖 管控 祝贺 左右 左侧 左边 关于 关键 关系 关注 关闭 关心 关税 关联 关停 关口
	费用 费率 纪念 纪录 纪律 纪检 盛行 盛大 童年 童话 项目 项链 曲线 曲折 查询 查看 查明 查处 查找 查阅 查获 位于 位置 位列 植物 植被 植树 景区 景点 景观 景象 薄弱 薄膜 宁愿 宁可 宁静 房屋 房间 房价 房产 房租 房东 房地 包括 包含 包装 包围 包裹 包容 宫殿 冷却 冷冻 冷藏 冷静 冷水 冷链 沙漠 沙滩 沙尘 尚未 尚无 尚待 尚不 尚可 游客 游戏 游泳 游览 游行 米饭 米粉 池塘 闻名
	施工 施行 施加 施肥 陶瓷 洪水 洪灾 洪涝 洪峰 颜色 牛奶 牛肉 牛群 牛羊 鲁莽 伍拾 龙头 龙舟 康复 侯选 秦岭 孔子 陆地 陆续 陆上 陆军 熊猫 范围 范例 范本 姜汤 杜绝 叶片 叶子 叶菜 丁字 蔡伦 苏州 苏联 苏醒 吕宋 沈阳 袁大 董事 冯如 唐代 唐朝 韩国 韩元 韩方 郑重 郑州 宋代 宋朝 梁柱 罗列 罗马 郭沫 林业 林地 林木 林区 林场 朱红 胡同 胡乱 孙子 孙女 徐徐 吴江 周围 周边 周期 周日 周一 周二 周三 周四 周五 周六 周末 周年 赵国 杨树 杨柳 陈列 陈述 陈旧 刘海
	张贴 张开 张力 李子 王国 王朝 王室 王位 谷物 谷地 谷底 桂花 柳树 柳湾 岳母 齐全 聂卫 邢台 韦伯 俞曲 葛藤 齐心 兰花 殷切 庞大 樊篱 贺卡 赖以 乔木 黎明 黎族 尹始 汪洋 戴上 潘多 阎王 魏国 贾商 蒋委 卢布 卢森 彭湃 傅里 邓小 谢谢 谢绝 于是 于此 于今 萧条 肖像 曹操 甘肃 甘蔗 柯尔 舒适 舒缓 翁婿 霍乱 瞿塘 骆驼 穆斯 屠宰 鞠躬 柴油 柴火 丘陵 佟楼 焦虑 舒张 鲁棒 甘油 谷歌 高尔 黄褐 严谨 文档 文创 高才 高尖 高奇 高房 李导 万房 万指 谷神 易读 易用 易懂 马克 马斯 毕马 宋体 罗盘 罗纹 郭外 邹鲁 江湖 江山 阮籍 康养 侯任 孟加`)

// beforeNames are single signs that stand before a name and before much else.
const beforeNames = `的由被与和及同据请让是给跟找问将把从者`

// afterNames are single signs that stand behind a name and behind much else.
const afterNames = `的在于与和及同向对从等也则还将已曾现因以把被就又都并而或任为是`

// offices are ranks, offices and relations that stand before or behind a name.
var offices = wordSet(`先生 女士 小姐 教授 副教授 博士 硕士 院士 研究员 科学家 经济学家 历史学家 学者 专家 主任 副主任 院长 副院长 校长 副校长 所长 局长 副局长 部长 副部长 处长 科长 厅长 司长 市长 副市长 省长 州长 县长 区长 镇长 乡长 村长 会长 副会长 理事长 秘书长 主席 副主席 总裁 副总裁 董事长 总经理 副总经理 经理 董事 监事 总监 书记 副书记 委员 代表 议员 议长
	总统 副总统 总理 副总理 首相 外长 大臣 大使 法官 检察官 律师 医生 医师 护士 教师 老师 教练 队长 船长 机长 站长 馆长 社长 台长 主编 总编 编辑 记者 作者 作家 诗人 画家 导演 演员 歌手 制片人 主持人 摄影师 建筑师 设计师 工程师 分析师 程序员 会计师 厨师 农民 渔民 牧民 村民 居民 市民 学生 职员 工人 司机 店主 业主 老板 创始人 创办人 联合创始人 负责人 发言人 代言人 继承人 当事人 证人 被告 原告 法人 候选人 经纪人 合伙人 执行官 财务官 运营官 技术官 军官 将军 上校 警官 警长
	妻子 丈夫 父亲 母亲 儿子 女儿 兄弟 哥哥 弟弟 姐姐 妹妹 同事 好友 同学 弟子 组长 班长 厂长 场长 行长 庭长 顾问 助理 秘书 干事 督导 负责的 主管 主编的 掌门人 当家人`)

// doings are what people say and do, as the word begins behind a name.
var doings = wordSet(`说 称 表示 指出 认为 写道 告诉 介绍 强调 透露 回忆 解释 坦言 补充 宣布 警告 呼吁 提到 谈到 直言 感叹 承认 否认 建议 主张 批评 质疑 评论 撰文 发文 发现 提出 发表 回应 答道 问道 反驳 声明 抱怨 说明 分析 总结 预测 相信 觉得 担心 希望 要求 证实 重申 表态 曾说 曾任 担任 出任 就任 接任 现任 当选 卸任 辞职 上任 获得 荣获 领导 率领 带领 主持 创办 创立 创建 负责 执掌 掌管 毕业 出生 去世 逝世 加入 离开 撰写 编写 主编 执导 主演 设计 领衔 目前 如今 近日 日前 本人 等人 一行 现为 现在 是 也说 还说 则说 随后 当时`)

// organisationKinds are what an organisation is, at the end of its name.
var organisationKinds = wordSet(`公司 集团 银行 大学 学院 中学 小学 研究院 研究所 研究中心 实验室 协会 学会 商会 联合会 基金会 委员会 管理局 统计局 监管局 医院 出版社 报社 通讯社 电视台 法院 检察院 交易所 事务所 工作室 俱乐部 博物馆 图书馆 合作社 日报 晚报 时报 周刊 论坛 公会 工会`)

// commonKinds are kinds that much is of that has no name.
var commonKinds = wordSet(`公司 集团 银行 委员会 实验室 研究所 研究中心 论坛 中学 小学 医院 学院 法院 工会 协会`)

// sorting are words that say which sort of a kind is meant, or how many, and name none.
var sorting = wordSet(`大型 中型 小型 中小 微型 初创 创业 创始 代表 主要 全球 国内 国外 海外 外国 跨国 头部 传统 当地 地方 相关 有关 许多 部分 多数 大多 少数 各类 其他 其它 特定 优质 知名 著名 领先 上市 国有 民营 私营 私人 商业 移动 手机 信托 证券 基金 租赁 制作 广播 发行 衍生
	新兴 老牌 独立 机器 当前 现有 未来 大量 更多 所有 任何 同类 此类 某些 非营 正规 受控 自主 单一 关注 涉及 包含 如部 如主 以下 以上 又名 特别 随着 针对 影响 分析 描述 说明 解释 列出 整合 保持 面临 拥有 需要 无需 综合 专业 行业 同行 上级 下属 分支 全部 整个 道德 审批 伦理 监督 仲裁 学术 行政 最高 高级 基层 中级 人民`)

// genericOrganisation is what stands before a kind and names nothing.
var genericOrganisation = wordSet(`有限 股份 责任 股份有限 有限责任 子公 上市 母公 跨国 当地 地方 相关 有关 大型 小型 国有 私营 民营 运营 管理 投资 控股 保险 能源 科技 专业 行业 商业 中央 国家 公共 独立 多家 一家 两家 数家 这家 该家 本家 公立 私立 综合 专科 高等 科研 著名 知名`)

// notOrganisation are signs that end the name of an organisation to the left.
const notOrganisation = `的了在与和由被向对是为将把从至到于及或据称说让使令给跟同比按因则而但并且又也还都已曾所这那该其各某每两几家个位名座项年月日说`

// beforeOrganisations are words that stand before the name of an organisation and are no part of it.
var beforeOrganisations = wordSet(`收购 并购 兼并 入股 买下 出售 卖给 运营 经营 投资 成立 创办 建立 加入 任职 就职 毕业 出任 担任 领导 来自 属于 隶属 委托 起诉 状告 根据 依据 通过 包括 以及 例如 另有 表示 指出 认为 报告 报道 显示 目前 现任 如今 总部 旗下 前身 改名 更名 母公 全资 其中 此外 另外 随后 当时 后来 联合 合并 超过 取代 支持 反对 批评 采访 访问 参观`)
