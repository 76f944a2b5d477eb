package acceptance_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// file is a file of a commit as git knows it.
type file struct {
	mode string // 100644, 120000 for a symbolic link, 160000 for a submodule
	data string
}

// tree is the files of a commit by path.
type tree map[string]file

// write lays a tree down below a folder.
func (t tree) write(dir string) error {
	for name, f := range t {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			return err
		}
		err := error(nil)
		switch f.mode {
		case "120000":
			err = os.Symlink(f.data, at)
		case "100644":
			err = os.WriteFile(at, []byte(f.data), 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keys are request keys by suite and case, as "shop/refund".
type keys map[string]string

// keysOf asks failproof for the request keys of a tree, as `failproof record` would write them.
func keysOf(t tree) (keys, error) {
	dir, err := os.MkdirTemp("", "keys")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := t.write(dir); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	start{dir: dir, stdout: &out}.here(context.Background(), "validate", "--json") // a tree with a fault is one too: the suites without a fault have their keys
	var told struct {
		Suites []struct {
			ID    string `json:"suite_id"`
			Cases []struct {
				ID  string `json:"case_id"`
				Key string `json:"request_key"`
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &told); err != nil {
		return nil, fmt.Errorf("validate --json printed something else: %w\n%s", err, out.String())
	}
	found := keys{}
	for _, s := range told.Suites {
		for _, c := range s.Cases {
			written, _, _ := strings.Cut(s.ID, "@") // in recordings; of several targets a suite's first is a recorded one
			if name := written + "/" + c.ID; found[name] == "" {
				found[name] = c.Key
			}
		}
	}
	return found, nil
}

var (
	keysKnown = map[[32]byte]keys{}
	keysLock  sync.Mutex
)

// keysOnce is keysOf, asked once for all trees whose prompts, suites and configuration are the same.
func keysOnce(t tree) (keys, error) {
	asked := maps.Clone(t)
	maps.DeleteFunc(asked, func(name string, _ file) bool {
		return strings.HasSuffix(name, ".jsonl") && strings.HasPrefix(name, "recordings/")
	})
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		fmt.Fprintf(sum, "%s %s %d\n%s", name, asked[name].mode, len(asked[name].data), asked[name].data)
	}
	id := [32]byte(sum.Sum(nil))
	keysLock.Lock()
	known, is := keysKnown[id]
	keysLock.Unlock()
	if is {
		return known, nil
	}
	found, err := keysOf(asked)
	if err != nil {
		return nil, err
	}
	keysLock.Lock()
	defer keysLock.Unlock()
	keysKnown[id] = found
	return found, nil
}

// bound fills in the keys of recordings: "@" is the key that the line's case has in this tree, and "@base" the one that
// it has on the base, as in a line that was not recorded again. A case without a key in this tree gets the base's.
func (t tree) bound(base keys) (tree, error) {
	if !slices.ContainsFunc(slices.Collect(maps.Values(t)), func(f file) bool { return strings.Contains(f.data, `"request_key":"@`) }) {
		return t, nil
	}
	own, err := keysOnce(t)
	if err != nil {
		return nil, err
	}
	out := maps.Clone(t)
	for name, f := range t {
		lines := strings.SplitAfter(f.data, "\n")
		for i, line := range lines {
			lines[i] = bindLine(line, own, base)
		}
		out[name] = file{f.mode, strings.Join(lines, "")}
	}
	return out, nil
}

func bindLine(line string, own, base keys) string {
	if !strings.Contains(line, `"request_key":"@`) {
		return line
	}
	var whose struct {
		Suite string `json:"suite_id"`
		Case  string `json:"case_id"`
	}
	json.Unmarshal([]byte(line), &whose)
	id := whose.Suite + "/" + whose.Case
	key, is := own[id]
	if !is || strings.Contains(line, `"request_key":"@base"`) {
		key = base[id]
	}
	line = strings.Replace(line, `"base_key":"@base"`, `"base_key":"`+base[id]+`"`, 1)
	line = strings.Replace(line, `"request_key":"@base"`, `"request_key":"`+key+`"`, 1)
	return strings.Replace(line, `"request_key":"@"`, `"request_key":"`+key+`"`, 1)
}
