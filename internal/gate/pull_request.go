package gate

import "github.com/failproof/failproof/internal/config"

// NoMerge and BaseMoved are given by the action: they are about the pull request, and not about a run.
var (
	NoMerge = Rule{
		Code: "no_merge_result", Level: config.Err,
		Title: fixedTitle("there is no merge with the base branch to judge"),
		Doc:   "GitHub has no merge of the pull request with its branch, because of a conflict for example. There is nothing to judge.",
	}
	BaseMoved = Rule{
		Code: "base_moved", Level: config.Err,
		Title:    fixedTitle("the base branch may have other rules by now, update the branch"),
		NextStep: "Update the branch: the run that this starts judges by the rules of today.",
		Doc:      "While the run was under way, the branch got other rules, or may have. A pass by yesterday's rules is no pass.",
	}
)
