package engine

import (
	"context"
	"fmt"
	"strings"

	"assay/engine/provenance"
	"assay/engine/research"
)

// Unreader is a [Provider] that knows documents of its own which it cannot read: a report must say what it does not rest on.
type Unreader interface {
	// Unread returns up to limit of them, in an order that does not change, each with its Location and its Fault, and how
	// many more there are.
	Unread(ctx context.Context, limit int) (docs []research.Document, more int, err error)
}

// maxUnread bounds the documents that a report names as not read; the rest is counted.
const maxUnread = 200

// unread lists what the providers hold and cannot read, as sources that were never retrieved. They take nothing from the
// budget of sources to open.
func (r *run) unread(ctx context.Context, u research.Understanding) (out []research.Source, faults []string, err error) {
	type unreadInput struct {
		Provider string `json:"provider"`
		Unread   int    `json:"unread"`
	}
	type unreadAnswer struct {
		Documents []research.Document `json:"documents"`
		More      int                 `json:"more"`
		Fault     string              `json:"fault,omitempty"`
	}
	for _, p := range r.Providers {
		in := unreadInput{p.Name(), maxUnread}
		from, can := p.(Unreader)
		if key, err := research.EffectKey(research.EventSearch, in); err != nil {
			return nil, nil, err
		} else if _, held := r.record.Get(key); !held && !can {
			continue
		}
		a, err := once(ctx, r, research.EventSearch, in, func(ctx context.Context, in unreadInput) (unreadAnswer, error) {
			docs, more, err := from.Unread(ctx, in.Unread)
			if ctx.Err() != nil {
				return unreadAnswer{}, ctx.Err()
			}
			if err != nil {
				return unreadAnswer{Fault: in.Provider + ": " + err.Error()}, nil
			}
			for i := range docs {
				docs[i].Path = "" // where it lies on this machine is no part of the record
				docs[i].Location, docs[i].Fault = research.EscapeLocation(docs[i].Location), research.ShownName(docs[i].Fault)
			}
			return unreadAnswer{Documents: docs, More: more}, nil
		})
		if err != nil {
			return nil, nil, err
		}
		if a.Fault != "" {
			faults = append(faults, a.Fault)
		}
		for _, d := range a.Documents {
			s, err := r.neverRead(u, d.Location, d.Location[strings.LastIndexByte(d.Location, '/')+1:], d.Fault)
			if err != nil {
				return nil, nil, err
			}
			s.Voice, s.MediaType = provenance.Voice(d), d.MediaType
			out = append(out, s)
		}
		if a.More > 0 {
			s, err := r.neverRead(u, p.Name(), fmt.Sprintf("%d more documents", a.More), "were not read either; the list of the library names them")
			if err != nil {
				return nil, nil, err
			}
			out = append(out, s)
		}
	}
	return out, faults, nil
}

// neverRead is a source without text that was not retrieved.
func (r *run) neverRead(u research.Understanding, location, title, why string) (research.Source, error) {
	origin, tier := provenance.OriginOf(research.Document{Location: location, Host: provenance.RowOf(r.Request.Hosts, location)})
	sha, err := r.record.PutBlob("")
	return research.Source{
		ID: research.ID("s", location), Location: location, Title: title, SHA256: sha, Work: provenance.Work(location),
		Origin: origin, Tier: tier, Angle: "overview", Verdict: research.Unread, Note: why,
		Quality: provenance.QualityOf(tier, 0, 0, "", u, r.now), Passages: []research.Passage{}, Named: []research.Span{},
	}, err
}
