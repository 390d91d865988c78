package ollama

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrTaken: a name stands for a model already, which would no longer be found under it.
var ErrTaken = errors.New("the name is taken")

// Replaced says in a sentence which model would lose the name, and what becomes of its bytes, were the name given to another
// model: to a copy of the model of, or to one made of a file when of is empty. It is empty when the name is free, or when it
// stands for the very same bytes as of.
func (a *Admin) Replaced(ctx context.Context, name, of string) (string, error) {
	n, err := ParseName(name)
	if err != nil {
		return "", err
	}
	ctx, cancel := a.look(ctx)
	defer cancel()
	list, err := a.api.List(ctx)
	if err != nil {
		return "", lookFault(ctx, a.base, err)
	}
	digest, size, taken := "", int64(0), false
	for _, l := range list.Models {
		if (Running{Name: l.Name}).is(name) {
			digest, size, taken = l.Digest, l.Size, true
		}
	}
	if !taken {
		return "", nil
	}
	var shared []string
	for _, l := range list.Models {
		if l.Digest != digest || digest == "" {
			continue
		}
		if of != "" && (Running{Name: l.Name}).is(of) {
			return "", nil
		}
		if !(Running{Name: l.Name}).is(name) {
			shared = append(shared, l.Name)
		}
	}
	rest := "that model could then only be pulled or made again"
	if len(shared) > 0 {
		rest = "that model stays as " + strings.Join(shared, " and ")
	}
	return fmt.Sprintf("%s is a model already, with %s, and would be replaced; %s", n.Short(), BytesText(size), rest), nil
}

// free returns an error that wraps [ErrTaken] when a name stands for another model and nobody said yes to that.
func (a *Admin) free(ctx context.Context, name, of string, yes bool) error {
	if yes {
		return nil
	}
	words, err := a.Replaced(ctx, name, of)
	if err != nil || words == "" {
		return err
	}
	return saying(ErrTaken, "%s", words)
}
