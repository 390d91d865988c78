package desk

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"assay/engine/knowledge"
	"assay/engine/research"
	"assay/engine/store"
)

// fileMeant holds, beside [fileKnown], the vectors of a run's claims; it is made when claims are first looked for by meaning.
const fileMeant = "knowledge-vectors.json"

const (
	// mostMeantAtOnce is how many claims without a vector are given one by one search. A model on the processor takes some hundredths
	// of a second for each, and a person waits.
	mostMeantAtOnce = 500
	// meantBatch is how many claims are sent in one call.
	meantBatch = 64
	// maxVector is the most numbers of a vector that are believed; models have 384 to 4,096.
	maxVector = 16384
)

// meantClaims are the vectors of a run's claims as they are kept.
type meantClaims struct {
	Model   string `json:"model"`   // as [ollama.Embedder.Name] says it
	Of      string `json:"of"`      // SHA-256 of the claims' texts, in their order
	Length  int    `json:"length"`  // numbers of a vector
	Vectors string `json:"vectors"` // base64 of the numbers as little-endian 32-bit floats, one vector after another
}

// SearchKnowledge returns the claims of finished runs that hold the words or, where this machine's server has an embedding model, mean
// what they say, the closest first. how says in one sentence what was searched by.
func (d *Desk) SearchKnowledge(ctx context.Context, words string, limit int) (hits []knowledge.Hit, how string, err error) {
	if strings.TrimSpace(words) == "" {
		return nil, "", usage("name the words to look for")
	}
	all, err := d.allKnown(ctx, "")
	if err != nil {
		return nil, "", err
	}
	e, err := d.wire.embed(ctx, false)
	if err == nil {
		defer e.close()
		var of [][]float32
		if of, err = e.Embed(ctx, []string{words}); err == nil && len(of) == 1 {
			vectors, have, fault := d.meantBy(ctx, e, all)
			if ctx.Err() != nil {
				return nil, "", ctx.Err()
			}
			how = fmt.Sprintf("Searched by words and by meaning (%s): %d of %d claims have a vector.", e.Name(), have, len(all))
			if fault != nil {
				how += fmt.Sprintf(" The others have none, because %v.", fault)
			} else if have < len(all) {
				how += " Search again and more of them get one."
			}
			return knowledge.Fuse(all, words, of[0], vectors, limit), how, nil
		}
	}
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	var none *wordsAlone
	if err == nil {
		err = errors.New("the model server gave no vector")
	} else if errors.As(err, &none) {
		err = none
	}
	return knowledge.Search(all, words, 0, limit), fmt.Sprintf("Searched by words alone, because %v.", err), nil
}

// meantBy returns a vector for each claim, nil for those that have none, and how many have one. Claims come run by run, as
// [Desk.allKnown] lists them; those without a vector get one, within [mostMeantAtOnce], the newest runs first.
func (d *Desk) meantBy(ctx context.Context, e *embedding, claims []research.Known) (vectors [][]float32, have int, fault error) {
	vectors = make([][]float32, len(claims))
	left := mostMeantAtOnce
	for from := 0; from < len(claims); {
		to := from
		for to < len(claims) && claims[to].Run == claims[from].Run {
			to++
		}
		part := claims[from:to]
		of := d.keptMeant(part, e.Name())
		if of == nil && fault == nil && len(part) <= left {
			if of, fault = embedClaims(ctx, e, part); fault == nil {
				left -= len(part)
				d.keepMeant(part, e.Name(), of)
			}
		}
		for i, v := range of {
			vectors[from+i] = v
			have++
		}
		from = to
	}
	return vectors, have, fault
}

// embedClaims asks for the vectors of claims.
func embedClaims(ctx context.Context, e *embedding, claims []research.Known) ([][]float32, error) {
	var out [][]float32
	for from := 0; from < len(claims); from += meantBatch {
		part := claims[from:min(from+meantBatch, len(claims))]
		texts := make([]string, len(part))
		for i, c := range part {
			texts[i] = c.Text
		}
		of, err := e.Embed(ctx, texts)
		if err != nil {
			return nil, err
		}
		if len(of) != len(texts) {
			return nil, errors.New("the model server gave another number of vectors than it was asked for")
		}
		out = append(out, of...)
	}
	for _, v := range out {
		if len(v) != len(out[0]) || len(v) == 0 || len(v) > maxVector {
			return nil, errors.New("the model server gave vectors of different lengths")
		}
	}
	return out, nil
}

func claimsSum(claims []research.Known) string {
	h := sha256.New()
	for _, c := range claims {
		_, _ = fmt.Fprintf(h, "%d:%s", len(c.Text), c.Text) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil))
}

// keptMeant reads the vectors of a run's claims; nil when there are none of this model and of these claims.
func (d *Desk) keptMeant(claims []research.Known, model string) [][]float32 {
	var m meantClaims
	if readJSON(filepath.Join(d.store.Dir(claims[0].Run), fileMeant), &m) != nil || m.Model != model || m.Of != claimsSum(claims) || m.Length < 1 || m.Length > maxVector {
		return nil
	}
	b, err := base64.StdEncoding.DecodeString(m.Vectors)
	if err != nil || len(b) != 4*m.Length*len(claims) {
		return nil
	}
	out := make([][]float32, len(claims))
	for i := range out {
		out[i] = make([]float32, m.Length)
		for j := range out[i] {
			out[i][j] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*(i*m.Length+j):]))
		}
	}
	return out
}

// keepMeant keeps the vectors of a run's claims in its folder. What cannot be kept is made again when it is looked for.
func (d *Desk) keepMeant(claims []research.Known, model string, vectors [][]float32) {
	b := make([]byte, 0, 4*len(vectors)*len(vectors[0]))
	for _, v := range vectors {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	kept, err := json.Marshal(meantClaims{model, claimsSum(claims), len(vectors[0]), base64.StdEncoding.EncodeToString(b)})
	if err == nil {
		err = store.WriteFile(filepath.Join(d.store.Dir(claims[0].Run), fileMeant), kept)
	}
	_ = err
}
