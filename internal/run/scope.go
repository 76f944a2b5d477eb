package run

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

// Limits of the prompt texts in a report: the bytes of each text, and the number of prompts.
const (
	promptBytes  = 16 << 10
	promptsShown = 20
)

// setSentFiles sets, for each suite of the report, which files its prompt consists of, if the prompt has several files.
func setSentFiles(p *sides.Sides, rep *report.Report) {
	sent := map[string]string{}
	for _, s := range p.Selected[suite.Head] {
		sent[s.ID] = s.AgentSource
	}
	for i := range rep.Suites {
		rep.Suites[i].Sent = sent[rep.Suites[i].SuiteID]
	}
}

// setScope sets in the report why each suite runs, and which prompt files changed. A suite that runs although nothing
// changed has no reason.
func setScope(p *sides.Sides, rep *report.Report) {
	if p.Base == nil {
		return
	}
	touched := map[string]suite.TouchedSuite{}
	for _, t := range p.Scope.Suites {
		touched[t.ID()] = t
	}
	for i := range rep.Suites {
		for _, r := range touched[rep.Suites[i].SuiteID].Reasons {
			rep.Suites[i].Why = append(rep.Suites[i].Why, report.ScopeReason{Why: string(r.Kind),
				Cases: r.Cases, First: r.First})
		}
	}
	for _, h := range p.Selected[suite.Head] {
		files := changedFiles(p, h)
		for _, changed := range files {
			path, from := changed.Head.Path, changed.Base.Path
			if from == path {
				from = ""
			}
			at := slices.IndexFunc(rep.Prompts, func(x report.Prompt) bool {
				return x.Path == path &&
					x.BasePath == from && !x.Inline
			})
			if at >= 0 {
				rep.Prompts[at].Suites = append(rep.Prompts[at].Suites, h.ID)
			} else if len(rep.Prompts) < promptsShown {
				was, now := shownTexts(p, sides.TextAt(p.Inputs.Base, changed.Base.Path),
					sides.TextAt(p.Inputs.Head, path))
				rep.Prompts = append(rep.Prompts, report.Prompt{Path: path, BasePath: from, Suites: []string{h.ID},
					IsVariable: changed.Head.Kind == suite.KindVariable, Base: was, Head: now})
			}
		}
		for _, b := range p.Pairs.BaseSuites(h) {
			// If only files of the suite changed, they say what changed in the messages.
			if len(files) == 0 || b.Path != h.Path ||
				sides.TextAt(p.Inputs.Base, b.Path) != sides.TextAt(p.Inputs.Head, h.Path) {
				addChangedMessages(p, rep, h, suite.ChangedMessages(p.Pairs.Matches, b, h, promptsShown))
			}
		}
		addChangedMessages(p, rep, h, suite.MovedMessages(p.Pairs.MovedIn(h), h, promptsShown))
	}
}

// addChangedMessages adds changes, the changed messages of the prompt of the suite h, to the report. The targets of a
// suite get the same messages, and share one entry.
func addChangedMessages(p *sides.Sides, rep *report.Report, h *suite.Suite, changes []suite.MessageChange) {
	for _, changed := range changes {
		was, now := shownTexts(p, changed.Base, changed.Head)
		one := report.Prompt{Path: h.Path, Inline: true, Cases: changed.Cases,
			Suites: []string{h.ID}, Base: was, Head: now}
		at := slices.IndexFunc(rep.Prompts, func(x report.Prompt) bool {
			return x.Inline && x.Path == one.Path && x.Base == one.Base && x.Head == one.Head &&
				slices.Equal(x.Cases, one.Cases)
		})
		switch {
		case at >= 0:
			if !slices.Contains(rep.Prompts[at].Suites, h.ID) {
				rep.Prompts[at].Suites = append(rep.Prompts[at].Suites, h.ID)
			}
		case len(rep.Prompts) < promptsShown:
			rep.Prompts = append(rep.Prompts, one)
		}
	}
}

// changedFiles returns the files that the suite h sends and that differ from the base, and those that are deleted. A
// new suite is compared with the suites from which its cases moved.
func changedFiles(p *sides.Sides, h *suite.Suite) (changed []suite.FilePair) {
	for _, b := range p.Pairs.BaseSuites(h) {
		files := suite.ChangedFiles(b, h)
		for _, gone := range suite.RemovedFiles(b, h) {
			if sides.TextAt(p.Inputs.Head, gone.Path) == "" {
				files = append(files, suite.FilePair{Base: gone, Head: suite.SentFile{Path: gone.Path, Kind: gone.Kind}})
			}
		}
		for _, file := range files {
			known := func(f suite.FilePair) bool {
				return f.Head.Path == file.Head.Path &&
					f.Base.Path == file.Base.Path
			}
			if !slices.ContainsFunc(changed, known) {
				changed = append(changed, file)
			}
		}
	}
	return changed
}

// shownTexts returns the texts of a prompt on both sides, with secrets redacted. Of long texts, it returns the part
// around the first difference.
func shownTexts(p *sides.Sides, was, now string) (base, head model.Untrusted) {
	was, now = p.Redactor().Text(was), p.Redactor().Text(now)
	if max(len(was), len(now)) > promptBytes {
		if at := diffStart(was, now); at > 0 {
			was, now = "…\n"+was[at:], "…\n"+now[at:]
		}
	}
	return truncated(was), truncated(now)
}

func truncated(text string) model.Untrusted {
	if len(text) > promptBytes {
		text = strings.ToValidUTF8(text[:promptBytes], "") + "…"
	}
	return model.Untrusted(text)
}

// diffStart returns an index shortly before the first difference of a and b. It is some lines before it, or some
// words before it in a long line.
func diffStart(a, b string) int {
	const lines, bytes = 3, 400 // before the difference
	starts, same := []int{0}, 0
	for ; same < min(len(a), len(b)) && a[same] == b[same]; same++ {
		if a[same] == '\n' {
			starts = append(starts, same+1)
		}
	}
	at := starts[max(len(starts)-1-lines, 0)]
	if same-at > promptBytes/2 {
		for at = same - bytes; !utf8.RuneStart(a[at]); {
			at--
		}
	}
	return at
}
