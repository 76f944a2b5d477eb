package wire

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
)

const (
	firstKey  = "token-canary-first"
	secondKey = "token-canary-second"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// guarded answers whoever has the key that is valid, and tells all others what they sent.
type guarded struct {
	mu    sync.Mutex
	valid string
	asked []string
	turns func() // is called before a key is turned down
}

func (g *guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	sent := r.Header.Get("Authorization")
	g.asked = append(g.asked, sent)
	w.Header().Set("Content-Type", "application/json")
	if sent == "Bearer "+g.valid {
		_, _ = w.Write([]byte(`{"text":"yes"}`))
		return
	}
	if g.turns != nil {
		g.turns()
	}
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = w.Write([]byte(`{"error":{"message":"expired: ` + sent + `"}}`))
}

func keyed(t *testing.T, g *guarded, path string) (*Endpoint, *redact.Learned) {
	t.Helper()
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	learned := &redact.Learned{}
	e := New(Options{URL: at, Access: Access{KeyFile: NewKeyFile(path, learned)}, KeyHeader: "Authorization", KeyPrefix: "Bearer ", Timeout: 30 * time.Second})
	t.Cleanup(func() { _ = e.Close() })
	return e, learned
}

func askKeyed(t *testing.T, e *Endpoint) model.Response {
	t.Helper()
	got, err := e.Call(t.Context(), []byte("{}"), func(r Reply) model.Response { return model.Response{Text: model.Untrusted(r.Body)} })
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestAKeyIsReadFromItsFileBeforeEachRequest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	write(t, path, firstKey+"\r\n")
	g := &guarded{valid: firstKey}
	e, learned := keyed(t, g, path)
	if got := askKeyed(t, e); got.Failure != nil {
		t.Fatalf("first: %+v", got.Failure)
	}
	write(t, path, secondKey)
	g.valid = secondKey
	if got := askKeyed(t, e); got.Failure != nil {
		t.Fatalf("renewed: %+v", got.Failure)
	}
	if want := "Bearer " + firstKey + " Bearer " + secondKey; strings.Join(g.asked, " ") != want {
		t.Errorf("sent %q, want %q", g.asked, want)
	}
	if got := redact.New(nil, nil).WithLearned(learned).Text(firstKey + secondKey); strings.Contains(got, "canary") {
		t.Errorf("%q is not redacted", got)
	}
}

func TestAKeyThatIsTurnedDownIsReadAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	write(t, path, firstKey)
	g := &guarded{valid: secondKey}
	e, _ := keyed(t, g, path)
	got := askKeyed(t, e).Failure
	if got == nil || got.Reason != model.ReasonAuth || !got.StopsTarget || got.Retry != nil || strings.Contains(string(got.Message), "canary") ||
		!strings.Contains(string(got.Message), "has no other key") {
		t.Errorf("with the same key in the file: %+v, want the end of the target", got)
	}
	g.turns = func() { write(t, path, secondKey) } // while the request is under way
	got = askKeyed(t, e).Failure
	if got == nil || got.Reason != model.ReasonAuth || got.StopsTarget || got.Retry == nil || got.Retry.Max != 1 {
		t.Errorf("with another key in the file by then: %+v, want that it is asked once more", got)
	}
	if got := askKeyed(t, e); got.Failure != nil || got.Text != `{"text":"yes"}` {
		t.Errorf("then: %+v", got)
	}
}

func TestAFileWithoutAKeyIsToldAndNothingIsSent(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ rule, text, want string }{
		{"no file", "", "no such file"},
		{"an empty file", " \n", "is empty"},
		{"two lines", firstKey + "\nX: y", "is not only a key"},
		{"a letter that keys do not have", firstKey + "é", "is not only a key"},
		{"a file that is too long", strings.Repeat("x", maxKey+1), "at most 16384 are read"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			path := filepath.Join(dir, "token")
			_ = os.Remove(path)
			if c.text != "" {
				write(t, path, c.text)
			}
			g := &guarded{}
			e, _ := keyed(t, g, path)
			got := askKeyed(t, e).Failure
			if got == nil || got.Reason != model.ReasonNoKey || !got.StopsTarget || len(g.asked) > 0 || strings.Contains(string(got.Message), "canary") {
				t.Fatalf("%d requests, %+v; want none, and the end of the target", len(g.asked), got)
			}
			if _, err := os.Stat(path); err == nil && !strings.Contains(string(got.Message), c.want) {
				t.Errorf("it says %q, want %q", got.Message, c.want)
			}
		})
	}
	e, _ := keyed(t, &guarded{}, dir)
	if got := askKeyed(t, e).Failure; got == nil || !strings.Contains(string(got.Message), "is a folder, not a file") {
		t.Errorf("a folder: %+v", got)
	}
}

func TestWhatIsNotEncryptedGoesToPrivateAddressesOnly(t *testing.T) {
	for address, refused := range map[string]bool{
		"10.1.2.3:80": false, "172.18.0.2:11434": false, "192.168.0.5:80": false, "[fd12::1]:80": false, "100.64.0.7:80": false, "[::ffff:10.0.0.1]:80": false,
		"93.184.216.34:80": true, "[2606:2800:220:1::1]:80": true, "100.128.0.1:80": true, "172.32.0.1:80": true,
		"127.0.0.1:80": true, "169.254.169.254:80": true, "[fe80::1]:80": true, "0.0.0.0:80": true,
	} {
		if err := refusePublic(t.Context(), "tcp", address, nil); errors.Is(err, errForeign) != refused {
			t.Errorf("%s: %v, want refused %v", address, err, refused)
		}
	}
}

func TestWhatIsNotEncryptedGoesThroughNoProxy(t *testing.T) {
	for address, proxied := range map[string]bool{"http://ollama:11434": false, "http://127.0.0.1:1": false, "https://api.example.com": true} {
		at, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := newTransport(at).Proxy != nil; got != proxied {
			t.Errorf("%s: through the environment's proxy %v, want %v", address, got, proxied)
		}
	}
}
