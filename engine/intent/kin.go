package intent

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"assay/engine/text"
)

// People ask in other words than texts answer in. kinEN and kinZH are words of questions with words of texts that say about the
// same: general language only, of no field and no document. Each line is read one way, from the words before the colon, which stand
// in a question, to those behind it, which may stand in the answer. A question's word of several words is matched as it stands.
const kinEN = `
idea, devise, come up with, came up with, invent, think of, thought of: propose, suggest, invent, devise, conceive, introduce, coin, originate
invented, inventor, inventors: invent, devise, propose, develop, design, create
name, named, called: name, call, entitle, dub, codename
came from, come from, origin: originate, derive, origin, from
how often, how frequently: interval, every, per, frequency, daily, weekly, monthly, minute, hour
how long: duration, last, take, year, month, week, day, hour, minute, period
how big, how large, what size: size, contain, comprise, consist, total, large
how far: distance, mile, kilometre, metre
how fast, how quickly: speed, rate, per
how old: age, since, born, found
how much money, what would it cost, cost, price, paid, pay: cost, price, pay, fee, charge, estimate, budget
at least, at the very least, minimum, fewest: minimum, least, require, requirement
at most, maximum, largest, biggest, longest: maximum, most, limit, largest, up to
comprise, comprises, consist: include, contain, comprise, consist, number
contain, contains, include, includes: include, contain, comprise, consist, ship
head count, head counts, how many people, attendance: participant, attendee, people, attend, member
people, persons: people, person, member, participant, user
first appear, appear, appeared, come out, came out, published, publish: release, publish, appear, issue, announce, introduce
released, release, launched, launch: release, publish, issue, launch, ship
start, started, begin, began, founded, found, established: start, begin, found, establish, create, launch, introduce
stop, stopped, end, ended, cease, abandon: end, stop, cease, discontinue, drop, abandon, close
drop, dropped, remove, removed: remove, drop, discontinue, delete, retire
replace, replaced, took over, take over, succeed: replace, succeed, supersede, switch, follow
predecessor, forerunner: former, earlier, predecessor, precede, before
successor: succeed, successor, follow, next
novelty, novelties, new, news: new, first, feature, introduce, add
change, changed, changes, difference, differ: change, differ, instead, unlike, switch, move
wrong, problem, trouble, danger, dangerous, risk: must not, problem, error, fail, danger, risk, avoid, warn, because, broken
forbidden, prohibit, not allowed: must not, forbid, prohibit, not permit
allowed, permitted, may: allow, permit, may
need, needs, needed, require, required, necessary: require, need, must, requirement, necessary
recommend, recommended, advise, advisable, best: recommend, should, advise, prefer, suggest
cause, caused, reason, why: because, cause, reason, due, since
blaze, burned, burnt: fire, burn
hit, struck, affected: damage, destroy, lose, affect, suffer
lost, lose, destroyed: lose, destroy, damage
grow, grew, growth, rise, rose, increase: grow, increase, rise, more, double, triple
shrink, shrank, fall, fell, decline, decrease: fall, decrease, decline, drop, fewer
yearly, annual, each year: annual, year, yearly
conference, meeting, gathering: conference, meeting, hold
machine, computer, pc, pcs, hardware, box: machine, computer, pc, workstation, host, server, hardware
main memory, memory, ram: ram, memory
disk, drive, hard disk: disk, drive, partition
router, gateway: gateway, router
dynamic address, address pool: dhcp, dynamic
login, log in, sign in: login, account, log
password, passphrase: password, passphrase
user id, userid: uid, user
group id: gid, group
program, software, application, tool: program, package, tool, software, application, utility, command
encryption, cipher, cryptography: encrypt, crypto, cryptographic, cipher
trade rules, export rules: export, regulation
american: us, usa, united
british: uk, britain
lead, led, leader, head, chief, in charge: lead, leader, head, elect, appoint, chair
chosen, choose, elected, appointed: elect, appoint, choose, vote, select
author, wrote, writer, written by: write, author, create, develop
designer, designed, architect: design, architect, create
engineer, builder, built: build, construct, engineer
owner, owns, own: own, owner, belong, property
maker, makers, manufacturer, made by: make, manufacture, produce, develop
company, firm, vendor, business: company, firm, vendor, corporation, inc
blame, fault, responsible: because, accidentally, mistake, responsible, cause
step, steps, stages, phases: pass, step, stage, phase
method, way, approach, technique, rule of thumb: method, approach, heuristic, technique, algorithm, procedure
default, if nothing is configured, by itself, unless told otherwise: default, usually, normally
usual, usually, normally, commonly: usually, normally, default, typically, common
place, where, location, located: place, locate, in, at
year, years, when, date: year, date
stand for, mean, means, meaning: mean, stand, refer, abbreviation, acronym, represent
purpose, used for, use, good for: use, purpose, allow, provide, in order
kind, kinds, type, types, sort, sorts: type, kind, class, category
part, parts, components, pieces: part, component, consist, divide, section
limit, limits, restriction: limit, maximum, restrict, at most
fast, faster, quick, speed: fast, speed, quick, performance
slow, slower: slow, delay
delay, delayed, late, postponed: delay, postpone, late, slip
version, edition, revision: version, release, edition, revision
supported, support: support, work, available
language, languages, translated: language, translate, translation
sign of life, heartbeat: mark, interval, alive
school, education: school, education, pupil, teacher, student
size of a file, file size, big can a file: size, maximum, limit
`

