package suite

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/skill"
)

// taskTemplate is the user message that follows an agent's text if neither the suite nor its cases have messages.
const taskTemplate = "{{ task }}"

// agentText is the text of an agent's system message, which comes from a skill or from instructions.
type agentText struct {
	text   string
	source string // where the text comes from, in words, such as a skill and its files
	files  []SentFile
	faults []document.Diagnostic
}

// newAgentText returns an agent's text. It adds merge conflicts in files to faults.
func newAgentText(text, source string, files []skill.File, faults []document.Diagnostic) *agentText {
	t := &agentText{text: text, source: source, faults: faults}
	for _, file := range files {
		t.files = append(t.files, SentFile{file.Path, KindPrompt, hash(file.Text)})
		t.faults = append(t.faults, document.TextConflict(file.Path, file.Text)...)
	}
	return t
}

// readAgent returns the prompt of a suite that tests an agent's text. The text is the system message. After it come the
// suite's messages or, if the suite has none, each case's own messages or else the task. readAgent returns nil on an
// error.
func (r *reader) readAgent(root, node *document.Node, cases *rows) *prompt {
	system, ok := r.agentMessage(node)
	behind := &prompt{}
	switch inline := root.Get("messages"); {
	case inline != nil:
		behind = r.readMessages(inline)
	case cases == nil || !cases.has("messages"):
		behind = parsePrompt(r.faults, message{role: model.RoleUser, text: taskTemplate, path: r.faults.Path, at: node.Pos, inSuiteFile: true})
	}
	if !ok || behind == nil {
		return nil
	}
	return &prompt{messages: append([]message{system}, behind.messages...), noShared: len(behind.messages) == 0}
}

// agentMessage returns the system message with the agent's text. If the text cannot be read, it reports an error and
// returns false.
func (r *reader) agentMessage(node *document.Node) (message, bool) {
	var t *agentText
	name, instructions := node.Get("skill"), node.Get("instructions")
	switch {
	case (name == nil) == (instructions == nil):
		r.faults.ErrorAt(node.Pos, "prompt", "a prompt that is a map names a `skill` or `instructions`, and not both")
	case instructions != nil && node.Get("references") != nil:
		r.faults.ErrorAt(node.KeyPos("references"), "prompt", "`references` go with a `skill`")
	case name != nil && node.Get("for") != nil:
		r.faults.ErrorAt(node.KeyPos("for"), "prompt", "`for` goes with `instructions`")
	case name != nil:
		t = r.skillText(node, name)
	default:
		t = r.instructionsText(node, instructions)
	}
	if t == nil {
		return message{}, false
	}
	r.faults.Add(t.faults...)
	if document.HasErrors(t.faults) || !r.loader.reserve(len(t.text), r.faults, node.Pos) {
		return message{}, false
	}
	return message{role: model.RoleSystem, text: t.text, template: template{[]part{{text: t.text}}}, path: r.faults.Path, at: node.Pos,
		files: t.files, agentSource: t.source}, true
}

// skillText returns the text of the skill that a prompt names, or nil if the suite file has an error there.
func (r *reader) skillText(node, name *document.Node) *agentText {
	main := *name
	main.Text = path.Join(strings.TrimSuffix(name.Text, skill.FileName), skill.FileName)
	resolved, ok := r.locate(&main, "skill", false)
	if !ok {
		return nil
	}
	references := skill.References(cmp.Or(node.Get("references").AsText(), string(skill.ReferencesLinked)))
	if !slices.Contains([]skill.References{skill.ReferencesLinked, skill.ReferencesAll, skill.ReferencesNone},
		references) {
		return nil // reported by the schema
	}
	return r.loader.agents.get(string(references)+" "+resolved, func() *agentText {
		s, ds := skill.Read(r.loader.fsys, path.Dir(resolved), references)
		if s == nil {
			return &agentText{faults: ds}
		}
		return newAgentText(s.Message, s.Summary(), s.Files, ds)
	})
}

// instructionsText returns the text of the instruction files that a prompt names, or nil if the suite file has an error
// there.
func (r *reader) instructionsText(node, names *document.Node) *agentText {
	nodes, paths := names.List(), []string{}
	if names.AsText() != "" {
		nodes = []*document.Node{names}
	}
	for _, name := range nodes {
		resolved, ok := r.locate(name, "instructions", true)
		if !ok {
			return nil
		}
		paths = append(paths, resolved)
	}
	file := node.Get("for").AsText()
	if file != "" {
		problem := pathProblem(file)
		switch file = path.Clean(file); {
		case path.IsAbs(file):
			problem = "is absolute; write it from the folder of the configuration"
		case problem == "" && (file == ".." || strings.HasPrefix(file, "../")):
			problem = "leads out of the folder that the configuration is for"
		}
		if problem != "" {
			r.faults.ErrorAt(node.Get("for").Pos, rulePath, "for %s %s", document.Quote(node.Get("for").Text), problem)
			return nil
		}
	}
	if len(paths) == 0 {
		return nil // reported by the schema
	}
	return r.loader.agents.get(strings.Join(append(paths, file), "\n"), func() *agentText {
		in, ds := skill.ReadInstructions(r.loader.fsys, paths, file)
		if in == nil {
			return &agentText{faults: ds}
		}
		return newAgentText(in.Message, in.Summary(), in.Files, ds)
	})
}
