// Package terminal prints a view for a terminal or a log. It decides nothing and does no I/O but to the writer it is given.
package terminal

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/internal/worddiff"
)

// TableOptions say what a terminal can show.
type TableOptions struct {
	Color bool
	Width int // columns; 0 means 80

	Source func(path string) string // the text of a file, to show the line of a fault; nil: none is at hand
}

// Lines writes which of the changed lines broke what somebody wanted to know it of.
func Lines(w io.Writer, v *view.View, o TableOptions) error {
	t := newTerminal(v, o)
	all := v.WhichLines()
	for _, one := range all {
		t.wrapped("", one.Phrase.Plain(show.NameRunes))
	}
	if len(all) == 0 {
		t.line("No case is right on the base and wrong on the head.")
	}
	_, err := io.WriteString(show.StyledLogWriter(w), t.String())
	return err
}

// Table writes a report for a terminal: the score table, the failing cases with path:line, the reasons, and the verdict
// last, where the eye is.
func Table(w io.Writer, v *view.View, o TableOptions) error {
	t := newTerminal(v, o)
	if err := t.write(); err != nil {
		return fmt.Errorf("lay out the table: %w", err)
	}
	// What is quoted has no escape character left; in a workflow, the runner reads this stream.
	_, err := io.WriteString(show.StyledLogWriter(w), t.String())
	return err
}

type terminal struct {
	strings.Builder
	*view.View
	o TableOptions
}

func newTerminal(v *view.View, o TableOptions) *terminal {
	o.Width = max(cmp.Or(o.Width, 80), narrow)
	return &terminal{View: v, o: o}
}

func (t *terminal) write() error {
	switch {
	case t.Report.Verdict == report.Invalid:
		t.line(show.Diagnostics(t.Report.Diagnostics, t.o.Source))
	case !t.Nothing():
		if err := t.writeScores(); err != nil {
			return err
		}
		if t.Report.Risk != nil {
			t.line("Risk: " + t.hang(t.RiskLine(), len("Risk: "), "  ") + "\n")
		}
		t.writeCases("Broken", t.Regressed)
		t.writeCases("Got worse", t.Fell)
		passed := t.Report.Verdict == report.Passed
		if !passed {
			t.writeFailing()
		}
		t.writeCases("Flipped, and not asked again to the end", t.OpenFlips())
		t.writeCases("Passes, got worse", t.Worse)
		kept, cut, loose := t.ReviewParts()
		t.writeCases("To look at: answers kept by hand though the prompt changed", kept)
		t.writeCases("To look at: cut at the length limit, whole before", cut)
		t.writeCases("To look at: nothing judged the answer", loose)
		t.writeCases("Redefined, passed before", t.Disguised)
		t.writeCases("Removed, passed before", t.Dropped)
		if passed { // behind what is to be looked at
			t.writeFailing()
		}
		t.writeMissing()
		t.writeFixed()
	}
	t.writeHow()
	t.writeLines()
	t.writeReasons()
	t.writeNext()
	t.line(t.paint(t.verdictColor(), t.Icon()+" "+t.Title()))
	return nil
}

func (t *terminal) writeFailing() {
	t.writeCases(show.If(t.AsBefore(t.Failing), "Wrong, as before", "Wrong"), t.Failing)
}

func (t *terminal) line(text string) { t.WriteString(text + "\n") }

