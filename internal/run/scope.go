package run

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// How much of a prompt file a report shows, in bytes, and how many of them.
const (
	promptBytes  = 16 << 10
	promptsShown = 20
)

// tellScope says in a report why each suite runs, and which prompt files the change touches. A suite that runs although nothing of it
// changed has no reason.
func (p Plan) tellScope(rep *report.Report) {
	if p.base == nil {
		return
	}
	touched := map[string]suite.Touched{}
	for _, t := range p.scope.Suites {
		touched[t.ID()] = t
	}
	for i := range rep.Suites {
		for _, r := range touched[rep.Suites[i].SuiteID].Reasons {
			rep.Suites[i].Why = append(rep.Suites[i].Why, report.ScopeReason{Why: string(r.Why), Cases: r.Cases, First: r.First})
		}
	}
	for _, h := range p.asked[suite.Head] {
		for _, changed := range p.changedFiles(h) {
			path, from := changed.Head.Path, changed.Base.Path
			if from == path {
				from = ""
			}
			if at := slices.IndexFunc(rep.Prompts, func(x report.Prompt) bool { return x.Path == path && x.From == from && !x.Inline }); at >= 0 {
				rep.Prompts[at].Suites = append(rep.Prompts[at].Suites, h.ID)
			} else if len(rep.Prompts) < promptsShown {
				rep.Prompts = append(rep.Prompts, report.Prompt{Path: path, From: from, Suites: []string{h.ID}, Variable: changed.Head.Kind == suite.KindVariable,
					Base: p.shownText(textAt(p.Base, changed.Base.Path)), Head: p.shownText(textAt(p.Head, path))})
			}
		}
		for _, b := range p.joined.bases(h) {
			p.tellSaid(rep, b, h)
		}
	}
}

// tellSaid shows the messages that a suite has sent as a prompt, where they are others than on the base beside what their files say. The targets
// of a suite are sent the same.
func (p Plan) tellSaid(rep *report.Report, b, h *suite.Suite) {
	for _, changed := range suite.ChangedSayings(b, h, promptsShown) {
		one := report.Prompt{Path: h.Path, Inline: true, Cases: changed.Cases, Suites: []string{h.ID}, Base: p.shownText(changed.Base), Head: p.shownText(changed.Head)}
		at := slices.IndexFunc(rep.Prompts, func(x report.Prompt) bool {
			return x.Inline && x.Path == one.Path && x.Base == one.Base && x.Head == one.Head && slices.Equal(x.Cases, one.Cases)
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

// changedFiles are the files that a suite asks with and that say something else on the base; of a suite that the base has not, something else
// than those of the suites that its cases moved from.
func (p Plan) changedFiles(h *suite.Suite) (changed []suite.FilePair) {
	for _, b := range p.joined.bases(h) {
		for _, file := range suite.ChangedFiles(b, h) {
			if !slices.ContainsFunc(changed, func(f suite.FilePair) bool { return f.Head.Path == file.Head.Path && f.Base.Path == file.Base.Path }) {
				changed = append(changed, file)
			}
		}
	}
	return changed
}

// shownText is as much of a prompt as a report holds, without what is secret.
func (p Plan) shownText(text string) model.Untrusted {
	text = p.redactor().Text(text)
	if len(text) > promptBytes {
		text = strings.ToValidUTF8(text[:promptBytes], "") + "…"
	}
	return model.Untrusted(text)
}
