// Package disk keeps embeddings in a folder, so that a text is not paid for or computed twice. An entry is named by what
// it is of and checked when it is read; one that cannot be read is as if it were not there. Whoever can write into the
// folder decides what answers are worth: it must not be one that a pull request can fill.
package disk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/regular"
)

// Keep returns e with a memory in the folder dir, which is made when it is first needed. A folder that cannot be
// written is no error: the embeddings are made anew next time.
func Keep(e embed.Embedder, dir string) embed.Embedder { return &cache{Embedder: e, dir: dir} }

type cache struct {
	embed.Embedder
	dir string
}

func (c *cache) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	out := make([]embed.Embedding, len(texts))
	var missing []string
	var at []int
	for i, text := range texts {
		kept, ok := c.read(text)
		if !ok {
			missing, at = append(missing, text), append(at, i)
		}
		out[i] = kept
	}
	if len(missing) == 0 {
		return out, nil
	}
	made, err := c.Embedder.Embed(ctx, missing)
	if err != nil {
		return nil, err
	}
	for i, e := range made {
		out[at[i]] = e
		c.write(missing[i], e)
	}
	return out, nil
}

// path names an entry by model and text.
func (c *cache) path(text string) string {
	h := sha256.New()
	io.WriteString(h, c.Fingerprint())
	h.Write([]byte{0})
	io.WriteString(h, text)
	name := hex.EncodeToString(h.Sum(nil))
	return filepath.Join(c.dir, name[:2], name[2:])
}

func (c *cache) read(text string) (embed.Embedding, bool) {
	raw, err := regular.Read(c.path(text), maxEntry)
	if err != nil {
		return embed.Embedding{}, false
	}
	return decode(raw)
}

// write makes an entry under another name first, so that nobody ever reads half of one.
func (c *cache) write(text string, e embed.Embedding) {
	path := c.path(text)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return
	}
	_, err = f.Write(encode(e))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
}
