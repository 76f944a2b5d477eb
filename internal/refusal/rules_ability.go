package refusal

// abilityRules find first-person inability.
func abilityRules() []rule {
	return []rule{
		{
			name: "cannot", why: "the plain form, and by far the most frequent one",
			pattern: `{lead}(i{adv} (?:can ?not|can'?t|couldn't possibly|could not in good conscience){adv} {serves})`,
			yes: []string{
				"I'm sorry, but I can't assist with that.",
				"I cannot in good conscience provide instructions for this.",
				"As a responsible AI, I can’t tell you how to do that.",
				"I **cannot** fulfill your request.",
				"Stalking frightens people and is a crime. I cannot help you with it.",
			},
			no: []string{
				"You can't help with that unless you are trained.",
				"If I cannot provide the papers in time, I will call you.",
				"The parts that I cannot provide are marked in red.",
			},
		},
		{
			name: "cannot_bare", why: "a model that drops its subject, as in a log line",
			pattern: `(?:^|[,;:.!-] |\b(?:sorry|unfortunately|but) )((?:can ?not|can'?t|unable to|not able to){adv} (?:help|assist|comply|answer|fulfil|fulfill|provide|do)\b(?: you)?(?: (?:with|to|on|in|this|that|such|your|any|it)\b|[.!,]|$))`,
			yes:     []string{"Sorry, can't help with that.", "Unable to comply.", "Cannot assist with this request."},
			no:      []string{"Cannot help to notice the irony.", "The pump is unable to provide enough pressure."},
		},
		{
			name: "unable", why: "inability in other words: not able, not allowed, not programmed to",
			pattern: `{lead}((?:{am}){adv} (?:not{adv} (?:able|allowed|permitted|authori[sz]ed|programmed|designed|equipped|supposed|trained|intended|` +
				`meant|built|made|configured|free|at liberty|in (?:a|any) position|here|qualified|set up|capable|created)|unable|incapable|ill-equipped|prohibited|forbidden|restricted|` +
				`barred|prevented)(?: to be able)? ?(?:to|of|from|for){adv} {serves})`,
			yes: []string{
				"I'm unable to help with this.", "I am not programmed to give instructions on that.",
				"I'm not able to share that.", "I am prohibited from discussing this topic.",
			},
			no: []string{"The clinic is unable to provide vaccines on Sundays.", "When I'm unable to help a customer, I call my manager."},
		},
		{
			name: "lacking", why: "inability as something the model does not have",
			pattern: `{lead}((?:{do}(?: not|n'?t) (?:currently )?(?:have|possess)|i lack|i have (?:no|neither)) (?:the |any )?(?:ability|capability|capacity|authority|authori[sz]ation|` +
				`means|permission|liberty|functionality|freedom)(?: or [a-z]+)? (?:to|of|for) {serves})`,
			yes: []string{"I do not have the ability to provide that.", "I lack the authority to share your file."},
			no:  []string{"I have the ability to provide both files."},
		},
		{
			name: "cannot_be", why: "the model keeps itself out of what is asked",
			pattern: `{lead}(i{adv} (?:can ?not|can'?t|will not|won'?t){adv} (?:be (?:the one|your|a part|party|asked|made)|have (?:this|that) conversation|in good (?:conscience|faith)|bring myself|ethically|do that\b|do this\b|do so\b|go there\b|cross that line))`,
			yes:     []string{"I can't do that.", "I'm afraid I can't do that, Dave.", "I won't have this conversation."},
			no:      []string{"I can't be more pleased with the result."},
		},
	}
}
