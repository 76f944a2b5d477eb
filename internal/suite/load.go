package suite

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/schemas"
)

// Load reads the suites that globs name in fsys, under the effective settings cfg. A glob is a path or a pattern with
// `*`, `**`, `?`, `[…]` and `{a,b}`, relative to the root of fsys. fsys must reject links.
//
// Load returns the suites of the files that have no error, sorted by id, and the diagnostics of all files, sorted by
// place. If cfg has another runner's results instead of suites, Load returns nothing.
func Load(fsys fs.FS, cfg *config.Config, globs []string) ([]*Suite, []document.Diagnostic) {
	return load(newLoader(fsys, cfg, nil), globs)
}

func load(l *loader, globs []string) ([]*Suite, []document.Diagnostic) {
	if len(l.config.Results) > 0 {
		return nil, nil
	}
	files, ds := find(l.fsys, l.config, globs)
	suites, ds := l.readAll(files, ds, func(source, *fileResult) []*Suite { return nil })
	if len(suites) == 0 && len(files) > 0 && !escalate(ds, ruleJudge, skilleval.RuleSkill) && !document.HasErrors(ds) {
		ds = append(ds, document.NewError(files[0].path, document.Position{}, RuleNoSuites, "no file holds a case"))
	}
	ds = append(ds, l.checkMaxCases(suites)...)
	if !document.HasErrors(ds) {
		ds = append(ds, checkWeights(suites)...)
	}
	document.Sort(ds)
	ds = slices.Compact(ds) // suites that share a prompt file repeat its errors
	Sort(suites)
	return suites, ds
}

// Sort sorts suites by the ids that their authors wrote. The targets of a suite keep their order.
func Sort(suites []*Suite) {
	slices.SortStableFunc(suites, func(a, b *Suite) int { return cmp.Compare(suiteid.AuthorID(a.ID), suiteid.AuthorID(b.ID)) })
}

// FirstTargets returns each suite once, as its author wrote it. Of a suite with several targets, it returns the suite
// for the first target.
func FirstTargets(suites []*Suite) []*Suite {
	first := byAuthorID(suites)
	return slices.DeleteFunc(slices.Clone(suites), func(s *Suite) bool { return first[suiteid.AuthorID(s.ID)] != s })
}

var suiteSchema = document.EmbeddedSchema("suite.schema.json", schemas.Suite)

// loader has the settings and caches that the files of one Load share.
type loader struct {
	fsys           fs.FS
	config         *config.Config
	lineFiles      *LineFiles // may be nil
	policies       map[string]*expect.Policy
	globalPolicies []*expect.Policy // policies that apply to every case, sorted by name; read only
	expandedBytes  int              // size of the cases so far, in bytes; see reserve

	schemas   cache[schemaFile] // JSON Schemas of formats, by path
	texts     cache[textFile]   // prompts and values of variables, by path
	agents    cache[agentText]  // by how the suite names the agent's files
	nonSuites map[string]bool   // files that suites take prompts or cases from; they are no suites themselves

	assertions cache[expect.Criterion]
	facts      cache[fact.Fact]
	claims     cache[fact.Claim]

	strategies score.Map      // includes the configuration's overrides
	synonyms   *fact.Synonyms // includes the configuration's synonyms
}

func newLoader(fsys fs.FS, cfg *config.Config, lines *LineFiles) *loader {
	l := &loader{
		fsys: fsys, config: cfg, lineFiles: lines, policies: map[string]*expect.Policy{},
		nonSuites:  map[string]bool{},
		strategies: score.StrategyMap(cfg.Scoring.Strategies), synonyms: fact.NewSynonyms(cfg.Scoring.Synonyms),
	}
	for _, p := range cfg.Policies {
		l.policies[p.Name] = expect.CompilePolicy(p.Name, p.Description, p.Patterns)
		if p.ApplyAll {
			l.globalPolicies = append(l.globalPolicies, l.policies[p.Name])
		}
	}
	slices.SortFunc(l.globalPolicies, byName)
	return l
}

