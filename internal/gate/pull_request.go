package gate

import "github.com/failproof/failproof/internal/config"

// NoMerge and BaseMoved are rules about the pull request, not the run. The action applies them.
var (
	NoMerge = Rule{
		Code: "no_merge_result", Level: config.Err,
		Title: fixedTitle("GitHub has no merge commit of this pull request and its branch"),
		Doc: "GitHub has no merge of the pull request with its branch, because of a conflict for example. " +
			"There is nothing to judge.",
	}
	BaseMoved = Rule{
		Code: "base_moved", Level: config.Err,
		Title:    fixedTitle("the rules of the base branch may have changed meanwhile"),
		NextStep: "Update the branch: this starts a run by the current rules.",
		Doc:      "The branch's rules changed during the run, or may have. A pass by the old rules is no pass.",
	}
)
