package temporal

// holidayNamesEN are the English names of holidays by their rule, see holidayRule: those of the United States and of the churches,
// the Jewish, Islamic, Hindu, Sikh, Buddhist and Chinese feasts, and the better known days of other countries and of the
// United Nations.
const holidayNamesEN = `
day 1 1: yuandan | yuan dan | new year's day | new year day | new year's | new year
day 12 31: new year's eve | new year eve | silvester | saint sylvester's day
day 1 6: epiphany | three kings' day | three kings day | three king's day | twelfth day
day 1 7: orthodox christmas | orthodox christmas day
day 1 26: australia day | republic day of india | indian republic day
day 1 27: holocaust remembrance day | international holocaust remembrance day
day 1 20: inauguration day
day 2 2: groundhog day | candlemas
day 2 4: world cancer day
day 2 14: valentine's day | valentine day | saint valentine's day | st valentine's day | v day
day 3 7: girls' day | girl's day | girls day
day 3 12: tree planting day
day 3 8: women's day | international women's day
day 3 14: pi day | white day | white lover day
day 3 17: saint patrick's day | st patrick's day | st paddy's day | saint paddy's day | patrick's day | paddy's day
day 3 22: world water day
day 4 1: april fools | april fool's day | april fools day | april fools' day | april fool day | all fools day | all fools' day
day 4 7: world health day
day 4 22: earth day
day 4 23: st george's day | saint george's day | world book day
day 4 25: anzac day
day 5 1: loyalty day | labour day | may day | international workers day | international workers' day | international worker's day | workers day | workers' day | int l workers day | international labour day
day 5 3: world press freedom day
day 5 4: youth day | star wars day | may the fourth
day 5 5: cinco de mayo
day 5 8: victory in europe day | ve day
day 5 9: victory day | europe day
day 6 1: children's day | international children's day
day 6 5: world environment day
day 6 14: flag day
day 6 19: juneteenth
day 6 21: world music day
day 7 1: canada day | dominion day
day 7 4: independence day | fourth of july | 4th of july | american independence day | us independence day
day 7 14: bastille day
day 8 15: assumption | assumption day | assumption of mary | feast of the assumption | india's independence day | independence day of india | indian independence day
day 9 10: teacher's day | teachers day | teachers' day | teacher day
day 9 11: patriot day
day 9 21: international day of peace | world peace day
day 10 1: national day of china | chinese national day
day 10 2: gandhi jayanti | gandhi's birthday
day 10 3: day of german unity | german unity day
day 10 24: united nations day | un day
day 10 31: halloween | halloween day | hallowe en | all hallows eve | all hallows' eve | reformation day
day 11 1: world vegan day | all saints' day | all saints day | all saint's day | all hallows' day | all hallows day
day 11 2: all souls' day | all souls day | all soul's day | day of the dead | dia de los muertos
day 11 5: guy fawkes night | guy fawkes day | bonfire night
day 11 11: veterans day | veterans' day | veteran's day | veteran day | remembrance day | armistice day | singles day | singles' day | single's day
day 11 19: international men's day | men's day
day 11 30: st andrew's day | saint andrew's day
day 12 1: world aids day
day 12 6: st nicholas day | saint nicholas day | st nicholas' day | saint nicholas' day
day 12 8: immaculate conception | feast of the immaculate conception
day 12 10: human rights day
day 12 24: christmas eve | xmas eve | x mas eve
day 12 25: christmas | christmas day | xmas | xmas day | x mas | x mas day
day 12 28: holy innocents' day | childermas
day 12 26: mao's birthday | boxing day | st stephen's day | saint stephen's day | second day of christmas
nth 1 3 1: martin luther king day | martin luther king's day | martin luther king jr day | martin luther king jr. day | mlk day | mlk jr day | mlk jr. day | civil rights day | idaho human rights day | robert e lee day
nth 2 3 1: president's day | presidents day | presidents' day | president day | washington's birthday | family day
nth 4 -1 5: arbor day
nth 5 2 0: mother's day | mothers day | mothers' day | mother day
nth 5 3 6: armed forces day
nth 5 -1 1: memorial day | decoration day
nth 6 3 0: father's day | fathers day | fathers' day | father day
nth 7 -1 5: system administrator appreciation day | sysadmin day
nth 7 4 0: parents' day | parents day | parent's day
nth 8 1 0: friendship day
nth 9 1 1: labor day
nth 9 1 0 7: grandparents' day | grandparents day | grandparent's day | national grandparents day
nth 10 3 6: sweetest day
nth 10 2 1: columbus day | indigenous peoples' day | indigenous peoples day | indigenous people's day | thanksgiving in canada | canadian thanksgiving
nth 11 4 4: thanksgiving | thanksgiving day | thanks giving day | thanks giving | turkey day
nth 11 4 4 1: black friday
nth 11 4 4 4: cyber monday
nth 11 4 4 5: giving tuesday
nth 11 1 1 1: election day
nth 3 -1 6: earth hour
office 10 16: boss's day | boss day | boss's | bosses day | bosses' day
office 4 15: tax day
nth 4 -1 6 -3: administrative professionals' day | administrative professionals day | administrative professional's day | secretaries' day | secretaries day | secretary's day | admins' day | admin day | admins day
king 4 27: king's day | koningsdag
easter 0: easter | easter sunday | easter day | resurrection sunday
easter 1: easter monday
easter -1: holy saturday | black saturday | easter eve | easter vigil | great saturday | joyous saturday
easter -2: good friday | holy friday | great friday
easter -3: maundy thursday | holy thursday | covenant thursday | covenant thu | thursday of mysteries | thu of mysteries | great thursday | great and holy thursday | sheer thursday
easter -7: palm sunday | branch sunday | passion sunday | sixth sunday of lent | willow sunday | yew sunday
easter -21: mothering sunday
easter -46: ash wednesday
easter -48: shrove monday | rose monday
easter -47: shrove tuesday | pancake day | pancake tuesday | mardi gras | fat tuesday
easter 39: ascension | ascension day | ascension thursday | feast of the ascension
easter 49: pentecost | whitsunday | whit sunday | white sunday | whitsun
easter 50: whit monday | pentecost monday | monday of the holy spirit
easter 56: trinity sunday
easter 60: corpus christi | feast of corpus christi
lent -46 -1: lent
orthodox 0: orthodox easter | orthodox easter sunday | orthodox pascha | pascha
orthodox 1: orthodox easter monday
orthodox -1: orthodox holy saturday | orthodox great saturday | orthodox easter eve
orthodox -2: orthodox good friday | orthodox great friday | orthodox holy friday
orthodox -3: orthodox holy thursday | orthodox maundy thursday
orthodox -7: orthodox palm sunday | orthodox branch sunday
orthodox -8: lazarus saturday
orthodox -48: clean monday | orthodox ash monday | orthodox clean monday | orthodox shrove monday | ash monday | monday of lent | pure monday
orthodox 39: orthodox ascension
orthodox 49: orthodox pentecost
hebrew 1 1 3: rosh hashanah | rosh hashana | rosh hashannah | rosh ha shanah | yom teruah | jewish new year
hebrew 1 10 1: yom kippur | day of atonement
hebrew 1 15 9: sukkot | sukkos | succot | succos | sukkoth | feast of tabernacles | feast of booths | feast of the ingathering | feast of ingathering
hebrew 1 21 1: hoshana rabbah
hebrew 1 22 1: shemini atzeret | shemini atzereth | shmini atzeret
hebrew 1 23 1: simchat torah | simhat torah | simchas torah
hebrew 3 25 8: hanukkah | chanukah | hanukah | chanukkah | chanuka | hannukah | hannukkah | hanukka | chanukka | channukah | feast of dedication
hebrew 5 15 1: tu bishvat | tu b shvat | tu bi shvat | new year of the trees
hebrew 6 14 1: purim
hebrew 6 15 1: shushan purim
hebrew 7 15 9: passover | pesach | pesakh
hebrew 7 27 1: yom hashoah | yom ha shoah
hebrew 8 5 1: yom ha atzmaut | yom haatzmaut | israeli independence day | independence day of israel | israel independence day
hebrew 8 18 1: lag baomer | lag b omer | lag ba omer
hebrew 9 6 3: shavuot | shavuoth | shavuos | feast of weeks
hebrew 11 9 1: tisha b av | tisha bav | tisha be av | ninth of av
islamic 1 1 1: islamic new year | hijri new year | arabic new year | muslim new year | amun jadid | muharram
islamic 1 10 1: ashura | ashurah | ashoora | day of ashura | day of ashurah
islamic 3 12 1: mawlid | mawlid al nabi | mawlid al nabawi | mawlid an nabi | milad un nabi | milad an nabi | eid milad un nabi | prophet's birthday | mawlid un nabi | mawlid e nabi
islamic 7 27 1: isra and mi raj | isra and miraj | al isra wal mi raj | laylat al mi raj | isra mi raj | the prophet's ascension | lailat al miraj | shab e meraj | shab e miraj
islamic 9 1 0: ramadan | ramadhan | ramzan | ramazan | month of fasting
islamic 9 27 1: laylat al qadr | laylat al kadr | lailat al qadr | laylatul qadr | night of power | night of destiny | night of decree | night of value | night of measures
islamic 10 1 1: eid al fitr | eid ul fitr | eid el fitr | eidul fitr | eid fitr | festival of breaking the fast | feast of breaking the fast | lesser eid | sugar feast | id ul fitr | idul fitri
islamic 12 9 1: day of arafah | day of arafa | arafat day | arafah day
islamic 12 10 1: eid al adha | eid ul adha | eid el adha | eid adha | eidul adha | eid al azha | eidul azha | eid ul azha | id ul adha | idul adha | bakr eid | bakra eid | bakrid | festival of sacrifice | feast of the sacrifice | sacrifice feast | greater eid | kurban bayram
chinese 1 1: chinese new year | chinese new year's | chinese new year's day | chinese lunar new year's day | lunar new year | chinese lunar new year | spring festival | tet
chinese 13 0: chinese new year's eve | chinese new year eve | lunar new year's eve
chinese 1 15: lantern festival
chinese 5 5: dragon boat festival | duanwu festival
chinese 7 7: qixi festival | qixi | double seventh festival
chinese 7 15: ghost festival | hungry ghost festival
chinese 8 15: mid autumn festival | moon festival | mooncake festival
chinese 9 9: double ninth festival | chongyang festival
term 15: qingming festival | qingming | tomb sweeping day | ching ming
term 0: spring equinox | vernal equinox | march equinox
term 90: summer solstice | june solstice
term 180: autumn equinox | autumnal equinox | september equinox | fall equinox
term 270: winter solstice | december solstice
hindu 1 1 6: ugadi | gudi padwa | yugadi
hindu 1 9 12: rama navami | ram navami | rama navmi
hindu 1 13 6: mahavir jayanti | mahaveer jayanti | mahavir janma kalyanak | mahaveer janma kalyanak | mahaveer janma kalyan | mahavir swami jayanti
hindu 1 15 6: hanuman jayanti
hindu 2 3 6: akshaya tritiya | akha teej
hindu 2 15 18: vesak | vesak day | vaisakha | buddha day | buddha purnima | buddha's birthday | buddha jayanti | visakha puja | wesak
hindu 4 2 6: rath yatra | ratha yatra | ratha jatra
hindu 4 15 6: guru purnima | guru poornima
hindu 5 15 12: raksha bandhan | rakhi | rakhi purnima | rakshabandhan | rakhri
hindu 5 23 22: krishna janmashtami | janmashtami | gokulashtami | krishnashtami | sri krishna jayanti | krishna jayanti | janmasthami | krishna's birthday
hindu 6 4 12: ganesh chaturthi | vinayaka chaturthi | ganesha chaturthi | vinayaka chavithi
hindu 7 10 18 10 -9: navaratri | navratri | navarathri | durga puja | durgotsava | nauratri | sharad navaratri | sharada navaratri
hindu 7 8 6: durga ashtami | maha ashtami
hindu 7 10 18: dussehra | dasara | dashahra | vijayadashami | vijaya dashami | dussera | dasera | dashain
hindu 7 28 18: dhanteras | dhanatrayodashi | dhanvantari trayodashi
hindu 7 30 18 1 -1: naraka chaturdashi | choti diwali | chhoti diwali | kali chaudas | roop chaudas | narak chaturdashi | naraka nivaran chaturdashi | bhoot chaturdashi | roop chaturdashi
hindu 7 30 18: diwali | deepavali | divali | dipavali | diwali day | lakshmi puja | festival of lights
hindu 8 1 6: govardhan puja | annakut
hindu 8 2 12: bhai dooj | bhai duj | bhau beej | bhai phonta | bhai tika | bhaiya dooj
hindu 8 6 17: chhath | chhath puja | chhat puja | chhathi | dala chhath | surya shashthi
hindu 8 15 6: guru nanak jayanti | guru nanak gurpurab | guru nanak's prakash utsav | guru nanak's birthday | guru nanak dev jayanti | kartik purnima
hindu 10 7 6: guru gobind singh jayanti | guru govind singh jayanti | guru gobind singh birthday | guru govind singh birthday | guru gobind singh's birthday
hindu 11 5 8: vasant panchami | basant panchami | vasanta panchami | saraswati puja | saraswati jayanti
hindu 11 15 6: guru ravidass jayanti | guru ravidas jayanti | guru ravidass birthday | guru ravidas birthday | guru ravidass's birthday | ravidas jayanti
hindu 11 29 23: maha shivaratri | maha shivratri | mahashivratri | shivaratri | shivratri | great night of shiva
hindu 12 15 18: holika dahan | chhoti holi | choti holi | kamudu pyre
hindu 12 15 18 1 1: holi | holi day | dhulandi | dhuleti | phagwah | rangwali holi | dolyatra | dol jatra | dhulivandan | phagwa | festival of colors | festival of colours | shigmo
sun 9 -1: bhogi | bhogi pandigai | lohri
sun 9 0: pongal | thai pongal | makar sankranti | makara sankranti | maghi | surya pongal | makara sankranthi | uttarayan | magh bihu | bhogali bihu
sun 9 1: mattu pongal | maattu pongal
sun 9 2: kaanum pongal | kanum pongal | kanni pongal
sun 0 0: vaisakhi | baisakhi | vasakhi | vaishakhi | mesadi | mesha sankranti | solar new year of india | tamil new year | puthandu | vishu | bohag bihu | rongali bihu
sun 0 25: rabindra jayanti | rabindranath jayanti | pochishe boishakh
star 4 21: onam | thiru onam | thiruvonam | thiruonam
day 12 13: saint lucy's day | st lucy's day
day 11 14: children's day of india | world diabetes day
day 3 21: nowruz | persian new year | nauroz
`

