package github_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	failproof "github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/github/githubtest"
)

func TestEnterpriseServers(t *testing.T) {
	h := newHub()
	var graphql []string
	transport := inMemory{handler(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "graphql") {
			graphql = append(graphql, r.URL.String())
		}
		h.ServeHTTP(w, r)
	})}
	client, err := failproof.NewClient(failproof.Options{BaseURL: "https://ghes.example/api/v3", Token: githubtest.Token, Transport: transport, Sleep: noSleep})
	if err != nil {
		t.Fatal(err)
	}
	_, warnings := h.said(41, "new").by(t, client)
	wantCodes(t, warnings)
	if len(graphql) == 0 || graphql[0] != "https://ghes.example/api/graphql" {
		t.Errorf("GraphQL at %q", graphql)
	}
}

func TestProxies(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://proxy.example:3128")
	t.Setenv("HTTP_PROXY", "http://proxy.example:3128")
	transport := failproof.NewTransport()
	for _, c := range []struct{ address, want string }{
		{"https://api.github.com/", "http://proxy.example:3128"},
		{"http://ghes.example/api/v3/", ""},
	} {
		u, err := url.Parse(c.address)
		if err != nil {
			t.Fatal(err)
		}
		got, err := transport.Proxy(&http.Request{URL: u})
		if err != nil || got == nil && c.want != "" || got != nil && got.String() != c.want {
			t.Errorf("%s goes through %v, error %v; want %q", c.address, got, err, c.want)
		}
	}
}
