package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/model"
)

func endpoint(t *testing.T, address string) *Endpoint {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{URL: u, Header: http.Header{}, Timeout: 30 * time.Second})
}

func TestErrorsOfTheConnectionByName(t *testing.T) {
	e := endpoint(t, "https://api.example.com/v1")
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	for _, c := range []struct {
		rule     string
		err      error
		deadline bool
		reason   string
		limit    float64
		retry    *model.Retry
	}{
		{"P20: the deadline", errors.New("context deadline exceeded"), true, "timeout", 30, &model.Retry{Max: 1}},
		{"P21: no connection in time", dial(os.ErrDeadlineExceeded), false, "timeout", 5, &model.Retry{Max: 1}},
		{"P30: a name that is not found is asked for twice more", dial(&net.DNSError{Err: "no such host", Name: "api.example.com", IsNotFound: true}), false, "transport", 0, &model.Retry{Max: 2}},
		{"P30: a name whose server is slow as often as the caller likes", dial(&net.DNSError{Err: "i/o timeout", IsTimeout: true}), false, "transport", 0, &model.Retry{}},
		{"P30: a certificate that is over", &tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.Expired}}, false, "transport", 0, nil},
		{"P30: a certificate of another host", x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x"}, false, "transport", 0, nil},
		{"P30: the other side turns TLS down", errors.New("remote error: tls: handshake failure"), false, "transport", 0, nil},
		{"http where https was meant", errors.New("http: server gave HTTP response to HTTPS client"), false, "transport", 0, nil},
		{"P17: a reset", &net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, false, "transport", 0, &model.Retry{}},
		{"nobody listens", dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), false, "transport", 0, &model.Retry{}},
		{"another host", fmt.Errorf("%w: https://evil.example", errForeign), false, "transport", 0, nil},
		{"no HTTP", errors.New(`net/http: HTTP/1.x transport connection broken: malformed HTTP response "x"`), false, "protocol", 0, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := e.connectionFailure(&url.Error{Op: "Post", URL: "https://api.example.com/v1", Err: c.err}, c.deadline).Failure
			if got.Message == "" {
				t.Error("the failure has no message")
			}
			got.Message = ""
			want := &model.Failure{Reason: c.reason, LimitSeconds: c.limit, Retry: c.retry}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Failure (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAServerOnThisMachineThatWasNotStartedIsNotWaitedFor(t *testing.T) {
	refused := &url.Error{Op: "Post", Err: &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}}
	for address, lasting := range map[string]bool{"http://localhost:1/v1": true, "http://127.0.0.2:1": true, "http://[::1]:1": true, "http://10.0.0.1:1": false, "http://localhost.example.com:1": false} {
		e := endpoint(t, address)
		got := e.connectionFailure(refused, false).Failure
		if said := strings.Contains(string(got.Message), "start the server"); said != lasting || (got.Retry.Max == 2) != lasting ||
			strings.HasPrefix(string(got.Message), "connect to "+e.options.URL.Host+": connection refused") != lasting {
			t.Errorf("%s: %+v", address, got)
		}
	}
	e := endpoint(t, "http://localhost:1/v1")
	e.hasAnswered.Store(true)
	if got := e.connectionFailure(refused, false).Failure; got.Retry.Max != 0 {
		t.Errorf("one that answered before: %+v", got)
	}
}

func TestNoRequestGoesToAnotherHost(t *testing.T) {
	e := endpoint(t, "https://api.example.com/v1")
	for _, address := range []string{"https://evil.example/v1", "http://api.example.com/v1", "https://api.example.com:444/v1", "https://api.example.com.evil.example/"} {
		request, err := http.NewRequest(http.MethodPost, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.http.Transport.RoundTrip(request); !errors.Is(err, errForeign) {
			t.Errorf("%s: %v, want %v", address, err, errForeign)
		}
	}
	request, err := http.NewRequest(http.MethodPost, "https://api.example.com/v1", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "evil.example"
	if _, err := e.http.Transport.RoundTrip(request); !errors.Is(err, errForeign) {
		t.Errorf("a foreign Host header: %v, want %v", err, errForeign)
	}
}

func TestANameDoesNotStandForThisMachineOrItsCloud(t *testing.T) {
	for address, refused := range map[string]bool{
		"127.0.0.1:443": true, "[::1]:443": true, "[::ffff:127.0.0.1]:443": true, "169.254.169.254:443": true, "[fe80::1]:443": true,
		"0.0.0.0:443": true, "[fd00:ec2::254]:443": true, "224.0.0.1:443": true,
		"10.1.2.3:443": false, "192.168.0.5:443": false, "93.184.216.34:443": false, "[2606:2800:220:1::1]:443": false,
	} {
		if err := refuseInner(t.Context(), "tcp", address, nil); errors.Is(err, errForeign) != refused {
			t.Errorf("%s: %v, want refused %v", address, err, refused)
		}
	}
}

func TestRetryAfterInAllItsForms(t *testing.T) {
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		ms, plain string
		want      time.Duration
		said      bool
	}{
		{"", "", 0, false},
		{"", "7", 7 * time.Second, true},
		{"", " 0.5 ", 500 * time.Millisecond, true},
		{"1500", "7", 1500 * time.Millisecond, true},
		{"soon", "7", 7 * time.Second, true},
		{"", "-1", 0, true},
		{"", "86400", 24 * time.Hour, true},
		{"", "1e99", maxAfter, true},
		{"1e99", "", maxAfter, true},
		{"", "NaN", 0, false},
		{"", "+Inf", 0, false},
		{"", "garbage", 0, false},
		{"", "Mon, 05 Jan 2026 09:01:30 GMT", 90 * time.Second, true},
		{"", "Thu, 01 Jan 1970 00:00:00 GMT", 0, true},
		{"", "Fri, 01 Jan 2100 00:00:00 GMT", maxAfter, true},
	} {
		h := http.Header{"Retry-After-Ms": {c.ms}, "Retry-After": {c.plain}}
		if got, said := RetryAfter(h, now); got != c.want || said != c.said {
			t.Errorf("RetryAfter(%q, %q) = %s, %v, want %s, %v", c.ms, c.plain, got, said, c.want, c.said)
		}
	}
}

func TestHeadersThatSayThatNothingIsLeft(t *testing.T) {
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	used := model.Usage{TokensIn: 900, TokensOut: 100}
	openai := func(kind, limit, remaining, reset string) http.Header {
		return http.Header{"X-Ratelimit-Limit-" + kind: {limit}, "X-Ratelimit-Remaining-" + kind: {remaining}, "X-Ratelimit-Reset-" + kind: {reset}}
	}
	for _, c := range []struct {
		rule string
		h    http.Header
		want time.Duration
	}{
		{"P5: one request comes back in its share of the reset", openai("Requests", "360", "0", "6m0s"), time.Second},
		{"P5: tokens as many as the last answer took", openai("Tokens", "10000", "0", "60"), 6 * time.Second},
		{"P5: an answer larger than the limit waits for all of it", openai("Tokens", "10", "0", "20s"), 20 * time.Second},
		{"P5: something is left", openai("Requests", "360", "1", "6m0s"), 0},
		{"P5: Azure's -1 and 0 say nothing", openai("Requests", "-1", "0", "6m0s"), 0},
		{"P5: Azure's limit of 0 says nothing", openai("Requests", "0", "0", "6m0s"), 0},
		{"P5: a remainder of -1 says nothing", openai("Requests", "5", "-1", "6m0s"), 0},
		{"P5: a reset that is no time says nothing", openai("Requests", "1", "0", "later"), 0},
		{"P5: a negative reset is over", openai("Requests", "1", "0", "-6s"), 0},
		{"P5: no pause is longer than a minute", openai("Requests", "1", "0", "500h"), maxPause},
		{"P5: Anthropic's reset is a date", http.Header{"Anthropic-Ratelimit-Requests-Limit": {"10"}, "Anthropic-Ratelimit-Requests-Remaining": {"0"},
			"Anthropic-Ratelimit-Requests-Reset": {"2026-01-05T09:00:30Z"}}, 3 * time.Second},
		{"P5: no headers", http.Header{}, 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := limitPause(c.h, now, used); got != c.want {
				t.Errorf("pause = %s, want %s", got, c.want)
			}
		})
	}
}

func TestTheAddressThatIsDialled(t *testing.T) {
	for address, want := range map[string]string{"https://api.example.com/v1": "api.example.com:443", "http://127.0.0.1:8080": "127.0.0.1:8080",
		"https://[::1]:8443/x": "[::1]:8443"} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := addressOf(u); got != want {
			t.Errorf("addressOf(%s) = %s, want %s", address, got, want)
		}
	}
}
