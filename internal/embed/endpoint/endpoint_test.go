package endpoint_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/endpoint"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-canary-0123456789"

// server answers with a vector of each text's length and 1; it notes the requests.
type server struct {
	most   int // texts that it takes at once; 0: any number
	bytes  int // of a text that it takes; 0: any number
	bodies []struct {
		Model string
		Input []string
	}
	faults []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Model string
		Input []string
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil || r.Method != http.MethodPost || r.URL.String() != "/v1/embeddings" ||
		r.Header.Get("Content-Type") != "application/json" || r.Header.Get("Authorization") != "Bearer "+key {
		s.faults = append(s.faults, fmt.Sprintf("%s %s %v %v", r.Method, r.URL, r.Header, err))
	}
	s.bodies = append(s.bodies, body)
	if s.most > 0 && len(body.Input) > s.most {
		http.Error(w, "batch size is too large", http.StatusRequestEntityTooLarge)
		return
	}
	type item struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	}
	var data []item
	for i, text := range body.Input {
		if s.bytes > 0 && len(text) > s.bytes {
			http.Error(w, "input is too long", http.StatusBadRequest)
			return
		}
		data = append(data, item{"embedding", i, []float64{float64(len(text)), 1}})
	}
	slices.Reverse(data) // the index says which is which, not the place
	json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data, "model": body.Model})
}

func start(t *testing.T, h http.Handler) *endpoint.Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	c, err := endpoint.New(endpoint.Options{BaseURL: s.URL + "/v1/", Model: "m", Key: key})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// is checks that a vector is of a text of so many bytes.
func is(t *testing.T, e embed.Embedding, bytes int) {
	t.Helper()
	want := embed.Embedding{Vector: []float64{float64(bytes), 1}}
	if cosine, ok := embed.Cosine(e, want); !ok || cosine < 1-1e-12 {
		t.Errorf("vector %v is not that of %d bytes", e.Vector, bytes)
	}
}

func TestTextsAreAskedInTheOpenAIShape(t *testing.T) {
	s := &server{}
	got, err := start(t, s).Embed(context.Background(), []string{"a", "bbb", "", " \n", "cc"})
	if err != nil || len(s.faults) > 0 || len(s.bodies) != 1 {
		t.Fatalf("%v, faults %q, %d requests", err, s.faults, len(s.bodies))
	}
	if b := s.bodies[0]; b.Model != "m" || !slices.Equal(b.Input, []string{"a", "bbb", "cc"}) {
		t.Errorf("asked %+v; blank texts are not sent", b)
	}
	is(t, got[0], 1)
	is(t, got[1], 3)
	is(t, got[4], 2)
	if got[2].Vector != nil || got[3].Vector != nil {
		t.Errorf("blank texts have vectors %v, %v", got[2].Vector, got[3].Vector)
	}
}

func TestManyTextsAreAskedInParts(t *testing.T) {
	many := func(n, bytes int) (texts []string) {
		for i := range n {
			texts = append(texts, strings.Repeat("x", bytes+i%9))
		}
		return texts
	}
	for _, c := range []struct {
		rule     string
		server   server
		texts    []string
		requests int
	}{
		{"256 texts at once", server{}, many(300, 1), 2},
		{"256 KiB at once", server{}, many(40, 10_000), 2},
		{"a server that takes fewer is asked in halves", server{most: 32}, many(300, 1), 1 + 2 + 4 + 8 + 3},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := c.server
			got, err := start(t, &s).Embed(context.Background(), c.texts)
			if err != nil || len(s.faults) > 0 {
				t.Fatal(err, s.faults)
			}
			for i, text := range c.texts {
				is(t, got[i], len(text))
			}
			if len(s.bodies) != c.requests {
				t.Errorf("%d requests, want %d", len(s.bodies), c.requests)
			}
		})
	}
}

