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

// Load reads the suites that globs name in fsys, under the settings in force. Each glob is a path or a pattern with
// `*`, `**`, `?`, `[…]` and `{a,b}`, relative to fsys. It returns the suites of all files without an error, by id, and
// what is wrong with any file, by place. A link is never followed. Where another runner's results are judged there are
// none.
func Load(fsys fs.FS, cfg *config.Config, globs []string) ([]*Suite, []document.Diagnostic) {
	if len(cfg.Results) > 0 {
		return nil, nil
	}
	l := newLoader(fsys, cfg)
	files, ds := find(fsys, cfg, globs)
	suites, ds := l.all(files, ds, func(source, *opened) []*Suite { return nil })
	if len(suites) == 0 && len(files) > 0 && !escalate(ds, ruleJudge, skilleval.RuleSkill) && !document.HasErrors(ds) {
		ds = append(ds, document.NewFault(files[0].path, document.Position{}, RuleNoSuites, "no file holds a case"))
	}
	ds = append(ds, l.tooMany(suites)...)
	if !document.HasErrors(ds) {
		ds = append(ds, weightless(suites)...)
	}
	document.Sort(ds)
	ds = slices.Compact(ds) // two suites may share a prompt file and its faults
	Sort(suites)
	return suites, ds
}

// Sort sorts suites by id; the targets of a suite stay in its author's order.
func Sort(suites []*Suite) {
	slices.SortStableFunc(suites, func(a, b *Suite) int { return cmp.Compare(suiteid.AuthorID(a.ID), suiteid.AuthorID(b.ID)) })
}

// AsWritten returns the suites as written: of one with several targets the form for the first.
func AsWritten(suites []*Suite) []*Suite {
	first := byWritten(suites)
	return slices.DeleteFunc(slices.Clone(suites), func(s *Suite) bool { return first[suiteid.AuthorID(s.ID)] != s })
}

var suiteSchema = document.EmbeddedSchema("suite.schema.json", schemas.Suite)

// loader holds what all files of one Load share.
type loader struct {
	fsys     fs.FS
	config   *config.Config
	policies map[string]*expect.Policy
	forAll   []*expect.Policy // those that apply to every case, in name order; shared, read only
	expanded int              // bytes that the cases so far come to

	schemas map[string]schemaFile // that formats name, by path
	texts   map[string]textFile   // that prompts and variables name, by path
	agents  map[string]agentText  // by what names them
	others  map[string]bool       // paths of the files that suites take prompts or cases from: no suites themselves

	assertions cache[expect.Assertion]
	facts      cache[fact.Fact]
	claims     cache[fact.Claim]

	strategies score.Map      // with the configuration's overrides
	synonyms   *fact.Synonyms // with the configuration's own
}

func newLoader(fsys fs.FS, cfg *config.Config) *loader {
	l := &loader{
		fsys: fsys, config: cfg, policies: map[string]*expect.Policy{},
		schemas: map[string]schemaFile{}, texts: map[string]textFile{}, agents: map[string]agentText{}, others: map[string]bool{},
		assertions: cache[expect.Assertion]{}, facts: cache[fact.Fact]{}, claims: cache[fact.Claim]{},
		strategies: score.StrategyMap(cfg.Scoring.Strategies), synonyms: fact.NewSynonyms(cfg.Scoring.Synonyms),
	}
	for _, p := range cfg.Policies {
		l.policies[p.Name] = expect.CompilePolicy(p.Name, p.Description, p.Patterns)
		if p.ApplyAll {
			l.forAll = append(l.forAll, l.policies[p.Name])
		}
	}
	slices.SortFunc(l.forAll, byName)
	return l
}

func byName(a, b *expect.Policy) int { return cmp.Compare(a.Name, b.Name) }

// all makes suites of files. For a file with an error, left returns the suites of its valid part.
func (l *loader) all(files []source, ds []document.Diagnostic, left func(source, *opened) []*Suite) ([]*Suite, []document.Diagnostic) {
	var suites []*Suite
	for _, s := range inReadingOrder(files) {
		o := l.open(s, nil)
		ds = append(ds, o.faults...)
		if o.file == nil || o.file.faults.broken() {
			o.suites = left(s, o)
		}
		suites = append(suites, o.suites...)
	}
	suites, faults := unique(suites)
	ds = slices.DeleteFunc(ds, func(d document.Diagnostic) bool { // that a file is no suite which a suite names as something else
		return d.Rule == ruleList && l.others[d.Path] || l.schemas[d.Path].noSuite
	})
	return suites, append(ds, faults...)
}

// opened is what is made of a file.
type opened struct {
	suites []*Suite // of one with an error as well, as far as they can be told
	file   *file    // nil where it cannot be read at all
	faults []document.Diagnostic
}

