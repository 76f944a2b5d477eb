package validate

import (
	"io/fs"
	"slices"

	"github.com/failproof/failproof/internal/doctor"
	"github.com/failproof/failproof/internal/skill"
	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/suite"
)

// unjudgedAgents returns the agent files of a tree that no suite judges.
func unjudgedAgents(tree fs.FS, suites []*suite.Suite) doctor.Agents {
	asked := map[string]bool{}
	for _, s := range suites {
		for _, name := range s.PromptPaths() {
			asked[name] = true
		}
	}
	isAsked := func(name string) bool { return asked[name] }
	found := skilleval.Find(tree)
	return doctor.Agents{
		Skills:       slices.DeleteFunc(found.SkillsWithoutEvals(), isAsked),
		Instructions: slices.DeleteFunc(skill.InstructionFiles(tree, "."), isAsked),
		Evals:        found.EvalsWithoutSkill(),
	}
}
