// Package modeltest has a model provider for tests: a real HTTP server on this machine that follows a script, which may
// contain failures. The server records its requests. Only tests import it.
package modeltest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/text"
)

// UnusedURL is an address at which nothing listens, because no test server gets port 1. The port of a closed server
// would not do: another test may listen there by now.
const UnusedURL = "http://127.0.0.1:1"

// Step is a function that answers one request to a Server.
type Step func(w http.ResponseWriter, r *http.Request)

// Request is a request that a Server received.
type Request struct {
	Path       string
	Query      string
	Header     http.Header
	Body       []byte
	ClientAddr string // address of the client
}

// Server is a provider that answers by a script. It is safe for concurrent use.
type Server struct {
	URL string // http://127.0.0.1:…

	mu       sync.Mutex
	steps    []Step
	requests []Request
}

// Serve starts a provider and returns it. The n-th step answers the n-th request, and the last step answers all later
// requests. The provider stops when the test ends.
func Serve(t testing.TB, steps ...Step) *Server {
	t.Helper()
	s := &Server{steps: steps}
	server := httptest.NewUnstartedServer(http.HandlerFunc(s.answer))
	server.Config.ErrorLog = nil
	server.Start()
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	s.URL = server.URL
	return s
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	s.mu.Lock()
	index := len(s.requests)
	s.requests = append(s.requests, Request{Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone(), Body: body, ClientAddr: r.RemoteAddr})
	step := s.steps[min(index, len(s.steps)-1)]
	s.mu.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(body))
	step(w, r)
}

// Requests returns the requests that the server has received so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Reply returns a step that answers with the given status, headers ("Name: value") and body. The body is JSON unless a
// header says otherwise.
func Reply(status int, body string, headers ...string) Step {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ":")
			w.Header().Set(name, strings.TrimSpace(value))
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // the client may be gone
	}
}

// JSON returns a step that answers with status 200 and body.
func JSON(body string) Step { return Reply(http.StatusOK, body) }

// Completion returns the body of an OpenAI response whose message is answer.
func Completion(answer string) string {
	return fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m-2026","choices":[{"index":0,"message":`+
		`{"role":"assistant","content":%s,"refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}`,
		text.MustJSON(answer))
}

// Message returns the body of an Anthropic response whose message is answer.
func Message(answer string) string {
	return fmt.Sprintf(`{"id":"msg_1","type":"message","role":"assistant","model":"m-2026","content":[{"type":"text","text":%s}],`+
		`"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":2,"output_tokens":7}}`,
		text.MustJSON(answer))
}

// TextStep returns a step that answers in OpenAI's form. The function text returns the answer to the request's last
// message.
func TextStep(text func(last string) string) Step {
	return func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Messages []struct{ Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil || len(request.Messages) == 0 {
			Reply(http.StatusBadRequest, `{"error":{"message":"no messages","type":"invalid_request_error"}}`)(w, r)
			return
		}
		JSON(Completion(text(request.Messages[len(request.Messages)-1].Content)))(w, r)
	}
}

// DelayStep returns a step that waits for d and then runs step. If the client disconnects first, it answers nothing.
func DelayStep(d time.Duration, step Step) Step {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(d):
			step(w, r)
		case <-r.Context().Done():
		}
	}
}

// NeverStep is a step that sends nothing, not even a header, until the client disconnects.
func NeverStep(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// DripStep returns a step that sends a valid answer byte by byte, with a pause before each byte.
func DripStep(pause time.Duration) Step {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusOK)
		for _, b := range []byte(Completion("slow")) {
			select {
			case <-time.After(pause):
			case <-r.Context().Done():
				return
			}
			_, _ = w.Write([]byte{b})
			w.(http.Flusher).Flush()
		}
	}
}

// Raw returns a step that writes text in place of an HTTP response and closes the connection. If reset is set, it
// closes the connection with a TCP reset.
func Raw(text string, reset bool) Step {
	return func(w http.ResponseWriter, _ *http.Request) {
		hijack(w, func(c net.Conn, out *bufio.ReadWriter) {
			_, _ = out.WriteString(text)
			_ = out.Flush()
			if tcp, ok := c.(*net.TCPConn); ok && reset {
				_ = tcp.SetLinger(0)
			}
		})
	}
}