// open makes suites of one file as if the entries with some faults were missing.
func (l *loader) open(s source, without []document.Diagnostic) *opened {
	if wrong := badPath(s.path); wrong != "" {
		return &opened{faults: []document.Diagnostic{document.NewFault(s.path, document.Position{}, "path", "the file's path %s", wrong)}}
	}
	f := &file{loader: l, faults: &faults{path: s.path}, id: s.id, unnamed: s.unnamed, without: without}
	if s.form == linesForm && l.others[s.path] {
		return &opened{file: f}
	}
	text, ds := document.Read(l.fsys, s.path)
	if document.HasErrors(ds) {
		for i := range ds {
			if s.unnamed { // it may never have been meant as a suite
				ds[i].Severity = document.Warning
			}
		}
		return &opened{faults: ds}
	}
	f.faults.add(ds...)
	f.faults.text = sourceText{string(text), document.Position{Line: 1, Column: 1}}
	read := f.readSuite
	if s.form == linesForm {
		read = f.readLines
	}
	suites := read()
	needsEmbedder(l.config, f.faults, suites)
	return &opened{suites, f, f.faults.all()}
}

// inReadingOrder sorts files of lines last: a suite may take its cases from one, which is then no suite itself.
func inReadingOrder(files []source) []source {
	lines := func(s source) bool { return s.form == linesForm }
	return append(slices.DeleteFunc(slices.Clone(files), lines), slices.DeleteFunc(slices.Clone(files), func(s source) bool { return !lines(s) })...)
}

// ruleList is the rule of a fault that a file holds a list. A suite never does; prompts and cases that a suite names
// may.
const ruleList = "not-a-suite"

// unique joins the cases of one suite from several files of JSON lines. It drops other suites with a repeated id, and
// names both places.
func unique(suites []*Suite) ([]*Suite, []document.Diagnostic) {
	var kept []*Suite
	var ds []document.Diagnostic
	byID, owner := map[string]*Suite{}, map[string]*Suite{} // by the whole id, and by what its author wrote
	known := map[*Suite]knownIDs{}
	for _, s := range suites {
		id := strings.ToLower(suiteid.AuthorID(s.ID))
		same, first := byID[s.ID], owner[id]
		switch {
		case same != nil && same.Lines && s.Lines:
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
		ds = append(ds, twice(s, first), twice(first, s))
	}
	return kept, ds
}

// knownIDs finds the cases of a suite by their IDs in lower case.
type knownIDs map[string]*Case

// get returns the case of an id; nil for none. A repeated id was reported where it was read.
func (x knownIDs) get(id string) *Case {
	if id == "" {
		return nil
	}
	return x[strings.ToLower(id)]
}

func (x knownIDs) add(c *Case) { x[strings.ToLower(c.ID)] = c }

// join adds the cases of a suite's rows in another file. known are those that it has.
func (s *Suite) join(more *Suite, known knownIDs) (ds []document.Diagnostic) {
	if used := maps.Clone(s.used); used == nil || more.used == nil {
		s.used = nil
	} else {
		maps.Copy(used, more.used)
		s.used, s.unused = used, append(s.unused, more.unused...)
	}
	for _, c := range more.Cases {
		if first := known.get(c.ID); first != nil {
			ds = append(ds, document.NewFault(c.Path, c.Pos, "duplicate-id", "case id %s of suite %s is also at %s:%d; ids are unique in a suite",
				document.Quote(c.ID), suiteid.AuthorID(s.ID), first.Path, first.Pos.Line))
			continue
		}
		known.add(c)
		s.Cases.Add(*c)
	}
	return ds
}

// twice says at s that its id is taken by other.
func twice(s, other *Suite) document.Diagnostic {
	how, ours, theirs := "is also", suiteid.AuthorID(s.ID), suiteid.AuthorID(other.ID)
	if ours != theirs {
		how = fmt.Sprintf("differs only by letter case from %s,", document.Quote(theirs))
	}
	remedy := "give one of them another `id`"
	if skilleval.IsNamed(s.Path) {
		remedy = fmt.Sprintf("leave one of them out, as with %s in `suites`", document.Quote("!"+s.Path))
	}
	return document.NewFault(s.Path, s.Pos, "duplicate-id", "suite id %s %s at %s:%d:%d; %s",
		document.Quote(ours), how, other.Path, other.Pos.Line, other.Pos.Column, remedy)
}

// tooMany checks the number of cases for live targets against the limit, which saves money and time. Recordings and
// echoes cost nothing and have no limit.
func (l *loader) tooMany(suites []*Suite) []document.Diagnostic {
	limit := l.config.Limits.InForce().MaxCases
	cases := 0
	for _, s := range suites {
		if t, known := l.config.Targets[s.Target]; !known || t.Live() { // what is withheld may be asked once it is merged
			cases += s.Cases.Len()
		}
	}
	if cases <= limit {
		return nil
	}
	return []document.Diagnostic{document.NewFault(l.config.Path, document.Position{}, "too-many-cases",
		"%d cases would ask a live target, more than limits.max_cases (%d)", cases, limit)}
}

// weightless rejects a run without a score because no suite has a weight. The schema bounds each weight, so that their
// sum is finite.
func weightless(suites []*Suite) []document.Diagnostic {
	if len(suites) == 0 || slices.ContainsFunc(suites, func(s *Suite) bool { return s.Weight > 0 }) {
		return nil
	}
	s := slices.MinFunc(suites, func(a, b *Suite) int { return cmp.Compare(a.Path, b.Path) })
	return []document.Diagnostic{document.NewFault(s.Path, s.Pos, "weight",
		"every suite has weight 0, so that there is no run score; give at least one a weight above 0")}
}
