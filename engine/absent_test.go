package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"assay/engine/store"
)

// TestQuestionsAboutSomethingElse: a word or two that the pages happen to have are no answer to a question whose naming words no page has.
func TestQuestionsAboutSomethingElse(t *testing.T) {
	for _, q := range []string{
		"What is the boiling point of tungsten hexafluoride?",
		"What is the capital of Mongolia?",
		"Which version of Photoshop introduced towers?",
		"What is the release date of the Nokia 3310?",
		"What is the melting point of gallium?",
		"Who was the keeper of the Eiffel Tower?",
	} {
		c := config(t, q)
		d, err := (&Engine{c}).Run(context.Background(), store.NewMemory(c.Request, c.Code))
		if !errors.Is(err, ErrNoFinding) || d.Metrics.Findings != 0 {
			t.Errorf("%s: %v, %d findings:\n%s", q, err, d.Metrics.Findings, printed(d))
			continue
		}
		if len(d.Gaps) == 0 || !strings.Contains(d.Gaps[0].Reason, "mentions") {
			t.Errorf("%s: gaps %+v", q, d.Gaps)
		}
	}
}

// TestQuestionsInOtherWords: a slip, an adjective of a country and a word of the asker's own are no reason to find nothing.
func TestQuestionsInOtherWords(t *testing.T) {
	for _, q := range []string{
		"When was the Skerry Point lighthose built?",
		"When was the Scottish lighthouse at Skerry Point built?",
		"In what year was the Skerry Point lighthouse erected?",
		"What was the construction year of the Skerry Point lighthouse?",
	} {
		c := config(t, q)
		d, err := (&Engine{c}).Run(context.Background(), store.NewMemory(c.Request, c.Code))
		if err != nil || !strings.Contains(printed(d), "1874") {
			t.Errorf("%s: %v:\n%s", q, err, printed(d))
		}
	}
}
