package models_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/models"
)

// source makes a vector of a text's length and counts the texts.
type source struct {
	name  string
	asked int
}

func (s *source) Fingerprint() string { return s.name }

func (s *source) Embed(_ context.Context, texts []string) ([]embed.Embedding, error) {
	s.asked += len(texts)
	out := make([]embed.Embedding, len(texts))
	for i, text := range texts {
		out[i] = of(text)
	}
	return out, nil
}

func of(text string) embed.Embedding {
	if text == "" {
		return embed.Embedding{}
	}
	return embed.Embedding{Vector: []float64{0.5, float64(float32(1) / float32(len(text)))}, Tokens: len(text), Words: 3, UnknownWords: 1, Truncated: len(text) > 3}
}

func keep(s *source, dir string) embed.Embedder {
	return embed.WithStore(s, models.Cache{Dir: dir, Fingerprint: s.name})
}

func get(t *testing.T, e embed.Embedder, texts ...string) {
	t.Helper()
	got, err := e.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if !reflect.DeepEqual(got[i], of(text)) {
			t.Errorf("%q: %+v, want %+v", text, got[i], of(text))
		}
	}
}

func TestWhatIsKeptIsNotAskedForAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "cache")
	first := &source{name: "m"}
	get(t, keep(first, dir), "a", "bbbb", "")
	second := &source{name: "m"}
	get(t, keep(second, dir), "bbbb", "cc", "a", "")
	if first.asked != 3 || second.asked != 2 { // that a text has no vector is not kept
		t.Errorf("asked %d and %d texts, want 3 and 2", first.asked, second.asked)
	}
	other := &source{name: "another model"}
	if get(t, keep(other, dir), "a"); other.asked != 1 {
		t.Error("an embedding of another model was used")
	}
}

func TestABrokenEntryIsAsIfItWereNotThere(t *testing.T) {
	for _, c := range []struct {
		rule  string
		spoil func(t *testing.T, path string)
	}{
		{"cut", func(t *testing.T, path string) { write(t, path, content(t, path)[:9]) }},
		{"empty", func(t *testing.T, path string) { write(t, path, nil) }},
		{"a bit turned", func(t *testing.T, path string) {
			raw := content(t, path)
			raw[len(raw)-6] ^= 1
			write(t, path, raw)
		}},
		{"grown", func(t *testing.T, path string) { write(t, path, append(content(t, path), 0, 0, 0, 0)) }},
		{"giant", func(t *testing.T, path string) { write(t, path, make([]byte, 2<<20)) }},
		{"a folder", func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(path, 0o755); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			dir := t.TempDir()
			get(t, keep(&source{name: "m"}, dir), "a")
			c.spoil(t, only(t, dir))
			again := &source{name: "m"}
			if get(t, keep(again, dir), "a"); again.asked != 1 {
				t.Error("a broken entry was used")
			}
		})
	}
}

func TestAFolderThatCannotBeWrittenIsNoError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, nil)
	get(t, keep(&source{name: "m"}, file), "a", "b")
}

// only is the one entry of a folder.
func only(t *testing.T, dir string) string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) != 1 {
		t.Fatalf("found %v, %v; want one entry", found, err)
	}
	return found[0]
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func write(t *testing.T, path string, raw []byte) {
	t.Helper()
	if err := os.WriteFile(path, raw, 0o644); err != nil {
		t.Fatal(err)
	}
}
