package suite

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// maxFiles is a number of matching files that is taken for a mistake in a glob. Fewer files are read.
const maxFiles = 10_000

// form is how a file is read. The name of the file decides.
type form int

const (
	otherForm form = iota
	suiteForm      // YAML or JSON: a suite, a prompt file of GitHub Models, or evaluations of a skill
	linesForm      // JSON lines: one FailProof case on each line
)

// formOf returns the form of the file name, by its ending. A *.schema.json is the schema of answers, and no suite.
func formOf(name string) form {
	switch {
	case strings.HasSuffix(name, ".schema.json"):
		return otherForm
	case strings.HasSuffix(name, ".yaml"), strings.HasSuffix(name, ".yml"), strings.HasSuffix(name, ".json"):
		return suiteForm
	case strings.HasSuffix(name, ".jsonl"):
		return linesForm
	}
	return otherForm
}

// source is a file from which suites are read.
type source struct {
	path string
	id   string // the id of its suite if the file does not name one
	form form

	foundByName bool // the file was found only because of its usual name, and may not be meant as a suite
}

// search finds the files that match globs.
type search struct {
	fsys     fs.FS
	config   *config.Config
	globs    []*glob
	excluded []glob // patterns of files that are excluded
	// the files that were found; the value is false if only the default config.EvalsGlob matches the file
	files  map[string]bool
	faults []document.Diagnostic
}

// find returns the files that globs name, each once and sorted by path, and the errors and warnings about the globs.
func find(fsys fs.FS, cfg *config.Config, globs []string) ([]source, []document.Diagnostic) {
	s := &search{fsys: fsys, config: cfg, files: map[string]bool{}}
	for _, text := range globs {
		g, problem := s.parse(text)
		if problem != "" {
			s.report(text, document.Error, "glob", problem)
		} else if g.excludes {
			s.excluded = append(s.excluded, g)
		} else {
			s.globs = append(s.globs, &g)
		}
	}
	s.walk()
	s.addLiteral()
	if len(s.files) >= maxFiles {
		s.reportFile(s.config.Path, "too-many-files", fmt.Sprintf("suites: %d files match, at most %d are read; name the folder of the suites", len(s.files), maxFiles-1))
		s.files = nil
	}
	s.reportGlobs()
	return s.sources(), s.faults
}

// parse parses a glob. If the glob is the path of a folder, parse returns a pattern for the suites in that folder.
func (s *search) parse(text string) (glob, string) {
	g, wrong := parseGlob(text)
	if wrong != "" || !g.literal {
		return g, wrong
	}
	// fsys rejects links, so this is a real folder
	if wrong, _ := fileProblem(s.fsys, g.pattern); wrong == problemFolder {
		walked, wrong := parseGlob(path.Join(g.pattern, "**/*.{yaml,yml,json,jsonl}"))
		walked.text, walked.excludes, walked.folder = text, g.excludes, true
		return walked, wrong
	}
	return g, ""
}

// RuleNoSuites is the rule of errors that no suite was found.
const RuleNoSuites = "no-suites"

// report adds a diagnostic about the glob text. Its place is that of the glob in the configuration. If the
// configuration does not have the glob, the glob itself stands for the path.
func (s *search) report(text string, severity document.Severity, rule, wrong string) {
	at := text
	var pos document.Position
	if slices.Contains(s.config.Suites, text) && s.config.Path != "" {
		at, pos = s.config.Path, s.config.SuitePositions[text]
	}
	d := document.NewError(at, pos, rule, "suites: %s %s", document.Quote(text), wrong)
	d.Severity = severity
	s.faults = append(s.faults, d)
}

func (s *search) reportFile(name, rule, wrong string) {
	s.faults = append(s.faults, document.NewError(name, document.Position{}, rule, "%s", wrong))
}