func byName(a, b *expect.Policy) int { return cmp.Compare(a.Name, b.Name) }

// readAll returns the suites in files and all diagnostics. For a file with an error, it takes the suites that rescue
// returns.
func (l *loader) readAll(files []source, ds []document.Diagnostic, rescue func(source, *fileResult) []*Suite) ([]*Suite, []document.Diagnostic) {
	var suites []*Suite
	// Files of JSON lines come last: a suite may take its cases from one, which is then no suite itself.
	byForm := func(a, b source) int { return cmp.Compare(a.form, b.form) }
	for _, s := range slices.SortedStableFunc(slices.Values(files), byForm) {
		o := l.readFile(s, nil)
		ds = append(ds, o.faults...)
		if o.file == nil || o.file.faults.HasErrors() {
			o.suites = rescue(s, o)
		}
		suites = append(suites, o.suites...)
	}
	suites, faults := dedupe(suites)
	// A file that a suite uses may match the globs too. Drop the error that it is no suite.
	ds = slices.DeleteFunc(ds, func(d document.Diagnostic) bool {
		schema := l.schemas[d.Path]
		return d.Rule == ruleList && l.nonSuites[d.Path] || schema != nil && schema.notSuite
	})
	return suites, append(ds, faults...)
}

// fileResult is the result of loader.readFile.
type fileResult struct {
	suites []*Suite // the suites; they may be incomplete if the file has an error
	file   *file    // nil if it cannot be read
	faults []document.Diagnostic
}

// readFile reads the suites in one file. earlierErrors has errors of an earlier reading, and the entries at their
// places are skipped.
func (l *loader) readFile(s source, earlierErrors []document.Diagnostic) *fileResult {
	if wrong := pathProblem(s.path); wrong != "" {
		return &fileResult{faults: []document.Diagnostic{document.NewError(s.path, document.Position{}, "path", "the file's path %s", wrong)}}
	}
	f := &file{loader: l, faults: newDiagnostics(s.path), source: s, earlierErrors: earlierErrors}
	f.reader = &reader{l, f.faults}
	if s.form == linesForm && l.nonSuites[s.path] {
		return &fileResult{file: f}
	}
	text, ds := document.Read(l.fsys, s.path)
	if document.HasErrors(ds) {
		for i := range ds {
			if s.foundByName { // the file may not be meant as a suite
				ds[i].Severity = document.Warning
			}
		}
		return &fileResult{faults: ds}
	}
	f.faults.Add(ds...)
	f.faults.text = sourceText{string(text), document.Position{Line: 1, Column: 1}}
	if s.form == linesForm {
		return l.lineFiles.read(f, text, func() *fileResult { return f.result(f.readLines) })
	}
	return f.result(f.readSuite)
}

// result returns the suites that read returns, with the file's diagnostics.
func (f *file) result(read func() []*Suite) *fileResult {
	suites := read()
	checkEmbedder(f.loader.config, f.faults, suites)
	return &fileResult{suites, f, f.faults.all()}
}

// ruleList is the rule of the error that a file contains a list. A suite is a map, but a prompt or a file of cases may
// be a list.
const ruleList = "not-a-suite"

// dedupe returns suites without repeated ids, and errors. Parts of the same suite in several files of JSON lines are
// joined. Of all other suites with a repeated id, none is kept, and both places are reported.
func dedupe(suites []*Suite) ([]*Suite, []document.Diagnostic) {
	var kept []*Suite
	var ds []document.Diagnostic
	byID, owner := map[string]*Suite{}, map[string]*Suite{} // by id with the target; by the id that the author wrote
	known := map[*Suite]knownIDs{}
	for _, s := range suites {
		id := strings.ToLower(suiteid.AuthorID(s.ID))
		same, first := byID[s.ID], owner[id]
		switch {
		case same != nil && same.JSONLines && s.JSONLines:
			if known[same] == nil {
				known[same] = knownIDs{}
				for _, c := range same.Cases {
					known[same].add(c)
				}
			}
			ds = append(ds, same.join(s, known[same])...)
			continue
		case first == nil, same == nil && first.Path == s.Path && suiteid.AuthorID(first.ID) == suiteid.AuthorID(s.ID): // another target of it
			owner[id], byID[s.ID] = cmp.Or(first, s), s
			kept = append(kept, s)
			continue
		}
		kept = slices.DeleteFunc(kept, func(k *Suite) bool { return owner[strings.ToLower(suiteid.AuthorID(k.ID))] == first })
		ds = append(ds, duplicateIDError(s, first), duplicateIDError(first, s))
	}
	return kept, ds
}

