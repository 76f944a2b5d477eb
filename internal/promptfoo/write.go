package promptfoo

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/failproof/failproof/internal/document"
)

const (
	schemaLine = "# yaml-language-server: " +
		"$schema=https://raw.githubusercontent.com/failproof/failproof/main/schemas/%s.schema.json\n"
	maxInYAML = 400 << 10 // bytes of cases; more are written as JSON lines
	maxText   = 100 << 10 // bytes of a text in YAML
	maxRows   = 300       // cases in YAML
)

// configPath is the path of failproof's configuration.
const configPath = ".github/failproof.yml"

// replayName is the target that answers from recordings.
const replayName = "replay"

// writeSuites writes every suite. Cases that all suites share, and large ones, have a file of their own.
func (im *importer) writeSuites(root node) {
	written := make([]*value, len(im.suites))
	alike := len(im.suites) > 1
	for i, s := range im.suites {
		written[i] = im.cases(s)
		alike = alike && bytes.Equal(written[i].yaml(), written[0].yaml())
	}
	file := ""
	for i, s := range im.suites {
		cases := written[i]
		switch {
		case alike && file == "":
			file = im.out.caseFile(im.ownName("cases"), cases)
		case !alike && large(cases):
			file = im.out.caseFile(s.id, cases)
		}
		if alike || large(cases) {
			cases = mapOf().set("file", str("../"+file))
		}
		im.out.write("suites/"+s.id+".yaml", append(fmt.Appendf(nil, schemaLine, "suite"), im.suiteValue(root, s,
			cases).yaml()...))
	}
}

// large reports whether cases are too many, or too long, for a suite that people read.
func large(cases *value) bool {
	if len(cases.items) > maxRows || len(cases.yaml()) > maxInYAML {
		return true
	}
	return slices.ContainsFunc(cases.items, longText)
}

func longText(v *value) bool {
	return len(v.text) > maxText || slices.ContainsFunc(v.items, longText)
}

func (im *importer) suiteValue(root node, s *suite, cases *value) *value {
	v := mapOf().set("version", raw("1"))
	v.some("description", str(root.get("description").text()))
	im.who(v, s)
	im.promptValue(v, s)
	v.some("tools", str(s.toolFile))
	if im.repeat > 1 {
		v.set("trials", raw(strconv.Itoa(im.repeat)))
	}
	unset := mapOf()
	unset.comment = []string{"promptfoo leaves variables empty that a test does not set."}
	for _, name := range s.unset {
		unset.set(name, str(""))
	}
	defaults := mapOf().some("vars", unset)
	s.defaults.into(defaults)
	if defaults.comment = s.defaults.notes; len(defaults.keys) == 0 {
		cases.comment = s.defaults.notes
	}
	return v.some("defaults", defaults).set("cases", cases)
}

// who writes the targets of a suite, unless the configuration has only one.
func (im *importer) who(v *value, s *suite) {
	var names []string
	for _, t := range s.targets {
		name := t.name
		if im.in.Results != nil {
			name = im.recordedName(t)
		}
		names = append(names, name)
	}
	switch {
	case len(im.targets) <= 1 || len(names) == 0:
	case len(names) == 1:
		v.set("target", str(names[0]))
	default:
		v.set("targets", texts(names))
	}
}

// recordedName returns the name of the target that replays the recorded answers of another.
func (im *importer) recordedName(t *target) string {
	if len(im.targets) == 1 {
		return replayName
	}
	return replayName + "-" + t.name
}

func (im *importer) promptValue(v *value, s *suite) {
	p := s.prompt
	if ref, ok := im.out.reference(p.file); ok {
		switch {
		case s.system == "":
			v.set("prompt", str(ref))
		case len(p.messages) > 1:
			v.set("prompt", str(ref))
			im.src.addToDo(p.from, "the instructions of the provider", "the prompt is a list of messages in a file",
				"a message with `role: system` in it")
		default:
			v.set("messages", listOf(messageValue(message{"system", s.system}),
				mapOf().set("role", str(p.messages[0].role)).set("file", str(ref))))
		}
		return
	}
	all := linesOf()
	for _, m := range append([]message{{"system", s.system}}, p.messages...) {
		if m.text != "" {
			all.items = append(all.items, messageValue(m))
		}
	}
	v.set("messages", all)
}

func messageValue(m message) *value {
	return mapOf().set("role", str(m.role)).set("content", str(m.text))
}

func (im *importer) cases(s *suite) *value {
	all := linesOf()
	for _, k := range s.cases {
		v := mapOf().set("id", str(k.id))
		v.block, v.comment = true, k.expect.notes
		vars := mapOf()
		for _, name := range k.vars.names {
			one := k.vars.of[name][0]
			if ref, ok := im.out.reference(one.file); ok {
				one.value = mapOf().set("file", str(ref))
			}
			vars.set(name, one.value)
		}
		v.some("description", str(k.description)).some("tags", texts(unique(k.tags))).some("vars", vars)
		k.expect.into(v)
		all.items = append(all.items, v)
	}
	return all
}

// configuration writes failproof's configuration.
func (im *importer) configuration() {
	v := mapOf().set("version", raw("1")).set("suites", listOf(str("suites/*.yaml")))
	targets := mapOf()
	targets.block = true
	targets.comment = im.unasked
	first := im.recordedTargets(targets)
	for _, t := range im.targets {
		if targets.set(t.name, t.value); first == "" {
			first = t.name
		}
	}
	judges := mapOf()
	if im.judged {
		judges.set("default", mapOf().set("target", str(im.judgeTarget(targets))))
	}
	if len(targets.keys) > 1 {
		v.set("default_target", str(first))
	}
	v.set("targets", targets).some("judges", judges)
	im.out.write(configPath, append(fmt.Appendf(nil, schemaLine, "config"), v.yaml()...))
}

// recordedTargets adds the targets that answer from recordings, if there are recordings or no live targets. It returns
// the name of the first one.
func (im *importer) recordedTargets(targets *value) (first string) {
	recorded := func(folder string) *value {
		return mapOf().set("provider", str("recorded")).set("path", str("recordings/"+folder+"{suite}.jsonl"))
	}
	switch {
	case len(im.targets) == 0:
		replay := recorded("")
		replay.comment = []string{"No provider of promptfoo was converted: this target answers from recordings, " +
			"which `failproof record` makes", "after you add a live target."}
		targets.set(replayName, replay)
		return replayName
	case im.in.Results == nil:
		return ""
	}
	for _, t := range im.targets {
		one := recorded("")
		if len(im.targets) > 1 {
			one = recorded(t.name+"/").set("records", str(t.name))
		}
		targets.set(im.recordedName(t), one)
	}
	return im.recordedName(im.targets[0])
}

// judgeTarget adds the target of the judge, and returns its name.
func (im *importer) judgeTarget(targets *value) string {
	if g := im.judge; g != nil {
		g.value.comment = []string{document.Line("promptfoo's " + g.id + " at " + g.from.Pos.In(g.from.path))}
		targets.set(g.name, g.value)
		return g.name
	}
	im.src.addChange(im.src.root, "the judge",
		"promptfoo chooses a grader by the keys that it finds; here it is a target, `grader`, with the model "+
			"gpt-5-mini", "")
	name := "grader"
	if im.hasTarget(name) {
		name = "grader-of-rubrics"
	}
	g := mapOf().set("provider", str("openai")).set("model", str("gpt-5-mini")).set("api_key_env",
		str("OPENAI_API_KEY")).mark("structured_output", true)
	g.comment = []string{"The judge. promptfoo chooses one by the keys that it finds."}
	targets.set(name, g)
	return name
}
