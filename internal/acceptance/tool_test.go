package acceptance_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tool TREE ARGUMENT… runs failproof in the files of a commit, as their author does before committing, with the model
// and its key at hand. What it writes belongs to the commit.
func (s *scene) tool(w []string) {
	s.Helper()
	s.startModels()
	dir := s.TempDir()
	files := s.tree(w[0])
	for at, f := range files {
		files[at] = file{f.mode, s.addresses.Replace(f.data)}
	}
	if err := files.write(dir); err != nil {
		s.Fatal(err)
	}
	var said bytes.Buffer
	env := []string{"HOME=" + s.TempDir(), "PATH=" + os.Getenv("PATH"), "OPENAI_API_KEY=" + canaries["OPENAI_API_KEY"]}
	if code, err := (start{dir, env, &said, &said}).run(s.T, w[1:]...); code != 0 || err != nil {
		s.Fatalf("line %d: failproof %s: exit code %d, %v\n%s", s.at.line, strings.Join(w[1:], " "), code, err, said.String())
	}
	clear(files)
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if entry != nil && entry.Name() == ".failproof" {
				return fs.SkipDir
			}
			return err
		}
		data, err := os.ReadFile(name)
		at, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(at)] = file{"100644", string(data)}
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
}
