package promptfoo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

const (
	schemaLine = "# yaml-language-server: " +
		"$schema=https://raw.githubusercontent.com/failproof/failproof/main/schemas/%s.schema.json\n"
	maxInYAML = 200 << 10 // bytes of cases in YAML; more cases are written as JSON lines
	maxRows   = 300       // number of cases in YAML
)

// configPath is the path of failproof's configuration.
const configPath = ".github/failproof.yml"

// replayName is the name of the target that answers from recordings, or the beginning of several such names.
const replayName = "replay"

// writeSuites writes every suite. A large list of cases, or one that all suites share, gets a file of its own.
func (im *importer) writeSuites() {
	caseLists := make([]*value, len(im.suites))
	shared := len(im.suites) > 1
	for i, s := range im.suites {
		caseLists[i] = im.out.caseList(s)
		shared = shared && bytes.Equal(caseLists[i].yaml(), caseLists[0].yaml())
	}
	for i, s := range im.suites {
		cases, name := caseLists[i], s.id
		if shared {
			name = im.in.configName("cases")
		}
		if shared || large(cases) {
			cases = mapOf().set("file", str("../"+im.out.caseFile(name, cases)))
		}
		head := fmt.Appendf(nil, schemaLine, "suite")
		im.out.write("suites/"+s.id+".yaml", append(head, im.suiteValue(s, cases).yaml()...))
	}
}

// large reports whether a list of cases is too long for a suite file that people read.
func large(cases *value) bool {
	return len(cases.items) > maxRows || len(cases.yaml()) > maxInYAML
}

func (im *importer) suiteValue(s *suite, cases *value) *value {
	v := mapOf().set("version", literal("1"))
	v.setNonEmpty("description", str(im.src.root.get("description").text()))
	im.targets.setTargets(v, s)
	im.out.setPrompt(v, s)
	v.setNonEmpty("tools", str(s.toolFile))
	if im.repeat > 1 {
		v.set("trials", literal(strconv.Itoa(im.repeat)))
	}
	unset := mapOf()
	unset.comment = []string{"promptfoo leaves variables empty that a test does not set."}
	for _, name := range s.unset {
		unset.set(name, str(""))
	}
	defaults := mapOf().setNonEmpty("vars", unset)
	s.defaults.writeTo(defaults)
	if defaults.comment = s.defaults.notes; len(defaults.keys) == 0 {
		cases.comment = s.defaults.notes
	}
	return v.setNonEmpty("defaults", defaults).set("cases", cases)
}

// setTargets sets the targets of the suite s in v, unless the configuration has only one target.
func (ts *targets) setTargets(v *value, s *suite) {
	var names []string
	for _, t := range s.targets {
		name := t.name
		if ts.hasStored {
			name = ts.replayNameOf(t)
		}
		names = append(names, name)
	}
	if len(ts.list) > 1 && len(names) == 1 {
		v.set("target", str(names[0]))
	} else if len(names) > 1 {
		v.set("targets", textList(names))
	}
}

// replayNameOf returns the name of the target that replays the recorded answers of t.
func (ts *targets) replayNameOf(t *target) string {
	if len(ts.list) == 1 {
		return replayName
	}
	return replayName + "-" + t.name
}

// setPrompt sets the prompt of the suite s in v, together with the instructions of its targets.
func (o *output) setPrompt(v *value, s *suite) {
	p, system, ref, isFile := s.prompt, s.like.system, "", false
	if system == "" || len(p.messages) == 1 {
		ref, isFile = o.reference(p.file)
	}
	switch {
	case isFile && system == "":
		v.set("prompt", str(ref))
		return
	case !isFile && p.source != "":
		addCopied(p.origin, "the prompt in "+document.Quote(p.source), filePerPrompt)
	}
	messages := listOf()
	add := func(role, key, text string) {
		messages.items = append(messages.items, mapOf().set("role", str(role)).set(key, str(text)))
	}
	if system != "" {
		add("system", "content", system)
	}
	for _, m := range p.messages {
		if isFile {
			add(m.role, "file", ref)
		} else {
			add(m.role, "content", m.text)
		}
	}
	v.set("messages", messages)
}

func (o *output) caseList(s *suite) *value {
	list := listOf()
	for _, k := range s.cases {
		v := mapOf().set("id", str(k.id))
		v.comment = k.expect.notes
		vars := mapOf()
		for _, one := range k.values {
			if ref, ok := o.reference(one.file); ok {
				one.value = mapOf().set("file", str(ref))
			}
			vars.set(one.name, one.value)
		}
		v.setNonEmpty("description", str(k.description)).setNonEmpty("tags", textList(k.tags)).setNonEmpty("vars", vars)
		k.expect.writeTo(v)
		list.items = append(list.items, v)
	}
	return list
}

