package desk

import (
	"context"
	"fmt"
	"strings"

	"assay/engine/ollama"
)

// onlyEmbeds is the first by name of the models of a server that embed, do nothing else and run on its machine; "" when there is none.
func onlyEmbeds(models []ollama.Installed) string {
	first := ""
	for _, m := range models {
		if m.Embeds && !m.Completes && m.Remote == "" && (first == "" || m.Name < first) {
			first = m.Name
		}
	}
	return first
}

func checkEmbedding(name string) error {
	if len(name) > 500 || strings.ContainsAny(name, "\n\r\t ,") {
		return fmt.Errorf("embedding model %q: use auto, off or the name of an embedding model", name)
	}
	return nil
}

// lockEmbedding says by which model of a server the pages of a run are held against its question: the one that was asked for when the
// server has it and it can, of none asked for an installed one. alone is why there is none besides the model that answers, a clause.
// A model that is gone is no reason to fail a run: words do its work, and it is said.
func lockEmbedding(ctx context.Context, admin *ollama.Admin, want string) (name, alone string, err error) {
	if want == "off" {
		return "", "the embedding model is switched off", nil
	}
	list, err := admin.List(ctx)
	if err != nil {
		return "", "", err
	}
	if want == "" {
		if name = onlyEmbeds(list.Models); name == "" {
			alone = "the model server has no embedding model (assay models pull nomic-embed-text gets one)"
		}
		return name, alone, nil
	}
	for _, m := range list.Models {
		switch {
		case m.Name != want && m.Name != want+":latest":
		case !m.Embeds:
			return "", fmt.Sprintf("the model %s does not embed; assay models list shows which do", want), nil
		case m.Remote != "":
			return "", fmt.Sprintf("the model %s runs on %s, and pages are embedded here", want, m.Remote), nil
		default:
			return m.Name, "", nil
		}
	}
	return "", fmt.Sprintf("the model server has no model %s; assay models pull %s gets it", want, want), nil
}