func TestATextThatIsTooLongIsCutAndSaysSo(t *testing.T) {
	for _, c := range []struct {
		rule  string
		takes int
		text  string
		bytes int
		cut   bool
	}{
		{"16 KiB are sent", 0, strings.Repeat("x", 16<<10), 16 << 10, false},
		{"no more", 0, strings.Repeat("x", 16<<10+1), 16 << 10, true},
		{"between characters", 0, "x" + strings.Repeat("ü", 9000), 16<<10 - 1, true},
		{"less where the server refuses it", 5000, strings.Repeat("x", 16<<10), 4096, true},
		{"as little as any model reads", 130, strings.Repeat("x", 16<<10), 128, true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := start(t, &server{bytes: c.takes}).Embed(context.Background(), []string{c.text})
			if err != nil || got[0].Truncated != c.cut {
				t.Fatalf("%v, cut %v; want %v", err, got[0].Truncated, c.cut)
			}
			is(t, got[0], c.bytes)
		})
	}
}

func TestATextThatIsRefusedHasNoVectorAndTheOthersHaveTheirs(t *testing.T) {
	for _, status := range []int{http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			odd := &server{}
			client := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				raw, _ := io.ReadAll(r.Body)
				if strings.Contains(string(raw), "odd") {
					http.Error(w, "no", status)
					return
				}
				r.Body = io.NopCloser(bytes.NewReader(raw))
				odd.ServeHTTP(w, r)
			}))
			got, err := client.Embed(context.Background(), []string{"a", "bbb", "odd", "cccc"})
			if err != nil || got[2].Vector != nil {
				t.Fatalf("Embed() = %+v, %v; want no vector for the text that is refused", got, err)
			}
			is(t, got[0], 1)
			is(t, got[1], 3)
			is(t, got[3], 4)
		})
	}
}

func TestAServerThatRefusesEveryTextIsOfNoUse(t *testing.T) {
	asked := 0
	client := start(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		http.Error(w, "no", http.StatusBadRequest)
	}))
	_, err := client.Embed(context.Background(), []string{strings.Repeat("x", 3000), "b"})
	if fault, is := errors.AsType[*embed.Fault](err); !is || fault.Reason != "endpoint_status_400" || asked > 10 {
		t.Errorf("Embed() = %v after %d requests, want status 400", err, asked)
	}
}

func TestAVectorWithoutADirectionIsNone(t *testing.T) {
	for _, answer := range []string{
		`{"data": [{"index": 0, "embedding": [0, 0]}, {"index": 1, "embedding": [1, 1]}]}`,
		`{"data": [{"index": 0, "embedding": [1e300, 1e300]}, {"index": 1, "embedding": [1, 1]}]}`,
	} {
		client := start(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, answer) }))
		got, err := client.Embed(context.Background(), []string{"a", "b"})
		if err != nil || got[0].Vector != nil {
			t.Fatalf("Embed() = %v, %v", got, err)
		}
		is(t, got[1], 1)
	}
}

func TestAnAnswerThatDoesNotFitIsRefused(t *testing.T) {
	for _, c := range []struct {
		rule, answer string
		want         embed.Reason
	}{
		{"no JSON", "<html>", embed.ReasonEndpointAnswer},
		{"an error under status 200", `{"error": {"message": "no"}}`, embed.ReasonEndpointAnswer},
		{"fewer embeddings than texts", `{"data": [{"index": 0, "embedding": [1]}]}`, embed.ReasonEndpointAnswer},
		{"more of them", `{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}, {"index": 2, "embedding": [1]}]}`, embed.ReasonEndpointAnswer},
		{"an index twice", `{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}`, embed.ReasonEndpointAnswer},
		{"an index below 0", `{"data": [{"index": -1, "embedding": [1]}, {"index": 0, "embedding": [1]}]}`, embed.ReasonEndpointAnswer},
		{"an index out of range", `{"data": [{"index": 0, "embedding": [1]}, {"index": 2, "embedding": [1]}]}`, embed.ReasonEndpointAnswer},
		{"vectors of different length", `{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}`, embed.ReasonDimensionMismatch},
		{"an empty vector", `{"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]}`, embed.ReasonDimensionMismatch},
		{"a number that is none", `{"data": [{"index": 0, "embedding": [1e999]}, {"index": 1, "embedding": [1]}]}`, embed.ReasonEndpointAnswer},
		{"base64 where numbers were asked for", `{"data": [{"index": 0, "embedding": "AACAPw=="}, {"index": 1, "embedding": "AACAPw=="}]}`, embed.ReasonEndpointAnswer},
	} {
		t.Run(c.rule, func(t *testing.T) {
			client := start(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, c.answer) }))
			got, err := client.Embed(context.Background(), []string{"a", "b"})
			if fault, is := errors.AsType[*embed.Fault](err); !is || fault.Reason != c.want || got != nil {
				t.Errorf("Embed() = %v, %#v; want %s", got, err, c.want)
			}
		})
	}
}

