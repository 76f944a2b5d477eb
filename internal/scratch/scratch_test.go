package scratch_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/failproof/failproof/internal/scratch"
)

// full is a file that takes some bytes and no more.
type full struct {
	*os.File
	left int
}

func (f *full) WriteAt(p []byte, off int64) (int, error) {
	n := min(len(p), f.left)
	f.left -= n
	if _, err := f.File.WriteAt(p[:n], off); err != nil || n < len(p) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

func TestWhatWasKeptIsFoundAgain(t *testing.T) {
	file := func() (scratch.File, error) { return os.Create(t.TempDir() + "/f") }
	for name, open := range map[string]func() (scratch.File, error){
		"file": file, "none": nil, "fails": func() (scratch.File, error) { return nil, errors.New("read-only") },
		"full": func() (scratch.File, error) {
			f, err := os.Create(t.TempDir() + "/f")
			return &full{f, 3_000_001}, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := scratch.New(open)
			random := rand.New(rand.NewPCG(1, 2))
			writers := make([]scratch.Writer, 100)
			for i := range writers {
				writers[i] = s.Writer()
			}
			var texts [][]byte
			var places []scratch.Ref
			for i := range 3000 {
				text := bytes.Repeat(fmt.Appendf(nil, "%d,", i), random.IntN(1500))
				if i%100 == 7 { // which take several blocks
					text = bytes.Repeat(text, 30)
				}
				texts, places = append(texts, text), append(places, writers[random.IntN(len(writers))].Keep(text))
				if j := random.IntN(i + 1); !bytes.Equal(s.Get(places[j], []byte("x"))[1:], texts[j]) {
					t.Fatalf("text %d of %d is another one", j, i)
				}
			}
			for i, at := range places {
				if !bytes.Equal(s.Get(at, nil), texts[i]) {
					t.Fatalf("text %d is another one", i)
				}
				if most := random.IntN(len(texts[i]) + 2); !bytes.Equal(s.GetFirst(at, nil, most), texts[i][:min(most, len(texts[i]))]) {
					t.Fatalf("the first %d bytes of text %d are others", most, i)
				}
			}
		})
	}
}

type tree struct{ store *scratch.Store }

func (t tree) Scratch() *scratch.Store { return t.store }

func TestATreeKeepsWhatWasReadOfIt(t *testing.T) {
	s := scratch.New(nil)
	if scratch.Of(tree{s}) != s || scratch.Of(os.DirFS(".")) == nil {
		t.Error("the tree's own store is not used")
	}
}
