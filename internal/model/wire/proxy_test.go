package wire

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/model"
)

func TestAProxyThatDoesNotConnectIsNamed(t *testing.T) {
	for _, c := range []struct {
		status int
		says   string
		retry  *model.Retry
	}{
		{403, "answers HTTP 403; it does not allow connections to this host", nil},
		{407, "answers HTTP 407; it requires a user and a password: add them to HTTPS_PROXY", nil},
		{400, "answers HTTP 400", nil},
		{429, "answers HTTP 429", &model.Retry{}},
		{503, "answers HTTP 503", &model.Retry{}},
	} {
		t.Run(http.StatusText(c.status), func(t *testing.T) {
			var asked atomic.Int32
			proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				if r.Method != http.MethodConnect || r.Host != "api.example.com:443" {
					t.Errorf("the proxy is asked to %s %s", r.Method, r.Host)
				}
				w.WriteHeader(c.status)
			}))
			defer proxy.Close()
			at, err := url.Parse(proxy.URL)
			if err != nil {
				t.Fatal(err)
			}
			at.User = url.UserPassword("ada", "secret")
			e := endpoint(t, "https://api.example.com/v1")
			e.http.Transport.(*boundTransport).next.Proxy = http.ProxyURL(at)
			got, err := e.Call(t.Context(), []byte("{}"), nil)
			if err != nil {
				t.Fatal(err)
			}
			text := "connect to api.example.com: the proxy " + at.Host + " " + c.says
			want := &model.Failure{Reason: model.ReasonTransport, Message: model.Untrusted(text), Status: c.status, Retry: c.retry}
			if diff := cmp.Diff(want, got.Failure); diff != "" || asked.Load() != 1 || got.MayCost {
				t.Errorf("asked %d times, failure (-want +got):\n%s", asked.Load(), diff)
			}
			if strings.Contains(string(got.Failure.Message), "secret") {
				t.Error("the message holds the proxy's password")
			}
		})
	}
}
