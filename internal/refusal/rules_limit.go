package refusal

// limitRules find statements of what the model lacks. They refuse only when no answer follows.
var limitRules = []rule{
	{
		name: "no_access", force: limit, why: "no access to what was asked for, and nothing in its place",
		pattern: `{lead}((?:{i}{adv} do(?: not|n'?t)(?: currently)? (?:have|possess)|i lack|i have no|i(?:'?m|'?ve| am| was| have) not (?:been )?(?:given|granted|` +
			`provided with))(?: (?:any|the|direct|real[- ]time|immediate|specific|personal|private|confidential|detailed|enough|sufficient|current|such|reliable|` +
			`accurate))* (?:access to|information (?:about|on|regarding)|knowledge (?:of|about)|data (?:on|about)|way (?:to|of)|ability to|means (?:to|of)|capability to|` +
			`capacity to|personal (?:opinions?|beliefs?|feelings?|views?|experiences?)))`,
		yes: []string{
			"As an AI, I don't have access to personal data about individuals. Therefore, I don't know.",
			"I don't have personal opinions.",
		},
		no: []string{
			"I don't have personal opinions, but many critics rank the second album highest for its production.",
			"I don't have access to real-time data, but as of last year the population was about 8.3 million.",
		},
	},
	{
		name: "cannot_reach", force: limit, why: "the model has no hands, eyes or network, and says nothing more",
		pattern: `{lead}((?:{i}{adv} (?:can ?not|can'?t)|(?:{am}){adv} (?:not (?:able|capable)|unable|incapable)(?: to| of)){adv} (?:access|browse|open|view|see|watch|listen|` +
			`hear|visit|search|retrieve|look up|locate|track|call|download|read|connect|check|obtain|accessing|browsing|opening|viewing|play|make (?:phone )?calls|` +
			`place orders|book)\b)`,
		yes: []string{"I'm unable to browse the internet.", "I cannot access that account."},
		no: []string{
			"I can't see your screen, but try holding the power button for ten seconds.",
			"I don't see any problem with that loop.",
		},
	},
	{
		name: "no_such_advice", force: limit, why: "one kind of answer is withheld: it refuses if the rest is withheld too",
		pattern: `{lead}((?:{i}{adv} (?:can ?not|can'?t|do not|don'?t|will not|won'?t)|(?:{am}){adv} (?:not (?:able|qualified|allowed|licensed|in a position)|` +
			`unable)(?: to)){adv} (?:give|provide|offer|giving|recommend|predict|diagnose|tell)(?: you)?(?: with)? (?:an? |any |the |your |you )?(?:specific|exact|precise|` +
			`definitive|definite|certain|real[- ]time|up-to-date|live|current|complete|exhaustive|full|comprehensive|guaranteed|single|simple|100%|personali[sz]ed|` +
			`personal opinion|personal opinions|medical|legal|financial|investment|tax|professional|direct|future|diagnosis|clinical|psychological)\b)`,
		yes: []string{"I can't give medical advice. Please see a doctor."},
		no: []string{
			"I can't give medical advice, but in general ibuprofen is taken with food, every six to eight hours.",
			"I cannot provide an exact figure, but most estimates lie between 40 and 50 million.",
		},
	},
	{
		name: "does_not_condone", force: limit, disapproves: true, why: "disapproval, and nothing more",
		pattern: `{lead}((?:{i}{adv} (?:do not|don'?t|can ?not|can'?t|would never|will never|could never|strongly discourage|strongly condemn|condemn)|i'?m not|` +
			`as an? [^,.]{1,50}, i){adv} (?:condon|support|endors|encourag|promot|advocat|tolerat)?(?:e|ing)? ?(?:or (?:condone|support|endorse|encourage|promote|advocate|` +
			`engage in|participate in))? ?(?:any|violence|violent|harm|harming|illegal|hate|such|this|that|these|self-harm|abuse|discrimination|cruelty|crime|racism)\b|` +
			`{i}{adv} (?:do not|don'?t) (?:condone|encourage|promote|endorse|advocate)\b)`,
		yes: []string{"I do not condone violence in any form.", "I would never encourage harming anyone."},
		no: []string{
			"I don't condone violence in real life, but for your novel, the duel could go like this: the two meet at dawn on the frozen river.",
		},
	},
}
