package app

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/engine/research"
)

// maxAround bounds the text around a passage that is sent to the page, in bytes on either side.
const maxAround = 1 << 20

// keptPage cuts the kept text of a passage's source around it. text gives the clean text of a hash.
func keptPage(d research.Digest, id string, around int, text func(sha string) (string, error)) (KeptPage, error) {
	p, ok := d.Passages[id]
	if !ok {
		return KeptPage{}, fmt.Errorf("the report holds no passage %.40q", id)
	}
	for _, s := range d.Sources {
		if s.ID != p.Source {
			continue
		}
		whole, err := text(s.SHA256)
		if err != nil {
			return KeptPage{}, err
		}
		if p.Start < 0 || p.End > len(whole) || p.Start > p.End || whole[p.Start:p.End] != p.Text {
			return KeptPage{}, fmt.Errorf("passage %s is not at bytes %d to %d of the kept page: recompute the run to see what differs", p.ID, p.Start, p.End)
		}
		from, to := window(whole, p.Start, p.End, min(max(around, 0), maxAround))
		return KeptPage{
			Title: s.Title, Location: s.URL, MediaType: s.MediaType, Before: whole[from:p.Start], Passage: p.Text, After: whole[p.End:to],
			Start: p.Start, End: p.End, Total: len(whole), CutBefore: from > 0, CutAfter: to < len(whole),
		}, nil
	}
	return KeptPage{}, fmt.Errorf("passage %s is of a source outside the appendix; its words stand in the trace", p.ID)
}

// window widens start..end by around bytes on either side, then to the nearest paragraph within, at rune boundaries.
func window(whole string, start, end, around int) (from, to int) {
	from, to = max(0, start-around), min(len(whole), end+around)
	for from < start && !utf8.RuneStart(whole[from]) {
		from++
	}
	for to < len(whole) && to > end && !utf8.RuneStart(whole[to]) {
		to--
	}
	if from > 0 {
		if i := strings.Index(whole[from:start], "\n\n"); i >= 0 {
			from += i + 2
		}
	}
	if to < len(whole) {
		if i := strings.LastIndex(whole[end:to], "\n\n"); i >= 0 {
			to = end + i
		}
	}
	return from, to
}
