package skilleval

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/document"
)

// stimuli returns the cases in an eval.yaml of Vally, also of its older form. It returns nil for any other file.
func stimuli(root *document.Node) []*document.Node {
	for _, key := range []string{"stimuli", "scenarios"} {
		all := root.AsMap().Get(key).List()
		asks := func(n *document.Node) bool { return n.Get("prompt").AsText() != "" }
		if slices.ContainsFunc(all, asks) && !slices.ContainsFunc(all, func(n *document.Node) bool { return n.AsMap() == nil }) {
			return all
		}
	}
	return nil
}

// vally converts the eval.yaml in s, which is of Vally or waza.
func vally(s Source) (Suite, []document.Diagnostic) {
	r, all := newReader(s), stimuli(s.Root)
	if all == nil {
		if r.Root = fromWaza(r); r.Root == nil {
			return r.out, r.All()
		}
		all = r.Root.Get("stimuli").List()
	}
	if len(all) > maxCases {
		r.ErrorAt(all[0].Pos, "limit", "the file has %d cases, at most %d are read", len(all), maxCases)
		return r.out, r.All()
	}
	if at := r.Root.Get("scoring"); at != nil {
		r.WarnAt(at.Pos, "unknown-key", "`scoring` is not read: each assertion and each criterion decides")
	}
	cases := map[string][]*document.Node{}
	var folders []string
	for _, n := range all {
		folder, at := r.skillOf(n)
		if folder == "" {
			r.ErrorAt(at.Pos, RuleSkill, "there is no SKILL.md of the skill; name its folder in `environment: { skills: […] }`, relative to this file")
			return r.out, r.All()
		}
		if c := r.stimulus(n, folder); c != nil {
			if cases[folder] == nil {
				folders = append(folders, folder)
			}
			cases[folder] = append(cases[folder], c)
		}
	}
	for _, folder := range folders {
		root := r.suite(text(r.Root.Pos, skillTitle(r, folder)), r.Root.Get("description"), folder)
		put(root, "trials", r.Root.Get("defaults").Get("runs"))
		r.take(root, cases[folder])
	}
	return r.out, r.All()
}

// skillTitle returns the name of the folder of a skill. If the folder is the root, it returns the name of the
// evaluations.
func skillTitle(r *reader, folder string) string {
	if folder == "." {
		return cmp.Or(id(r.Root.Get("name").AsText()), path.Base(path.Dir(r.Source.Path)))
	}
	return path.Base(folder)
}

// skillOf returns the folder of the skill that the case n tests, or "" if there is none. place is the node that names
// the folder, or n.
func (r *reader) skillOf(n *document.Node) (folder string, place *document.Node) {
	dir := path.Dir(r.Source.Path)
	if named := n.Get("environment").Get("skills").List(); len(named) > 0 {
		if len(named) > 1 && !r.warned["skills"] {
			r.warned["skills"] = true
			r.WarnAt(named[1].Pos, "skills", "the case has %d skills, of which the first alone is sent", len(named))
		}
		return firstSkill(r, path.Join(dir, named[0].AsText())), named[0]
	}
	up := path.Dir(dir) // tests/PLUGIN/SKILL/eval.yaml and plugins/PLUGIN/skills/SKILL, or evals/ in the folder of the skill
	root, name := path.Dir(path.Dir(up)), path.Base(dir)
	return firstSkill(r, up, path.Join(root, "plugins", path.Base(up), "skills", name), path.Join(path.Dir(up), "skills", name),
		path.Join(up, "skills", name)), n
}

func firstSkill(r *reader, folders ...string) string {
	for _, folder := range folders {
		if r.Has(path.Join(folder, "SKILL.md")) {
			return folder
		}
	}
	return ""
}

var noID = regexp.MustCompile(`[^a-z0-9]+`)

// id returns name in the form of an id.
func id(name string) string {
	made := strings.Trim(noID.ReplaceAllString(strings.ToLower(name), "-"), "-")
	return strings.TrimRight(made[:min(len(made), 128)], "-")
}