// Flood returns a step that writes head once, and then text again and again. The step stops after the given number of
// times, or when the client disconnects.
func Flood(head, text string, times int) Step {
	return func(w http.ResponseWriter, _ *http.Request) {
		hijack(w, func(_ net.Conn, out *bufio.ReadWriter) {
			_, err := out.WriteString(head)
			for i := 0; i < times && err == nil; i++ {
				_, err = out.WriteString(text)
			}
			_ = out.Flush()
		})
	}
}

func hijack(w http.ResponseWriter, do func(net.Conn, *bufio.ReadWriter)) {
	c, out, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic("modeltest: hijack: " + err.Error())
	}
	defer c.Close()
	do(c, out)
}

// ZipBombStep returns a step that sends size MiB of spaces, compressed to about a kilobyte for each MiB.
func ZipBombStep(size int) Step {
	var chunk bytes.Buffer
	z := gzip.NewWriter(&chunk)
	if _, err := io.WriteString(z, strings.Repeat(" ", 1<<20)); err != nil {
		panic("modeltest: pack: " + err.Error())
	}
	if err := z.Close(); err != nil {
		panic("modeltest: pack: " + err.Error())
	}
	packed := strings.Repeat(chunk.String(), size) // gzip files in a row are one valid file
	return Reply(http.StatusOK, packed, "Content-Encoding: gzip", "Content-Length: "+strconv.Itoa(len(packed)))
}

// JudgeQuestion is one question to a judge, split into its parts.
type JudgeQuestion struct{ Answer, Criterion, Input, Context string }

var delimited = regexp.MustCompile(`(?s)\[(ASKED|CONTEXT|ANSWER|CRITERION) ([0-9a-f]{32})\]\n(.*?)\[END (?:ASKED|CONTEXT|ANSWER|CRITERION) ([0-9a-f]{32})\]\n`)

// ParseQuestion returns the question in user, the text of the user message that a judge receives.
func ParseQuestion(user string) JudgeQuestion {
	blocks := map[string]string{}
	for _, m := range delimited.FindAllStringSubmatch(user, -1) {
		var lines []string
		for line := range strings.Lines(m[3]) {
			lines = append(lines, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "| "))
		}
		blocks[m[1]] = strings.Join(lines, "\n")
	}
	return JudgeQuestion{Answer: blocks["ANSWER"], Criterion: blocks["CRITERION"], Input: blocks["ASKED"], Context: blocks["CONTEXT"]}
}

// JudgeStep returns a step that answers as a judge does, in OpenAI's form. The function reply returns the text of the
// answer to a question.
func JudgeStep(reply func(JudgeQuestion) string) Step {
	return TextStep(func(last string) string { return reply(ParseQuestion(last)) })
}

// VerdictJSON returns a judge's reply in JSON. It says whether the criterion is met, and why.
func VerdictJSON(met bool, why string) string {
	return fmt.Sprintf(`{"why": %s, "met": %v}`, text.MustJSON(why), met)
}

var inQuotes = regexp.MustCompile(`"(.*)"`)

// Contains reports whether the answer contains the text in quotes of the criterion. If the criterion has no quotes,
// Contains reports whether the answer contains the whole criterion. Case does not matter.
func Contains(q JudgeQuestion) bool {
	word := q.Criterion
	if m := inQuotes.FindStringSubmatch(word); m != nil {
		word = m[1]
	}
	return strings.Contains(strings.ToLower(q.Answer), strings.ToLower(word))
}

// ContainsVerdict returns a judge's reply to q with the verdict of Contains. It can be the argument of Judge.
func ContainsVerdict(q JudgeQuestion) string {
	met := Contains(q)
	return VerdictJSON(met, map[bool]string{true: "It does say ", false: "It does not say "}[met]+q.Criterion+".")
}