// walk visits the files of the tree once and keeps those that match. It follows no link.
func (s *search) walk() {
	if !slices.ContainsFunc(s.globs, func(g *glob) bool { return !g.literal }) {
		return
	}
	_ = fs.WalkDir(s.fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			s.reportFile(name, "unreadable", "cannot be listed: "+err.Error())
			return fs.SkipDir
		case entry.IsDir() && s.skipped(name):
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		if !slices.ContainsFunc(s.excluded, func(g glob) bool { return g.covers(name) }) {
			for _, g := range s.globs {
				if !g.literal {
					s.match(g, name, entry.Type())
				}
			}
		}
		return nil
	})
}

// skipped reports whether the folder dir is not searched: it has a name that no folder of suites has, or no glob can
// match below it.
func (s *search) skipped(dir string) bool {
	switch path.Base(dir) {
	case ".git", ".failproof", "node_modules":
		return true
	}
	return !slices.ContainsFunc(s.globs, func(g *glob) bool { return !g.literal && g.mayMatchIn(dir) })
}

// match matches the file name against one pattern, and keeps the file or records why it is no suite.
func (s *search) match(g *glob, name string, kind fs.FileMode) {
	isSuite := formOf(name) != otherForm
	switch matched := g.matches(name); {
	case kind == fs.ModeSymlink && (g.root != "." && within(g.root, name) || matched && isSuite):
		s.reportFile(name, "link", "is a symbolic link, and links are never followed; commit the file itself")
		g.hits++
	case kind == fs.ModeSymlink, !matched, name == s.config.Path, isOverlay(s.fsys, s.config, name):
	case g.folder && s.isRecording(name): // a folder names only the suites in it
	case !isSuite:
		if g.nonSuite == "" && !strings.HasSuffix(name, ".schema.json") {
			g.nonSuite = name
		}
	case kind != 0:
		s.reportFile(name, "not-a-file", "is not a regular file")
		g.hits++
	default:
		s.files[name] = s.files[name] || g.text != config.EvalsGlob || s.config.SuitePositions != nil
		g.hits++
	}
}

// isRecording reports whether the file name is in the place where a target has its recorded answers.
func (s *search) isRecording(name string) bool {
	for _, t := range s.config.Targets {
		before, after, _ := strings.Cut(t.Path, "{suite}")
		if t.Path != "" && len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
			return true
		}
	}
	return false
}

// addLiteral adds the files whose paths are given as globs without a wildcard.
func (s *search) addLiteral() {
	for _, g := range s.globs {
		if !g.literal {
			continue
		}
		g.hits++
		switch problem, _ := fileProblem(s.fsys, g.pattern); {
		case problem != "":
			hint := "; it was named as a suite file"
			if file := s.fileOfSuite(g.text); file != "" && problem == problemAbsent {
				hint += "; suite " + document.Quote(g.text) + " is " + document.Quote(file) + ": write that"
			} else if like, ok := nearFile(s.fsys, g.pattern); ok && problem == problemAbsent {
				hint += "; did you mean " + document.Quote(path.Join(path.Dir(g.pattern), like)) + "?"
			}
			s.reportFile(g.pattern, "suite-file", problem+hint)
		case formOf(g.pattern) == otherForm:
			s.reportFile(g.pattern, "suite-file", "is not a suite file; its name must end in .yaml, .yml, .json or .jsonl")
		default:
			s.files[g.pattern] = true
		}
	}
}

// fileOfSuite returns the path of the suite whose default id was written on the command line in place of a path. It
// returns "" if there is no such suite.
func (s *search) fileOfSuite(text string) string {
	if slices.Contains(s.config.Suites, text) {
		return ""
	}
	found, _ := find(s.fsys, s.config, s.config.Suites)
	if at := slices.IndexFunc(found, func(file source) bool { return file.id == suiteid.AuthorID(text) }); at >= 0 {
		return found[at].path
	}
	return ""
}

