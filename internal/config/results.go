package config

import (
	"cmp"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// Results says where the results of another runner are, for both sides, and how to judge them.
type Results struct {
	Name       string
	Format     string         // "": the content decides
	Base       string         // path of a file or folder, or the name of an artifact; "" for no base
	Head       string         // path or name, as in Base
	RunPattern *regexp.Regexp // its group matches the number of the run in a test's name; nil: each test runs once
	// score from which a run passes if the runner states no result; nil: such a run is an error
	PassThreshold *float64
	Mode          string   // ModeStrict or ModeNoisy; "": by the format
	MustPass      []string // patterns of the ids of cases that must pass
}

// resultsPrefix is the prefix of the keys of entries of `results`.
const resultsPrefix = "results."

// ArtifactPrefix is the prefix of a path that names an artifact of a GitHub workflow.
const ArtifactPrefix = "artifact:"

func readResults(r *reader, n *document.Node) (all []Results) {
	for key, value := range n.Entries() {
		results := Results{Name: key.Text, Format: value.Get("format").AsText(), Mode: value.Get("mode").AsText(),
			MustPass: textsOf(value.Get("must_pass"))}
		results.Base, results.Head = resultsPath(r, value.Get("base")), resultsPath(r, value.Get("head"))
		if at := value.Get("runs"); at.AsText() != "" {
			var err error
			if results.RunPattern, err = CompileRuns(at.AsText()); err != nil {
				r.ErrorAt(at.Pos, "runs", "runs is %s: %v", document.Quote(at.AsText()), err)
			}
		}
		if threshold, ok := value.Get("pass_at").AsNumber(); ok {
			results.PassThreshold = &threshold
		}
		all = append(all, results)
	}
	slices.SortFunc(all, func(a, b Results) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// resultsPath returns the path of a file or folder, or the name of an artifact with its prefix. It reports a path that
// is not below the current folder.
func resultsPath(r *reader, n *document.Node) string {
	path := n.AsText()
	if path == "" || strings.HasPrefix(path, ArtifactPrefix) {
		return path
	}
	path = strings.TrimSuffix(strings.TrimPrefix(path, "./"), "/")
	if !fs.ValidPath(path) {
		r.ErrorAt(n.Pos, "path", "%s is no path below this folder; expected one with / between folders, without .. "+
			"and not absolute",
			document.Quote(n.Text))
	}
	return path
}

// CompileRuns compiles a pattern for Results.RunPattern. It returns an error if the pattern does not have exactly one
// group.
func CompileRuns(text string) (*regexp.Regexp, error) {
	runs, err := regexp.Compile(text)
	if err == nil && runs.NumSubexp() != 1 {
		err = fmt.Errorf("it has %d groups; expected one, around the run", runs.NumSubexp())
	}
	return runs, err
}

func (r Results) name() string { return r.Name }

// meaning returns a text that is equal for results that are read and judged in the same way.
func (r Results) meaning() string {
	bar := ""
	if r.PassThreshold != nil {
		bar = fmt.Sprint(*r.PassThreshold)
	}
	return fmt.Sprintf("%q %q", append([]string{r.Format, r.Base, r.Head, bar, r.Mode}, r.MustPass...), r.RunPattern)
}
