package acceptance_test

import "slices"

// The targets of a draft whose suites name several: the second reads recordings of its own.
var severalTargets = []any{"replay", "second"}

// answerSeveral draws which suites several targets answer, and what a change makes of that. base and head are the same
// draft, before and after all else that the change does.
func (a *author) answerSeveral(base, head *draft) {
	if a.targets.IntN(4) > 0 {
		return
	}
	for _, d := range []*draft{base, head} {
		d.config["targets"].(map[string]any)["second"] = map[string]any{"provider": "recorded", "records": "fast", "path": "recordings/second/{suite}.jsonl"}
	}
	if a.targets.IntN(3) == 0 && base.config["default_target"] == head.config["default_target"] {
		for _, d := range []*draft{base, head} {
			delete(d.config, "default_target")
			d.config["default_targets"] = severalTargets
		}
	}
	for _, s := range base.suites {
		before, after := a.targets.IntN(2) == 0, a.targets.IntN(8)
		if s.says["target"] != nil || s.form != "yaml" && s.form != "json" {
			continue
		}
		if before {
			s.says["targets"] = severalTargets
		}
		for _, h := range head.suites {
			if h.id != s.id || h.says["target"] != nil {
				continue
			}
			switch {
			case after == 0: // one is taken out
				h.says["targets"] = severalTargets[:1]
			case after == 1:
				h.says["targets"] = severalTargets[1:]
			case after == 2: // or put in
				h.says["targets"] = severalTargets
			case after == 3: // or answers worse
				h.second = "Well. "
				fallthrough
			case before:
				h.says["targets"] = severalTargets
			}
		}
	}
}

// answersTwice reports whether the second target answers a suite.
func (d *draft) answersTwice(s *suiteDraft) bool {
	named, own := s.says["targets"].([]any)
	if !own && s.says["target"] == nil {
		named, _ = d.config["default_targets"].([]any)
	}
	return slices.Contains(named, any("second"))
}
