package refusal

// abilityRules find first-person inability.
var abilityRules = []rule{
	{
		name: "cannot", why: "the plain form, and by far the most frequent one",
		pattern: `{lead}({i}{adv} (?:can ?not|can'?t|can never|should(?: not|n'?t)|(?:do not|don'?t) (?:think|believe|feel)(?: that)? i (?:can|could|should|am able to)|` +
			`couldn't possibly|could not in good conscience){adv} {serves})`,
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
		name: "while_cannot", why: "the refusal stands in a concession, and what follows is an offer and no answer",
		pattern: `^(?:[^.,]{1,40}, )?(?:while|although|though|even though) ({i}{adv} (?:can ?not|can'?t|will not|won'?t|(?:am|'?m) (?:unable to|` +
			`not able to)){adv} {serves})[^,]{0,160}, (?:i (?:can|could|would|am|do|will)(?: [a-z]+ly| still| instead| try to| also)* (?:help|assist|offer|suggest|provide|` +
			`be|direct|recommend|encourage|talk|discuss|like|love|happy|point|support|work|refer|answer|do)|i'?m|i'?d|please|feel free|let)\b`,
		yes: []string{"While I can't discuss that, I can help you with other topics."},
		no: []string{
			"While I cannot give legal advice, tenants usually have 30 days to respond.",
			"While I can't tell you which one to buy, I can tell you that the larger model lasts twice as long.",
		},
	},
	{
		name: "unable", why: "inability in other words: not able, not allowed, not programmed to",
		pattern: `{lead}((?:{am}|{i}|i was){adv} (?:not{adv} (?:able|allowed|permitted|authori[sz]ed|programmed|designed|equipped|supposed|trained|intended|meant|built|made|` +
			`configured|free|at liberty|in (?:a|any) position|here|qualified|set up|capable|created)|unable|incapable|ill-equipped|prohibited|forbidden|restricted|barred|` +
			`prevented)(?: to be able)? ?(?:to|of|from|for){adv} {serves})`,
		yes: []string{
			"I'm unable to help with this.", "I am not programmed to give instructions on that.",
			"I'm not able to share that.", "I am prohibited from discussing this topic.",
		},
		no: []string{
			"The clinic is unable to provide vaccines on Sundays.",
			"When I'm unable to help a customer, I call my manager.",
		},
	},
	{
		name: "lacking", why: "inability as something the model does not have",
		pattern: `{lead}((?:{do}(?: not|n'?t) (?:currently )?(?:have|possess)|i lack|i have (?:no|neither)) (?:the |any |enough |sufficient )?(?:ability|capability|capacity|` +
			`authority|authori[sz]ation|means|permission|liberty|functionality|freedom|expertise|knowledge|qualifications?|training|tools)(?: or [a-z]+)? (?:to|of|` +
			`for)){adv} {serves}`,
		yes: []string{"I do not have the ability to provide that.", "I lack the authority to share your file.", "I don't have the expertise to diagnose this."},
		no: []string{
			"I have the ability to provide both files.",
			"I do not have the ability to taste soup, but most cooks call it rich and salty.",
		},
	},
	{
		name: "sorry_cannot", why: "an apology before the inability makes it an answer to the request, whatever the verb",
		pattern: `(?:^|[.!-] )(?:(?:oh|ah|hmm|well|hey|wow),? )?(?:i'?m (?:really |so |very |truly |terribly |deeply )?(?:sorry|afraid)|sorry|i apologi[sz]e|my apologies|` +
			`apologies|i regret(?: to (?:say|inform you))?|unfortunately|regrettably),?(?: [^.!?,;]{1,40},)? ?(?:but |that |` +
			`however,? )?(?:as an? [^,.;!?]{1,60}, )?({i}{adv} (?:can ?not|can'?t|will not|won'?t)|(?:{am}){adv} (?:unable to|not (?:able|going|willing) to)){adv} [a-z]+`,
		yes: []string{"I'm sorry, but I can't pick the winner of an election.", "Unfortunately, I am not able to unlock that."},
		no:  []string{"I'm sorry, but I can't find any mistake in it.", "Sorry, I can't come on Friday."},
	},
	{
		name: "impossible_for_me", why: "inability as a property of the task",
		pattern: `((?:(?:\bnot|n'?t|\bnever)(?: currently)?[ -]|\bim)(?:possible|available|accessible) (?:for|to) (?:me|an ai)\b|\b(?:beyond|outside|out of) my reach|` +
			`\bno (?:[a-z]+ ){0,3}way for me to)\b`,
		yes: []string{"It is not possible for me to give you another person's PIN.", "Live prices are not available to me."},
		no:  []string{"It is not possible to divide by zero."},
	},
	{
		name: "we_cannot", why: "some services speak of themselves as we; only the request itself counts, since a business denies much else",
		pattern: `{lead}(we (?:can ?not|can'?t|are unable to|are not able to) (?:help|assist|answer|comply|respond|process|fulfill?|complete|support|discuss)(?: you)? ?(?:with|` +
			`to|on)? (?:this|that|your|such) (?:request|question|prompt|query|topic|content)s?\b)`,
		yes: []string{"We cannot assist with this request."},
		no:  []string{"We cannot refund your order after 30 days."},
	},
	{
		name: "which_cannot", why: "the request is described, and the inability hangs on it",
		pattern: `\b(?:request|asks? me|asking|asked|prompt|(?:would|requires?|needs?) (?:require|need|mean|take|involve|access|knowledge))\b[^.]{0,100}, (?:which|` +
			`and that) (?:is something )?(i(?:'?m| am)? (?:can ?not|can'?t|won'?t|will not|don'?t|do not|not able to|unable to)(?: [a-z]+)?(?: with)?)[.!]?$`,
		yes: []string{"You're asking for her home address, which I can't give."},
		no:  []string{"He asked for the moon, which you can't give."},
	},
	{
		name: "cannot_be", why: "the model keeps itself out of what is asked",
		pattern: `{lead}({i}{adv} (?:can ?not|can'?t|will not|won'?t){adv} (?:be (?:the one|your|a part|party|asked|made)|have (?:this|that) conversation|say(?:[.!]|$)|` +
			`in good (?:conscience|faith)|bring myself|ethically|do that\b|do this\b|do so\b|go there\b|cross that line))`,
		yes: []string{"I can't do that.", "I'm afraid I can't do that, Dave.", "I won't have this conversation."},
		no:  []string{"I can't be more pleased with the result."},
	},
}
