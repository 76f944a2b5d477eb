package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
)

// TableOptions say what a terminal can show.
type TableOptions struct {
	Color bool
	Width int // columns; 0 means 80
}

// narrow is the least width that a table is laid out for.
const narrow = 60

// Table writes a report for a terminal: the score table, the failing cases with path:line, the reasons, and the verdict
// last, where the eye is.
func Table(w io.Writer, r *report.Report, o TableOptions) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	o.Width = max(o.Width, narrow)
	t := &terminal{view: newView(r, Links{}), o: o}
	if err := t.write(); err != nil {
		return fmt.Errorf("lay out the table: %w", err)
	}
	// What is quoted has no escape character left; in a workflow, the runner reads this stream.
	_, err := io.WriteString(&logWriter{w: w, state: logState{start: true}, styled: true}, t.String())
	return err
}

type terminal struct {
	strings.Builder
	*view
	o TableOptions
}

func (t *terminal) write() error {
	switch {
	case t.r.Verdict == report.Invalid:
		for _, d := range t.r.Diagnostics {
			t.line(Diagnostic(d))
		}
		t.line("")
	case !t.nothing():
		if err := t.writeScores(); err != nil {
			return err
		}
		t.writeRisk()
		t.writeCases("Regressions", t.regressed)
		t.writeCases("Fell", t.fell)
		t.writeCases("Failing", t.failing)
		t.writeCases("Redefined: passes the new expectation, fails the old one", t.disguised)
		t.writeCases("Removed, passed on the base", t.dropped)
		t.writeCases("Without an answer", t.missing)
	}
	t.writeHow()
	t.writeReasons()
	t.line(t.paint(t.verdictColor(), t.icon()+" "+t.title()))
	return nil
}

// writeRisk says in one line what the probes come to.
func (t *terminal) writeRisk() {
	if t.r.Risk != nil {
		t.line("Risk: " + t.hang(t.riskLine(), len("Risk: "), "  "))
		t.line("")
	}
}

func (t *terminal) line(text string) { t.WriteString(text + "\n") }

// ANSI colours (ECMA-48, SGR).
const (
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (t *terminal) paint(color, text string) string {
	if !t.o.Color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

func (t *terminal) verdictColor() string {
	switch {
	case t.r.Verdict == report.Passed && t.warned() == 0:
		return green
	case t.r.Verdict == report.Failed, t.r.Verdict == report.Invalid:
		return red
	}
	return yellow
}

func (t *terminal) writeScores() error {
	var text strings.Builder
	table := tablewriter.NewTable(&text,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{
				Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
				Lines:      tw.Lines{ShowHeaderLine: tw.On, ShowFooterLine: tw.On, ShowTop: tw.Off, ShowBottom: tw.Off},
			},
		})),
		tablewriter.WithAlignment(t.alignment()),
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithFooterAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithRowAutoWrap(tw.WrapNone), tablewriter.WithFooterAutoWrap(tw.WrapNone),
	)
	table.Header(t.header())
	shown := t.shownSuites()
	for _, s := range t.suites[:shown] {
		if err := table.Append(t.suiteCells(s)); err != nil {
			return err
		}
	}
	table.Footer(t.runCells())
	if err := table.Render(); err != nil {
		return err
	}
	for _, line := range strings.Split(strings.TrimRight(text.String(), "\n"), "\n") {
		t.line(strings.TrimRight(line, " "))
	}
	if left := len(t.suites) - shown; left > 0 {
		t.line(" … and " + count(left, "suite") + " without a change in score")
	}
	t.line("")
	return nil
}

// manySuites is the number from which suites that have nothing to say are only counted.
const manySuites = 25

func (t *terminal) shownSuites() int {
	if len(t.suites) <= manySuites {
		return len(t.suites)
	}
	n := 0
	for n < len(t.suites) && !t.suites[n].quiet() {
		n++
	}
	return n
}

func plainMoved(d *float64) string {
	if d == nil {
		return absent
	}
	return strings.ReplaceAll(points(*d), hard, " ")
}

// suiteState is one short word: the cases are listed below.
func (t *terminal) suiteState(s row) string {
	switch {
	case s.belowBar:
		return t.paint(red, "below bar")
	case s.mustPass > 0:
		return t.paint(red, "must pass")
	case s.worse:
		return t.paint(red, "got worse")
	case s.regressed > 0:
		return t.paint(red, "regressed")
	case s.suspected:
		return t.paint(yellow, "perhaps worse")
	case s.Unscored > 0:
		return t.paint(yellow, "unanswered")
	case s.Cases == 0:
		return "no case"
	case s.Passed < s.Cases && s.MinScore == nil && !t.compared:
		return "failing"
	}
	return t.paint(green, "ok")
}

