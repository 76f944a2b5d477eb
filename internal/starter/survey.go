package starter

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/source"
)

// Repository is what a folder holds to begin with.
type Repository struct {
	up          string              // the way from the current folder to the root of its repository, "" for the root itself
	below       string              // the current folder, from there
	prompts     []string            // by name
	vars        map[string][]string // of each of them
	services    []string            // folders below with a configuration of their own
	code        []string            // programs where prompts lie, which may hold some
	data        []string            // files of JSON and YAML there
	foreign     string              // a prompt that is written for another tool, and what it holds of that; "" for none
	promptFiles []string            // *.prompt.yml
	promptfoo   string              // its configuration
	suites      bool                // there are some
	config      string              // the configuration of failproof, "" for none
	keys        []string            // variables with keys of its live targets, by name
	misnamed    string              // a file that is called like one and not read, "" for none
}

// imports reports that there is a configuration of promptfoo to begin with, and nothing of failproof's.
func (r Repository) imports() bool {
	return r.promptfoo != "" && !r.promptfooIsCode() && !r.suites && !r.isConfigured() && len(r.promptFiles) == 0
}

// isConfigured reports that a configuration stands somewhere, or is meant to: none is written beside it.
func (r Repository) isConfigured() bool { return r.config+r.misnamed != "" }

// promptfooIsCode reports that promptfoo's configuration is a program, which is not run.
func (r Repository) promptfooIsCode() bool {
	return r.promptfoo != "" && !slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(r.promptfoo))
}

// isEmpty reports that there is nothing to begin with: an example is written. Beside a configuration none is, whose targets may be others.
func (r Repository) isEmpty() bool {
	return len(r.prompts)+len(r.promptFiles) == 0 && !r.suites && !r.isConfigured()
}

var notInID = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// Survey looks at a folder. What cannot be read is not there.
func Survey(dir string) (r Repository) {
	if root, below, err := source.Within(dir); err == nil && root != "" && below != "." {
		r.below, r.up = below, strings.Repeat("../", strings.Count(below, "/")+1)
	}
	tree, err := source.Worktree(dir)
	if err != nil {
		return r
	}
	defer tree.Close()
	if r.config, _ = config.Find(tree); r.config == "" {
		r.misnamed = config.Misnamed(tree)
	}
	r.readKeys(tree)
	looked := 0
	_ = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error { // what is not listed is not there
		if err != nil || looked == surveyed {
			return fs.SkipDir
		}
		looked++
		if entry.IsDir() {
			if base := path.Base(name); name != "." && (strings.HasPrefix(base, ".") && base != ".github" || base == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		r.consider(name)
		return nil
	})
	r.readPrompts(tree)
	return r
}

// readKeys finds what the workflow has to hand on. Of a configuration that is wrong there is nothing.
func (r *Repository) readKeys(tree fs.FS) {
	if r.config == "" {
		return
	}
	c, _ := config.Load(tree, r.config)
	if c == nil {
		return
	}
	for _, t := range c.Targets {
		if t.Live() {
			r.keys = append(r.keys, t.Variables()...)
		}
	}
	slices.Sort(r.keys)
	r.keys = slices.Compact(r.keys)
}

// surveyed is how many files and folders are looked at.
const surveyed = 20_000

// promptsTaken is how many prompts get a suite: more of them are another kind of files.
const promptsTaken = 100

func (r *Repository) consider(name string) {
	switch base := path.Base(name); {
	case strings.HasSuffix(base, ".prompt.yml"), strings.HasSuffix(base, ".prompt.yaml"):
		r.promptFiles = append(r.promptFiles, name)
	case strings.HasPrefix(name, "suites/") && (strings.HasSuffix(base, ".yaml") || strings.HasSuffix(base, ".yml")):
		r.suites = true
	case path.Dir(name) == "." && strings.HasPrefix(base, "promptfooconfig.") && (r.promptfoo == "" || r.promptfooIsCode()):
		r.promptfoo = name
	case base == path.Base(configFile) && path.Dir(name) != "." && name != configFile:
		r.services = append(r.services, strings.TrimSuffix(path.Dir(name), "/"+path.Dir(configFile)))
	default:
		r.considerPrompt(name)
	}
}