// ANSI colours (ECMA-48, SGR).
const (
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (t *terminal) paint(color, text string) string {
	if !t.o.Color || text == "" || color == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

func (t *terminal) verdictColor() string {
	switch {
	case t.Report.Verdict == report.Passed && !t.Doubtful():
		return green
	case t.Report.Verdict == report.Failed, t.Report.Verdict == report.Invalid:
		return red
	}
	return yellow
}

func (t *terminal) writeHow() {
	if text := show.Join(" ", show.Phrases(" ", t.How()).Plain(show.QuoteRunes), t.Limits()); text != "" {
		t.wrapped("", text)
		t.line("")
	}
}

func (t *terminal) writeLines() {
	for _, one := range t.WhichLines() {
		t.headed("", "which line: ", one.Phrase.Plain(show.NameRunes))
	}
	if t.Report.Explanation != nil {
		t.line("")
	}
}

func (t *terminal) writeNext() {
	if text := show.Phrases(" ", t.Next()).Plain(show.NameRunes); text != "" {
		t.headed("", "what now: ", text)
	}
}

// writeMissing counts what came instead of answers, and names the first case of each cause.
func (t *terminal) writeMissing() {
	causes := view.Causes(t.Missing, func(c report.Change) string {
		return t.PlainOutcomes(c) + ": " + t.Explained(c).Plain(2*show.QuoteRunes)
	})
	t.section("Without an answer", len(t.Missing), func() {
		for _, cause := range causes[:min(len(causes), causesShown)] {
			times, where := "", "    "+placed(cause.Cases[0])
			if n := len(cause.Cases); n > 1 {
				times, where = show.Grouped(n)+" × ", where+" and "+show.Grouped(n-1)+" more"
			}
			t.wrapped("  ", times+cause.Text)
			t.line(where)
		}
	})
}

// section writes a title with the number of what body writes below it; nothing of none.
func (t *terminal) section(title string, n int, body func()) {
	if n > 0 {
		t.line(title + " (" + show.Grouped(n) + ")")
		body()
		t.line("")
	}
}

func (t *terminal) more(left int) {
	if left > 0 {
		t.line("  … and " + show.Grouped(left) + " more")
	}
}

// writeFixed names the cases that were wrong before and are right now, those apart of which that may be chance.
func (t *terminal) writeFixed() {
	fixed := show.Those(t.Others, func(c report.Change) bool { return c.Kind == report.KindFixed })
	t.writeRight("Fixed", show.Those(fixed, func(c report.Change) bool { return !t.PerhapsFixed(c) }))
	t.writeRight("Perhaps fixed, asked once", show.Those(fixed, t.PerhapsFixed))
}

func (t *terminal) writeRight(title string, fixed []report.Change) {
	t.section(title, len(fixed), func() {
		for _, c := range fixed[:min(len(fixed), fixedShown)] {
			t.line("  " + show.Join(", ", placed(c), t.PlainOutcomes(c)))
		}
		t.more(len(fixed) - fixedShown)
	})
}

func (t *terminal) writeCases(title string, cases []report.Change) {
	t.section(title, len(cases), func() {
		if len(cases) > fewCases {
			t.writeAlike(cases)
			return
		}
		for _, c := range cases {
			t.writeCase(c)
		}
	})
}

// writeAlike shows one case of each cause, and names the others: many of one cause would hide the rest.
func (t *terminal) writeAlike(cases []report.Change) {
	causes := view.Causes(cases, func(c report.Change) string { return t.PlainOutcomes(c) + ": " + t.Explained(c).Shape() })
	left := len(cases)
	for _, cause := range causes[:min(len(causes), causesShown)] {
		t.writeCase(cause.Cases[0])
		left -= len(cause.Cases)
		if more := cause.Cases[1:]; len(more) > 0 {
			t.line("    " + show.Grouped(len(more)) + " more like it:")
			for _, name := range view.Listed(more, namesShown, "case", marked) {
				t.line("      " + name)
			}
		}
	}
	t.more(left)
}

// marked is where a case stands, and whether it must pass.
func marked(c report.Change) string {
	return show.Join(", ", placed(c), show.When(c.MustPass, "must pass"))
}

func placed(c report.Change) string {
	return show.Log(fmt.Sprintf("%s:%d", c.Path, max(c.Line, 1))) + " " + show.Ends(show.Case(c.SuiteID, c.CaseID), show.NameRunes)
}

func (t *terminal) writeCase(c report.Change) {
	t.line("  " + show.Join(", ", placed(c), show.CutEnd(show.OneLine(c.Severity), show.NameRunes), show.When(c.MustPass, "must pass")))
	text := show.Why(t.PlainOutcomes(c), t.Explained(c).Plain(show.QuoteRunes))
	t.wrapped("    ", text)
	edits := view.Edits(c)
	if asked := show.Lead(string(c.Asked), headRunes); asked != "" && (len(edits) == 0 || edits[0].Label != view.AskedBefore) {
		t.wrapped("    ", "asked: “"+asked+"”")
	}
	for _, e := range edits {
		t.wrapped("    ", strings.ToLower(e.Label)+": "+e.Text.Plain(headRunes))
	}
	if c.Head == nil || !c.Head.Wrong() && !slices.Contains([]report.Kind{report.KindWorse, report.KindReview, report.KindHidden}, c.Kind) {
		return
	}
	if answer := t.answer(c); answer != "" && !strings.Contains(text, answer) {
		t.wrapped("    ", "answer: “"+answer+"”")
	}
}

// answer is the head's answer on one line: its beginning, or what differs from the base's where both begin alike.
func (t *terminal) answer(c report.Change) string {
	if now := string(c.Head.Excerpt); t.Compared && c.Base != nil && c.Base.Excerpt != c.Head.Excerpt {
		if before := string(c.Base.Excerpt); strings.HasPrefix(before, text.First(now, headRunes/2)) {
			_, now = worddiff.Around(show.OneLine(before), show.OneLine(now), headRunes, headRunes)
			return now
		}
	}
	return show.Lead(string(c.Head.Excerpt), headRunes)
}

func (t *terminal) writeReasons() {
	for _, level := range []report.Level{report.LevelError, report.LevelWarn} {
		for _, reason := range t.Report.Reasons {
			if reason.Level != level {
				continue
			}
			mark, color := "warning: ", yellow
			if level == report.LevelError {
				mark, color = show.If(t.Report.Verdict == report.Failed, "failed: ", "undecided: "), red
			}
			if reason.Code == gate.NoBase.Code {
				mark = "note: "
			}
			t.headed(color, mark, show.OneLine(reason.Message))
		}
	}
	if p := t.MustMissing(); len(p) > 0 {
		t.headed(yellow, "unanswered: ", p.Plain(show.NameRunes))
	}
	if t.Report.Verdict != report.Invalid {
		t.WriteString(show.Diagnostics(t.FileWarnings(), nil))
	}
	t.writeNotes()
}

// How much is shown; the comment and report.json hold more.
const (
	narrow      = 60 // the least width that a table is laid out for
	fewCases    = 5  // of a list, each of which is shown; of more, one of each cause
	causesShown = 10
	namesShown  = 5   // of the other cases of a cause
	fixedShown  = 10  // cases that are right now
	headRunes   = 130 // of a question and of a wrong answer beside its case
	manySuites  = 25  // from here on suites that have nothing to say are only counted
	notesShown  = 5
	noteRunes   = 300
)

// writeNotes lists what decided nothing and yet may be why: a base that could not be read, answers that are old.
func (t *terminal) writeNotes() {
	if n := t.Report.Quarantined; n > 0 {
		t.headed("", "note: ", view.IsAre(n, "case")+" in quarantine: shown, and judged by nothing")
	}
	if text := t.Unverified(); text != "" {
		t.headed("", "note: ", text+t.VerifyAdvice())
	}
	notes := t.Report.Warnings
	for _, w := range notes[:min(len(notes), notesShown)] {
		t.headed("", "note: ", show.When(w.Count > 1, show.Grouped(w.Count)+" × ")+show.Lead(w.Message, noteRunes)+
			show.When(w.Path != "", " ("+show.Ends(w.Path, 2*show.NameRunes)+":"+strconv.Itoa(max(w.Line, 1))+")"))
	}
	if more := len(notes) - notesShown; more > 0 {
		t.line("note: and " + show.Count(more, "more note") + " in report.json")
	}
}

func (t *terminal) headed(color, word, text string) {
	t.line(t.paint(color, strings.TrimSpace(word)) + " " + strings.TrimSpace(t.hang(text, len(word), "  ")))
}

func (t *terminal) wrapped(indent, text string) { t.line(indent + t.hang(text, len(indent), indent)) }

// hang wraps text whose first line has taken columns already; further lines are indented.
func (t *terminal) hang(text string, taken int, indent string) string {
	return strings.Join(show.WrapLine(text, t.o.Width-taken, t.o.Width-len(indent)), "\n"+indent)
}

// FileLink is a file's path, as a link by OSC 8 where the terminal knows that.
// https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
func FileLink(getenv func(string) string, file string) string {
	text := show.Log(file)
	if !knowsLinks(getenv) {
		return text
	}
	slashed := filepath.ToSlash(file)
	if !strings.HasPrefix(slashed, "/") { // C:/…
		slashed = "/" + slashed
	}
	return "\x1b]8;;" + (&url.URL{Scheme: "file", Path: slashed}).String() + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// linkingPrograms are the values of TERM_PROGRAM whose terminals know OSC 8.
var linkingPrograms = []string{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "zed"}

// firstLinkingVTE is the first version of VTE that knows OSC 8 and does not break on it.
const firstLinkingVTE = 5002

// knowsLinks reports a terminal that says of itself, by a name or a version, that it knows OSC 8. Multiplexers between may swallow it.
func knowsLinks(getenv func(string) string) bool {
	name := getenv("TERM")
	if name == "dumb" || strings.HasPrefix(name, "screen") || strings.HasPrefix(name, "tmux") {
		return false
	}
	vte, _ := strconv.Atoi(getenv("VTE_VERSION"))
	return vte >= firstLinkingVTE || slices.Contains(linkingPrograms, getenv("TERM_PROGRAM")) || getenv("WT_SESSION") != "" ||
		getenv("KONSOLE_VERSION") != "" || name == "xterm-kitty" || name == "xterm-ghostty" || name == "alacritty" || name == "foot"
}
