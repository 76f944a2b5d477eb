package models_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/embedtest"
	"github.com/failproof/failproof/internal/embed/encoder"
	"github.com/failproof/failproof/internal/embed/models"
	"github.com/failproof/failproof/internal/model/modeltest"
)

func files() map[string][]byte {
	return embedtest.StaticModel(embedtest.Synonyms{"cat", "feline"}, embedtest.Synonyms{"dog"})
}

// install writes a model into a folder of its own below dir.
func install(t *testing.T, dir, name string, f map[string][]byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := embedtest.WriteFiles(path, f); err != nil {
		t.Fatal(err)
	}
	return path
}

// digest is what `sha256sum … | sha256sum` prints, as the documentation has it.
func digest(f map[string][]byte) string {
	var names []string
	for name := range f {
		names = append(names, name)
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range names {
		sum := sha256.Sum256(f[name])
		h.Write([]byte(hex.EncodeToString(sum[:]) + "  " + name + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func TestOnlyTheModelThatIsMeantIsOpened(t *testing.T) {
	work, away := t.TempDir(), t.TempDir()
	good, bad := digest(files()), strings.Repeat("0", 64)
	outside := install(t, away, "tiny", files())
	install(t, work, "mine/tiny", files())
	install(t, away, "potion-base-8M", files())
	for _, c := range []struct {
		rule string
		want models.Spec
		err  embed.Reason
		says string
	}{
		{"a folder, with the digest of its files", models.Spec{Model: outside, SHA256: good}, "", ""},
		{"the digest in capitals", models.Spec{Model: outside, SHA256: strings.ToUpper(good)}, "", ""},
		{"a relative folder begins at the current one", models.Spec{Model: "./mine/tiny", SHA256: good}, "", ""},
		{"an installed model by its name", models.Spec{Model: "tiny", SHA256: good}, "", ""},
		{"another digest", models.Spec{Model: outside, SHA256: bad}, embed.ReasonChecksumMismatch, "have the digest " + good},
		{"no digest: the message holds the one to add", models.Spec{Model: outside}, embed.ReasonChecksumMissing, "add `sha256: " + good + "`"},
		{"a known name with other weights", models.Spec{Model: "potion-base-8M"}, embed.ReasonChecksumMismatch, "expected f65d0f32"},
		{"a known name whose files are given by digest", models.Spec{Model: "potion-base-8M", SHA256: good}, "", ""},
		{"a name that no command fetches", models.Spec{Model: "a;id"}, embed.ReasonModelMissing, "`failproof model pull NAME` fetches one of potion"},
		{"a name that is not installed", models.Spec{Model: "potion-base-2M"}, embed.ReasonModelMissing, "failproof model pull potion-base-2M"},
		{"a folder that is not there", models.Spec{Model: "./other", SHA256: good}, embed.ReasonModelMissing, "does not exist"},
		{"a folder without a model", models.Spec{Model: work, SHA256: good}, embed.ReasonModelMissing, "has no model.safetensors"},
		{"the other kind", models.Spec{Model: outside, SHA256: good, Kind: encoder.BERT}, embed.ReasonUnsupportedModel, "says bert"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			c.want.Dir, c.want.Search = work, []string{filepath.Join(work, "none"), away}
			e, err := models.Open(c.want)
			fault, is := errors.AsType[*embed.Fault](err)
			if is != (c.err != "") || is && fault.Reason != c.err || (err == nil) == is {
				t.Fatalf("Open() = %#v, want %q", err, c.err)
			}
			if err != nil {
				if !strings.Contains(err.Error(), c.says) {
					t.Errorf("%q does not say %q", err, c.says)
				}
				return
			}
			if f := e.Fingerprint(); f != "static/1 "+filepath.Base(c.want.Model)+" sha256:"+good {
				t.Errorf("fingerprint %q", f)
			}
		})
	}
}

// pointerTo is what Git LFS commits in a file's place.
func pointerTo(data []byte) *fstest.MapFile {
	return &fstest.MapFile{Data: fmt.Appendf(nil, "version https://git-lfs.github.com/spec/v1\noid sha256:%x\nsize %d\n", sha256.Sum256(data), len(data))}
}

// revision is a tree with a model in models/tiny.
func revision(f map[string][]byte) fstest.MapFS {
	tree := fstest.MapFS{}
	for name, data := range f {
		tree["models/tiny/"+name] = &fstest.MapFile{Data: data}
	}
	return tree
}

func TestAModelOfTheRepositoryIsTheRevisions(t *testing.T) {
	const weights, tokenizer = "models/tiny/model.safetensors", "models/tiny/tokenizer.json"
	for _, c := range []struct {
		rule string
		held func(tree fstest.MapFS) // the revision
		disk func(t *testing.T, dir string)
		err  embed.Reason
		path string
	}{
		{"whatever the folder holds", nil, func(t *testing.T, dir string) { write(t, filepath.Join(dir, "config.json"), []byte("{}")) }, "", ""},
		{"and where it holds nothing", nil, func(t *testing.T, dir string) { os.RemoveAll(dir) }, "", ""},
		{"or a file that the revision lacks", nil, func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "sentence_bert_config.json"), []byte("{}"))
		}, "", ""},
		{"a pointer stands for the file that it names", func(tree fstest.MapFS) { tree[weights] = pointerTo(files()["model.safetensors"]) }, nil, "", ""},
		{"and for no other", func(tree fstest.MapFS) { tree[weights] = pointerTo([]byte("another")) }, nil, embed.ReasonModelElsewhere, weights},
		{"nor for none", func(tree fstest.MapFS) { tree[weights] = pointerTo(files()["model.safetensors"]) },
			func(t *testing.T, dir string) { os.RemoveAll(dir) }, embed.ReasonModelElsewhere, weights},
		{"what the revision holds as a link is told by the digest", func(tree fstest.MapFS) { tree[tokenizer].Mode = fs.ModeDir }, nil, "", ""},
		{"and not taken where that is another", func(tree fstest.MapFS) { tree[tokenizer].Mode = fs.ModeDir },
			func(t *testing.T, dir string) { write(t, filepath.Join(dir, "tokenizer.json"), []byte("{}")) }, embed.ReasonModelElsewhere, tokenizer},
		{"a folder that is a link there has the files that the digest says", func(tree fstest.MapFS) {
			for _, name := range models.FileNames() {
				tree["models/tiny/"+name] = &fstest.MapFile{Mode: fs.ModeDir}
			}
		}, nil, "", ""},
		{"a revision without the folder takes the one that is there", func(tree fstest.MapFS) { clear(tree) }, nil, "", ""},
		{"by its digest", func(tree fstest.MapFS) { clear(tree) },
			func(t *testing.T, dir string) { write(t, filepath.Join(dir, "config.json"), []byte("{}")) }, embed.ReasonModelElsewhere, "models/tiny"},
		{"what the revision has otherwise than it says is its own fault", func(tree fstest.MapFS) { tree[tokenizer].Data = []byte("{}") }, nil, embed.ReasonChecksumMismatch, "models/tiny"},
		{"nobody has it", func(tree fstest.MapFS) { clear(tree) }, func(t *testing.T, dir string) { os.RemoveAll(dir) }, embed.ReasonModelMissing, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			tree, work := revision(files()), t.TempDir()
			dir := install(t, work, "models/tiny", files())
			if c.held != nil {
				c.held(tree)
			}
			if c.disk != nil {
				c.disk(t, dir)
			}
			for _, model := range []string{"models/tiny", "./models/tiny", filepath.Join(work, "models", "tiny")} {
				e, err := models.Open(models.Spec{Model: model, SHA256: digest(files()), Tree: tree, Dir: work})
				fault, is := errors.AsType[*embed.Fault](err)
				if is != (c.err != "") || is && (fault.Reason != c.err || fault.Path != c.path) {
					t.Fatalf("Open(%s) = %v, %#v; want %q of %q", model, e, err, c.err, c.path)
				}
			}
		})
	}
}

