package skilleval

import (
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// isWaza reports whether a file is an eval.yaml of waza, which names a skill and has tasks.
func isWaza(root *document.Node) bool {
	return root.AsMap().Get("skill").AsText() != "" && len(root.Get("tasks").List()) > 0
}

// wazaToVally returns the eval.yaml of waza in the form of Vally, or nil if it is invalid. Tasks of other files get the
// position of the pattern that names the file.
func wazaToVally(r *converter) *document.Node {
	name, dir := r.Root.Get("skill"), path.Dir(r.Source.Path)
	up := path.Dir(dir)
	folder := r.firstSkill(dir, up, path.Join(up, "skills", name.Text), path.Join(path.Dir(up), "skills", name.Text), path.Join("skills", name.Text))
	if !skillName.MatchString(name.Text) || folder == "" {
		r.ErrorAt(name.Pos, RuleSkill, "there is no SKILL.md of the skill %s: expected this file in its folder, or in evals/ there", document.Quote(name.Text))
		return nil
	}
	out, defaults := newMap(r.Root.Pos), newMap(r.Root.Pos)
	putKey(defaults, "runs", r.Root.Get("config").Get("trials_per_task"))
	putKey(out, "defaults", defaults)
	for _, key := range []string{"name", "description"} {
		putKey(out, key, r.Root.Get(key))
	}
	var all []*document.Node
	for _, task := range readTasks(r, dir) {
		if at := task.Get("enabled"); at != nil && at.Text == "false" {
			r.WarnAt(at.Pos, "skipped", "case %s is not asked: it is not enabled", document.Quote(taskID(task)))
			continue
		}
		all = append(all, wazaStimulus(r, task, stringNode(name.Pos, r.relativePath(folder))))
	}
	putList(out, "stimuli", all)
	return out
}

// Limits of `tasks`: of the entries that name files, and of the files that one entry names.
const (
	maxPatterns = 100
	maxTasks    = 1000
)

// readTasks returns the tasks in the file, and the tasks in other files, which the file names by patterns. Each file is
// read once. A task of another file gets the position of the pattern. dir is the folder of the file.
func readTasks(r *converter, dir string) (all []*document.Node) {
	known, patterns := map[string]bool{}, 0
	for _, item := range r.Root.Get("tasks").List() {
		if item.AsMap() != nil {
			all = append(all, item)
			continue
		}
		if patterns++; patterns > maxPatterns {
			r.ErrorAt(item.Pos, "limit", "`tasks` names files more than %d times", maxPatterns)
			return all
		}
		names, _ := fs.Glob(r.FS, path.Join(dir, item.AsText())) // an invalid pattern names no file
		if len(names) > maxTasks {
			r.ErrorAt(item.Pos, "limit", "a pattern of `tasks` names %d files, at most %d are read", len(names), maxTasks)
			return all
		}
		for _, name := range names {
			if known[name] {
				continue
			}
			known[name] = true
			if _, lacks := r.CheckFile(name); lacks != "" {
				r.ErrorAt(item.Pos, "task", "the task %s %s", document.Quote(name), lacks)
				continue
			}
			data, ds := document.ReadText(r.FS, name, MaxFileBytes)
			task, more := document.Parse(name, data)
			for _, d := range append(ds, more...) {
				r.WarnAt(item.Pos, d.Rule, "%s: %s", d.Location(), d.Message)
			}
			if task.AsMap() == nil {
				r.ErrorAt(item.Pos, "task", "the task %s is no map", document.Quote(name))
				continue
			}
			setPosition(task, item.Pos)
			all = append(all, task)
		}
		if len(names) == 0 {
			r.ErrorAt(item.Pos, "task", "%s names no file of a task", document.Quote(item.AsText()))
		}
	}
	return all
}

// setPosition sets the position of n and all its parts.
func setPosition(n *document.Node, at document.Position) {
	n.Pos = at
	for _, below := range [][]*document.Node{n.Keys, n.Values, n.List()} {
		for _, one := range below {
			setPosition(one, at)
		}
	}
}

func taskID(task *document.Node) string {
	id, _ := firstValue(task, "id", "name").AsScalar()
	return id
}

// wazaStimulus returns a task as a stimulus of Vally. folder is the path of the folder of the skill.
func wazaStimulus(r *converter, task, folder *document.Node) *document.Node {
	out, environment := newMap(task.Pos), newMap(task.Pos)
	putKey(out, "name", stringNode(task.Pos, taskID(task)))
	putKey(out, "prompt", task.Get("inputs").Get("prompt"))
	putKey(environment, "skills", document.ListOf(folder.Pos, folder))
	var files []*document.Node
	for _, f := range task.Get("inputs").Get("files").List() {
		name, one := f.Get("path"), newMap(f.Pos)
		putKey(one, "dest", name)
		putKey(one, "content", f.Get("content"))
		if fixture := path.Join("fixtures", name.AsText()); r.exists(path.Join(path.Dir(r.Source.Path), fixture)) {
			name = stringNode(f.Pos, fixture)
		}
		putKey(one, "src", name)
		files = append(files, one)
	}
	putList(environment, "files", files)
	putKey(out, "environment", environment)
	var rubric, graders []*document.Node
	for key, value := range task.Get("expected").AsMap().Entries() {
		graders = append(graders, wazaGraders(key.Text, value)...)
	}
	for _, from := range []*document.Node{r.Root, task} {
		for _, g := range from.Get("graders").List() {
			switch config := g.Get("config"); g.Get("type").AsText() {
			case "prompt":
				if words := config.Get("prompt"); words != nil {
					rubric = append(rubric, words)
				}
			case "text", "regex":
				for key, value := range config.AsMap().Entries() {
					graders = append(graders, wazaGraders(key.Text, value)...)
				}
			default:
				graders = append(graders, g)
			}
		}
	}
	putList(out, "rubric", rubric)
	putList(out, "graders", graders)
	return out
}

// graderTypes has, for each of waza's expectations about the text of an answer, the type of Vally's grader.
var graderTypes = map[string]string{
	"output_contains": "output-contains", "contains": "output-contains", "contains_cs": "output-matches",
	"output_not_contains": "output-not-contains", "not_contains": "output-not-contains", "not_contains_cs": "output-not-matches",
	"regex_match": "output-matches", "must_match": "output-matches",
	"regex_not_match": "output-not-matches", "must_not_match": "output-not-matches",
}

// wazaGraders returns graders of Vally for waza's expectations under a key, one for each item of list.
func wazaGraders(key string, list *document.Node) (all []*document.Node) {
	add := func(kind string, at, value *document.Node) {
		g := newMap(at.Pos)
		putKey(g, "type", stringNode(at.Pos, kind))
		putKey(g, "value", value)
		all = append(all, g)
	}
	kind, shown := graderTypes[key]
	if !shown && key != "outcomes" || list.List() == nil {
		add(key, list, list)
		return all
	}
	for _, item := range list.List() {
		words := item.AsText()
		switch {
		case item.Get("type").AsText() == "task_completed":
			add("completed", item, nil)
		case words == "":
			add(key, item, item)
		case strings.HasSuffix(key, "_cs"):
			add(kind, item, stringNode(item.Pos, regexp.QuoteMeta(words)))
		case strings.HasPrefix(words, "(?"): // a pattern, although the key says text
			add(strings.Replace(kind, "contains", "matches", 1), item, item)
		default:
			add(kind, item, item)
		}
	}
	return all
}
