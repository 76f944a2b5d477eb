package acceptance_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/failproof/failproof/internal/embed/embedtest"
)

// meanings are the groups of words that the scripts' models know.
var meanings = []embedtest.Synonyms{
	{"refund", "reimbursement", "repayment"}, {"vendor", "supplier"}, {"logs", "records"}, {"password", "passphrase"},
	{"audit", "review"}, {"incident", "breach"}, {"backup", "copy"}, {"yes"}, {"no"},
}

// tinyModel writes a static model into a folder.
func tinyModel(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: model FOLDER")
	}
	ts.Check(embedtest.WriteFiles(ts.MkAbs(args[0]), embedtest.StaticModel(meanings...)))
}

// writeConfig FILE LINE writes a configuration with one more line.
func writeConfig(ts *testscript.TestScript, _ bool, args []string) {
	text := "version: 1\nsuites: [\"suites/*.yaml\"]\ndefault_target: replay\n" +
		"targets: { replay: { provider: recorded, path: \"recordings/{suite}.jsonl\" } }\n" + strings.Join(args[1:], " ") + "\n"
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// embeddingServer starts an OpenAI-compatible server of embeddings, whose address goes into SERVER. It answers to the
// key "right" alone; with a number, it stops to do so after as many requests.
func embeddingServer(ts *testscript.TestScript, _ bool, args []string) {
	left := int64(1 << 30)
	if len(args) == 1 {
		ts.Check(json.Unmarshal([]byte(args[0]), &left))
	}
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings":
			http.NotFound(w, r)
		case r.Header.Get("Authorization") != "Bearer right":
			http.Error(w, "wrong key", http.StatusUnauthorized)
		case asked.Add(1) > left:
			http.Error(w, "gone", http.StatusGone)
		default:
			serveVectors(w, r)
		}
	}))
	ts.Defer(s.Close)
	ts.Setenv("SERVER", s.URL+"/v1")
}

// serveVectors counts the words of each meaning.
func serveVectors(w http.ResponseWriter, r *http.Request) {
	var body struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, "no JSON", http.StatusBadRequest)
		return
	}
	type item struct {
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	}
	var data []item
	for i, text := range body.Input {
		vector := make([]float64, len(meanings)+1)
		vector[len(meanings)] = 0.01
		for _, word := range strings.Fields(strings.ToLower(strings.NewReplacer(".", "", ",", "").Replace(text))) {
			for at, meaning := range meanings {
				for _, known := range meaning {
					if word == known {
						vector[at]++
					}
				}
			}
		}
		data = append(data, item{i, vector})
	}
	json.NewEncoder(w).Encode(map[string]any{"data": data})
}
