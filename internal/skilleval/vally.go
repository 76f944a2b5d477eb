package skilleval

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/skill"
	"github.com/failproof/failproof/internal/text"
)

// stimuli returns the cases in an eval.yaml of Vally, also of its older form. It returns nil for any other file.
func stimuli(root *document.Node) []*document.Node {
	for _, key := range []string{"stimuli", "scenarios"} {
		all := root.AsMap().Get(key).List()
		asks := func(n *document.Node) bool { return n.Get("prompt").AsText() != "" }
		if slices.ContainsFunc(all, asks) &&
			!slices.ContainsFunc(all, func(n *document.Node) bool { return n.AsMap() == nil }) {
			return all
		}
	}
	return nil
}

// convertVally converts the eval.yaml in s, which is of Vally or waza.
func convertVally(s Source) (Suite, []document.Diagnostic) {
	r, all := newConverter(s), stimuli(s.Root)
	if all == nil {
		if r.Root = wazaToVally(r); r.Root == nil {
			return r.out, r.All()
		}
		all = r.Root.Get("stimuli").List()
	}
	if at := r.Root.Get("scoring"); at != nil {
		r.WarnAt(at.Pos, "unknown-key", "`scoring` is not read: each assertion and each criterion decides")
	}
	cases := map[string][]*document.Node{}
	var folders []string
	for _, n := range all {
		folder, at := r.testedSkill(n)
		if folder == "" {
			r.ErrorAt(at.Pos, RuleSkill,
				"there is no SKILL.md of the skill; name its folder in `environment: { skills: […] }`, relative to this file")
			return r.out, r.All()
		}
		if c := r.stimulusCase(n, folder); c != nil {
			if cases[folder] == nil {
				folders = append(folders, folder)
			}
			cases[folder] = append(cases[folder], c)
		}
	}
	for _, folder := range folders {
		root := r.newSuite(stringNode(r.Root.Pos, skillTitle(r, folder)), r.Root.Get("description"), folder)
		putKey(root, "trials", r.Root.Get("defaults").Get("runs"))
		r.addSuite(root, cases[folder])
	}
	return r.out, r.All()
}

// skillTitle returns the name of the folder of a skill. If the folder is the root, it returns the name of the
// evaluations, or else of their folder.
func skillTitle(r *converter, folder string) string {
	if folder == "." {
		return cmp.Or(toID(r.Root.Get("name").AsText()), toID(path.Base(path.Dir(r.Source.Path))), "skill")
	}
	return path.Base(folder)
}

// testedSkill returns the folder of the skill that the case n tests, or "" if there is none. place is the node that
// names the folder, or n.
func (c *converter) testedSkill(n *document.Node) (folder string, place *document.Node) {
	dir := path.Dir(c.Source.Path)
	if named := n.Get("environment").Get("skills").List(); len(named) > 0 {
		if len(named) > 1 && !c.warned["skills"] {
			c.warned["skills"] = true
			c.WarnAt(named[1].Pos, "skills", "the case has %d skills, of which the first alone is sent", len(named))
		}
		return c.firstSkill(path.Join(dir, named[0].AsText())), named[0]
	}
	// tests/PLUGIN/SKILL/eval.yaml and plugins/PLUGIN/skills/SKILL, or evals/ in the folder of the skill
	up := path.Dir(dir)
	root, name := path.Dir(path.Dir(up)), path.Base(dir)
	return c.firstSkill(up, path.Join(root, "plugins", path.Base(up), "skills", name),
		path.Join(path.Dir(up), "skills", name),
		path.Join(up, "skills", name)), n
}

// firstSkill returns the first of folders that has a SKILL.md, or "".
func (c *converter) firstSkill(folders ...string) string {
	for _, folder := range folders {
		if c.exists(path.Join(folder, skill.FileName)) {
			return folder
		}
	}
	return ""
}

// exists reports whether the tree has the path, which may be a link that is not followed.
func (c *converter) exists(name string) bool {
	_, err := fs.Stat(c.FS, name)
	return err == nil || document.IsElsewhere(err)
}

var nonIDChars = regexp.MustCompile(`[^a-z0-9]+`)

// toID returns name in the form of an id.
func toID(name string) string {
	made := strings.Trim(nonIDChars.ReplaceAllString(strings.ToLower(name), "-"), "-")
	return strings.TrimRight(made[:min(len(made), 128)], "-")
}

