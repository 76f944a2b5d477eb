package githubtest

import (
	"io"
	"net/http"
	"regexp"
)

// Fault makes requests fail.
type Fault struct {
	Method string         // "" for any
	Path   *regexp.Regexp // nil for any; matched against path and query
	Skip   int            // number of matching requests that succeed first
	Times  int            // number of requests that then fail; 0 means all

	Status          int // of the response
	Header          http.Header
	Body            string
	CarryOut        bool // carry out the request before the fault
	CloseConnection bool // close the connection without a response
}

// AddFault adds a fault. The first fault that matches a request applies.
func (s *Server) AddFault(f Fault) {
	defer s.locked()()
	s.faults = append(s.faults, &f)
}

// ClearFaults removes all faults.
func (s *Server) ClearFaults() {
	defer s.locked()()
	s.faults = nil
}

// fault returns the fault that applies to a request, or nil.
func (s *Server) fault(r *http.Request) *Fault {
	defer s.locked()()
	for i, f := range s.faults {
		if f.Method != "" && f.Method != r.Method || f.Path != nil && !f.Path.MatchString(r.URL.RequestURI()) {
			continue
		}
		if f.Skip > 0 {
			f.Skip--
			continue
		}
		if f.Times--; f.Times == 0 {
			s.faults = append(s.faults[:i:i], s.faults[i+1:]...)
		}
		return f
	}
	return nil
}

func (f *Fault) write(w http.ResponseWriter) {
	if f.CloseConnection {
		panic(http.ErrAbortHandler)
	}
	for name, values := range f.Header {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	w.WriteHeader(f.Status)
	io.WriteString(w, f.Body)
}
