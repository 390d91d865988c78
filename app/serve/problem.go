package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"assay/app/desk"
)

// problem answers with a fault in the form of RFC 9457. text is one sentence: what is wrong and what to do.
func problem(w http.ResponseWriter, status int, text string) {
	b, err := json.Marshal(huma.ErrorModel{Title: http.StatusText(status), Status: status, Detail: text})
	if err != nil {
		b = []byte("{}")
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_, _ = w.Write(b) // who asked is gone when this fails
}

// statuses are the codes of the kinds of faults. A model or server that is away is no fault of this server.
var statuses = map[desk.Fault]int{
	desk.FaultUsage:       http.StatusUnprocessableEntity,
	desk.FaultMissing:     http.StatusNotFound,
	desk.FaultConflict:    http.StatusConflict,
	desk.FaultForbidden:   http.StatusForbidden,
	desk.FaultQuota:       http.StatusTooManyRequests,
	desk.FaultUnavailable: http.StatusFailedDependency,
}

// fault makes of an error what is answered. What is nobody's usage is logged and told in general words only: it may hold paths.
func (s *Server) fault(ctx context.Context, err error) error {
	var told huma.StatusError
	if errors.As(err, &told) {
		return err
	}
	known := s.secrets.of(s.desk, s.opt.Now())
	if ctx.Err() != nil { // who asked is gone, or the server ends
		return &huma.ErrorModel{Title: "Client Closed Request", Status: 499, Detail: "the request was ended before its answer: send it again"}
	}
	status, ok := statuses[desk.KindOf(err)]
	if !ok {
		s.opt.Log.Error("an operation failed", "fault", maskText(err.Error(), known))
		return &huma.ErrorModel{Title: http.StatusText(http.StatusInternalServerError), Status: http.StatusInternalServerError,
			Detail: "this did not work: the log of the server says why; assay doctor finds what is wrong on its machine"}
	}
	out := &huma.ErrorModel{Title: http.StatusText(status), Status: status, Detail: maskText(err.Error(), known)}
	var quota *desk.QuotaError
	if errors.As(err, &quota) {
		after := strconv.Itoa(max(1, int(math.Ceil(quota.After.Seconds()))))
		return huma.ErrorWithHeaders(out, http.Header{"Retry-After": {after}})
	}
	return out
}

// worded makes one sentence of the faults that the checks of types find, and leaves out what was sent: it may be a secret.
func worded(_ huma.Context, _ string, v any) (any, error) {
	e, ok := v.(*huma.ErrorModel)
	if !ok || len(e.Errors) == 0 {
		return v, nil
	}
	var parts []string
	for i, d := range e.Errors {
		if d == nil {
			continue
		}
		d.Value = nil
		where := d.Location
		if where == "" {
			where = "request"
		}
		if i < 5 {
			parts = append(parts, where+": "+d.Message)
		}
	}
	more := ""
	if n := len(e.Errors) - 5; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
		e.Errors = e.Errors[:5]
	}
	e.Detail = "the request is not as the interface describes it (" + strings.Join(parts, "; ") + more + "): see /v1/openapi.json"
	return e, nil
}

func notFound(text string) error {
	return &huma.ErrorModel{Title: http.StatusText(http.StatusNotFound), Status: http.StatusNotFound, Detail: text}
}

func conflict(text string) error {
	return &huma.ErrorModel{Title: http.StatusText(http.StatusConflict), Status: http.StatusConflict, Detail: text}
}

func unfit(text string) error {
	return &huma.ErrorModel{Title: http.StatusText(http.StatusUnprocessableEntity), Status: http.StatusUnprocessableEntity, Detail: text}
}
