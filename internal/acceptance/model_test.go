package acceptance_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// modelServer is an OpenAI-compatible endpoint that answers by rules and keeps what it was sent.
type modelServer struct {
	mu       sync.Mutex
	rules    []answerRule
	requests []string // headers and bodies
	dialled  int      // connections, whether or not they carried a request

	interrupt func() // ends the run
}

func (m *modelServer) interruptWith(interrupt func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.interrupt = interrupt
}

// answerRule is what a model answers to messages that hold all words. The last answer is repeated.
type answerRule struct{ words, answers []string }

// startModel serves rules, one a line: words that the model's name and messages must hold, joined by &&, then => and
// the answers, joined by THEN. The first rule that fits answers; none fits: "ok".
func startModel(t testing.TB, rules string) (*modelServer, string) {
	m := &modelServer{}
	for line := range strings.Lines(rules) {
		if needle, answer, ok := strings.Cut(strings.TrimSpace(line), " => "); ok {
			m.rules = append(m.rules, answerRule{strings.Split(needle, "&&"), strings.Split(answer, " THEN ")})
		}
	}
	server := httptest.NewUnstartedServer(m)
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			m.mu.Lock()
			m.dialled++
			m.mu.Unlock()
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	return m, server.URL
}

func (m *modelServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	headers := r.Header.Clone()
	if key == canaries["OPENAI_API_KEY"] {
		headers.Del("Authorization") // the one place where the provider's key belongs
	}
	m.mu.Lock()
	m.requests = append(m.requests, fmt.Sprint(r.Method, " ", r.URL, "\n", headers, "\n", string(body)))
	answer, interrupt := m.answer(string(body)), m.interrupt
	m.mu.Unlock()
	if answer == "INTERRUPT" {
		interrupt()
		answer = "SILENCE"
	}
	if answer == "SILENCE" {
		<-r.Context().Done()
		return
	}
	if status, is := strings.CutPrefix(answer, "STATUS "); is {
		code := 500
		fmt.Sscan(status, &code)
		http.Error(w, `{"error":{"message":"no"}}`, code)
		return
	}
	if to, is := strings.CutPrefix(answer, "REDIRECT "); is {
		http.Redirect(w, r, to, http.StatusTemporaryRedirect)
		return
	}
	if form, is := strings.CutPrefix(answer, "KEY "); is {
		answer = "my key is " + encodings(key)[form]
	}
	finish := "stop"
	if whole, is := strings.CutPrefix(answer, "CUT "); is {
		answer, finish = whole, "length"
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{
		"id": "c1", "object": "chat.completion", "created": 1, "model": "served",
		"choices": []any{map[string]any{"index": 0, "finish_reason": finish, "message": map[string]any{"role": "assistant", "content": answer}}},
		"usage":   map[string]any{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
	})
}

func (m *modelServer) answer(body string) string {
	var asked struct {
		Model    string
		Messages []struct{ Content string }
	}
	json.Unmarshal([]byte(body), &asked)
	text := asked.Model
	for _, message := range asked.Messages {
		text += "\n" + message.Content
	}
	for i, rule := range m.rules {
		if slices.ContainsFunc(rule.words, func(word string) bool { return !strings.Contains(text, word) }) {
			continue
		}
		if len(rule.answers) > 1 {
			m.rules[i].answers = rule.answers[1:]
		}
		return rule.answers[0]
	}
	return "ok"
}

// seen returns what was received.
func (m *modelServer) seen() (requests []string, dialled int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.requests...), m.dialled
}

// encodings are the forms in which a secret may leak, by name.
func encodings(secret string) map[string]string {
	quoted, _ := json.Marshal(secret)
	unicode, entities := "", ""
	for _, r := range secret {
		unicode += fmt.Sprintf(`\u%04x`, r)
		entities += fmt.Sprintf("&#%d;", r)
	}
	return map[string]string{
		"plain": secret, "base64": base64.StdEncoding.EncodeToString([]byte(secret)), "base64url": base64.RawURLEncoding.EncodeToString([]byte(secret)),
		"hex": hex.EncodeToString([]byte(secret)), "url": url.QueryEscape(secret), "path": url.PathEscape(secret),
		"json": string(quoted[1 : len(quoted)-1]), "unicode": unicode, "html": html.EscapeString(secret), "entities": entities,
	}
}
