package coverage

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/skill"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// skillFolder returns the folder of the skill that a suite sends, or "". The suite may be nil.
func skillFolder(one *suite.Suite) string {
	if one == nil {
		return ""
	}
	for _, name := range one.PromptPaths() {
		if path.Base(name) == skill.FileName {
			return path.Dir(name)
		}
	}
	return ""
}

// movedSkills returns the folders of moved skills on the head, with their folders on the base: a suite sends the new
// folder in place of the old one, the old one is gone, and the new one was not there.
func movedSkills(p *sides.Sides) (from map[string]string) {
	from = map[string]string{}
	isSkill := func(tree *source.Tree, dir string) bool { return config.Exists(tree, path.Join(dir, skill.FileName)) }
	for _, base := range p.Base.All() {
		was, now := skillFolder(base), skillFolder(p.Head.Find(p.Pairs.HeadID(base.ID)))
		if was != "" && now != "" && !isSkill(p.Inputs.Head, was) && !isSkill(p.Inputs.Base, now) {
			from[now] = was
		}
	}
	return from
}

// isMoved reports whether a file of a moved skill is the same below both folders.
func isMoved(p *sides.Sides, from map[string]string, name string) bool {
	for now, was := range from {
		below, ok := strings.CutPrefix(name, was+"/")
		if !ok {
			below, ok = strings.CutPrefix(name, now+"/")
		}
		base, head := path.Join(was, below), path.Join(now, below)
		if ok && config.Exists(p.Inputs.Base, base) && config.Exists(p.Inputs.Head, head) &&
			sides.TextAt(p.Inputs.Base, base) == sides.TextAt(p.Inputs.Head, head) {
			return true
		}
	}
	return false
}

// settingsNamed is the largest number of settings that a warning names.
const settingsNamed = 5

// changedSettings warns of each skill whose front matter has other settings than on the base, such as allowed-tools. No
// model is sent these, so no answer shows what they allow.
func changedSettings(p *sides.Sides, from map[string]string) (warnings []report.Warning) {
	folders := map[string]bool{}
	for _, head := range p.Head.Suites {
		folders[skillFolder(head)] = true
	}
	delete(folders, "")
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		was, hadSkill := skill.Settings(p.Inputs.Base, cmp.Or(from[dir], dir))
		now, _ := skill.Settings(p.Inputs.Head, dir)
		all := maps.Clone(was)
		maps.Copy(all, now)
		var names []string
		for _, key := range slices.Sorted(maps.Keys(all)) {
			if was[key] != now[key] {
				names = append(names, document.Quote(key))
			}
		}
		if hadSkill && len(names) > 0 {
			warnings = append(warnings, report.Warning{Code: report.WarnSkillSettings, Path: path.Join(dir, skill.FileName),
				Message: text.List(names[:min(len(names), settingsNamed)], "and") +
					" of the skill changed, which no model is sent: review what it allows"})
		}
	}
	return warnings
}