// stimulus returns the case for the stimulus n. It returns nil if n is invalid or has no prompt.
func (r *reader) stimulus(n *document.Node, folder string) *document.Node {
	name, prompt := n.Get("name"), n.Get("prompt")
	if strings.TrimSpace(prompt.AsText()) == "" {
		r.WarnAt(n.Pos, "not-judged", "the case has no `prompt` and is not asked")
		return nil
	}
	if id(name.AsText()) == "" {
		r.ErrorAt(n.Pos, "missing-key", "the case has no `name`, of which its id is made")
		return nil
	}
	out := newMap(n.Pos)
	put(out, "id", text(name.Pos, id(name.Text)))
	put(out, "description", name)
	put(out, "trials", n.Get("runs"))
	whole := r.setUp(out, n, folder)
	var rubric []*document.Node
	for _, item := range n.Get("rubric").List() {
		if words := r.words(item); words != "" {
			needs := Asked
			if !whole {
				needs = Run
			}
			rubric = r.criterion(rubric, item.Pos, words, Criterion{Needs: needs})
		}
	}
	rubric, assert := r.graders(n, rubric, whole)
	for _, key := range []string{"expect_activation", "max_turns"} {
		if at := n.Get(key); at != nil {
			warnNotJudged(r, key, at)
			rubric = r.needsRun(rubric, key, at)
		}
	}
	for key, at := range n.Get("constraints").AsMap().Entries() {
		warnNotJudged(r, key.Text, at)
		rubric = r.needsRun(rubric, key.Text, at)
	}
	if len(rubric) > maxCriteria {
		r.ErrorAt(n.Pos, "limit", "the case has %d criteria, at most %d are judged", len(rubric), maxCriteria)
		return nil
	}
	putList(out, "rubric", rubric)
	putList(out, "assert", assert)
	return out
}

// graders returns rubric and the assertions of the case n. It adds a criterion to the rubric for each grader that needs
// a run. whole is false if files of the case are missing. In this case, every grader except a prompt needs a run.
func (r *reader) graders(n *document.Node, rubric []*document.Node, whole bool) (criteria, assertions []*document.Node) {
	for _, key := range []string{"graders", "assertions"} {
		for _, g := range n.Get(key).List() {
			one, kind := r.grader(g), g.Get("type").AsText()
			switch {
			case one != nil && whole:
				assertions = append(assertions, one)
			case kind != "prompt":
				if one == nil {
					warnNotJudged(r, kind, g)
				}
				rubric = r.needsRun(rubric, kind, g)
			}
		}
	}
	return rubric, assertions
}

// setUp sets the message of the case out: the prompt of n and its files. It reports whether the case has all its files
// and needs no commands.
func (r *reader) setUp(out, n *document.Node, folder string) bool {
	var files []block
	whole, total := true, 0
	for _, key := range []string{"environment", "setup"} {
		from := n.Get(key)
		if commands := from.Get("commands"); commands != nil {
			whole = false
			r.WarnAt(commands.Pos, "not-judged", "commands are never run: the case needs a run")
		}
		for _, f := range from.Get("files").List() {
			content, src, dir := f.Get("content"), f.Get("src"), path.Dir(r.Source.Path)
			if src == nil { // the older form, relative to the folder of the skill
				src, dir = f.Get("source"), folder
			}
			name, _ := first(f, "dest", "path").AsScalar()
			switch {
			case name == "" || strings.Contains(name, "{{") || content.AsText()+src.AsText() == "":
				whole = false
				r.WarnAt(f.Pos, "missing-file", "the file has no name or no text to send: the case needs a run")
			case content.AsText() != "":
				files, total = append(files, block{name, content}), total+len(content.Text)
			default:
				value, bytes := r.file(f, dir, src.AsText())
				if total += bytes; value == nil {
					whole = false
					continue
				}
				files = append(files, block{name, value})
			}
		}
	}
	if len(files) > maxFiles || total > MaxFileBytes {
		r.ErrorAt(n.Pos, "limit", "the case has %d files of %d KiB, at most %d of %d KiB are sent", len(files), (total+1023)>>10, maxFiles, MaxFileBytes>>10)
	}
	ask(out, n.Get("prompt"), files)
	return whole
}

