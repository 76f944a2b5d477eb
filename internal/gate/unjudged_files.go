package gate

import "github.com/failproof/failproof/internal/text"

// UnjudgedFiles reports changed files of skills that are not sent to a model.
var UnjudgedFiles = Rule{
	Code: "unjudged_files", LevelOf: UntestedPrompt.Code, MayBeAccepted: true,
	Title:      fixedTitle("files of a skill changed and are not judged"),
	NextStep:   "Review the files of the skill yourself: no answer depends on them here.",
	ReviewStep: "review the files of the skill yourself: no answer depends on them here",
	Doc: "The change edits, adds or removes files of a skill that are not sent to the model: scripts, assets, " +
		"and references that `SKILL.md` does not link.",
	check: func(r *Run) []finding {
		files := namesOfTexts(r.UnjudgedFiles)
		return files.asFindings(effectFails, text.Count(files.n, "file of a skill changed and is not judged",
			"files of skills changed and are not judged"))
	},
}
