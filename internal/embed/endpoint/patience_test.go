package endpoint_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/endpoint"
)

// replies carries requests to a list of answers, one each; the last one is repeated.
type replies struct {
	list []reply
	at   []time.Duration // of each request, since the first
	from time.Time
}

type reply struct {
	status int
	after  string        // Retry-After
	takes  time.Duration // until the body ends
	fail   error
}

const answer = `{"data": [{"index": 0, "embedding": [1, 0]}]}`

func (r *replies) RoundTrip(request *http.Request) (*http.Response, error) {
	if r.from.IsZero() {
		r.from = time.Now()
	}
	r.at = append(r.at, time.Since(r.from))
	now := r.list[min(len(r.at), len(r.list))-1]
	if now.fail != nil {
		return nil, now.fail
	}
	body := io.Reader(strings.NewReader(answer))
	if now.takes > 0 {
		body = &slow{ctx: request.Context(), wait: now.takes}
	}
	response := &http.Response{StatusCode: now.status, Header: http.Header{}, Body: io.NopCloser(body), Request: request}
	if now.after != "" {
		response.Header.Set("Retry-After", now.after)
	}
	return response, nil
}

// slow sends its headers at once and its body late.
type slow struct {
	ctx  context.Context
	wait time.Duration
	body *bytes.Reader
}

func (s *slow) Read(p []byte) (int, error) {
	if s.body == nil {
		select {
		case <-time.After(s.wait):
			s.body = bytes.NewReader([]byte(answer))
		case <-s.ctx.Done():
			return 0, s.ctx.Err()
		}
	}
	return s.body.Read(p)
}

func TestWhyAnEndpointCannotBeReachedIsSaidWithoutItsAddress(t *testing.T) {
	for want, fail := range map[string]error{
		"the embedding endpoint's name cannot be resolved":                     &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "secret.example"}},
		"the embedding endpoint cannot be reached: connection refused":         &net.OpError{Op: "dial", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7)}, Err: syscall.ECONNREFUSED},
		"the embedding endpoint cannot be reached: tls: no usable certificate": errors.New("tls: no usable certificate"),
	} {
		synctest.Test(t, func(t *testing.T) {
			client, err := endpoint.New(endpoint.Options{BaseURL: "https://secret.example/v1", Model: "m", Transport: &replies{list: []reply{{fail: fail}}}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := client.Embed(context.Background(), []string{"a"}); err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

func TestAnEndpointIsWaitedFor(t *testing.T) {
	broken := errors.New("connection reset by peer")
	for _, c := range []struct {
		rule string
		list []reply
		at   []time.Duration // of the requests; they bring an answer unless want says otherwise
		want embed.Reason
	}{
		{"busy, then free: as long as Retry-After says", []reply{{status: 429, after: "7"}, {status: 200}}, []time.Duration{0, 7 * time.Second}, ""},
		{"Retry-After may be a date", []reply{{status: 503, after: "Sat, 01 Jan 2000 00:00:30 GMT"}, {status: 200}}, []time.Duration{0, 30 * time.Second}, ""},
		{"without one: 1, 2 and 4 seconds", []reply{{status: 500}, {status: 502}, {status: 429}, {status: 200}}, []time.Duration{0, time.Second, 3 * time.Second, 7 * time.Second}, ""},
		{"nonsense in Retry-After is none", []reply{{status: 503, after: "soon"}, {status: 200}}, []time.Duration{0, time.Second}, ""},
		{"a connection that breaks is made again", []reply{{fail: broken}, {status: 200}}, []time.Duration{0, time.Second}, ""},
		{"four times, not more", []reply{{status: 503}}, []time.Duration{0, time.Second, 3 * time.Second, 7 * time.Second}, "endpoint_status_503"},
		{"who wants more than a minute is given up", []reply{{status: 429, after: "61"}}, []time.Duration{0}, "endpoint_status_429"},
		{"a wrong key stays wrong", []reply{{status: 401}}, []time.Duration{0}, "endpoint_status_401"},
		{"the deadline is for the whole answer, and passes twice", []reply{{status: 200, takes: time.Hour}}, []time.Duration{0, 61 * time.Second}, embed.ReasonTimeout},
		{"an answer within the deadline is taken", []reply{{status: 200, takes: 59 * time.Second}}, []time.Duration{0}, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &replies{list: c.list}
				client, err := endpoint.New(endpoint.Options{BaseURL: "https://host/v1", Model: "m", Key: key, Transport: r})
				if err != nil {
					t.Fatal(err)
				}
				got, err := client.Embed(context.Background(), []string{"a"})
				if fault, is := errors.AsType[*embed.Fault](err); is != (c.want != "") || is && fault.Reason != c.want || (err == nil) != (len(got) == 1) {
					t.Errorf("Embed() = %v, %v; want the reason %q", got, err, c.want)
				}
				if len(r.at) != len(c.at) {
					t.Fatalf("asked at %v, want %v", r.at, c.at)
				}
				for i := range c.at {
					if r.at[i] != c.at[i] {
						t.Errorf("asked at %v, want %v", r.at, c.at)
					}
				}
			})
		})
	}
}

func TestAStatus500ThatOneTextAloneHasIsOfThatText(t *testing.T) {
	down, up := reply{status: 500}, reply{status: 200}
	for _, c := range []struct {
		rule   string
		list   []reply
		vector bool
		want   embed.Reason
	}{
		{"it was the server's bad moment", []reply{down, down, down, down, up, up}, true, ""},
		{"it stays, and another text is answered", []reply{down, down, down, down, up, down, down, down, down, up}, false, ""},
		{"no text is answered", []reply{down}, false, "endpoint_status_500"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, err := endpoint.New(endpoint.Options{BaseURL: "https://host/v1", Model: "m", Transport: &replies{list: c.list}})
				if err != nil {
					t.Fatal(err)
				}
				got, err := client.Embed(context.Background(), []string{"a"})
				if fault, is := errors.AsType[*embed.Fault](err); is != (c.want != "") || is && fault.Reason != c.want {
					t.Fatalf("Embed() = %v, want the reason %q", err, c.want)
				}
				if err == nil && (got[0].Vector != nil) != c.vector {
					t.Errorf("Embed() = %+v, want a vector: %v", got, c.vector)
				}
			})
		})
	}
}

func TestACancelEndsAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		client, err := endpoint.New(endpoint.Options{BaseURL: "https://host/v1", Model: "m", Transport: &replies{list: []reply{{status: 429, after: "30"}}}})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if _, err := client.Embed(ctx, []string{"a"}); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 5*time.Second {
			t.Errorf("Embed() = %v after %s", err, time.Since(start))
		}
	})
}

// endless never stops sending.
type endless struct{}

func (endless) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(spaces{}), Request: r}, nil
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestAnEndlessAnswerEnds(t *testing.T) {
	client, err := endpoint.New(endpoint.Options{BaseURL: "https://host/v1", Model: "m", Transport: endless{}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Embed(context.Background(), []string{"a"})
	if fault, is := errors.AsType[*embed.Fault](err); !is || fault.Reason != embed.ReasonEndpointAnswer {
		t.Errorf("Embed() = %v, want %s", err, embed.ReasonEndpointAnswer)
	}
}