func TestAnAnswerWithoutIndexIsInTheOrderOfTheTexts(t *testing.T) {
	client := start(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"data": [{"embedding": [1, 1]}, {"embedding": [3, 1]}]}`)
	}))
	got, err := client.Embed(context.Background(), []string{"a", "bbb"})
	if err != nil {
		t.Fatal(err)
	}
	is(t, got[0], 1)
	is(t, got[1], 3)
}

func TestRedirectsAreNotFollowedAndCarryNoKey(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			stolen := 0
			thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { stolen++ }))
			t.Cleanup(thief.Close)
			client := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, thief.URL+"/steal", status) }))
			_, err := client.Embed(context.Background(), []string{"a"})
			if fault, is := errors.AsType[*embed.Fault](err); !is || fault.Reason != embed.StatusReason(status) || stolen > 0 {
				t.Errorf("Embed() = %v, %d requests at the other host", err, stolen)
			}
		})
	}
}

func TestErrorsShowNeitherKeyNorAddressNorAnswer(t *testing.T) {
	refuse := func(status int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "you sent "+r.Header.Get("Authorization"), status)
		})
	}
	for _, c := range []struct {
		rule   string
		status int
		want   string
	}{
		{"a wrong key", http.StatusUnauthorized, "check the key"},
		{"a wrong address", http.StatusNotFound, "check the address"},
		{"a refusal", http.StatusTeapot, "status 418"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := start(t, refuse(c.status)).Embed(context.Background(), []string{"a"})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("Embed() = %v, want %q", err, c.want)
			}
			for _, secret := range []string{key, "127.0.0.1", "you sent"} {
				if strings.Contains(fmt.Sprintf("%+v", err), secret) {
					t.Errorf("%q shows %q", err, secret)
				}
			}
		})
	}
}

func TestAnAddressThatCannotBeKeptIsRefused(t *testing.T) {
	for _, base := range []string{"", "localhost:8080", "ftp://host/v1", "https://user:pass@host/v1", "https://host/v1?key=" + key, "https://host/v1#x"} {
		if _, err := endpoint.New(endpoint.Options{BaseURL: base, Model: "m"}); err == nil || strings.Contains(err.Error(), key) || strings.Contains(err.Error(), "pass@") {
			t.Errorf("New(%q) = %v, want an error that does not quote it", base, err)
		}
	}
}

func TestTheFingerprintTellsModelAndAddressApartWithoutShowingIt(t *testing.T) {
	of := func(base, model string) string {
		c, err := endpoint.New(endpoint.Options{BaseURL: base, Model: model})
		if err != nil {
			t.Fatal(err)
		}
		return c.Fingerprint()
	}
	a := of("https://internal.example/v1", "m")
	if a != of("https://internal.example/v1/", "m") || a != of("https://internal.example/v1/embeddings", "m") {
		t.Error("one address has two fingerprints")
	}
	if a == of("https://internal.example/v2", "m") || a == of("https://internal.example/v1", "n") {
		t.Error("two models have one fingerprint")
	}
	if strings.Contains(a, "internal") {
		t.Errorf("the fingerprint %q shows the host", a)
	}
}

func TestACancelledRunIsNoFaultOfTheEndpoint(t *testing.T) {
	for rule, answer := range map[string]func(w http.ResponseWriter){
		"an answer that is empty":      func(http.ResponseWriter) {},
		"an answer of another shape":   func(w http.ResponseWriter) { fmt.Fprint(w, `{"data": []}`) },
		"an answer that breaks off":    func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"a refusal":                    func(w http.ResponseWriter) { http.Error(w, "no", http.StatusBadRequest) },
		"an overload, with much to do": func(w http.ResponseWriter) { http.Error(w, "later", http.StatusServiceUnavailable) },
	} {
		t.Run(rule, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			client := start(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				cancel()
				answer(w)
			}))
			_, err := client.Embed(ctx, []string{"a"})
			if _, isFault := errors.AsType[*embed.Fault](err); !errors.Is(err, context.Canceled) || isFault {
				t.Errorf("Embed() = %v, want the cancellation", err)
			}
		})
	}
}
