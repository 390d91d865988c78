package enginetest

import (
	"net/http"
	"time"
)

// Served is one chat that a server computed for its service time.
type Served struct {
	Began, Ended time.Time
	Chat         ChatRequest
}

// Served lists what was computed so far, in the order in which it ended.
func (s *Server) Served() []Served {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Served(nil), s.served...)
}

// Most is the most chats that were under way at once, those that waited for a slot among them.
func (s *Server) Most() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// compute holds a slot for the service time of a chat; false when the client went away first.
func (s *Server) compute(r *http.Request, req ChatRequest) bool {
	if s.Service == 0 {
		return true
	}
	s.mu.Lock()
	if s.slots == nil {
		s.slots = make(chan struct{}, max(1, s.Slots))
	}
	slots := s.slots
	s.waiting++
	s.most = max(s.most, s.waiting)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.waiting--
		s.mu.Unlock()
	}()
	select {
	case slots <- struct{}{}:
	case <-r.Context().Done():
		return false
	}
	defer func() { <-slots }()
	began := time.Now()
	t := time.NewTimer(s.Service)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.Context().Done():
		return false
	}
	s.mu.Lock()
	s.served = append(s.served, Served{began, time.Now(), req})
	s.mu.Unlock()
	return true
}