// first returns the value of the first of the keys that the map n has, or nil if it has none.
func first(n *document.Node, keys ...string) *document.Node {
	for _, key := range keys {
		if at := n.Get(key); at != nil {
			return at
		}
	}
	return nil
}

// grader returns the assertion for a grader. It returns nil if the grader needs more than the text of an answer.
func (r *reader) grader(g *document.Node) *document.Node {
	kind := g.Get("type").AsText()
	older := strings.Contains(kind, "_")
	from := g
	if config := g.Get("config"); config.AsMap() != nil {
		from = config
	}
	words := func(keys ...string) string { return first(from, keys...).AsText() }
	switch strings.ReplaceAll(kind, "_", "-") {
	case "output-contains":
		return form(g, "icontains", words("substring", "value", "text"))
	case "output-not-contains":
		return form(g, "not_icontains", words("substring", "value", "text"))
	case "output-matches":
		return patternForm(r, g, "regex", words("pattern", "value"), older)
	case "output-not-matches":
		return patternForm(r, g, "not_regex", words("pattern", "value"), older)
	case "exit-success", "completed":
		return form(g, "regex", `\S`)
	}
	return nil
}

// form returns the assertion with the given name and text, or nil if the text is empty.
func form(at *document.Node, name, words string) *document.Node {
	if words == "" {
		return nil
	}
	out := newMap(at.Pos)
	put(out, name, text(at.Pos, words))
	return out
}

// patternForm returns the assertion with the given name and pattern, or nil if the pattern is not valid in RE2. If
// foldCase is set, the pattern ignores letter case.
func patternForm(r *reader, at *document.Node, name, words string, foldCase bool) *document.Node {
	if _, err := regexp.Compile(words); err != nil {
		r.warned[at.Get("type").AsText()] = true
		r.WarnAt(at.Pos, "not-judged", "the pattern is not judged: %v", err)
		return nil
	}
	if foldCase && words != "" {
		words = "(?i)" + words
	}
	return form(at, name, words)
}

// warnNotJudged warns that graders of the given kind need a run. It warns only once for each kind.
func warnNotJudged(r *reader, kind string, at *document.Node) {
	if !r.warned[kind] {
		r.warned[kind] = true
		r.WarnAt(at.Pos, "not-judged", "%s needs a run: the text of an answer does not show it", document.Quote(kind))
	}
}

// needsRun returns rubric with a criterion that only a run can show. If no judge is configured, it returns rubric
// unchanged.
func (r *reader) needsRun(rubric []*document.Node, kind string, at *document.Node) []*document.Node {
	if !r.Judge {
		return rubric
	}
	return r.criterion(rubric, at.Pos, kind+": "+written(at), Criterion{Needs: Run})
}

// maxWritten is the largest number of characters that written returns.
const maxWritten = 300

// written returns the values of a grader on one line. It cuts a long line.
func written(n *document.Node) string {
	all := strings.Join(strings.Fields(strings.Join(takes(n), ", ")), " ")
	if utf8.RuneCountInString(all) > maxWritten {
		all = string([]rune(all)[:maxWritten]) + "…"
	}
	return all
}

func takes(n *document.Node) (all []string) {
	if words, ok := n.AsScalar(); ok {
		return []string{words}
	}
	for key, value := range n.AsMap().Entries() {
		if key.Text != "type" && key.Text != "name" {
			all = append(all, takes(value)...)
		}
	}
	for _, item := range n.List() {
		all = append(all, takes(item)...)
	}
	return all
}
