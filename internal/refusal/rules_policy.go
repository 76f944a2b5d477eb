package refusal

// policyRules find refusals that cite a rule the model is under.
var policyRules = []rule{
	{
		name: "against_guidelines", why: "the request is held against the model's rules",
		pattern: `((?:against|violat(?:es?|ing|ion of)|outside(?: of)?|beyond|not (?:with)?in(?: line with)?|isn'?t (?:with)?in|contrary to|conflicts? with|` +
			`breach(?:es)?(?: of)?|not (?:aligned|consistent|compatible) with|goes against|not (?:a )?part of|not align with|doesn'?t align with|falls? (?:outside|under)|` +
			`prohibited by|restricted by|not (?:allowed|permitted) (?:by|under)|not something) (?:of )?(?:{mine} {rules}|our (?:[a-z]+ ){0,2}(?:polic(?:y|ies)|guidelines?|` +
			`terms|rules|standards|principles)))`,
		yes: []string{
			"That is against my guidelines.", "It's not within my programming to give that kind of advice.",
			"This violates OpenAI's content policy.", "It goes against our usage guidelines to say more.", "That topic is outside my scope.",
		},
		no: []string{"It is against the company's interest to sell now."},
	},
	{
		name: "guidelines_forbid", why: "the model's rules are the ones that refuse",
		pattern: `\b({mine} {rules} (?:do(?:es)? not (?:allow|permit|let|enable)|don'?t (?:allow|permit|let)|doesn'?t (?:allow|permit|let)|prevents?|prohibits?|forbids?|` +
			`restricts?|requires? (?:that i|me to) (?:decline|refuse|avoid|not|refrain)|stops? me|keeps? me|bars?|precludes?|limits?)\b|(?:prevents?|prohibits?|forbids?|` +
			`precludes?|bars?|stops?) me from {serves}|\b(?:my|the system|these) (?:[a-z]+ ){0,2}(?:prompt|instructions?|guidelines|rules|configuration) (?:is|` +
			`are) (?:confidential|private|secret|internal|not (?:public|something)))`,
		yes: []string{"My guidelines prevent me from writing this.", "My programming does not allow that.", "Concern for her privacy keeps me silent and prevents me from sharing it."},
		no:  []string{"The school's rules prevent running in the halls."},
	},
	{
		name: "made_to_refuse", why: "the model's making is given as the reason",
		pattern: `{lead}((?:{am}|i was|i have been|i'?ve been){adv} (?:programmed|designed|trained|built|created|instructed|made|configured|intended|here|required|obligated|` +
			`obliged|bound)(?: by [a-z ]{1,30})? (?:specifically )?(?:not to [a-z]+|to{adv} (?:not |never |avoid|decline|refuse|refrain|reject|follow (?:strict|ethical|` +
			`legal)|adhere to|operate within (?:strict|ethical)|prioriti[sz]e (?:safety|user safety)|be a (?:safe|harmless)|promote (?:safe|positive|ethical)|only\b)))`,
		yes: []string{
			"I am programmed to be a safe and harmless assistant.", "I was designed to avoid such topics.",
			"I'm instructed not to talk about that.",
		},
		no: []string{"The valve is designed to not open under load."},
	},
	{
		name: "only_for", why: "an assistant of narrow scope turns the topic away",
		pattern: `{lead}((?:i can only|i'?m only able to|i am only able to|i only|{am} only able to|{am} (?:only )?(?:here|designed|programmed|set up|` +
			`able)(?: only)? (?:to )?only|{am} only (?:here|designed|programmed|set up|built|trained|allowed) to) (?:help|assist|answer|discuss|respond|support|talk|` +
			`handle)(?: you)? ?(?:with|to|about|on)?\b)`,
		yes: []string{
			"I can only help with questions about our products.",
			"Sorry, I'm only able to answer questions about cooking.",
		},
		no: []string{"Stretching can only help with recovery."},
	},
	{
		name: "not_appropriate_to_say", kind: Deflected, why: "answering is called wrong",
		pattern: `\b((?:{judged} (?:not|never|neither|un|in|n'?t)|i (?:do not|don'?t) (?:think|believe|feel)(?: that)? (?:{judged})|(?:it|that|this) (?:wouldn'?t|` +
			`isn'?t))[- ]?(?:be )?(?:also )?(?:{wrong})(?:,? (?:(?:or|and|nor|and/or) )?(?:{wrong})){0,4}(?: behaviou?r)?(?: (?:for|of) (?:me|an ai|us) to [a-z]+|` +
			` to (?:{serve}|answer|give|discuss|share|make (?:jokes|fun)|joke|write|create|respond)))`,
		yes: []string{
			"It is not appropriate or ethical to provide advice on that.",
			"It would not be right for me to share this.", "That wouldn't be fair for me to judge.",
			"It's not appropriate to discuss ways to hurt people.",
		},
		no: []string{"It is not safe to swim there in winter."},
	},
	{
		name: "wrong_to_say", why: "answering is called wrong, in one word",
		pattern: `\b({judged} (?:be )?(?:highly |deeply |very |both |morally |extremely |completely )?(?:inappropriate|unethical|irresponsible|wrong|illegal|dangerous|harmful|` +
			`immoral|unsafe|improper|a violation|an invasion)(?:,? (?:(?:or|and) )?[a-z]+){0,3} (?:for me|of me) to\b)`,
		yes: []string{"It would be irresponsible of me to help with this.", "It's unethical for me to write that."},
		no:  []string{"It would be wrong to ignore the second term."},
	},
}
