package render

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
)

// htmlPage is what the template shows. Every text in it is cut and visible; the template escapes it.
type htmlPage struct {
	*view
	Policy        string
	Style, Script template.HTML // elements of ours
	Class         string        // of the verdict: passed, warned, failed, undecided, invalid
	Title         string
	Identity      identity
	Reasons       []reasonLine
	How           [][]textSpan // how noise was told from a regression, a sentence each
	Limits        string       // what the run could have found
	Figures       []figure
	RunBar        *scoreBar
	Faults        []faultLine
	FaultsNoted   []faultLine // warnings among the faults
	Missing       missingPart
	Groups        []caseGroup
	Scores        scoreTable
	Distribution  *distribution
	Outcomes      *outcomeChart
	Map           *caseMap
	Words         *wordsPart
	Risk          *riskPart
	Metrics       *metricTable
	Worst         []worstCase
	Settings      []settingLine
	Table         *allCases
	Notes         []noteLine
	NotesLeft     int
	Facts         []fact
	HowTo         []string
}

// newHTMLPage sorts a report into the sections of the page.
func newHTMLPage(v *view, listed []listedCase, found whole) *htmlPage {
	p := &htmlPage{
		view: v, Policy: securityPolicy(), Class: v.verdictClass(), Title: strings.ReplaceAll(v.title(), " pp", hard+"pp"), Identity: v.identity(),
		Style:  template.HTML("<style>" + style + "</style>"),    //nolint:gosec // ours
		Script: template.HTML("<script>" + script + "</script>"), //nolint:gosec // ours
		Notes:  v.notes(), Facts: v.facts(), HowTo: v.howToLines(), Reasons: v.reasonLines(), Settings: v.settings(),
	}
	p.NotesLeft = len(v.r.Warnings) - len(p.Notes)
	if v.r.Verdict == report.Invalid {
		p.Faults, p.FaultsNoted = v.faultLines(document.Error), v.faultLines(document.Warning)
		return p
	}
	if v.nothing() {
		return p
	}
	for _, sentence := range v.how() {
		p.How = append(p.How, sentence.spans(quoteRunes))
	}
	p.Limits = v.limits()
	p.Figures, p.RunBar = v.figures(), v.runBar()
	p.Missing = v.missingPart()
	p.Groups = v.groups(listed, found)
	p.Scores = v.scoreTable()
	p.Distribution, p.Outcomes, p.Map = v.distribution(), v.outcomeChart(), v.caseMap()
	p.Words, p.Risk = v.wordsPart(), v.riskPart()
	p.Metrics, p.Worst, p.Table = v.metricTable(), v.worst(), v.allCases(listed)
	return p
}

// verdictClass chooses the colour and the shape of the verdict.
func (v *view) verdictClass() string {
	switch v.r.Verdict {
	case report.Passed:
		if v.warned() > 0 {
			return "warned"
		}
		return "passed"
	case report.Failed:
		return "failed"
	case report.Undecided:
		return "undecided"
	}
	return "invalid"
}

// Nothing reports that no case was in scope.
func (p *htmlPage) Nothing() bool { return p.nothing() && p.r.Verdict != report.Invalid }

// Compared reports that there is a base to compare with.
func (p *htmlPage) Compared() bool { return p.compared }

// identity says what was judged and against what.
type identity struct {
	Request    place // the pull request
	Repo, Head place
	HeadName   string // how the head was found, where it is no branch's own
	Base       *place // nil: compared with nothing
	BaseName   string
	Comparison string // where there is nothing to compare with
	Run        place  // of the workflow
}

func (v *view) identity() identity {
	run := v.r.Run
	id := identity{Head: v.revisionOf(or(v.l.HeadSHA, run.Head.SHA), run.Head.Name), HeadName: lead(strings.TrimSpace(run.Head.Ref), 2*nameRunes),
		Run: place{"Workflow run", v.l.run()}}
	if repo := v.l.repo(); repo != "" {
		id.Repo = place{v.l.Repo, repo}
		if v.l.Number > 0 {
			id.Request = place{fmt.Sprintf("Pull request #%d", v.l.Number), fmt.Sprintf("%s/pull/%d", repo, v.l.Number)}
		}
	}
	switch {
	case v.compared && run.Base != nil:
		base := v.revisionOf(or(v.l.BaseSHA, run.Base.SHA), run.Base.Name)
		id.Base, id.BaseName = &base, lead(strings.TrimSpace(run.Base.Ref), 2*nameRunes)
		if name := ends(run.Base.Name, nameRunes); id.BaseName == "merge base" && name != base.Name {
			id.BaseName = "merge base with " + name
		}
	case run.BaseState == report.BaseFirst:
		id.Comparison = "First run: there is no configuration and no suite before this change, which was judged by its own gate and compared with nothing."
	case run.BaseState == report.BaseMissing:
		id.Comparison = "No base to compare with: there are no results before this change. The bars were checked, regressions were not."
	case run.BaseState == report.BaseIncomparable:
		id.Comparison = "Not compared: the base’s results cannot be held against these. The bars were checked, regressions were not."
	case v.r.Verdict != report.Invalid && !v.has(report.CodeNoMerge, report.LevelError):
		id.Comparison = "Judged on its own; nothing was compared."
	}
	return id
}

// reasonLine is a condition that was not met.
type reasonLine struct {
	Class string // of its mark: bad, warn, wait
	Text  []textSpan
	Place place
}

const reasonLines = 50

func (v *view) reasonLines() (out []reasonLine) {
	for _, level := range []report.Level{report.LevelError, report.LevelWarn} {
		for _, r := range v.r.Reasons {
			if r.Level != level || r.Code == "no_base" || len(out) == reasonLines {
				continue
			}
			line := reasonLine{Class: "bad", Text: sentenceSpans(r.Message)}
			switch {
			case level == report.LevelWarn:
				line.Class = "warn"
			case v.r.Verdict == report.Undecided:
				line.Class = "wait"
			}
			if c, ok := v.find(r.SuiteID, r.CaseID); ok && r.CaseID != "" {
				line.Place = v.placeOf(v.shaOf(c), c.Path, c.Line, 0)
			}
			out = append(out, line)
		}
	}
	return out
}

// faultLine is a fault of a file.
type faultLine struct {
	Place place
	Text  []textSpan
	Rule  string
}

const faultLines = 1_000

func (v *view) faultLines(severity document.Severity) (out []faultLine) {
	for _, d := range v.r.Diagnostics {
		if (d.Severity == document.Warning) == (severity == document.Warning) && len(out) < faultLines {
			out = append(out, faultLine{v.placeOf(v.l.HeadSHA, d.Path, d.Line, d.Column), sentenceSpans(d.Message), lead(d.Rule, nameRunes)})
		}
	}
	return out
}

// settingLine is a setting that the head announces.
type settingLine struct {
	Key, Base, Head, InForce string
	Place                    place
}

const settingLines = 200

func (v *view) settings() (out []settingLine) {
	for _, c := range v.r.PolicyChanges[:min(len(v.r.PolicyChanges), settingLines)] {
		line := settingLine{named(ends(c.Key, nameRunes)), orAbsent(lead(c.Base, quoteRunes)), orAbsent(lead(c.Head, quoteRunes)),
			inForce(c, func(name string) string { return lead(name, nameRunes) }), v.placeOf(v.l.HeadSHA, c.Path, 0, 0)}
		out = append(out, line)
	}
	return out
}
