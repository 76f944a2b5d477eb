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
	maxInYAML = 400 << 10 // bytes of cases in YAML; more cases are written as JSON lines
	maxText   = 100 << 10 // bytes of a text in YAML
	maxRows   = 300       // number of cases in YAML
)

// configPath is the path of failproof's configuration.
const configPath = ".github/failproof.yml"

// replayName is the name of the target that answers from recordings. If there are several such targets, their names
// begin with it.
const replayName = "replay"

// writeSuites writes every suite. It writes the cases to a file of their own if all suites share them or the list is
// large. root is the configuration.
func (im *importer) writeSuites(root node) {
	written := make([]*value, len(im.suites))
	alike := len(im.suites) > 1
	for i, s := range im.suites {
		written[i] = im.out.cases(s)
		alike = alike && bytes.Equal(written[i].yaml(), written[0].yaml())
	}
	file := ""
	for i, s := range im.suites {
		cases := written[i]
		switch {
		case alike && file == "":
			file = im.out.caseFile(im.in.ownName("cases"), cases)
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

// large reports whether a list of cases is too long for a suite file that people read.
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
	im.targets.nameTargets(v, s)
	im.out.setPrompt(v, s)
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

// nameTargets sets the targets of the suite s in v, unless the configuration has only one target.
func (ts *targets) nameTargets(v *value, s *suite) {
	var names []string
	for _, t := range s.targets {
		name := t.name
		if ts.stored {
			name = ts.recorded(t)
		}
		names = append(names, name)
	}
	switch {
	case len(ts.all) <= 1 || len(names) == 0:
	case len(names) == 1:
		v.set("target", str(names[0]))
	default:
		v.set("targets", texts(names))
	}
}

// recorded returns the name of the target that replays the recorded answers of t.
func (ts *targets) recorded(t *target) string {
	if len(ts.all) == 1 {
		return replayName
	}
	return replayName + "-" + t.name
}

// setPrompt sets the prompt of the suite s in v, together with the instructions of its targets.
func (o *output) setPrompt(v *value, s *suite) {
	p := s.prompt
	ref, ok := o.reference(p.file)
	switch {
	case ok && s.system == "":
		v.set("prompt", str(ref))
	case ok && len(p.messages) > 1:
		v.set("prompt", str(ref))
		o.src.add(ToDo, p.from, "the instructions of the provider", "the prompt is a list of messages in a file",
			"a message with `role: system` in it")
	case ok:
		v.set("messages", listOf(messageValue(message{"system", s.system}),
			mapOf().set("role", str(p.messages[0].role)).set("file", str(ref))))
	default:
		all := listOf()
		for _, m := range append([]message{{"system", s.system}}, p.messages...) {
			if m.text != "" {
				all.items = append(all.items, messageValue(m))
			}
		}
		v.set("messages", all)
	}
}

func messageValue(m message) *value {
	return mapOf().set("role", str(m.role)).set("content", str(m.text))
}

func (o *output) cases(s *suite) *value {
	all := listOf()
	for _, k := range s.cases {
		v := mapOf().set("id", str(k.id))
		v.comment = k.expect.notes
		vars := mapOf()
		for _, name := range k.vars.names {
			one := k.vars.values[name][0]
			if ref, ok := o.reference(one.file); ok {
				one.value = mapOf().set("file", str(ref))
			}
			vars.set(name, one.value)
		}
		v.some("description", str(k.description)).some("tags", texts(k.tags)).some("vars", vars)
		k.expect.into(v)
		all.items = append(all.items, v)
	}
	return all
}

// configuration writes the configuration of failproof.
func (im *importer) configuration() {
	v := mapOf().set("version", raw("1")).set("suites", listOf(str("suites/*.yaml")))
	ts, all := im.targets, mapOf()
	all.comment = ts.unconverted
	ts.setRecorded(all)
	for _, t := range ts.all {
		all.set(t.name, t.value)
	}
	first, judges := all.keys[0], mapOf()
	if im.judged {
		judges.set("default", mapOf().set("target", str(ts.setJudge(all))))
	}
	if len(all.keys) > 1 {
		v.set("default_target", str(first))
	}
	v.set("targets", all).some("judges", judges)
	im.out.write(configPath, append(fmt.Appendf(nil, schemaLine, "config"), v.yaml()...))
}

// setRecorded adds the targets that answer from recordings to all, if there are stored answers or no live targets.
func (ts *targets) setRecorded(all *value) {
	recorded := func(folder string) *value {
		return mapOf().set("provider", str("recorded")).set("path", str("recordings/"+folder+"{suite}.jsonl"))
	}
	switch {
	case len(ts.all) == 0:
		replay := recorded("")
		replay.comment = []string{"No provider of promptfoo was converted: this target answers from recordings, " +
			"which `failproof record` makes", "after you add a live target."}
		all.set(replayName, replay)
	case ts.stored && len(ts.all) == 1:
		all.set(replayName, recorded(""))
	case ts.stored:
		for _, t := range ts.all {
			all.set(ts.recorded(t), recorded(t.name+"/").set("records", str(t.name)))
		}
	}
}

// setJudge adds the target of the judge to all, and returns its name.
func (ts *targets) setJudge(all *value) string {
	if g := ts.judge; g != nil {
		g.value.comment = []string{document.Line("promptfoo's " + g.id + " at " + g.from.Pos.In(g.from.path))}
		all.set(g.name, g.value)
		return g.name
	}
	ts.src.add(Changed, ts.src.root, "the judge", "promptfoo chooses a grader by the keys that it finds; here it is a "+
		"target, `grader`, with the model gpt-5-mini", "")
	name := freeName("grader", "", ts.has)
	g := mapOf().set("provider", str("openai")).set("model", str("gpt-5-mini")).
		set("api_key_env", str("OPENAI_API_KEY")).mark("structured_output", true)
	g.comment = []string{"The judge. promptfoo chooses one by the keys that it finds."}
	all.set(name, g)
	return name
}
