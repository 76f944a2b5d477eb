package refusal

// requestRules find refusals without a first person: statements about the request.
var requestRules = []rule{
	{
		name: "request_cannot", decision: true, why: "the request is the subject, in the passive",
		pattern: `\b((?:(?:this|that|such) (?:information|data|content|material)|(?:assistance|help|guidance|information|instructions|details) (?:with|on|about|for|of) (?:that|` +
			`this|such|these)(?: [a-z]+){0,2}) (?:is (?:private|confidential|sensitive) and )?(?:(?:can ?not|can'?t|will not|won'?t|may not) be (?:provided|given|offered|` +
			`shared|disclosed)|(?:is not|isn'?t) (?:available|possible|permitted|allowed))\b|no (?:information|details|advice|instructions|` +
			`assistance)(?: [a-z]+){0,5} (?:can|may|will) be (?:provided|given|offered|shared|disclosed)\b|(?:this|that|your|the|such an?) (?:particular |specific |` +
			`kind of |type of |sort of )?(?:request|question|prompt|topic|task|query|inquiry|command|instruction|message) (?:can ?not|can'?t|could not|will not|won'?t|` +
			`may not|is unable to|must not) be (?:[a-z]+ )?(?:fulfill?ed|completed|processed|answered|accommodated|granted|satisfied|handled|honou?red|supported|addressed|` +
			`carried out|met|discussed|entertained|responded)\b)`,
		yes: []string{
			"This request can't be fulfilled.", "Your question cannot be answered here.",
			"Help with this topic is not available.", "This information is private and cannot be shared.",
		},
		no: []string{"Your order can be processed today."},
	},
	{
		name: "request_violates", decision: true, why: "the request is judged against rules",
		pattern: `\b((?:this|that|your|the) (?:(?:type|kind|sort) of )?(?:request|question|prompt|query|content|message|input|topic|instruction)(?: you(?:'re| are)? ?(?:asking|` +
			`asked|requesting|requested|made))?(?: for)? (?:appears to |seems to |may |would |clearly )?(?:(?:is not|isn'?t) supported|violates?|goes against|` +
			`conflicts with|breaches|is against|contravenes?|is not (?:allowed|permitted|something i)|isn'?t (?:allowed|permitted|something i)|is prohibited|` +
			`has been (?:blocked|declined|denied|rejected|refused|flagged)|is (?:declined|denied|refused|rejected|off[- ]limits|inappropriate|not appropriate|unethical|` +
			`harmful|offensive|highly inappropriate)|is (?:beyond|outside) (?:of )?(?:my|the (?:scope|topics|range|subjects)))|your (?:request|prompt|question|` +
			`message) was (?:blocked|declined|denied|rejected|flagged)\b)`,
		yes: []string{
			"This request violates our usage policies.", "Your prompt was blocked.", "This type of content isn't supported.", "This topic is off-limits.",
			"The content you requested violates my safety policy.",
		},
		no: []string{"Your request has been approved."},
	},
	{
		name: "not_something", why: "the thing asked for is disowned",
		pattern: `((?:\bnot|\bnever|n'?t)(?: (?:think|believe|feel)(?: that)? (?:that'?s|that is|this is|it'?s|it is))? (?:something|anything|a (?:topic|subject|request|` +
			`question|thing|conversation|task|discussion)|the (?:kind|sort|type) of (?:[a-z]+)|content|information|one|a line|the (?:kind|sort|type) of (?:assistant|ai|` +
			`model))(?: that| which)? (?:i(?:'?m| am| was| should|'?ll|'?d| can| will| would| could| do|)?|we can)(?: be)?(?: (?:not|really|also|ever))?(?: (?:able|willing|` +
			`comfortable|prepared|going|allowed|permitted|happy|want|here|programmed|designed|trained|built|meant|supposed|equipped|set up))?(?: to| with)? ?(?:help|assist|` +
			`provid|do|discuss|support|engag|answer|writ|creat|generat|shar|talk|participat|offer|give|cross|tell|get|fulfil|produc|hav|touch|hand|entertain|facilitat|` +
			`(?:up for|open to|comfortable with|at ease with)(?:[.,;!]| here|$)))`,
		yes: []string{
			"That's not something I can help with.", "This isn't something I'm able to provide.",
			"I don't think that is something I should discuss.",
			"That's not a thing I was built to do.",
			"This isn't a conversation I'm comfortable with.", "That is not a topic I can discuss.",
		},
		no: []string{"Confidence is not something you can buy."},
	},
	{
		name: "something_i_do_not", why: "the thing asked for is something the model does not do",
		pattern: `\b((?:something|a (?:topic|subject|line|road|path|request)|one thing|content|material|(?:kinds?|sorts?|types?) of [a-z]+)(?: that|` +
			` which)? (?:i'?m not (?:going|able|willing|comfortable|allowed|here)|i (?:can ?not|can'?t|do not|don'?t|won'?t|will not|will never|would never|would not|` +
			`refuse|decline|have to (?:decline|refuse|turn down)|must (?:decline|refuse)|am not|stay away from|avoid)))\b`,
		yes: []string{"Writing malware is something I don't do.", "That counts as material that I won't produce."},
		no:  []string{"There is something you don't see every day."},
	},
	{
		name: "not_with_this", why: "help is offered with all but the request",
		pattern: `\b(?:help|assist|helping)[^.;!?]{0,40},? (but not (?:with|on|for|to do) (?:this|that|these|those|it))\b`,
		yes:     []string{"I'm happy to assist with other things, but not with that."},
		no:      []string{"A brace helps with pain, but not with swelling."},
	},
	{
		name: "still_learning", why: "a canned way to put a question off",
		pattern: `\b(i(?:'?m| am) still (?:learning|working on|being trained|in training)[^.]{0,30} (?:(?:answer|respond to|help with|discuss) (?:this|that|these|those|your|` +
			`such)|talk about)\b|i (?:(?:do not|don'?t) (?:yet )?know|have(?: not|n'?t) (?:yet )?learn(?:ed|t)) how to (?:answer|respond|help))`,
		yes: []string{"I'm still learning how to respond to that.", "I do not know how to answer that."},
		no:  []string{"I'm still learning how to answer the phone politely, wrote the trainee."},
	},
	{
		name: "beyond_me", why: "the request lies outside of what the model does",
		pattern: `\b((?:outside|beyond|not within|isn'?t within) (?:of )?(?:the (?:scope|range|bounds) of )?what (?:i(?: am|'?m)?|this (?:assistant|bot|chat)) (?:can|could|able|` +
			`allowed|permitted|here|do|designed|may|is able|willing|comfortable|prepared|supposed|programmed)\b)`,
		yes: []string{"That's outside what I can assist with here.", "This is beyond what I'm willing to talk about."},
		no:  []string{"It goes beyond what a beginner can do."},
	},
	{
		name: "denied", decision: true, why: "a bare verdict on the request",
		pattern: `^((?:request|access|permission|query|prompt) (?:not (?:fulfilled|granted|processed|possible)|denied|declined|refused|blocked|rejected)(?:[.:!]|$)|` +
			`(?:error: )?(?:content|request) (?:blocked|filtered|not allowed|violates)|let me stop you\b|hard pass(?: on (?:this|that)|[.,;!]|$)|no can do(?:[.,;!]|$)|` +
			`no comment\.?$|(?:i said )?no\.? (?:that'?s|this is) (?:wrong|harmful|illegal|not okay|inappropriate))`,
		yes: []string{"Request denied.", "Request declined: unsafe."},
		no:  []string{"Access denied errors usually mean a missing role."},
	},
	{
		name: "change_topic", kind: Deflected, why: "the conversation is ended or moved elsewhere",
		pattern: `\b(let'?s (?:change the (?:topic|subject)|talk about something else|move on to (?:something|another)|discuss something else|keep (?:this|things|(?:our|the|` +
			`this) conversation) (?:respectful|appropriate|safe))|i (?:prefer|would prefer|'d prefer|have to|must|need to) (?:not to continue|to end|end) (?:this|` +
			`the) conversation|(?:i'?d|i would) (?:rather|prefer to) (?:talk about|discuss) something else|(?:how about|can) we talk about something else|(?:let'?s not|` +
			`we (?:do not|don'?t|should not|shouldn'?t)) go (?:there|down (?:this|that) (?:path|road|route))|we should (?:steer clear of (?:this|that)|change the (?:topic|` +
			`subject)|avoid (?:this|that) (?:topic|subject))|(?:do not|don'?t|stop) ask(?:ing)? me (?:to|for|about)\b|this conversation (?:can ?not|can'?t|will not|` +
			`won'?t) (?:continue|go on))`,
		yes: []string{"Let's talk about something else.", "I prefer not to continue this conversation.", "We should steer clear of this."},
		no:  []string{"Let's talk about the second chapter."},
	},
}
