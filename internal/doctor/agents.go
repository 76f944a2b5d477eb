package doctor

import (
	"path"

	"github.com/failproof/failproof/internal/document"
)

// Agents has the paths of the agent files that no suite judges.
type Agents struct {
	Skills       []string // SKILL.md of skills without cases
	Instructions []string
	Evals        []string // files of evaluations whose skill is missing
}

// checkAgents adds a note for each of the files in e.Agents.
func checkAgents(e *examination) {
	for _, name := range e.Agents.Skills {
		e.addNote(path.Join(e.Folder, name), noPosition, "skill-unasked", "No suite asks this skill, and it has no evals.", "A change that makes it worse is merged unseen.",
			"write a suite with `prompt: { skill: … }`, or evals/evals.json in its folder")
	}
	for _, name := range e.Agents.Instructions {
		e.addNote(path.Join(e.Folder, name), noPosition, "instructions-unasked", "No suite asks with these instructions.", "What agents make of a changed line is not judged.",
			"write a suite in suites/ with `prompt: { instructions: ../"+document.Line(name)+" }`")
	}
	for _, name := range e.Agents.Evals {
		e.addNote(path.Join(e.Folder, name), noPosition, "evals-without-skill", "These cases are of a skill that is not there.", "They are not asked.",
			"put them into the folder evals/ of the skill, or name it in `skill_name`")
	}
}
