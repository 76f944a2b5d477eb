package github_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
)

// inMemory carries requests to a handler without a network, so that a test's clock can be a fake one. An aborted
// handler is a cut connection.
type inMemory struct{ http.Handler }

var errCut = errors.New("connection reset by peer")

func (i inMemory) RoundTrip(r *http.Request) (response *http.Response, err error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	defer func() {
		if v := recover(); v != nil {
			if v != http.ErrAbortHandler {
				panic(v)
			}
			response, err = nil, errCut
		}
	}()
	server := r.Clone(r.Context())
	server.RequestURI = r.URL.RequestURI()
	if server.Body == nil {
		server.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	i.ServeHTTP(w, server)
	return w.Result(), nil
}