// holidayNamesZH are the Chinese names, in simplified characters, by the same rules.
const holidayNamesZH = `
day 1 1: 新年 | 元旦 | 元旦节 | 阳历新年 | 公历新年 | 国历新年 | 新历新年
day 2 14: 情人节 | 圣瓦伦丁节 | 瓦伦丁节 | 西洋情人节 | 圣华伦泰节
day 3 7: 女生节
day 3 8: 妇女节 | 国际妇女节 | 三八妇女节 | 三八国际妇女节 | 三八节 | 女人节 | 女王节 | 女神节
day 3 12: 植树节
day 3 14: 白色情人节
day 3 15: 消费者权益日 | 国际消费者权益日
day 3 17: 圣帕特里克节 | 圣派翠克节
day 4 1: 愚人节
day 4 4: 台湾儿童节
day 4 22: 地球日 | 世界地球日
day 4 23: 世界读书日
day 5 1: 劳动节 | 国际劳动节 | 五一劳动节 | 五一国际劳动节 | 五一 | 五一节
day 5 4: 青年节 | 五四青年节 | 五四
day 5 12: 护士节 | 国际护士节
day 6 1: 儿童节 | 国际儿童节 | 六一儿童节 | 六一国际儿童节 | 六一
day 6 5: 世界环境日
day 7 1: 建党节 | 建党日 | 香港回归纪念日 | 中共诞辰 | 党的生日
day 7 4: 美国独立日 | 独立日 | 美国国庆节 | 美国国庆日 | 美国国庆
day 8 1: 建军节 | 八一建军节 | 八一
day 8 15: 印度独立日 | 圣母升天节 | 圣母升天日
day 9 10: 教师节 | 中国教师节
day 10 1: 国庆 | 国庆节 | 国庆日 | 十一国庆节 | 中国国庆节 | 十一国庆
day 10 10: 双十节 | 双十国庆
day 10 24: 程序员节 | 联合国日
day 10 31: 万圣节 | 万圣节前夜 | 万圣夜 | 万圣节前夕
day 11 1: 诸圣节 | 诸圣日 | 诸圣瞻礼
day 11 2: 诸灵节 | 追思节 | 悼亡节 | 追思亡者节
day 11 11: 光棍节 | 双十一 | 退伍军人节 | 老兵节 | 荣军节 | 和平纪念日
day 12 1: 世界艾滋病日
day 12 12: 双十二
day 12 13: 国家公祭日
day 12 20: 澳门回归纪念日
day 12 24: 平安夜 | 圣诞夜 | 圣诞前夕 | 圣诞节前夕 | 圣诞前夜 | 圣诞节前夜
day 12 25: 圣诞 | 圣诞节 | 行宪纪念日 | 耶诞节
day 12 26: 节礼日 | 毛泽东诞辰 | 礼盒日 | 圣士提反日
day 12 31: 新年前夕 | 跨年夜 | 元旦前夜
nth 1 3 1: 马丁路德金纪念日 | 马丁路德金日 | 马丁·路德·金纪念日
nth 2 3 1: 总统日 | 华盛顿诞辰 | 总统节
nth 5 2 0: 母亲节
nth 5 -1 1: 阵亡将士纪念日
nth 6 3 0: 父亲节
nth 9 1 1: 美国劳动节
nth 10 2 1: 哥伦布日 | 哥伦布纪念日
nth 11 4 4: 感恩节 | 美国感恩节
nth 11 4 4 1: 黑色星期五 | 黑五
nth 11 4 4 4: 网络星期一
nth 3 -1 6: 地球一小时 | 地球一小时日
easter 0: 复活节 | 复活主日 | 主复活日 | 耶稣复活瞻礼 | 耶稣复活日
easter 1: 复活节星期一 | 复活节后星期一 | 复活节周一 | 复活节礼拜一
easter -1: 圣周六 | 神圣周六 | 圣星期六 | 耶稣受难日翌日 | 主受难节翌日 | 主受难日翌日 | 耶稣受难节翌日 | 复活节前夜 | 黑色星期六 | 大周六 | 复活节前夕
easter -2: 耶稣受难日 | 耶稣受难节 | 主受难节 | 主受难日 | 受难节 | 受难日 | 圣周五 | 圣星期五 | 沉默周五 | 大周五 | 神圣周五
easter -3: 濯足节 | 神圣星期四 | 圣周星期四 | 圣周四 | 设立圣餐日 | 主的晚餐 | 立圣餐日 | 濯足星期四 | 圣星期四 | 神圣周四
easter -7: 棕枝主日 | 圣枝主日 | 圣树主日 | 基督苦难主日 | 主进圣城节 | 棕榈主日 | 棕树主日 | 苦难主日 | 受难主日
easter -46: 大斋首日 | 圣灰星期三 | 圣灰日 | 灰日 | 圣灰节 | 圣灰礼仪日 | 大斋节首日 | 圣灰周三
easter -47: 忏悔节 | 忏悔星期二 | 忏悔火曜日 | 薄饼日 | 煎饼星期二 | 薄饼星期二 | 煎饼周二 | 煎饼日 | 忏悔日 | 肥美星期二 | 油腻星期二 | 狂欢节星期二
easter 39: 耶稣升天节 | 耶稣升天日 | 升天节 | 主升天日 | 耶稣升天瞻礼 | 主升天节
easter 49: 五旬节 | 圣灵降临节 | 圣神降临节 | 圣灵降临日 | 圣神降临瞻礼 | 圣灵降临主日 | 圣神降临日
easter 50: 圣灵节庆日 | 圣灵降临节次日 | 圣灵降临节星期一 | 圣神降临节庆日 | 圣灵节 | 圣神节庆日 | 五旬节翌日 | 五旬节庆日 | 五旬节星期一
easter 56: 圣三一主日 | 天主三一主日 | 圣三主日 | 圣三节 | 三一主日 | 圣三一节 | 天主圣三节 | 天主圣三一主日 | 天主圣三主日
easter 60: 基督圣体节 | 圣体节 | 圣体圣血节 | 基督圣体圣血节
lent -46 -1: 大斋期 | 四旬期 | 大斋节 | 四旬节 | 封斋期
orthodox 0: 东正教复活节 | 东正教复活主日 | 东正教主复活日 | 东方教会复活节
orthodox 1: 东正教复活节星期一 | 东正教复活节周一 | 东正教复活节礼拜一
orthodox -1: 东正教圣周六 | 东正教神圣周六 | 东正教圣星期六 | 东正教耶稣受难日翌日 | 东正教主受难节翌日 | 东正教主受难日翌日 | 东正教复活节前夜 | 东正教黑色星期六 | 东正教耶稣受难节翌日 | 东正教大周六 | 东正教复活节前夕
orthodox -2: 东正教耶稣受难日 | 东正教受难节 | 东正教主受难日 | 东正教圣周五 | 东正教耶稣受难节 | 东正教主受难节 | 东正教受难日
orthodox -7: 东正教棕枝主日 | 东正教圣枝主日 | 东正教圣树主日 | 东正教基督苦难主日 | 东正教主进圣城节 | 东正教棕榈主日
orthodox -8: 拉撒路圣周六 | 拉撒路周六 | 拉匝路周六 | 拉匝路圣周六 | 拉撒路星期六 | 拉匝禄周六 | 拉匝禄圣周六 | 拉匝路星期六
orthodox -48: 纯洁星期一 | 净周一 | 东正教大斋首日 | 东正教封斋首日 | 洁净星期一 | 东正教灰日 | 圣洁星期一 | 清洁星期一 | 正教大斋首日
orthodox 49: 东正教圣灵降临节 | 东正教五旬节 | 东正教圣神降临节
hebrew 1 1 3: 犹太新年 | 吹角节 | 岁首节 | 犹太教新年 | 犹太历新年 | 吹号节
hebrew 1 10 1: 赎罪日
hebrew 1 15 9: 住棚节 | 结茅节 | 收藏节 | 帐棚节 | 帐篷节 | 搭棚节 | 苏克特节 | 棚节
hebrew 1 21 1: 大和撒那日 | 何沙那大日
hebrew 1 22 1: 圣会节 | 严肃会节 | 第八日大会节
hebrew 1 23 1: 西赫托拉节 | 诵经节 | 诵经会 | 转经节 | 欢庆圣法节 | 妥拉节 | 庆法节 | 喜乐圣经节
hebrew 3 25 8: 光明节 | 修殿节 | 献殿节 | 烛光节 | 哈努卡节 | 哈努卡 | 马加比节 | 净殿节 | 犹太教灯节 | 再献圣殿节 | 光节
hebrew 5 15 1: 犹太植树节 | 树木新年 | 图比舍巴特节 | 图比什瓦特节 | 果树新年 | 犹太教植树节
hebrew 6 14 1: 普林节 | 普珥节 | 掣签节 | 抽签节
hebrew 7 15 9: 逾越节 | 无酵节 | 除酵节
hebrew 7 27 1: 犹太大屠杀纪念日 | 大屠杀纪念日 | 以色列大屠杀纪念日
hebrew 8 5 1: 以色列独立日 | 以色列国庆节 | 以色列国庆日 | 以色列国庆 | 以色列独立节
hebrew 8 18 1: 篝火节 | 欧麦节 | 俄梅珥节 | 拉格巴奥默节
hebrew 9 6 3: 七七节 | 沙夫幼特节 | 新果实节 | 收获节 | 收割节 | 初熟节 | 舍弗欧特节 | 沙武特节
hebrew 11 9 1: 圣殿被毁日 | 禁食日 | 埃波月九日 | 圣殿节 | 阿布月九日 | 犹太圣殿被毁日 | 埃布月九日
islamic 1 1 1: 伊斯兰新年 | 伊斯兰教新年 | 伊斯兰历新年 | 回历新年 | 伊斯兰教历新年 | 希吉来历新年 | 回教新年
islamic 1 10 1: 阿舒拉节 | 阿术拉节 | 阿修拉节
islamic 3 12 1: 圣纪节 | 圣忌节 | 先知纪念日 | 穆罕默德诞辰 | 圣纪 | 先知诞辰 | 先知诞辰纪念日
islamic 7 27 1: 登霄节 | 夜行登霄节 | 升霄节 | 登宵节 | 夜行节 | 登霄夜
islamic 9 1 0: 斋月 | 莱麦丹 | 热买丹 | 赖买丹 | 斋戒月 | 拉马丹 | 拉马丹月
islamic 9 27 1: 盖德尔夜 | 法令之夜 | 高贵之夜 | 坐夜 | 权力之夜 | 吉庆之夜 | 盖德尔 | 大赦之夜 | 卡德尔夜 | 尊贵之夜
islamic 10 1 1: 开斋节 | 肉孜节 | 尔代节 | 肉孜爱提 | 尔德节 | 尔迪费图尔 | 大开斋节 | 小开斋节
islamic 12 9 1: 阿拉法特日 | 阿拉法日
islamic 12 10 1: 古尔邦节 | 宰牲节 | 哈芝节 | 忠孝节 | 牺牲节 | 尔德阿祖哈 | 库尔班节 | 宰羊节 | 哈吉节 | 库尔邦节
chinese 1 1: 春节 | 农历新年 | 大年初一 | 正月初一 | 中国新年 | 旧历新年 | 旧历年 | 新春 | 农历春节
chinese 1 2: 大年初二 | 正月初二
chinese 1 3: 大年初三 | 正月初三
chinese 1 5: 大年初五 | 正月初五 | 破五
chinese 1 15: 元宵 | 元宵节 | 正月十五 | 上元节 | 上元 | 小正月
chinese 2 2: 龙抬头 | 二月二龙抬头 | 春龙节
chinese 3 3: 上巳节 | 三月三
chinese 5 5: 端午 | 端午节 | 五月节 | 龙舟节 | 端阳节 | 重五节 | 重午节
chinese 7 7: 七夕 | 七夕节 | 乞巧节 | 中国情人节 | 七夕情人节 | 双七节
chinese 7 15: 中元节 | 中元 | 盂兰节 | 盂兰盆节 | 鬼节 | 七月半
chinese 8 15: 中秋 | 中秋节 | 仲秋节 | 团圆节 | 月饼节 | 八月十五 | 月夕
chinese 9 9: 重阳 | 重阳节 | 登高节 | 敬老节 | 九九重阳节 | 重九节
chinese 10 1: 寒衣节
chinese 10 15: 下元节
chinese 12 8: 腊八 | 腊八节
chinese 12 23: 小年
chinese 13 0: 除夕 | 大年三十 | 年三十 | 大年夜 | 除夕夜 | 年夜
term 15: 清明 | 清明节 | 扫墓节
term 0: 春分
term 90: 夏至
term 180: 秋分
term 270: 冬至 | 冬至节 | 冬节
term 315: 立春
term 45: 立夏
term 135: 立秋
term 225: 立冬
term 345: 惊蛰
term 330: 雨水节气
term 30: 谷雨
term 285: 小寒
term 300: 大寒
hindu 1 1 6: 乌加迪节
hindu 1 9 12: 罗摩节 | 拉姆节 | 罗摩诞辰 | 罗摩诞辰节
hindu 1 13 6: 摩诃毗罗诞辰 | 大雄诞辰 | 大雄纪念日
hindu 2 15 18: 卫塞节 | 威瑟节 | 卫瑟节 | 佛诞节 | 比萨宝蕉节 | 维塞节 | 威塞节 | 佛陀日 | 吠舍佉节 | 佛诞日 | 卫塞日
hindu 5 15 12: 印度兄妹节 | 兄妹节 | 拉克沙班丹节 | 保护绳节 | 护身绳节 | 圣线节 | 拉奇节 | 拉基节
hindu 5 23 22: 黑天神节 | 克里希纳诞辰 | 黑天诞辰 | 克利什那节 | 黑天诞生日 | 克里希那诞辰 | 黑天神诞辰 | 奎师那诞辰
hindu 6 4 12: 象头神节 | 象神节 | 伽内什节 | 迦尼萨节
hindu 7 10 18 10 -9: 九夜节 | 难近母节 | 九夜 | 杜尔迦节 | 纳瓦拉特里节 | 杜尔加节 | 难近母祭
hindu 7 10 18: 十胜节 | 凯旋节 | 圣母节 | 德赛拉节 | 德喜合节 | 德赛节 | 达瑟拉节
hindu 7 28 18: 丹特拉斯节 | 敛财节
hindu 7 30 18 1 -1: 小排灯节 | 小灯节
hindu 7 30 18: 排灯节 | 印度灯节 | 万灯节 | 屠妖节 | 印度排灯节 | 迪瓦利节 | 灯节 | 迪瓦里节 | 德瓦里节
hindu 8 2 12: 兄弟点额节 | 拜杜节 | 兄妹点额节
hindu 8 6 17: 查特节 | 太阳神节 | 恰特节
hindu 8 15 6: 古鲁那纳克诞辰 | 那纳克诞辰 | 祖师那纳克诞辰
hindu 10 7 6: 哥宾德辛格诞辰 | 古鲁戈宾德辛格诞辰 | 戈宾德辛格诞辰
hindu 11 5 8: 春五节 | 智慧女神节 | 萨拉斯瓦蒂节
hindu 11 15 6: 拉维达斯诞辰 | 古鲁拉维达斯诞辰
hindu 11 29 23: 湿婆节 | 大湿婆节 | 湿婆神节 | 湿婆之夜 | 湿婆神之夜
hindu 12 15 18: 荷丽卡节 | 小侯丽节
hindu 12 15 18 1 1: 侯丽节 | 荷丽节 | 洒红节 | 欢悦节 | 五彩节 | 胡里节 | 好利节 | 霍利节 | 霍丽节 | 侯利节 | 荷里节 | 荷利节 | 彩色节 | 色彩节 | 胡丽节 | 好丽节
sun 9 -1: 庞格尔节第一天 | 庞加尔节第一天 | 丰收节第一天 | 印度丰收节第一天 | 博吉节
sun 9 0: 丰收节 | 印度丰收节 | 庞格尔节第二天 | 庞加尔节第二天 | 丰收节第二天 | 印度丰收节第二天 | 庞格尔节 | 庞加尔节 | 太阳庞格尔节 | 风筝节 | 摩羯节 | 玛卡桑格拉提节 | 桑格拉提节
sun 9 1: 庞格尔节第三天 | 庞加尔节第三天 | 丰收节第三天 | 印度丰收节第三天 | 耕牛节 | 马图庞格尔节
sun 9 2: 庞格尔节第四天 | 庞加尔节第四天 | 丰收节第四天 | 印度丰收节第四天 | 卡努庞格尔节
sun 0 0: 维萨吉节 | 拜萨哈节 | 卫沙居节 | 外萨基节 | 外沙基节 | 毗舍佉节
star 4 21: 欧南节 | 奥南节 | 欧纳姆节 | 奥纳姆节
`