// reportGlobs reports each glob that matches no suite file. If no glob matches any, these are errors, otherwise
// warnings.
func (s *search) reportGlobs() {
	severity := document.Error
	if slices.ContainsFunc(s.globs, func(g *glob) bool { return g.hits > 0 }) {
		severity = document.Warning
	}
	for _, g := range s.globs {
		switch {
		case g.hits > 0 && g.nonSuite != "":
			s.report(g.text, document.Warning, "glob", fmt.Sprintf("also matches files that are no suites, such as %s; "+
				"let it end in *.{yaml,yml,json,jsonl}", document.Quote(g.nonSuite)))
		case g.hits > 0:
		case g.nonSuite != "":
			s.report(g.text, severity, RuleNoSuites, fmt.Sprintf("matches no suite file, only others such as %s", document.Quote(g.nonSuite)))
		// A default glob may match nothing, because the user did not write it.
		case severity == document.Warning && s.config.SuitePositions == nil &&
			slices.Contains(config.DefaultSuites, g.text):
		default:
			s.report(g.text, severity, RuleNoSuites, "matches nothing"+s.nearest(g)+s.wherePathsBegin())
		}
	}
	if len(s.globs) == 0 && len(s.faults) == 0 {
		s.reportFile(s.config.Path, RuleNoSuites, "no suites are named; name suite files, or give `suites:` in the configuration")
	}
}

// wherePathsBegin returns the end of a message if the configuration is in a folder in which its paths do not begin.
func (s *search) wherePathsBegin() string {
	if dir := path.Dir(s.config.Path); dir == "." || slices.Contains(config.Paths[:], s.config.Path) {
		return ""
	}
	return "; paths begin in the current folder, not in that of the configuration, " + document.Quote(path.Dir(s.config.Path))
}

// nearest returns the end of a message about a glob that matches nothing. It names the missing folder and a similar
// one, or another file in the folder.
func (s *search) nearest(g *glob) string {
	at := ""
	for _, name := range strings.Split(g.root, "/") {
		next := path.Join(at, name)
		if info, err := fs.Stat(s.fsys, next); err == nil && info.IsDir() {
			at = next
			continue
		}
		missing := fmt.Sprintf("; there is no folder %s", document.Quote(next))
		if like, ok := text.Suggest(name, namesIn(s.fsys, cmp.Or(at, "."), fs.ModeDir)); ok {
			missing += fmt.Sprintf(", did you mean %s?", document.Quote(path.Join(at, like)))
		}
		return missing
	}
	for _, name := range namesIn(s.fsys, cmp.Or(at, "."), 0) {
		if formOf(name) != otherForm && path.Ext(name) != path.Ext(g.pattern) && path.Join(at, name) != s.config.Path {
			return fmt.Sprintf("; %s holds others, such as %s", document.Quote(cmp.Or(at, ".")), document.Quote(name))
		}
	}
	return ""
}

// sources returns the files that were found, sorted by path, with their default ids.
func (s *search) sources() []source {
	roots := s.roots()
	var out []source
	for name, named := range s.files {
		out = append(out, source{path: name, id: defaultID(name, roots), form: formOf(name), foundByName: !named})
	}
	slices.SortFunc(out, func(a, b source) int { return strings.Compare(a.path, b.path) })
	return out
}

// roots returns the globs to whose folders default ids are relative, in the order in which they are tried. The
// configuration's globs come first, so that naming a suite on the command line does not change its id.
func (s *search) roots() []glob {
	var out []glob
	for _, text := range s.config.Suites {
		if g, wrong := s.parse(text); wrong == "" && !g.excludes {
			out = append(out, g)
		}
	}
	for _, g := range s.globs {
		out = append(out, *g)
	}
	return out
}

// defaultID returns the id of a suite whose file does not name one. It is the path name without its ending, relative to
// the folder of the first glob in roots that matches.
func defaultID(name string, roots []glob) string {
	id := name
	for _, g := range roots {
		if g.matches(name) {
			id = strings.TrimPrefix(name, g.root+"/")
			break
		}
	}
	for _, ending := range []string{".prompt.yml", ".prompt.yaml", path.Ext(id)} {
		if rest, found := strings.CutSuffix(id, ending); found {
			return rest
		}
	}
	return id
}