// knownIDs maps ids in lower case to the cases of a suite.
type knownIDs map[string]*Case

// get returns the case with the given id, ignoring letter case, or nil.
func (k knownIDs) get(id string) *Case {
	if id == "" {
		return nil
	}
	return k[strings.ToLower(id)]
}

func (k knownIDs) add(c *Case) { k[strings.ToLower(c.ID)] = c }

// join adds to s the cases of other, a part of the same suite in another file of JSON lines. known has the cases of s.
// join returns an error for each case whose id s already has.
func (s *Suite) join(other *Suite, known knownIDs) (ds []document.Diagnostic) {
	if used := maps.Clone(s.used); used == nil || other.used == nil {
		s.used = nil
	} else {
		maps.Copy(used, other.used)
		s.used, s.unused = used, slices.Concat(s.unused, other.unused)
	}
	for _, c := range other.Cases {
		if first := known.get(c.ID); first != nil {
			ds = append(ds, document.NewError(c.Path, c.Pos, "duplicate-id", "%s",
				duplicateCase(c, first, "at "+first.Pos.WithPath(first.Path))))
			continue
		}
		known.add(c)
		s.Cases.Add(*c)
	}
	return ds
}

// duplicateIDError returns the error, placed at s, that other has the same id.
func duplicateIDError(s, other *Suite) document.Diagnostic {
	how, ours, theirs := "is also", suiteid.AuthorID(s.ID), suiteid.AuthorID(other.ID)
	if ours != theirs {
		how = fmt.Sprintf("differs only by letter case from %s,", document.Quote(theirs))
	}
	remedy := "give one of them another `id`"
	if skilleval.HasEvaluationsName(s.Path) {
		remedy = fmt.Sprintf("leave one of them out, as with %s in `suites`", document.Quote("!"+s.Path))
	}
	return document.NewError(s.Path, s.Pos, "duplicate-id", "suite id %s %s at %s:%d:%d; %s",
		document.Quote(ours), how, other.Path, other.Pos.Line, other.Pos.Column, remedy)
}

// checkMaxCases returns an error if the suites have more cases for live targets than limits.max_cases allows. The limit
// saves money and time. It does not apply to recordings and echoes.
func (l *loader) checkMaxCases(suites []*Suite) []document.Diagnostic {
	limit := l.config.Limits.WithDefaults().MaxCases
	cases := 0
	for _, s := range suites {
		// A target that is withheld now is unknown here, but may be called after the merge.
		if t, known := l.config.Targets[s.Target]; !known || t.Live() {
			cases += len(s.Cases)
		}
	}
	if cases <= limit {
		return nil
	}
	return []document.Diagnostic{document.NewError(l.config.Path, document.Position{}, "too-many-cases",
		"%d cases would ask a live target, more than limits.max_cases (%d)", cases, limit)}
}

// checkWeights returns an error if all suites have weight 0, because the run would have no score.
func checkWeights(suites []*Suite) []document.Diagnostic {
	if len(suites) == 0 || slices.ContainsFunc(suites, func(s *Suite) bool { return s.Weight > 0 }) {
		return nil
	}
	s := slices.MinFunc(suites, func(a, b *Suite) int { return cmp.Compare(a.Path, b.Path) })
	return []document.Diagnostic{document.NewError(s.Path, s.Pos, "weight",
		"every suite has weight 0, so that there is no run score; give at least one a weight above 0")}
}
