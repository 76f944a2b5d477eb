package run

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
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
		for _, changed := range changedFiles(p.joined, h) {
			path, from := changed.Head.Path, changed.Base.Path
			if from == path {
				from = ""
			}
			if at := slices.IndexFunc(rep.Prompts, func(x report.Prompt) bool { return x.Path == path && x.From == from && !x.Inline }); at >= 0 {
				rep.Prompts[at].Suites = append(rep.Prompts[at].Suites, h.ID)
			} else if len(rep.Prompts) < promptsShown {
				rep.Prompts = append(rep.Prompts, report.Prompt{Path: path, From: from, Suites: []string{h.ID}, Variable: changed.Head.Kind == suite.KindVariable,
					Base: p.promptText(p.Base, changed.Base.Path), Head: p.promptText(p.Head, path)})
			}
		}
		for _, b := range p.joined[h.ID].bases() {
			p.tellSaid(rep, h, suite.ChangedSayings(b, h, promptsShown))
		}
		p.tellSaid(rep, h, suite.MovedSayings(p.joined[h.ID].movedIn(), h, promptsShown))
	}
}

// tellSaid shows the messages that a suite has sent as a prompt, where they are others than on the base beside what their files say. The targets
// of a suite are sent the same.
func (p Plan) tellSaid(rep *report.Report, h *suite.Suite, said []suite.SaidPair) {
	for _, changed := range said {
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
func changedFiles(known pairs, h *suite.Suite) (changed []suite.FilePair) {
	for _, b := range known[h.ID].bases() {
		for _, file := range suite.ChangedFiles(b, h) {
			if !slices.ContainsFunc(changed, func(f suite.FilePair) bool { return f.Head.Path == file.Head.Path && f.Base.Path == file.Base.Path }) {
				changed = append(changed, file)
			}
		}
	}
	return changed
}

// promptText is the start of a prompt file, without what is secret; "" where it cannot be read.
func (p Plan) promptText(tree *source.Tree, path string) model.Untrusted {
	if tree == nil || path == "" {
		return ""
	}
	data, err := fs.ReadFile(tree, path)
	if err != nil {
		return ""
	}
	return p.shownText(suite.Sent(data))
}

// shownText is as much of a prompt as a report holds, without what is secret.
func (p Plan) shownText(text string) model.Untrusted {
	text = p.redactor().Text(text)
	if len(text) > promptBytes {
		text = strings.ToValidUTF8(text[:promptBytes], "") + "…"
	}
	return model.Untrusted(text)
}
