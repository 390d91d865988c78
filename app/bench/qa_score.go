package bench

import (
	"io"
)

func scoreQA(qs []question, runs map[string]answered, corpus string) map[string]any {
	return map[string]any{"n": len(qs)}
}

func printQA(w io.Writer, score map[string]any) {}