const kinZH = `
多大, 大小, 最大: 大小, 最大, 上限, 限制
多少, 几个: 数量, 共, 约, 个
多久, 多长时间: 间隔, 时间, 每, 分钟, 小时, 天
为什么, 原因, 缘故: 因为, 由于, 所以, 原因
区别, 不同, 差别: 不同, 区别, 相比, 而
谁, 作者: 作者, 编写, 提出, 创建
何时, 什么时候: 年, 月, 发布, 日期
最少, 至少: 至少, 最低, 最小, 需要
推荐, 建议: 推荐, 建议, 应该
默认, 缺省: 默认, 缺省
`

// kinOf are the words of texts by the words of questions that they may answer, as stems, for each language.
var kinOf = sync.OnceValue(func() map[string]map[string][]string {
	return map[string]map[string][]string{"en": readKin(kinEN, "en"), "zh": readKin(kinZH, "zh")}
})

func readKin(table, lang string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.SplitSeq(strings.TrimSpace(table), "\n") {
		asked, said, _ := strings.Cut(line, ":")
		var stems []string
		for w := range strings.SplitSeq(said, ",") {
			if terms := text.Terms(strings.TrimSpace(w), lang); len(terms) == 1 {
				stems = append(stems, terms[0])
			}
		}
		for w := range strings.SplitSeq(asked, ",") {
			key := strings.TrimSpace(w)
			out[key] = append(out[key], stems...)
		}
	}
	return out
}

// Kin returns the stems in which a text may say what a question asks in other words, by the stem of the question's word: for a word
// of several words by the stem of its last one that is a term, or "" when none of them is, as in "how often".
func Kin(question, lang string) map[string][]string {
	table := kinOf()[lang]
	if table == nil {
		return nil
	}
	out := map[string][]string{}
	low := " " + strings.Join(strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return strings.ContainsRune(" \t\n,.;:?!()\"'“”", r) }), " ") + " "
	for _, asked := range slices.Sorted(maps.Keys(table)) {
		said := table[asked]
		if lang == "zh" {
			if strings.Contains(question, asked) {
				out[""] = append(out[""], said...)
			}
			continue
		}
		if !strings.Contains(low, " "+asked+" ") {
			continue
		}
		key := ""
		if terms := text.Terms(asked, lang); len(terms) > 0 {
			key = terms[len(terms)-1]
		}
		out[key] = append(out[key], said...)
	}
	return out
}
