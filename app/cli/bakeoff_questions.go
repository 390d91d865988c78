package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/app/desk"
)

// Bounds of a file of questions.
const (
	maxQuestionFile = 8 << 20   // bytes
	maxQuestionLine = 128 << 10 // bytes
)

// readQuestions reads what was given with --questions: files, or questions themselves. corpus is the folder against which
// labels write their paths.
func readQuestions(given, libraries []string, limit int) (out []desk.BakeoffQuestion, corpus string, err error) {
	for _, g := range given {
		st, err := os.Stat(g)
		switch {
		case err == nil && !st.Mode().IsRegular():
			return nil, "", &desk.UsageError{Err: fmt.Errorf("questions %s: it is a folder or no ordinary file; name a file of questions, one a line", g)}
		case err != nil && namesFile(g):
			return nil, "", &desk.UsageError{Err: fmt.Errorf("questions %s: there is no such file; check the spelling, or end it with a question mark if it is a question", g)}
		case err != nil:
			out = append(out, desk.BakeoffQuestion{Question: g})
			continue
		}
		qs, err := questionFile(g, libraries, limit)
		if err != nil {
			return nil, "", &desk.UsageError{Err: fmt.Errorf("questions %s: %w", g, err)}
		}
		out = append(out, qs...)
	}
	return out, corpusOf(out, libraries), nil
}

// namesFile reports whether a text ends as the name of a file of questions does.
func namesFile(s string) bool {
	return slices.Contains([]string{".txt", ".md", ".json", ".jsonl", ".ndjson", ".csv", ".tsv"}, strings.ToLower(filepath.Ext(strings.TrimSpace(s))))
}

// questionFile reads a file of questions, a line each. limit 0 means all.
func questionFile(name string, libraries []string, limit int) ([]desk.BakeoffQuestion, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := &io.LimitedReader{R: f, N: maxQuestionFile + 1}
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, maxQuestionLine)
	var out []desk.BakeoffQuestion
	for n := 1; sc.Scan() && (limit <= 0 || len(out) < limit); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(sc.Text(), "\uFEFF"))
		if line == "" {
			continue
		}
		q, err := questionLine(line, libraries)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, q)
	}
	switch {
	case sc.Err() != nil:
		return nil, fmt.Errorf("a line is longer than %d bytes or cannot be read: %w", maxQuestionLine, sc.Err())
	case in.N <= 0:
		return nil, fmt.Errorf("it is longer than %d bytes", maxQuestionFile)
	case len(out) == 0:
		return nil, fmt.Errorf("it holds no question")
	}
	return out, nil
}

// questionLine reads one line: a question, or a JSON object as the qa bench reads it.
func questionLine(line string, libraries []string) (desk.BakeoffQuestion, error) {
	if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' }) {
		return desk.BakeoffQuestion{}, errors.New("it is not text in UTF-8")
	}
	if !strings.HasPrefix(line, "{") {
		return desk.BakeoffQuestion{Question: line}, nil
	}
	var q struct {
		ID       string            `json:"id"`
		Question string            `json:"question"`
		Lang     string            `json:"lang"`
		Kind     string            `json:"kind"`
		Packages []string          `json:"packages"`
		Gold     []json.RawMessage `json:"gold"`
	}
	if err := json.Unmarshal([]byte(line), &q); err != nil {
		return desk.BakeoffQuestion{}, fmt.Errorf("%s", desk.BadJSON(err))
	}
	out := desk.BakeoffQuestion{ID: q.ID, Question: q.Question, Lang: q.Lang, Libraries: packageFolders(q.Packages, libraries)}
	if len(q.Gold) > 0 || q.Kind == "unanswerable" {
		out.Label = line
	}
	return out, nil
}

// packageFolders are the folders of a question's own documents inside the one library that holds them all; nil when they are
// not there, and the question is then asked of the whole library.
func packageFolders(packages, libraries []string) []string {
	if len(packages) == 0 || len(libraries) != 1 {
		return nil
	}
	var out []string
	for _, name := range packages {
		if !filepath.IsLocal(name) {
			return nil
		}
		dir := filepath.Join(libraries[0], name)
		if st, err := os.Stat(dir); err != nil || !st.IsDir() {
			return nil
		}
		out = append(out, dir)
	}
	return out
}

// corpusOf is the folder against which labels write their paths: the library when the questions' packages lie in it, else the
// folder that the library lies in.
func corpusOf(qs []desk.BakeoffQuestion, libraries []string) string {
	for _, q := range qs {
		if q.Label != "" && len(q.Libraries) > 0 {
			return filepath.Dir(q.Libraries[0])
		}
	}
	if len(libraries) == 0 {
		return ""
	}
	abs, err := filepath.Abs(libraries[0]) // the folder that "." lies in has a name only then
	if err != nil {
		return ""
	}
	return filepath.Dir(abs)
}
