// Package window keeps a prompt inside a model's window and sees when an answer runs away. It is what the channels of model
// servers share; it talks to nobody.
//
// Start at [New]. A server has no call that counts tokens for every model, so they are counted from bytes by a ratio that is
// measured: [Sample] is sent once a model, and every answer says how long its prompt was.
package window

import (
	"math"
	"strings"
)

const (
	// guess is used until something was measured: common tokenizers need one token for three to five bytes of prose, and more
	// for digits.
	guess = 0.5
	// margin is added to what was measured, for texts denser than the sample.
	margin = 1.1
	// floor is the part of the lowest ratio seen under which a prompt was not read whole. Two ordinary texts differ by less.
	floor = 0.75
	// enough is the length in bytes from which a prompt says something about the ratio.
	enough = 1000
	// overheadGuess is the length of a chat template in tokens until it was measured.
	overheadGuess = 128
)

// Bounds of one answer, for every channel of a server.
const (
	MaxAnswer     = 1 << 20   // bytes of visible text
	MaxThinking   = 256 << 10 // bytes of reasoning that are kept
	DefaultBudget = 1024      // answer tokens of a call that names none
	BusyTries     = 3         // a busy server is asked this often
)

// Sample is what a new model is measured with: prose in two scripts, numbers, and JSON, about as a reader's prompt mixes them.
const Sample = `The committee met on 14 March 2019 in Geneva and heard evidence from eleven witnesses, among them the two engineers who had designed the original valve. ` +
	`Their measurements, taken at intervals of fifteen minutes between 06:00 and 22:45, showed a steady decline from 4,182 to 3,907 litres a second; nobody disputed them. ` +
	`"We repeated the whole series in 2020," the report says, "and found the same within 1.5%." Older documents, however, give values between 3.6 and 3.8 million, ` +
	`without a source, and a later study (doi:10.1000/182, p. 77) explains the difference by the way in which the instruments were calibrated. ` +
	`委员会于二〇一九年三月在日内瓦举行会议，听取了十一名证人的证词，其中包括最初设计该阀门的两名工程师。测量结果显示流量稳步下降。 ` +
	`{"claims":[{"text":"The flow declined.","passage":3,"evidence_grade":"primary"},{"text":"The values differ.","passage":12}],"note":null} ` +
	`| Year | Flow | Share | |---|---|---| | 2018 | 4182 | 41.2 % | | 2019 | 3907 | 38.9 % | https://www.example.org/reports/2020/annual-report.html#table-3 ` +
	`Parliament asked for a further inquiry, which was never held, and the matter rested there until the archive was opened to historians last year.`

// Counter turns bytes into tokens. Make it with [New]; it is not safe for concurrent use.
type Counter struct {
	most     float64 // tokens a byte, the highest ratio seen with its margin
	least    float64 // the lowest ratio seen; 0 before the first
	overhead int     // tokens of the template around a prompt
}

// New starts from a ratio of tokens a byte measured before; 0 when there is none.
func New(known float64) Counter {
	if known <= 0 {
		return Counter{most: guess, overhead: overheadGuess}
	}
	// What was kept is the highest ratio; ordinary text came to somewhat less.
	return Counter{most: known, least: known / margin * floor, overhead: overheadGuess}
}

// Most is the highest ratio of tokens a byte seen, with its margin; a guess before the first.
func (c *Counter) Most() float64 { return c.most }

// Tokens is the most that n bytes are expected to come to.
func (c *Counter) Tokens(n int) int { return c.overhead + int(math.Ceil(float64(n)*c.most)) }

// Fewest is the least tokens that n bytes can honestly come to; 0 when nothing is known.
func (c *Counter) Fewest(n int) int { return int(float64(n) * c.least * floor) }

// Calibrate sets the counter from the two measurements: a prompt of few bytes, and the sample.
func (c *Counter) Calibrate(shortTokens, shortBytes, sampleTokens, sampleBytes int) {
	if sampleTokens <= shortTokens || sampleBytes <= shortBytes {
		return
	}
	ratio := float64(sampleTokens-shortTokens) / float64(sampleBytes-shortBytes)
	c.least, c.most = ratio, ratio*margin
	c.Template(shortTokens, shortBytes)
}

// Template sets the overhead: what a short prompt had beyond its own bytes.
func (c *Counter) Template(tokens, bytes int) {
	const slack = 8 // a system message has marks of its own
	if tokens > 0 {
		c.overhead = max(0, tokens-int(float64(bytes)*c.most)) + slack
	}
}

// Learn takes in what a prompt of n bytes came to.
func (c *Counter) Learn(n, tokens int) {
	if n < enough || tokens <= 0 {
		return
	}
	ratio := float64(max(0, tokens-c.overhead)) / float64(n)
	c.most = max(c.most, ratio)
	if c.least == 0 || ratio < c.least {
		c.least = ratio
	}
}

// Whole judges whether a server that counts so many tokens read a prompt of n bytes to its end, in a window of that many tokens, and
// learns from it when it did. When it did not, fewest is what the prompt comes to at least. A server that does not count (0) is
// believed.
func (c *Counter) Whole(n, tokens, window int) (whole bool, fewest int) {
	if tokens == 0 {
		return true, 0
	}
	if fewest = c.Fewest(n); tokens < fewest || tokens >= window {
		return false, fewest
	}
	c.Learn(n, tokens)
	return true, fewest
}

// TooFew takes in that n bytes did not fit a window although they were counted to fit.
func (c *Counter) TooFew(n, window int) {
	if n >= enough {
		c.most = max(c.most, float64(window)/float64(n)*margin)
	}
}

// Loops reports whether s ends in the same few hundred bytes over and over: at least eight times and 600 bytes.
func Loops(s string) bool {
	const longest, times, least = 400, 8, 600
	for period := 1; period <= longest; period++ {
		n := max(least, times*period)
		if n > len(s) {
			return false
		}
		tail := s[len(s)-n:]
		if tail[period:] == tail[:n-period] {
			return true
		}
	}
	return false
}

// Stuck reports whether s ends in one short piece thirty times over, white space aside. Ollama 0.17.4 ends a stream without a
// word when the model gives one token more often than that (llm/server.go, Completion), which says something of the model and
// nothing of the server.
func Stuck(s string) bool {
	const longest, times = 32, 30
	tail := s[max(0, len(s)-4*longest*times):]
	if len(tail)-len(strings.TrimRight(tail, " \t\r\n")) >= times {
		return true
	}
	tail = strings.Join(strings.Fields(tail), "")
	for period := 1; period <= longest && period*times <= len(tail); period++ {
		if end := tail[len(tail)-period*times:]; end[period:] == end[:len(end)-period] {
			return true
		}
	}
	return false
}