// writeConfig writes the configuration of failproof.
func (im *importer) writeConfig() {
	v := mapOf().set("version", literal("1")).set("suites", listOf(str("suites/*.yaml")))
	ts, targetMap := im.targets, mapOf()
	ts.addReplayTargets(targetMap)
	for _, t := range ts.list {
		targetMap.set(t.name, t.value())
	}
	first, judges := targetMap.keys[0], mapOf()
	if im.hasRubric {
		judges.set("default", mapOf().set("target", str(im.addJudgeTarget(targetMap))))
	}
	if len(targetMap.keys) > 1 {
		v.set("default_target", str(first))
	}
	v.set("targets", targetMap).setNonEmpty("judges", judges)
	im.out.write(configPath, append(fmt.Appendf(nil, schemaLine, "config"), v.yaml()...))
}

// addReplayTargets adds the targets that answer from recordings, if there are stored answers or no live targets.
func (ts *targets) addReplayTargets(targetMap *value) {
	recorded := func(folder string) *value {
		return mapOf().set("provider", str("recorded")).set("path", str("recordings/"+folder+"{suite}.jsonl"))
	}
	switch {
	case len(ts.list) == 0:
		replay := recorded("")
		replay.comment = []string{"No provider of promptfoo was converted: this target answers from recordings, " +
			"which `failproof record` makes", "after you add a live target."}
		targetMap.set(replayName, replay)
	case ts.hasStored && len(ts.list) == 1:
		targetMap.set(replayName, recorded(""))
	case ts.hasStored:
		for _, t := range ts.list {
			targetMap.set(ts.replayNameOf(t), recorded(t.name+"/").set("records", str(t.name)))
		}
	}
}

// addJudgeTarget adds the target of the judge to targetMap, and returns its name.
func (im *importer) addJudgeTarget(targetMap *value) string {
	ts := im.targets
	if g := ts.judge; g != nil {
		v := g.value()
		v.comment = []string{document.Line("promptfoo's " + g.id + " at " + g.origin.Pos.WithPath(g.origin.path))}
		targetMap.set(g.name, v)
		return g.name
	}
	addFinding(Changed, im.src.root, "the judge",
		"promptfoo chooses a grader by the keys that it finds; here it is a "+
			"target, `grader`, with the model gpt-5-mini")
	name := freeName(&ts.names, "grader", "")
	g := mapOf().set("provider", str("openai")).set("model", str("gpt-5-mini")).
		set("api_key_env", str("OPENAI_API_KEY")).setTrue("structured_output", true)
	g.comment = []string{"The judge. promptfoo chooses one by the keys that it finds."}
	targetMap.set(name, g)
	return name
}

// output collects the files of the result.
type output struct {
	src     *source
	inPlace bool // whether the result is written to the root of the source
	files   []File
	copies  map[string]string // by path of a source file: the name of its copy
	byText  map[string]string // by requested name and text: the name of the file with the text
	names   text.Names        // of the files, and of the suites
}

// reference returns the path by which a suite names the source file with the given name. It is the path of a copy or,
// if the result is written in place, of the file itself. It returns false if name is "" or the file cannot be read.
func (o *output) reference(name string) (string, bool) {
	switch {
	case name == "":
		return "", false
	case o.inPlace:
		return "../" + name, true
	}
	if _, copied := o.copies[name]; !copied {
		data, err := fs.ReadFile(o.src.tree, name)
		if err != nil {
			return "", false
		}
		local, inside := strings.CutPrefix(name, o.src.dir+"/")
		if !inside && o.src.dir != "." {
			local = path.Base(name)
		}
		o.copies[name] = o.write("files/"+local, data)
		addFinding(Changed, node{&document.Node{}, name, o.src}, "the file",
			"it is copied to "+document.Quote(o.copies[name])+", and the copy is judged: a change of the file itself is not",
			"have your application read the copy, or import it without --out, in a folder without a configuration")
	}
	return "../" + o.copies[name], true
}

// write adds a file to the result and returns its name. The returned name differs from the given one if that is taken.
func (o *output) write(name string, text []byte) string {
	free := o.reserveName(name)
	o.files = append(o.files, File{free, text})
	return free
}

// reserveName reserves a name that differs from every other name, also in lower case, and returns it. It is name if
// that is not taken.
func (o *output) reserveName(name string) string {
	ext := path.Ext(name)
	if strings.HasSuffix(name, ".schema.json") {
		ext = ".schema.json"
	}
	return freeName(&o.names, strings.TrimSuffix(name, ext), ext)
}

// jsonFile returns the path of a file with the given JSON, relative to the folder suites. Equal files are one.
func (o *output) jsonFile(name, text string) string {
	var out bytes.Buffer
	_ = json.Indent(&out, []byte(text), "", "  ") // text is valid JSON
	return "../" + o.shared(name, append(out.Bytes(), '\n'))
}

// caseFile returns the name of a file with the cases. name is the requested name without folder and ending. Equal files
// are one.
func (o *output) caseFile(name string, cases *value) string {
	name, text := "cases/"+name+".yaml", cases.yaml()
	if large(cases) {
		name, text = strings.TrimSuffix(name, "yaml")+"jsonl", nil
		for _, c := range cases.items {
			text = append(text, c.json()+"\n"...)
		}
	}
	return o.shared(name, text)
}

// shared adds a file to the result and returns its name. Equal files are one.
func (o *output) shared(name string, text []byte) string {
	key := name + " " + string(text)
	if o.byText[key] == "" {
		o.byText[key] = o.write(name, text)
	}
	return o.byText[key]
}