// stimulusCase returns the case for the stimulus n. It returns nil if n is invalid or has no prompt.
func (c *converter) stimulusCase(n *document.Node, folder string) *document.Node {
	name, prompt := n.Get("name"), n.Get("prompt")
	if strings.TrimSpace(prompt.AsText()) == "" {
		c.WarnAt(n.Pos, "not-judged", "the case has no `prompt` and is not asked")
		return nil
	}
	if toID(name.AsText()) == "" {
		c.ErrorAt(n.Pos, "missing-key", "the case has no `name`, of which its id is made")
		return nil
	}
	out := newMap(n.Pos)
	putKey(out, "id", stringNode(name.Pos, toID(name.Text)))
	putKey(out, "description", name)
	putKey(out, "trials", n.Get("runs"))
	complete := c.setVallyMessage(out, n, folder)
	var rubric []*document.Node
	for _, item := range n.Get("rubric").List() {
		if words := c.criterionText(item); words != "" {
			needs := NeedsAsking
			if !complete {
				needs = NeedsRun
			}
			rubric = c.addCriterion(rubric, item.Pos, words, Criterion{Needs: needs})
		}
	}
	rubric, assert := c.graders(n, rubric, complete)
	for _, key := range []string{"expect_activation", "max_turns"} {
		if at := n.Get(key); at != nil {
			warnNotJudged(c, key, at)
			rubric = c.addRunCriterion(rubric, key, at)
		}
	}
	for key, at := range n.Get("constraints").AsMap().Entries() {
		warnNotJudged(c, key.Text, at)
		rubric = c.addRunCriterion(rubric, key.Text, at)
	}
	putList(out, "rubric", rubric)
	putList(out, "assert", assert)
	return out
}

// misspeltGrader returns the name of the grader of Vally or waza that kind is a misspelling of, or "". The text of an
// answer suffices for these graders.
func misspeltGrader(kind string) string {
	known := append(slices.Sorted(maps.Keys(graderTypes)), "output_matches", "output_not_matches", "exit_success", "completed")
	if strings.Contains(kind, "-") { // the newer form of Vally
		for i, name := range known {
			known[i] = strings.ReplaceAll(name, "_", "-")
		}
	}
	at := slices.IndexFunc(known, func(name string) bool { return text.IsMisspelling(kind, name) })
	if at < 0 || slices.Contains(known, kind) {
		return ""
	}
	return known[at]
}

// graders returns rubric and the assertions of the case n. It adds a criterion to the rubric for each grader that needs
// a run. complete is false if files of the case are missing. In this case, every grader except a prompt needs a run.
func (c *converter) graders(n *document.Node, rubric []*document.Node, complete bool) (criteria,
	assertions []*document.Node) {
	for _, key := range []string{"graders", "assertions"} {
		for _, g := range n.Get(key).List() {
			one, kind := c.graderAssertion(g), g.Get("type").AsText()
			switch {
			case one != nil && complete:
				assertions = append(assertions, one)
			case one == nil && misspeltGrader(kind) != "":
				c.ErrorAt(g.Pos, "grader", "there is no grader %s; did you mean %s?", document.Quote(kind),
					document.Quote(misspeltGrader(kind)))
			case kind != "prompt":
				if one == nil {
					warnNotJudged(c, kind, g)
				}
				rubric = c.addRunCriterion(rubric, kind, g)
			}
		}
	}
	return rubric, assertions
}

// setVallyMessage sets the message of the case out: the prompt of n and its files. It reports whether the case has all
// its files and needs no commands.
func (c *converter) setVallyMessage(out, n *document.Node, folder string) bool {
	var files []block
	complete, total := true, 0
	for _, key := range []string{"environment", "setup"} {
		from := n.Get(key)
		if commands := from.Get("commands"); commands != nil {
			complete = false
			c.WarnAt(commands.Pos, "not-judged", "commands are never run: the case needs a run")
		}
		for _, f := range from.Get("files").List() {
			content, src, dir := f.Get("content"), f.Get("src"), path.Dir(c.Source.Path)
			if src == nil { // the older form, relative to the folder of the skill
				src, dir = f.Get("source"), folder
			}
			name, _ := firstValue(f, "dest", "path").AsScalar()
			switch {
			case name == "" || strings.Contains(name, "{{") || content.AsText()+src.AsText() == "":
				complete = false
				c.WarnAt(f.Pos, "missing-file", "the file has no name or no text to send: the case needs a run")
			case content.AsText() != "":
				files, total = append(files, block{name, content}), total+len(content.Text)
			default:
				value, bytes := c.fileValue(f, dir, src.AsText())
				if total += bytes; value == nil {
					complete = false
					continue
				}
				files = append(files, block{name, value})
			}
		}
	}
	setMessage(c, out, n.Get("prompt"), files, total)
	return complete
}