// writeHow tells how noise was told from a regression, and what the run could have seen.
func (t *terminal) writeHow() {
	var sentences []string
	for _, p := range t.how() {
		sentences = append(sentences, p.plain(quoteRunes))
	}
	if text := t.limits(); text != "" {
		sentences = append(sentences, text)
	}
	if len(sentences) > 0 {
		t.wrapped("", strings.Join(sentences, " "))
		t.line("")
	}
}

// casesShown bounds a list; report.json has the rest.
const casesShown = 50

func (t *terminal) writeCases(title string, cases []report.Change) {
	if len(cases) == 0 {
		return
	}
	t.line(fmt.Sprintf("%s (%s)", title, grouped(len(cases))))
	for _, c := range cases[:min(len(cases), casesShown)] {
		t.writeCase(c)
	}
	if left := len(cases) - casesShown; left > 0 {
		t.line("  … and " + grouped(left) + " more")
	}
	t.line("")
}

func (t *terminal) writeCase(c report.Change) {
	head := "  " + Log(fmt.Sprintf("%s:%d", c.Path, max(c.Line, 1))) + " " + ends(c.CaseID, nameRunes)
	for _, mark := range []string{oneLine(c.Severity), map[bool]string{true: "must pass"}[c.MustPass]} {
		if mark != "" {
			head += ", " + cutEnd(mark, nameRunes)
		}
	}
	t.line(head)
	text := t.plainOutcomes(c)
	if what := t.explained(c).plain(quoteRunes); what != "" {
		text += ": " + what
	}
	t.wrapped("    ", text)
}

func (t *terminal) writeReasons() {
	for _, level := range []report.Level{report.LevelError, report.LevelWarn} {
		for _, reason := range t.r.Reasons {
			if reason.Level != level {
				continue
			}
			mark, color := "warning: ", yellow
			if level == report.LevelError {
				mark, color = map[bool]string{true: "failed: ", false: "undecided: "}[t.r.Verdict == report.Failed], red
			}
			if reason.Code == "no_base" {
				mark = "note: "
			}
			lead := t.paint(color, strings.TrimSpace(mark)) + " "
			t.line(lead + strings.TrimSpace(t.hang(oneLine(reason.Message), len(mark), "  ")))
		}
	}
	for _, d := range t.r.Diagnostics {
		if t.r.Verdict != report.Invalid && d.Severity == document.Warning {
			t.line(Diagnostic(d))
		}
	}
	t.writeNotes()
}

// How many notes the table lists, and how long each may be; the comment and report.json hold more.
const (
	notesShown = 5
	noteRunes  = 300
)

// writeNotes lists what decided nothing and yet may be why: a base that could not be read, answers that are old.
func (t *terminal) writeNotes() {
	if n := t.r.Quarantined; n > 0 {
		t.line("note: " + strings.TrimSpace(t.hang(isAre(n, "case")+" in quarantine: shown, and judged by nothing", len("note: "), "  ")))
	}
	if text := t.unverified(); text != "" {
		t.line("note: " + strings.TrimSpace(t.hang(text+"; give them an expectation, a format or a policy", len("note: "), "  ")))
	}
	notes := t.r.Warnings
	for _, w := range notes[:min(len(notes), notesShown)] {
		text := lead(w.Message, noteRunes)
		if w.Count > 1 {
			text = grouped(w.Count) + " × " + text
		}
		if w.Path != "" {
			text += " (" + ends(w.Path, 2*nameRunes) + ":" + strconv.Itoa(max(w.Line, 1)) + ")"
		}
		t.line("note: " + strings.TrimSpace(t.hang(text, len("note: "), "  ")))
	}
	if more := len(notes) - notesShown; more > 0 {
		t.line("note: and " + count(more, "more note") + " in report.json")
	}
}

func (t *terminal) wrapped(indent, text string) { t.line(indent + t.hang(text, len(indent), indent)) }

// hang wraps text whose first line has taken columns already; further lines are indented.
func (t *terminal) hang(text string, taken int, indent string) string {
	return strings.Join(wrapLine(text, t.o.Width-taken, t.o.Width-len(indent)), "\n"+indent)
}
