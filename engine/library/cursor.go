package library

import (
	bleveindex "github.com/blevesearch/bleve_index_api"
)

// cursor goes through the passages that hold a term, in order.
type cursor struct {
	tf     bleveindex.TermFieldReader
	buffer bleveindex.TermFieldDoc
	target bleveindex.IndexInternalID
	doc    uint64
	times  float64
	length float64
	began  bool
	ended  bool
}

func (r *ranking) cursor(field, term string, counted bool) (*cursor, error) {
	tf, err := r.reader.TermFieldReader(r.ctx, []byte(term), field, counted, counted, false)
	if err != nil {
		return nil, unreadable(err)
	}
	return &cursor{tf: tf}, nil
}

func (c *cursor) close() { _ = c.tf.Close() } // read-only

// next goes to the next passage; false at the end.
func (c *cursor) next() (bool, error) {
	d, err := c.tf.Next(c.buffer.Reset())
	return c.take(d, err)
}

// to goes to a passage, which must not lie before the last one asked for; false when the term does not stand there.
func (c *cursor) to(doc uint64) (bool, error) {
	if c.began && c.doc < doc || !c.began {
		if c.ended {
			return false, nil
		}
		c.target = bleveindex.NewIndexInternalID(c.target, doc)
		d, err := c.tf.Advance(c.target, c.buffer.Reset())
		if ok, err := c.take(d, err); !ok {
			return false, err
		}
	}
	return !c.ended && c.doc == doc, nil
}

func (c *cursor) take(d *bleveindex.TermFieldDoc, err error) (bool, error) {
	c.began = true
	if err != nil {
		return false, unreadable(err)
	}
	if d == nil {
		c.ended = true
		return false, nil
	}
	c.doc, c.times = d.ID.Value(), float64(d.Freq)
	if d.Norm > 0 {
		c.length = float64(int(1/(d.Norm*d.Norm) + 0.5)) // the index keeps one over the root of the number of stems
	}
	return true, nil
}
