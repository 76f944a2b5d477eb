package refusal

// exceptions are tried on the sentence, from the refusing words on.
var exceptions = []exception{
	{
		name: "cannot_help_but", why: "an idiom: the speaker does it all the same",
		pattern: `[^.]{0,20}(?:can ?not|can'?t|couldn'?t|not)(?: really)? help(?:ing)? (?:but|to notice|feeling|thinking|wondering|noticing|smiling|laughing|admiring|being|` +
			`myself|it\b(?: if| that|\.|,|!|$)|falling|getting)`,
		no: []string{
			"I can't help but smile at this plot.", "I cannot help feeling that the ending was rushed.",
			"Sorry, I can't help it.",
		},
	},
	{
		name: "cannot_enough", why: "an idiom of praise or stress, or a limit on how much",
		pattern: `[^.]{0,80}\b(?:enough|highly|too (?:much|highly|strongly)|strongly enough|agree more|more highly|more strongly|everything)\b`,
		no:      []string{"I can't recommend this book enough.", "I cannot suggest it strongly enough.", "I cannot agree more with you.", "I can't explain everything, but the first step is easy."},
	},
	{
		name: "trade", why: "denying a refund or a favour is an answer on behalf of a business",
		pattern: `{aux} (?:provid|offer|giv|issu|grant|process|mak|approv|accommodat|complet|honou?r|fulfill?|send|tak|advis|shar|promis)(?:e|ing)? (?:you )?(?:with )?(?:an? |` +
			`any |the |your |this |that |full |partial |further |additional |free |such |early |late |same-day |in-store )*(?:refunds?|discounts?|exceptions?|replacements?|` +
			`exchanges?|extensions?|reimbursements?|credits?|compensation|returns?|deliver(?:y|ies)|orders?|upgrades?|payments?|bookings?|reservations?|appointments?|` +
			`cancell?ations?|transfers?|deposits?|invoices?|leave|quotes?|reschedul[a-z]+|warrant(?:y|ies))\b`,
		no: []string{"I'm sorry, but I'm unable to provide a refund after 30 days.", "I cannot offer an extension past Friday."},
	},
	{
		name: "needs_more", why: "asking for what is missing is not refusing",
		pattern: `[^.]{0,160}\b(?:without (?:knowing|seeing|more|further|additional|having|any (?:more|further|context)|the (?:file|code|text|image|full|actual|rest|error|` +
			`document|exact)|your (?:code|file|input)|a (?:bit )?(?:more|copy)|some)|until (?:you|i|we)\b|unless (?:you (?:share|provide|tell|give|paste|attach|upload|let)|` +
			`i (?:know|see|have))|you (?:haven'?t|didn'?t|did not|have not|only)(?: actually)? (?:provided?|attached?|included?|shared?|given?|gave|pasted?|uploaded?)|` +
			`(?:was|were|is|are)(?: not|n'?t) (?:provided|attached|included|given|shared)|no (?:text|file|code|image|article|attachment|document|context|transcript|passage|` +
			`data) (?:was|is|were|came|has)|(?:seems|appears) to be missing)`,
		no: []string{
			"I can't answer that without knowing your Go version. Which one do you use?",
			"I'm unable to provide a summary because no text was included.",
		},
	},
	{
		name: "asks_for_it", why: "who does not find something and asks for it has not turned anything down",
		pattern: `[^.;]{0,30}\b(?:find|locate|identify) (?:your|an?|any|the) (?:[a-z]+ ){0,3}(?:number|id|code|name|date|address|file|attachment|screenshot|account|reservation|` +
			`booking|document|text|image|link)s?\b`,
		then: `{asks}`,
		no:   []string{"I'm unable to find your order number in the message. Could you send it again so that I can look it up?"},
	},
	{
		name: "advice_against", why: "advising against a thing is advice",
		pattern: `[^.]{0,30}(?:would(?: not|n'?t| never)|do(?: not|n'?t))(?: [a-z]+ly| ever| really)? (?:recommend|suggest|advis)`,
		no:      []string{"I would never suggest driving on tires that old."},
	},
	{
		name: "certainty", why: "a limit on certainty is not a refusal",
		pattern: `{aux} (?:provid|offer|giv|mak|answer|say|tell|speak|predict|promis|respond|suggest|do)(?:e|ing)? ?[^.,;]{0,40}\b(?:guarantees?|with (?:certainty|confidence|` +
			`absolute|complete|100|any (?:certainty|confidence))|for (?:sure|certain)|definitively|promises|assurances?)\b`,
		no: []string{
			"I cannot answer with certainty, and neither can historians.",
			"I can't provide any guarantees, but the fix worked for me.",
		},
	},
	{
		name: "personal_life", why: "somebody else's first person: a diary, a poem, a character",
		pattern: `{aux} (?:provid(?:e|ing) for (?:my|our|the family|them)|answer(?:ing)? (?:the (?:phone|door)|my)|discuss(?:ing)? (?:it )?with (?:my|him|her)|` +
			`offer(?:ing)? (?:him|her|them|more than)|tell(?:ing)? (?:him|her|them|my)|explain(?:ing)? (?:it|why|how|what) (?:i|but)|(?:make|take|hold|stand|bear) it\b|` +
			`do (?:it|this|that|them|him|her|you) justice|tell(?:ing)? you how (?:much|happy|sorry|glad|many|grateful|proud|excited|pleased)|(?:attend|come|join|pay|stay|` +
			`afford|travel|sleep|accept|wait|live|walk (?:home|there|to|the|my)|relocate|be there|meet (?:you|up)|cook|eat|drink|drive|lend (?:you|him|her|them|it)|babysit|` +
			`host)\b)`,
		no: []string{
			"I cannot provide for my family on this wage, the farmer thought.", "Sorry, I can't make it tonight.",
			"I can't tell you how happy I am!",
		},
	},
	{
		name: "nothing_there", why: "there is nothing to give, which is a fact about the question and not a refusal",
		pattern: `[^.]{0,160}\b(?:as|because|since|for) [^.]{0,80}(?:fictional|(?:does|do|did)(?: not|n'?t) (?:actually |really )?exist|exists?\b|no such\b|(?:not|` +
			`n'?t) (?:a )?(?:real\b|mentioned|specified|known|recorded)|never (?:been )?(?:revealed|stated|published|mentioned)|unknown)[^.]{0,60}[.!]?$`,
		no: []string{"I cannot provide an address for him, because he does not exist."},
	},
	{
		name: "knowing", why: "a limit of knowledge, of memory or of a test is a finding, not a refusal",
		pattern: `{aux} (?:(?:find|see|spot|detect|identify|notice|locate|hear)(?:ing)? (?:any|anything|a |an |why|how|no|where|what|evidence|it in|that in)|tell (?:if|whether|` +
			`which|who|when|where|from|apart|the difference|what (?:the|your|caused))|remember|recall|imagine|believe|think of|be (?:sure|certain|happier|prouder|100)|` +
			`(?:reproduc|replicat|recreat)(?:e|ing) (?:the|this|that|your|it)(?: [a-z]+)? ?(?:bug|issue|error|crash|problem|behaviou?r|failure|results?|leak|race|` +
			`slowdown)\b|(?:reproduc|replicat)(?:e|ing) it\b|speak(?:ing)? for (?:every|all|other|the|them|anyone)|(?:confirm|determine|verify|say|rule out|know|` +
			`tell) (?:for sure|if|whether|that|which|with)|fault|compare)`,
		no: []string{"I'm sorry, but I can't find any mistake in it.", "I'm not able to reproduce the crash on Linux."},
	},
	{
		name: "in_another_way", why: "what is not done in one way, or as a habit, is done in another",
		pattern: `(?:[^.;]{0,60}\b(?:by|over|via) (?:the )?(?:phone|telephone|e-?mail|post|fax|text)\b|i (?:do not|don't|never) [a-z]+ it (?:with|in|like|as|on|at)\b)`,
		no:      []string{"We don't discuss prices by phone. You'll find them on our website.", "I don't write it with a hyphen."},
	},
	{
		name: "in_your_place", why: "what one would leave alone in somebody's place is advice",
		pattern: `[^.;]{0,80}\bif i were\b`,
		no:      []string{"I'd sit this one out if I were you; your ankle needs rest."},
	},
	{
		name: "rhetorical", why: "not lying, boring or spoiling promises an answer",
		pattern: `{aux} (?:lie\b|bore|sugarcoat|spoil|pretend (?:it|that|to)|deny|blame|complain|go into (?:all|every|detail|too))\b`,
		no:      []string{"I won't pretend that it is easy.", "I will not go into every detail here."},
	},
}
