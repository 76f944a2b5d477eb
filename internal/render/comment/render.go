// Package comment prints a view as Markdown for GitHub: the comment, the job summary and the check run. It decides nothing and does no I/O.
package comment

import (
	"cmp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// Markdown returns the comment as Markdown, without the publisher's mark and the run facts, with which it stays below 60,000
// bytes. It ends in one line feed and says nothing that differs between two runs of the same revisions.
func Markdown(v *view.View) string {
	return fit(v, commentSizes(), commentBytes, (*writer).withHeading)
}

// Summary returns the job summary, complete as far as 900 KiB hold it, with the run facts.
func Summary(v *view.View) string {
	facts := Facts(v)
	text := fit(v, summarySizes(), summaryBytes-len(facts)-1, (*writer).withHeading)
	return text + show.When(facts != "", "\n"+facts)
}

// CheckSummary returns the text of a check run, of at most 65,000 bytes; Title is its heading.
func CheckSummary(v *view.View) string { return fit(v, commentSizes(), checkBytes, (*writer).body) }

type writer struct {
	page
	*view.View
	size
}

// fit writes the page in the first size that is short enough. The last size always is.
func fit(v *view.View, sizes []size, limit int, write func(*writer)) string {
	text := ""
	for _, s := range sizes {
		w := &writer{View: v, size: s}
		write(w)
		if text = strings.TrimRight(w.String(), "\n") + "\n"; len(text) <= limit {
			break
		}
	}
	return text
}

func (w *writer) withHeading() {
	w.para("## " + w.Icon() + " " + w.Title())
	w.body()
}

func (w *writer) body() {
	switch {
	case w.Report.Verdict == report.Invalid:
		w.writeDiagnostics()
	case w.Has(gate.NoMerge.Code, report.LevelError):
		w.writeReasons()
	case w.Nothing():
		w.writeReasons()
		if !w.Has(gate.BaseFault.Code, report.LevelError) && !w.Has(gate.DesertedPrompt.Code, report.LevelError) && !w.Has(gate.DesertedPrompt.Code, report.LevelWarn) {
			w.para("This change leaves every prompt that a suite asks, every expectation and every recorded answer as it was.")
		}
		w.writePolicy()
	default:
		w.writeVerdict()
	}
	w.writeWarnings()
	w.writeNext()
	w.writeFooter()
}

// writeVerdict says what happened to users, and then the figures.
func (w *writer) writeVerdict() {
	w.writeOpening()
	w.writeReasons()
	w.writeMissing()
	w.writeWrong()
	w.writeLines()
	w.writeAlike()
	w.writeLook()
	w.writeDisguised()
	w.writePolicy()
	w.writeScores()
	w.foldTargets()
	w.foldPrompts()
	w.foldFailing()
	w.foldReworded()
	w.writeOthers()
	w.foldChance()
	w.writeMetrics()
	w.writeRisk()
	w.writeOutcomes()
}

// page collects Markdown block by block. What it is given is either ours or inert already.
type page struct{ strings.Builder }

func (p *page) para(text string) {
	if text != "" {
		p.WriteString(text + "\n\n")
	}
}

func (p *page) list(items []string) {
	for _, item := range items {
		p.WriteString("- " + cmp.Or(item, show.Absent) + "\n")
	}
	if len(items) > 0 {
		p.WriteByte('\n')
	}
}

// table writes rows below a header; align holds one l or r for each column, the last for all further ones. Without rows it writes nothing.
func (p *page) table(align string, header []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	p.row(header)
	rule := make([]string, len(header))
	for i := range header {
		rule[i] = map[byte]string{'l': ":--", 'r': "--:"}[align[min(i, len(align)-1)]]
	}
	p.WriteString("|" + strings.Join(rule, "|") + "|\n")
	for _, r := range rows {
		p.row(r)
	}
	p.WriteByte('\n')
}

// withBase puts the base's figure at a place among the cells of a row, where there is a base.
func withBase(base bool, at int, before string, cells ...string) []string {
	if !base {
		return cells
	}
	return slices.Insert(cells, at, before)
}

// tableOf writes the first of all below a header, a row each, and counts the rest of them.
func tableOf[T any](w *writer, align string, header []string, all []T, most int, noun string, cells func(T) []string) {
	var rows [][]string
	for _, one := range all[:min(len(all), most)] {
		rows = append(rows, cells(one))
	}
	w.table(align, header, rows)
	w.more(len(all)-len(rows), noun)
}

func (p *page) row(cells []string) {
	for _, c := range cells {
		p.WriteString("| " + show.Barred(c) + " ")
	}
	p.WriteString("|\n")
}

// fold writes body behind a summary, which is our words and numbers alone: Markdown is not read there.
func (p *page) fold(summary string, body func()) {
	p.WriteString("<details><summary>" + summary + "</summary>\n\n")
	body()
	p.WriteString("</details>\n\n")
}

type size struct {
	reasonRows    int // of each level
	openSuiteRows int // rows of the score table
	suiteRows     int // rows of it in all, those folded among them
	openCaseRows  int // rows of the wrong answers
	caseRows      int // of them in all
	evidence      int // cases whose answers are shown
	answerRunes   int // of a head's answer
	baseRunes     int // of a base's answer
	otherRows     int // rows of a folded list
	faultRows     int
	phraseRunes   int // of each foreign part of a phrase
	outcomes      bool
	quiet         bool // suites with nothing to say
	shortened     bool // something was left out for want of room
}

// How much a page of any size shows.
const (
	fewCases        = 5   // wrong answers that are told each in a block of its own; more of them get a table, and their blocks are folded
	whyRunes        = 70  // of each foreign part of a reason in a table, which has few columns to show it in
	askedRunes      = 300 // of a question
	missingRunes    = 220 // of what came instead of an answer
	causeNames      = 10  // cases of one cause
	lookNamed       = 3   // answers that pass and are worth a look, above the fold
	lookShown       = 5   // of these, below it
	linesShown      = 6   // sentences that say which line did it
	promptCases     = 3   // named, of those that alone are sent a prompt
	promptLines     = 40  // of all changed prompts together
	promptContext   = 2   // lines around a change that are the same
	promptLineRunes = 600 // of a line: some prompts are one
	targetColumns   = 6   // a telephone shows no more
	worstRows       = 5   // of the probes' answers; report.json has all
	categoryRows    = 10  // of the probes' categories
)

// Limits of a page in bytes. A comment takes 65,536 characters by GitHub's documentation and more bytes by experiment;
// 60,000 bytes hold by every reading. The output of a check run takes 65,535 bytes, a job summary 1 MiB, above which it is
// dropped whole.
const (
	commentBytes = 60_000 - 1_024 - 512 // less the publisher's mark and the run facts
	checkBytes   = 65_000
	summaryBytes = 900 << 10
)

// commentSizes go from the whole comment to the least: each leaves out one thing more.
func commentSizes() []size {
	s := size{reasonRows: 10, openSuiteRows: 12, suiteRows: 250, openCaseRows: 15, caseRows: 60, evidence: 10,
		answerRunes: 700, baseRunes: 400, otherRows: 60, faultRows: 50, phraseRunes: show.QuoteRunes, outcomes: true, quiet: true}
	return ladder(s, []func(*size){
		func(s *size) { s.outcomes = false },
		func(s *size) { s.quiet = false },
		func(s *size) { s.answerRunes, s.baseRunes = 400, 250 },
		func(s *size) { s.caseRows = 30 },
		func(s *size) { s.evidence = fewCases },
		func(s *size) { s.suiteRows, s.otherRows = 50, 20 },
		func(s *size) { s.evidence = 0 },
		least,
	})
}

// least is what is never left out, in lengths that fit whatever the report holds.
func least(s *size) {
	s.reasonRows, s.openSuiteRows, s.suiteRows, s.openCaseRows, s.caseRows = 5, 10, 10, 10, 10
	s.otherRows, s.faultRows, s.phraseRunes = 0, 10, 60
}

// summarySizes are for the job summary, which is complete unless a run is very large.
func summarySizes() []size {
	const all = 2_000
	s := size{reasonRows: all, openSuiteRows: all, suiteRows: all, openCaseRows: all, caseRows: all, evidence: all,
		answerRunes: 1_200, baseRunes: 1_200, otherRows: all, faultRows: all, phraseRunes: 2 * show.QuoteRunes, outcomes: true,
		quiet: true}
	return ladder(s, []func(*size){
		func(s *size) { s.answerRunes, s.baseRunes = 400, 200 },
		func(s *size) { s.evidence, s.otherRows, s.faultRows = 200, 500, 500 },
		func(s *size) { s.evidence, s.caseRows, s.suiteRows, s.otherRows = 0, 500, 500, 100 },
		func(s *size) { s.reasonRows, s.faultRows, s.caseRows, s.suiteRows = 50, 100, 100, 100 },
		least,
	})
}

func ladder(s size, steps []func(*size)) []size {
	sizes := []size{s}
	s.shortened = true
	for _, step := range steps {
		step(&s)
		sizes = append(sizes, s)
	}
	return slices.Clip(sizes)
}