func TestAnEncoderIsKnownByItsConfiguration(t *testing.T) {
	f := embedtest.BERTModel("cat", "dog")
	f["1_Pooling/config.json"] = []byte(`{"pooling_mode_mean_tokens": true}`)
	f["sentence_bert_config.json"] = []byte(`{"max_seq_length": 8}`)
	path := install(t, t.TempDir(), "encoder", f)
	e, err := models.Open(models.Spec{Kind: encoder.BERT, Model: path, SHA256: digest(f), Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Embed(context.Background(), []string{strings.Repeat("cat ", 9)})
	if err != nil || len(got[0].Vector) != 8 || got[0].Tokens != 6 || !strings.HasPrefix(e.Fingerprint(), "bert/2 encoder ") {
		t.Errorf("Embed() = %+v, %v by %s", got, err, e.Fingerprint())
	}
}

func TestEveryFileCountsInTheDigest(t *testing.T) {
	for name := range files() {
		f := files()
		f[name] = append(f[name], ' ')
		path := install(t, t.TempDir(), "tiny", f)
		_, err := models.Open(models.Spec{Model: path, SHA256: digest(files()), Dir: t.TempDir()})
		if fault, is := errors.AsType[*embed.Fault](err); !is || fault.Reason != embed.ReasonChecksumMismatch {
			t.Errorf("a changed %s: %v, want %s", name, err, embed.ReasonChecksumMismatch)
		}
	}
}

// tinyModel is a model of this test, as failproof would know it.
func tinyModel(f map[string][]byte) models.KnownModel {
	sum := sha256.Sum256(f["model.safetensors"])
	return models.KnownModel{Name: "tiny", Kind: encoder.Static, Files: []string{"config.json", "tokenizer.json"},
		Weights: hex.EncodeToString(sum[:]), MaxBytes: 1 << 16}
}

// hub serves files below /m, and sends who wants the weights elsewhere, as hubs do.
func hub(t *testing.T, f map[string][]byte) (address string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		name := strings.TrimPrefix(r.URL.Path, "/m/")
		if name == "model.safetensors" {
			http.Redirect(w, r, "/cdn/model.safetensors?signature=x", http.StatusFound)
			return
		}
		text, ok := f[strings.TrimPrefix(name, "/cdn/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Write(text)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/m/", asked
}

func TestPullInstallsAWholeModelOrNothing(t *testing.T) {
	changed := func(name string, text []byte) map[string][]byte {
		f := files()
		f[name] = text
		return f
	}
	without := files()
	delete(without, "tokenizer.json")
	small := tinyModel(files())
	small.MaxBytes = 10
	for _, c := range []struct {
		rule  string
		model models.KnownModel
		files map[string][]byte
		want  string // "" is success
	}{
		{"the right files", tinyModel(files()), files(), ""},
		{"other weights", tinyModel(files()), changed("model.safetensors", []byte("other")), "has the SHA-256 d9298a10"},
		{"a file that is missing", tinyModel(files()), without, "status 404"},
		{"a tokenizer that is none", tinyModel(files()), changed("tokenizer.json", []byte("{}")), "is not installed"},
		{"a file that is too large", small, files(), "has more than 10 bytes"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			from, asked := hub(t, c.files)
			dir := filepath.Join(t.TempDir(), "models")
			path, sum, err := models.Pull(context.Background(), models.Download{Model: c.model, Source: from, Dir: dir})
			if c.want == "" {
				if err != nil || path != filepath.Join(dir, "tiny") || sum != digest(c.files) {
					t.Fatalf("Pull() = %s, %s, %v", path, sum, err)
				}
				if _, err := models.Open(models.Spec{Model: "tiny", SHA256: sum, Search: []string{dir}}); err != nil {
					t.Error(err)
				}
				before := asked.Load()
				if _, again, err := models.Pull(context.Background(), models.Download{Model: c.model, Source: from, Dir: dir}); err != nil || again != sum || asked.Load() != before {
					t.Errorf("a second pull asked %d times: %v", asked.Load()-before, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("Pull() = %v, want %q", err, c.want)
			}
			left, err := os.ReadDir(dir)
			if err != nil || len(left) != map[bool]int{true: 1, false: 0}[c.want == ""] {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

func TestPullReplacesAModelThatIsBroken(t *testing.T) {
	from, _ := hub(t, files())
	dir := t.TempDir()
	install(t, dir, "tiny", map[string][]byte{"model.safetensors": []byte("broken")})
	if _, _, err := models.Pull(context.Background(), models.Download{Model: tinyModel(files()), Source: from, Dir: dir}); err != nil {
		t.Fatal(err)
	}
	if _, err := models.Open(models.Spec{Model: "tiny", SHA256: digest(files()), Search: []string{dir}}); err != nil {
		t.Error(err)
	}
}

func TestPullKeepsToHTTPS(t *testing.T) {
	for _, from := range []string{"http://example.com/m", "ftp://example.com", "https://user:pass@example.com", "nonsense", "file:///etc"} {
		_, _, err := models.Pull(context.Background(), models.Download{Model: tinyModel(files()), Source: from, Dir: t.TempDir()})
		if err == nil || !strings.Contains(err.Error(), "is not an https address") {
			t.Errorf("from %s: %v", from, err)
		}
	}
	away := httptest.NewServer(http.RedirectHandler("http://example.com/", http.StatusFound))
	t.Cleanup(away.Close)
	_, _, err := models.Pull(context.Background(), models.Download{Model: tinyModel(files()), Source: away.URL, Dir: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "not https") {
		t.Errorf("a redirect to http: %v", err)
	}
}

func TestAMachineWithoutNetworkIsToldWhatToDo(t *testing.T) {
	_, _, err := models.Pull(context.Background(), models.Download{Model: tinyModel(files()), Source: modeltest.UnusedURL, Dir: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "to this machine") {
		t.Errorf("Pull() = %v", err)
	}
}

func TestTheKnownModelsCanBeNamed(t *testing.T) {
	if models.DefaultModel(encoder.Static) != "potion-base-8M" || models.DefaultModel(encoder.BERT) != "all-MiniLM-L6-v2" {
		t.Fatalf("known are %v", models.Names())
	}
	for _, name := range models.Names() {
		k, ok := models.Find(name)
		sum, err := hex.DecodeString(k.Weights)
		if !ok || err != nil || len(sum) != sha256.Size || !strings.HasPrefix(k.Source, "https://") || k.MaxBytes <= 0 {
			t.Errorf("%+v, %v", k, err)
		}
	}
}
