package skilleval

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// The limits of a file with evaluations and of one case.
const (
	MaxBytes     = 1 << 20
	maxCriteria  = 50
	maxCriterion = 4000 // characters of a criterion
	maxFiles     = 20
	MaxFileBytes = 256 << 10 // bytes of all files of a case together
)

// Task is the name of the variable that has the prompt of an evaluation.
const Task = "task"

// ReferenceCriterion is the criterion of a case that has an expected output and lists no criteria.
const ReferenceCriterion = "The answer is what REFERENCE describes"

// IsEvalsJSON reports whether the file with the given name and content is an evals.json with cases. In such a file,
// `evals` is a list, and `skill_name` is set or each entry of the list has a prompt.
func IsEvalsJSON(name string, root *document.Node) bool {
	all := root.AsMap().Get("evals").List()
	return path.Base(name) == "evals.json" && len(all) > 0 && (root.Get("skill_name") != nil ||
		!slices.ContainsFunc(all, func(item *document.Node) bool { return item.Get("prompt").AsText() == "" }))
}

// RuleSkill is the rule of errors about a missing skill.
const RuleSkill = "skill"

// skillName matches names of skills that can be a part of a path and of an id.
var skillName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// convertEvalsJSON converts the evals.json in s. If that is impossible, the Suite has no Roots.
func convertEvalsJSON(s Source) (Suite, []document.Diagnostic) {
	r := newConverter(s)
	r.warnUnknownKeys(s.Root, "skill_name", "evals", "description")
	name, items := s.Root.Get("skill_name"), s.Root.Get("evals").List()
	if !skillName.MatchString(name.AsText()) {
		r.ErrorAt(s.Root.KeyPos("skill_name"), RuleSkill, "`skill_name` is no name of a skill; expected letters, digits, '.', '_' and '-'")
		return r.out, r.All()
	}
	home := path.Dir(s.Path)
	if path.Base(home) == "evals" {
		home = path.Dir(home)
	}
	below := path.Join(home, "skills", name.Text)
	folder := r.firstSkill(home, below)
	if folder == "" {
		r.ErrorAt(name.Pos, RuleSkill, "there is no SKILL.md of the skill %s: expected it in %s or in %s",
			document.Quote(name.Text), document.Quote(home), document.Quote(below))
		return r.out, r.All()
	}
	r.addEvals(r.newSuite(name, s.Root.Get("description"), folder), items, folder)
	return r.out, r.All()
}

// addEvals adds the suite root with cases made from items to the result. folder is the folder of the skill.
func (c *converter) addEvals(root *document.Node, items []*document.Node, folder string) {
	var cases []*document.Node
	more := readOverlay(c, items)
	for _, item := range items {
		id, _ := item.Get("id").AsScalar()
		own := more[id]
		switch skip := own.Get("skip"); {
		case skip != nil:
			c.WarnAt(skip.Pos, "skipped", "case %s is not asked: %s", document.Quote(id), document.Quote(skip.AsText()))
		case item.AsMap() == nil:
			c.ErrorAt(item.Pos, "type", "the case is no map; expected `id`, `prompt` and what is expected")
		case id == "":
			c.ErrorAt(item.Pos, "missing-key", "the case has no `id`")
		case strings.TrimSpace(item.Get("prompt").AsText()) == "":
			c.ErrorAt(item.Pos, "missing-key", "the case has no `prompt` with a text; nothing would be asked")
		default:
			cases = append(cases, c.evalCase(item, own, folder))
		}
	}
	c.addSuite(root, cases)
}

// evalCase returns the case for the evaluation item. settings has the settings of the case in failproof.yaml, or is
// nil.
func (c *converter) evalCase(item, settings *document.Node, folder string) *document.Node {
	c.warnUnknownKeys(item, "id", "name", "prompt", "files", "expected_output", "expectations", "assertions")
	out := newMap(item.Pos)
	id := item.Get("id")
	putKey(out, "id", stringNode(id.Pos, id.Text))
	if n := item.Get("name"); n.AsText() != "" {
		putKey(out, "description", n)
	}
	complete := c.setEvalMessage(out, item, folder)
	setCriteria(c, out, item, settings.Get("judged"), complete)
	for _, key := range []string{"must_pass", "assert"} {
		putKey(out, key, settings.Get(key))
	}
	return out
}

// setEvalMessage sets the message of the case out: the prompt of item, followed by the texts of its files. It reports
// whether all files can be sent.
func (c *converter) setEvalMessage(out, item *document.Node, folder string) bool {
	prompt, files := item.Get("prompt"), item.Get("files")
	if files != nil && files.Kind != document.List && files.Kind != document.Null {
		c.ErrorAt(files.Pos, "type", "`files` is no list of paths")
	}
	all := files.List()
	var sent []block
	total := 0
	for _, file := range all {
		at, bytes := c.fileValue(file, folder, file.AsText())
		if total += bytes; at != nil {
			sent = append(sent, block{file.Text, at})
		}
	}
	setMessage(c, out, prompt, sent, total)
	return len(sent) == len(all)
}

// setCriteria sets the rubric of the case out to the criteria that item lists. If it lists none and has an expected
// output, ReferenceCriterion becomes the only criterion. judged lists the criteria that the text of an answer can show.
// complete says whether all files of the case can be sent.
func setCriteria(r *converter, out, item, judged *document.Node, complete bool) {
	items := listedCriteria(r, item)
	reference := item.Get("expected_output")
	if reference != nil && reference.Kind != document.String && reference.Kind != document.Null {
		r.ErrorAt(reference.Pos, "type", "`expected_output` is no text; put it in quotes")
	}
	if strings.TrimSpace(reference.AsText()) == "" {
		reference = nil
	}
	only := len(items) == 0 && reference != nil
	if only {
		items = []*document.Node{stringNode(reference.Pos, ReferenceCriterion)}
	}
	if len(items) > maxCriteria {
		r.ErrorAt(item.Pos, "limit", "the case has %d criteria, at most %d are judged", len(items), maxCriteria)
		return
	}
	shown := judgedNumbers(r, judged, len(items))
	var rubric []*document.Node
	for i, n := range items {
		words := r.criterionText(n)
		if words == "" {
			continue
		}
		needs := NeedsAsking
		switch {
		case !complete, judged != nil && !shown[i+1]:
			needs = NeedsRun
		case judged != nil:
			needs = NeedsText
		}
		rubric = r.addCriterion(rubric, n.Pos, words, Criterion{needs, only})
	}
	if putList(out, "rubric", rubric); len(rubric) > 0 {
		putKey(out, "reference", reference)
	}
}

// listedCriteria returns the criteria of an evaluation, which stand under the key expectations or assertions.
func listedCriteria(r *converter, item *document.Node) (items []*document.Node) {
	for _, key := range []string{"expectations", "assertions"} {
		n := item.Get(key)
		if n != nil && n.Kind != document.List && n.Kind != document.Null {
			r.ErrorAt(n.Pos, "type", "`%s` is no list of criteria", key)
		}
		items = append(items, n.List()...)
	}
	return items
}

// judgedNumbers returns which of the n criteria, counted from 1, the text of an answer can show. list has their
// numbers. Any other entry of list is an error.
func judgedNumbers(r *converter, list *document.Node, n int) map[int]bool {
	out := map[int]bool{}
	for _, item := range list.List() {
		number, err := strconv.Atoi(item.Text)
		if item.Kind != document.Number || err != nil || number < 1 || number > n {
			r.ErrorAt(item.Pos, "judged", "%s is the number of no criterion; the case has %d, counted from 1",
				document.Quote(item.Text), n)
		}
		out[number] = true
	}
	return out
}
