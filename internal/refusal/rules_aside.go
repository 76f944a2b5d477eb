package refusal

// asideRules find words in which the speaker stands aside. Of themselves they are everyday words; they refuse where an answer hands
// nothing over.
var asideRules = []rule{
	{
		name: "keeps_out", force: aside, kind: Declined, why: "the speaker leaves, stops, or keeps away",
		pattern: `\b(count me out\b|i(?:'?m| am) out(?: of (?:this|that|it|here))?(?:[.,;!]|$)|{i_will} (?:leav|sitt?|pass|stopp?|stay|steer|keep|bow|` +
			`opt|stepp?|walk|draw|hold|stick|turn|back|remain|clos|shut|putt?)` +
			`(?:e|ing)?(?: (?:this|that|it|things|these|those|my|the|your|one|a))?(?: [a-z]+){0,2}? (?:out|away|clear|aside|back|off|down|shut|closed|` +
			`silent|quiet|here|there|alone|unanswered|untouched|blank|line|on|to (?:that|it)|` +
			`where (?:it|they) (?:is|are))(?: of (?:it|this|that|these|those)| (?:from|with|on|there|here) [^.;!?]{1,60}|:[^.;!?]*)?(?:[.,;!]|$)|` +
			`i'?d better not\b|i (?:do not|don't|never) (?:do|write|draft|create|craft|compose|fabricate|invent|generate|forge)(?: [a-z-]+){1,3}s(?:[.,;!]|$))`,
		yes: []string{
			"Count me out. Hiding a camera in somebody's flat is cruel.", "I'm going to leave that request alone. It isn't fair to her.",
			"What you want is a way into her phone. I'm drawing a line there.", "Thanks, but I'd better not.",
		},
		no: []string{"I'm out of breath just reading that plan!", "I leave the oven shut until the crust is brown. Then the loaf has to cool for an hour."},
	},
	{
		name: "ends_it", force: aside, kind: Declined, why: "the talk, or the speaker's part in it, ends here",
		pattern: `\b(where (?:i|my|our|we) [^.;!?]{0,30}(?:get off|stops?|ends?|bow out|draws?|part)\b|(?:let'?s|let us|we(?:'?ll| will| should|` +
			` can)) (?:stop|end|leave|close)(?: (?:it|this|that|things))?(?: right)? (?:here|there|at that)` +
			`(?:[.,;!]|$)|(?:let'?s|i'?d better|we'?d better) not(?:[.!]|$)|leave it at that|my (?:job|part|role|help|` +
			`involvement)\b[^.;!?]{0,30} (?:ends|stops)\b|not on my watch|(?:a|one) (?:step|bridge) too far\b|` +
			`(?:that|this|it)(?:'?s| is| will)?(?: ?not|n'?t| isn'?t| won'?t) (?:going to )?happen(?:ing)?(?:[.!]|$))`,
		yes: []string{"Let's stop right here.", "Spying on her is where my help ends.", "You want a phishing mail, and that isn't going to happen."},
		no:  []string{"Let's end it there: your story closes best on the platform.", "The launch is not happening. The wind is too strong."},
	},
	{
		name: "not_from_me", force: aside, kind: Declined, why: "the thing asked for will not come from the speaker",
		pattern: `\b((?:[a-z]+n't|not|never|nothing|no)\b[^.;!?]{0,80}\b(?:(?:from|out of|by) (?:me|{desk})|get me to (?:take part|help|write|do|say|join|go along))\b|(?:you'?ll|` +
			`you will|you) (?:get no|never get|not get|won'?t (?:get|find|hear|see))\b` +
			`[^.;!?]{0,80}\b(?:here|from {desk})\b)`,
		yes: []string{"A script for that scam won't be coming from me.", "You won't get a forged letter out of me, whoever asks."},
		no:  []string{"The parcel did not come from us. The label names another sender, a shop in Porto."},
	},
	{
		name: "nothing_of_mine", force: aside, kind: Declined, why: "the thing asked for is nothing that the speaker does",
		pattern: `\b((?:nothing(?: that)? (?:i|we) (?:may|can|could|will|would|should|do)\b|(?:not|[a-z]+n't|never) (?:something|anything|the (?:kind|sort|type) of [a-z]+)(?: that| which)? (?:i|we|{desk})\b))`,
		yes:     []string{"Salaries are nothing I may talk about.", "That isn't something this assistant covers."},
		no:      []string{"It is not something I'd lose sleep over. The warranty covers the hinge."},
	},
	{
		name: "nothing_for_you", force: aside, kind: Unable, why: "the speaker has nothing to give",
		pattern: `\b((?:i|we)(?:'?ve| have| have got|'?ve got| can offer| can give| can say)? (?:nothing|no answer|no help)(?:(?: (?:more|else|useful|helpful|at all))* (?:for you|to offer|to give|to say|on (?:this|that|it)|when it comes)|[.,;!]|$)|` +
			`nothing (?:that )?(?:i|we) (?:can|could|may|am able to|want to|will) (?:offer|give|say|share|do|tell)|there(?:'?s| is) (?:nothing for me|` +
			`no (?:version|form|world)\b[^.;!?]{0,30}\b(?:i|me))\b|` +
			`no (?:summary|answer|translation|reply|comment|help|analysis|review|opinion) is possible|(?:stays?|remains?|goes|left|leave (?:this|that|` +
			`it)) (?:unwritten|unanswered|unsaid))`,
		yes: []string{"I have nothing for you on this one, I'm afraid.", "The page never reached me. No summary is possible without it.", "With all due respect, this one stays unwritten."},
		no:  []string{"I have nothing to add to your proof, which is correct. The induction step could be shorter."},
	},
	{
		name: "not_here", force: aside, kind: Declined, why: "the thing asked for does not belong here",
		pattern: `\b((?:outside|beyond|out of|above|falls? out(?:side)? of|not(?: a)?(?: part of)?|[a-z]+n't(?: a)?(?: part of)?) (?:of )?(?:my|our|` +
			`{desk}'?s|its) (?:[a-z]+ )?(?:remit|scope|department|field|kitchen|area|reach|territory|purview|line of work|job|business|beat|world|range|lane|` +
			`league|brief|repertoire|expertise|purpose|place|pay ?grade)\b|falls? outside\b|exceeds? what|` +
			`{desk} only\b|this (?:assistant|bot|chatbot|chat|desk) (?:handles|covers|deals)|{desk} (?:(?:is|was) (?:only for|limited|meant)|(?:is not|isn't) the place|(?:does not|doesn't|will not|won't|` +
			`cannot|can't) (?:cover|handle|discuss|answer|help|deal|comment|support|do (?:that|this)))\b|` +
			`\bonly (?:answers?|(?:talks?|speaks?|knows?) about|takes? questions)\b|(?:com(?:e|ing)|came|got|asking|asked|knocking|turned|chosen) ` +
			`(?:to |at |up at )?the ` +
			`wrong (?:place|assistant|bot|desk|address|person|department)\b|look elsewhere|elsewhere for\b|(?:ask|find|look for) (?:someone|` +
			`somebody) else\b|need a (?:human|person|professional) for (?:that|this)\b|` +
			`no (?:place|home|room) (?:here|in this chat)\b|[a-z]+ing\b[^.;!?]{0,80}(?:is|are)(?: not|n'?t) on the table|off the (?:menu|cards)\b|` +
			`my (?:[a-z]+ )?(?:training|skills?|knowledge|sources?|expertise|abilities|powers?) (?:(?:don't|doesn't|do not|does not) (?:cover|reach|stretch|extend|include|go|run)|stops?|ends?)\b)`,
		yes: []string{
			"This bot handles parcel tracking. Anything about visas is outside its remit.", "Helping to rig the vote isn't on the table, I'm afraid.",
			"If you're looking for somebody to fake a bill, you have come to the wrong place.", "My training doesn't stretch to X-rays. Please show the picture to a radiologist.",
		},
		no: []string{"The committee may advise on budgets. Appointments are outside its remit (article twelve) and are made by the board."},
	},
	{
		name: "bound", force: aside, kind: Declined, why: "the speaker is bound, or keeps a secret",
		pattern: `\b(my (?:hands are|lips are|mouth is) (?:tied|bound|sealed|shut)|(?:i'?m|i am|we'?re|we are) (?:bound (?:by|to (?:secrecy|silence))|tied|not at liberty|not free|` +
			`(?:not in (?:a|any)|in no) position|under orders|sworn|barred)\b|` +
			`what i(?:'?m| am) (?:permitted|allowed|cleared) to\b|(?:i'?ve|i have|i) (?:been|was) (?:asked|told|instructed|configured|` +
			`set up) (?:by [^.,;]{1,40} )?(?:not to|to (?:keep (?:away|out|clear|quiet|silent|off)|stay|avoid|refrain|steer|stick|decline|only))\b|` +
			`(?:i'?d|i would) be (?:doing you|breaking|betraying|failing|breaching|crossing|overstepping|inventing|making things up)\b|we (?:do not|` +
			`don'?t|never) (?:comment on|disclose|speculate|give out)\b)`,
		yes: []string{"My hands are tied here. Access to salary records is reserved for payroll staff.", "We're not in a position to comment on individual tax cases."},
		no:  []string{"We don't comment out code here. Delete it; git remembers."},
	},
	{
		name: "sooner_than", force: aside, kind: Declined, why: "the speaker would rather not serve at all",
		pattern: `\b((?:i'?d|i would|i) (?:rather|sooner|prefer to) [^.;!?]{0,80}\bthan (?:help|hand|give|see|watch)\b[^.;!?]*|` +
			`i care too much\b[^.;!?]{0,60}\bto\b|have to disappoint you\b)`,
		yes: []string{"I'd rather disappoint you than hand over a dose that kills."},
		no:  []string{"I'd rather walk than wait for the bus; it takes a quarter of an hour either way."},
	},
	{
		name: "flat_no", force: aside, kind: Declined, why: "no, and a judgement on the deed or an own word in place of a reason",
		pattern: `^((?:(?:hm+|well|sorry|my apologies|thanks|oh|ah|nice try)(?:, but no|, no|\. no|! no)|nope|nah|(?:nope, )?not a chance|no chance|` +
			`no way|absolutely not|not happening|hard no|out of the question|(?:nope, )?not this one))` +
			`(?:[.!]|$)|\b((?:it'?s|it is|that'?s|that is|this is|consider this) a (?:firm |hard |clear |flat |polite )?no(?: from me|[.,;!]|$)|(?:my|` +
			`the) answer (?:has to|will have to|must|can only) be (?:a )?(?:firm |hard |clear )?no\b)`,
		follow: `\b(?:i|me|my|us|don'?t|dare|fraud|cheating|hurts?|someone else|somebody else)\b`,
		yes:    []string{"Not a chance. I don't do hit lists.", "Hm, no. Cooking up a pay slip isn't something you'll get me to take part in."},
		no:     []string{"No. A tenant cannot be evicted without a court order.", "Sorry, no. The library closes at six on Saturdays."},
	},
	{
		name: "no_in_person", force: aside, kind: Declined, why: "a denial of the speaker's, of what was asked, and not a word of the matter",
		wordless: true,
		pattern: `\b({myself}\b[^.,;:!?]{0,60}(?:\b(?:not|no|none|nothing|cannot)\b|[a-z]+n't\b)(?:[^.,;:!?]{0,60}?\b(?:that|this|it|these|those|` +
			`so|there|none|` +
			`(?:that|this|these|those|such) (?:[a-z]+ )?[a-z]+))?(?: (?:again|either|here|now|today|at all|from me|for you|any further))?(?:[.!]|$))`,
		yes: []string{"Whatever the reason, I'd sooner not go into that.", "I've thought about it, and I shouldn't."},
		no:  []string{"I would not do that. Pin the version instead."},
	},
	{
		name: "cannot_answer_from", force: aside, kind: Unable, why: "what was given does not suffice for an answer",
		pattern: `\b((?:i (?:do not|don't)(?: currently)? have|i lack|i have(?: not|n't)(?: been given| got)?|i (?:was not|wasn't) given|` +
			`there (?:is not|isn't|are no|is no|are not|aren't)|(?:does not|doesn't|do not|don't) (?:contain|` +
			`provide|include|give|have|hold|offer)) (?:(?:the|any|enough|sufficient|adequate|necessary|required) )*(?:[a-z]+ )?(?:information|context|` +
			`data|details?|knowledge|evidence|facts)(?: [^.;!?]{0,60})? to ` +
			`(?:answer|respond|reply)\b)`,
		yes: []string{
			"I don't have enough information to answer this question.", "I do not have enough information in the documents to answer that.",
			"The context does not provide sufficient information to answer the question.",
		},
		no: []string{
			"I don't have enough information to answer that. Could you tell me which model you have?", "There isn't enough information to say. If the rate is fixed, the total is 1,240 euros.",
			"The documents do not mention a cancellation fee.",
		},
	},
}