// firstValue returns the value of the first of the keys that the map n has, or nil if it has none.
func firstValue(n *document.Node, keys ...string) *document.Node {
	for _, key := range keys {
		if at := n.Get(key); at != nil {
			return at
		}
	}
	return nil
}

// graderAssertion returns the assertion for a grader. It returns nil if the grader needs more than the text of an
// answer.
func (c *converter) graderAssertion(g *document.Node) *document.Node {
	kind := g.Get("type").AsText()
	older := strings.Contains(kind, "_")
	from := g
	if config := g.Get("config"); config.AsMap() != nil {
		from = config
	}
	words := func(keys ...string) string { return firstValue(from, keys...).AsText() }
	switch strings.ReplaceAll(kind, "_", "-") {
	case "output-contains":
		return assertionNode(g, "icontains", words("substring", "value", "text"))
	case "output-not-contains":
		return assertionNode(g, "not_icontains", words("substring", "value", "text"))
	case "output-matches":
		return patternNode(c, g, "regex", words("pattern", "value"), older)
	case "output-not-matches":
		return patternNode(c, g, "not_regex", words("pattern", "value"), older)
	case "exit-success", "completed":
		return assertionNode(g, "regex", `\S`)
	}
	return nil
}

// assertionNode returns the assertion with the given name and text, or nil if the text is empty.
func assertionNode(at *document.Node, name, words string) *document.Node {
	if words == "" {
		return nil
	}
	out := newMap(at.Pos)
	putKey(out, name, stringNode(at.Pos, words))
	return out
}

// patternNode returns the assertion with the given name and pattern, or nil if the pattern is not valid in RE2. If
// foldCase is set, the pattern ignores letter case.
func patternNode(r *converter, at *document.Node, name, words string, foldCase bool) *document.Node {
	if _, err := regexp.Compile(words); err != nil {
		r.warned[at.Get("type").AsText()] = true
		r.WarnAt(at.Pos, "not-judged", "the pattern is not judged: %v", err)
		return nil
	}
	if foldCase && words != "" {
		words = "(?i)" + words
	}
	return assertionNode(at, name, words)
}

// warnNotJudged warns that graders of the given kind need a run. It warns only once for each kind.
func warnNotJudged(r *converter, kind string, at *document.Node) {
	if !r.warned[kind] {
		r.warned[kind] = true
		r.WarnAt(at.Pos, "not-judged", "%s needs a run: the text of an answer does not show it", document.Quote(kind))
	}
}

// addRunCriterion returns rubric with a criterion that only a run can show. If no judge is configured, it returns
// rubric unchanged.
func (c *converter) addRunCriterion(rubric []*document.Node, kind string, at *document.Node) []*document.Node {
	if !c.HasJudge {
		return rubric
	}
	return c.addCriterion(rubric, at.Pos, kind+": "+graderText(at), Criterion{Needs: NeedsRun})
}

// maxGraderRunes is the largest number of characters that graderText returns.
const maxGraderRunes = 300

// graderText returns the values of a grader on one line. It cuts a long line.
func graderText(n *document.Node) string {
	all := strings.Join(strings.Fields(strings.Join(scalarTexts(n), ", ")), " ")
	if utf8.RuneCountInString(all) > maxGraderRunes {
		all = string([]rune(all)[:maxGraderRunes]) + "…"
	}
	return all
}

func scalarTexts(n *document.Node) (all []string) {
	if words, ok := n.AsScalar(); ok {
		return []string{words}
	}
	for key, value := range n.AsMap().Entries() {
		if key.Text != "type" && key.Text != "name" {
			all = append(all, scalarTexts(value)...)
		}
	}
	for _, item := range n.List() {
		all = append(all, scalarTexts(item)...)
	}
	return all
}
