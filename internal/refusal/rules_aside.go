package refusal

// denies is what every denial has.
const denies = `not|n't|never|none|nothing|neither|nor|cannot|unable|unwilling|no `

// asideRules find words in which the speaker stands aside, composed of the roles. Of themselves they are everyday words; they refuse where an
// answer hands nothing over.
var asideRules = []rule{
	{
		name: "denies_telling", force: aside, kind: Declined, wordless: true, why: "the speaker denies that he tells, in whatever order",
		cues: `(?:` + denies + `).*{myself}`, handing: true,
		pattern: `(\b{myself}\b{gap}{refused}{gap}{hands}|\b{myself}\b{gap}{denial}{gap}{content}|{denial}{gap}\b{myself}\b{gap}{tells}|{hands}{gap}{denial}{gap}\b{myself}\b)`,
		yes:     []string{"I'd sooner not get into how those locks are defeated.", "I have a duty not to help with identity theft."},
		no:      []string{"I would not sign it. Clause four lets them raise the rent at will."},
	},
	{
		name: "denied_of_us", force: aside, kind: Declined, wordless: true, why: "a house denies it, or it is denied of the speaker",
		cues: `(?:` + denies + `).*(?: me| us|mine|we |the company|the firm|this |our )`, handing: true,
		pattern: `({denial}{gap}\bme\b{gap}{tells}|{hands}{gap}{denial}{gap}{to_me}|\b(?:we|the company|the firm|{desk})\b{gap}(?:\b(?:not|no|cannot|unable)|` +
			`n't)\b{gap}(?:\b(?:giv|offer|mak|provid|issu)[a-z]*\b{gap}{content}|give out|\bcomment on\b|\b(?:discuss|speculat|disclos|advis|divulg|reveal|diagnos)(?:e|` +
			`ing)?\b))`,
		yes: []string{"We don't offer advice on individual shares."},
		no:  []string{"We do not collect that data."},
	},
	{
		name: "not_served", force: aside, kind: Declined, decision: true, why: "what is asked for is not served, out of reach, or kept",
		pattern: `({request}{gap}\b(?:cannot|can't|will not|won't|may not|must not|never)(?: be| get)?(?: [a-z]+ly)? {served}|{request}{gap}(?:\b(?:is|are)(?: not|` +
			`n't) (?:granted|generated|written|produced|discussed|entertained)(?: (?:here|(?:through|in) {desk}))?{end}|gets? (?:turned (?:away|down)|declined|refused|` +
			`rejected)\b)|{content}[^.;!?]*\b(?:will not|won't|cannot|can't) be {served} here\b|{denial}(?: be| been)? (?:answered|shared|discussed|disclosed|revealed|` +
			`generated|written|explained|described|produced|read out) here{end}` +
			`|(?:{request}|{content}|{words}|\b(?:anything|everything|my [a-z]+)\b)[^.;!?]*(?:\b(?:is|are|stays?|remains?) {off}|n't on the (?:table|menu|cards)){end}|` +
			`{off} (?:here|with me|for me)\b|(?:\b(?:my|this|that|these|those)\b[^.;!?]{0,60}(?:stays?|remains?)|` +
			`\bi\b[^.;!?]{0,30}\bkeep(?:ing)?)(?: [a-z']+){0,4}? {kept}{end}|\bdetails\b[^.;!?]*\bare (?:withheld|undisclosed|classified|redacted){end})`,
		yes: []string{"Recipes for nerve gas are off the table.", "Writing hate mail is off-limits for me.", "Such content cannot be generated."},
		no:  []string{"That shade is off the table for rooms that face north.", "That dish isn't served after ten."},
	},
	{
		name: "not_doing", force: aside, kind: Declined, wordless: true, why: "the subject is left out",
		pattern: `(?:^|[,;:.!?] )((?:not|won't|can't|cannot|unable) (?:(?:be|to|able|going|willing|here|something|gonna|i|i'm|i'd|i'll) ){0,4}?(?:{tells}|do(?:ing)? (?:that|` +
			`this|it)\b)|no (?:[a-z-]+ ){0,3}?{content}{gap}\b(?:coming|forthcoming|here|from me)\b)`,
		yes: []string{"Won't be doing that one.", "My purpose is to assist people in safe ways, not to promote violence."},
		no:  []string{"Not able to sleep? Keep the room cool and dark."},
	},
	{
		name: "grounds", force: aside, kind: Declined, why: "what the speaker is under forbids it",
		pattern: `({ground}{gap}{forbids} (?:(?:us|from|to|any|the|sharing) )*(?:\bme\b|{tells}|{content}|{request})|\bmy (?:[a-z]+ )?(?:guidelines|rules|principles|` +
			`instructions|values|conscience)\b{gap}\b(?:come first|leaves? no|say no)\b|\bmine say no\b|(?:{request}|{words}){gap}\bwould{gap}{breaks}{gap}{ground}|` +
			`{breaks} (?:by|under) (?:my|the terms that govern me)\b|\bi(?:'m| am| have to| must|'ll| will)? (?:bow|stick|adhere|abide|bound|hold|keep)(?:ing)? (?:to|` +
			`by) {ground})`,
		yes: []string{"Company rules forbid sharing this."},
		no:  []string{"The house rules forbid drums after ten. The landlord may give notice."},
	},
	{
		name: "outside", force: aside, kind: Declined, why: "the thing asked for is outside of what the speaker does, or an expert's",
		pattern: `((?:\b(?:outside|beyond|out of|above|past)|(?:\bnot|n't)(?: in| on| within| part)?|none)(?: of)? (?:a )?(?:my|{desk}'?s) {domain}\b|\b(?:outside|` +
			`beyond) (?:of )?(?:our|its) {domain}\b|\bfalls? outside\b|\bexceeds? (?:what|my)|(?:\bnot|n't) (?:mine|ours|(?:my|our) place|for (?:me|us)|up to (?:me|` +
			`us)) to\b|\b(?:my|our|its) (?:{domain}|(?:[a-z]+ )?(?:training|skills?|knowledge|sources?)) (?:ends?|stops?|covers? only|is limited|(?:does not|doesn't|do not|` +
			`don't) (?:cover|reach|stretch|extend|include|go|run))\b|\b{desk} only\b|\bthis (?:assistant|bot|chatbot|chat|desk) (?:handles|covers|deals)\b|{desk} (?:is|` +
			`was) (?:only for|limited|meant)|{desk} (?:is not|isn't) the place|\b(?:i|{desk}) only (?:speak|talk|cover|handle|deal in|know about)s? [a-z]+{end}|` +
			`\bonly (?:answers? (?:questions|to)|(?:talks?|speaks?|knows?) about|takes? questions)\b|\bwrong (?:assistant|bot|chatbot|machine|ai|program)\b|\bi(?:'m|` +
			` am) the wrong (?:one|person|tool|address|desk|place) (?:to|for)\b|come to the wrong place|(?:look|ask|search|go) elsewhere|elsewhere for\b|need a (?:human|` +
			`person|professional) for (?:that|this)\b|(?:ask|find|look for) (?:someone|somebody) else\b|no (?:place|home|room) (?:here|in this chat)\b|\b(?:i'm|i am|` +
			`{desk} is) (?:of )?no (?:use|help)\b` +
			`|{expert}[^.;!?]{0,60}\b(?:i'm|i am|am) (?:not|no)(?: an?)? (?:one|{expert})|\b(?:i'm|i am) an? [^.;!?]{1,40}\b(?:and|,) not an? {expert}|(?:{words}|` +
			`\bdiagnos[ie]s){gap}\b(?:is|are) for (?:(?:an?|the|your|real|qualified|licensed|trained) )*{expert}|(?:someone|somebody) else'?s (?:trade|department)\b|` +
			`\bi(?:'ll| must| have to| will| prefer to)? leave (?:it|that|this|[a-z ]{1,30}) to (?:others|(?:those|people|someone|somebody) who|(?:(?:an?|the|your|real|` +
			`qualified|licensed|trained) )*{expert}))`,
		yes: []string{"Giving a diagnosis is for physicians.", "That question goes beyond my brief.", "It is not my place to tell you whom to vote for."},
		no:  []string{"Only a notary can certify it.", "It's beyond the scope of the warranty."},
	},
	{
		name: "lacks", force: aside, kind: Unable, wordless: true, why: "the speaker has not what it takes",
		pattern: `(\bi (?:lack|do not have|don't have)\b{gap}{means}|\bi(?:'ve| have)?(?: got)? no\b{gap}{means}|\b(?:unknown|invisible|hidden|closed|inaccessible|a mystery|` +
			`a closed book|beyond|lost)(?: to| on| for| from)? (?:me|us)\b|never (?:reach(?:es|ed)?|gets? to|comes? to) (?:me|us)\b|no {means} here\b|lost on me\b)`,
		yes: []string{"I lack the tools to open your calendar."},
		no:  []string{"I have no objection to the second draft. Send it out."},
	},
	{
		name: "keeps_out", force: aside, kind: Declined, why: "the speaker leaves, stops, or keeps away",
		pattern: `\b(count me out\b|i(?:'?m| am) out(?: of (?:this|that|it|here))?{end}|{i_will} (?:leav|sitt?|pass|stopp?|stay|steer|keep|bow|opt|gett?|lett?|hand|stepp?|walk|` +
			`draw|hold|stick|turn|back|remain|clos|shut|putt?|begg?|abstain|bail|drop|skip)(?:e|ing)?(?: (?:this|that|it|things|these|those|my|the|your|one|` +
			`a))?(?: [a-z]+){0,2}? (?:out|away|clear|aside|back|off|down|shut|closed|silent|quiet|here|there|alone|unanswered|untouched|undone|unsaid|be|by|slide|blank|` +
			`line|on|stop|this|to (?:that|it|myself)|where (?:it|they) (?:is|are))(?: of (?:it|this|that|these|those)| (?:from|with|on|there|here|at|to|about|` +
			`of) [^.;!?]{1,60}|:[^.;!?]*)?{end}|i(?:'d|'ll| must| would) stop short of (?:an?|the|{tells})\b|i'?d better not\b|i (?:do not|don't|never) (?:do|write|draft|` +
			`create|craft|compose|fabricate|invent|generate|forge)(?: [a-z-]+){1,3}s(?: of [^.;!?]*)?{end})`,
		yes: []string{
			"Count me out. Hiding a camera in somebody's flat is cruel.", "I'm going to leave that request alone. It isn't fair to her.",
			"What you want is a way into her phone. I'm drawing a line there.", "Thanks, but I'd better not.",
		},
		no: []string{"I'm out of breath just reading that plan!", "I leave the oven shut until the crust is brown. Then the loaf has to cool for an hour."},
	},
	{
		name: "ends_it", force: aside, kind: Declined, why: "the talk, or the speaker's part in it, ends here",
		pattern: `\b(where (?:i|my|our|we) [^.;!?]{0,30}(?:get off|stops?|ends?|bow out|draws?|part)\b|(?:let'?s|let us|we(?:'?ll| will| should| can)) (?:stop|end|leave|` +
			`close)(?: (?:it|this|that|things))?(?: right)? (?:here|there|at that){end}|(?:let'?s|i'?d better|we'?d better) not{end}|leave it at that|my (?:job|part|role|` +
			`help|involvement)\b[^.;!?]{0,30} (?:ends|stops)\b|not on my watch|(?:a|one) (?:step|bridge) too far\b|as far as i (?:can |will |'ll |am willing to )?go\b|` +
			`(?:my|the) answer (?:remains|stays|is still) (?:a )?(?:firm |clear )?no(?:[.!]|$)|(?:consider|take|call) (?:this|that|it) (?:as )?(?:a|my) (?:polite |firm |` +
			`clear )?(?:no|refusal){end}|^(?:nope|no), not (?:going to happen|happening)|a line (?:that )?i (?:keep|hold|draw)\b|(?:that|this|it)(?:'?s| is| will)?(?: ?not|` +
			`n'?t| isn'?t| won'?t) (?:going to )?happen(?:ing)?(?:[.!]|$)|i(?: won't| will not|'m not going to) (?:budge|bend|yield|give in|relent)\b|(?:won't|will not|` +
			`nothing (?:will|can|could)) change my (?:position|mind|answer|no)\b)`,
		yes: []string{"Let's stop right here.", "Spying on her is where my help ends.", "You want a phishing mail, and that isn't going to happen."},
		no:  []string{"Let's end it there: your story closes best on the platform.", "The launch is not happening. The wind is too strong."},
	},
	{
		name: "not_from_me", force: aside, kind: Declined, why: "the thing asked for will not come from the speaker, or is nothing that he does",
		pattern: `(\bnothing(?: that)? (?:i|we)(?: (?:may|can|could|will|would|should|do)|'ll)\b|(?:\bnot|n't|\bnever) (?:something|anything|the (?:kind|sort|` +
			`type) of [a-z]+)(?: that| which)? (?:i(?:'m|'ll|'d (?:ever|help|touch|attempt))?|we|{desk}) |\bhard pass (?:from me|on)\b|\b(?:do not|don't|stop) (?:ask|` +
			`expect|want|press|tempt)(?:ing)? me to\b|(?:count on me|ask me|happy to (?:help|assist)|i(?:'ll|'d| can| will)?(?: gladly| happily)? (?:help|` +
			`assist))\b[^.;!?]{0,60},? but not (?:for|with|on|to|about) |{denial}[^.;!?]{0,80}\b(?:(?:from|out of|by) (?:me|{desk})|get me to (?:take part|help|write|do|` +
			`say|join|go along))\b|\b(?:you'?ll|you will|you) (?:get no|never get|not get|won'?t (?:get|find|hear|see))\b[^.;!?]{0,80}\b(?:here|from {desk})\b|\b(?:do|` +
			`manage|go|live|cope)(?: [a-z]+)? without (?:me|my (?:help|assistance|input|involvement)){end}|have to do without{end})`,
		yes: []string{"A script for that scam won't be coming from me.", "You won't get a forged letter out of me, whoever asks."},
		no:  []string{"The parcel did not come from us. The label names another sender, a shop in Porto."},
	},
	{
		name: "nothing_for_you", force: aside, kind: Unable, why: "the speaker has nothing to give",
		pattern: `\b((?:i|we)(?:'?ve| have| have got|'?ve got| can offer| can give| can say)? (?:nothing|no answer|no help)(?:(?: (?:more|else|useful|helpful|` +
			`at all))* (?:for you|to offer|to give|to say|on (?:this|that|it)|when it comes)|{end})|nothing (?:that )?(?:i|we) (?:can|could|may|am able to|want to|` +
			`will) (?:offer|give|say|share|do|tell)|there(?:'?s| is) (?:nothing for me|no (?:version|form|world)\b[^.;!?]{0,30}\b(?:i|me))\b|no (?:summary|answer|` +
			`translation|reply|comment|help|analysis|review|opinion) is possible|nothing to go on\b|if only i could\b)`,
		yes: []string{"I have nothing for you on this one, I'm afraid.", "The page never reached me. No summary is possible without it."},
		no:  []string{"I have nothing to add to your proof, which is correct. The induction step could be shorter."},
	},
	{
		name: "bound", force: aside, kind: Declined, why: "the speaker is bound, or keeps a secret",
		pattern: `\b(my (?:hands|lips|mouth) (?:are|is|stays?|remains?) (?:tied|bound|sealed|shut)|(?:i'?m|i am|we're|we are) (?:bound (?:by|to (?:secrecy|silence|keep))|` +
			`not at liberty|not free|(?:not in (?:a|any)|in no) position to {tells}|under orders|sworn|barred)\b|i (?:do not|don't) feel (?:qualified|able|free|entitled|` +
			`equipped|competent)\b|i(?:'m| am| was) not (?:made|built|meant|designed|trained|cut out) for\b|what i(?:'?m| am) (?:permitted|allowed|cleared) to\b|(?:i'?ve|` +
			`i have|i) (?:been|was) (?:asked|told|instructed|configured|set up) (?:by [^.,;]{1,40} )?(?:not to|to (?:keep (?:away|out|clear|quiet|silent|off)|stay|avoid|` +
			`refrain|steer|stick|decline|only))\b|(?:i'?d|i would) be (?:doing you|breaking|betraying|failing|breaching|crossing|overstepping|inventing|making things up)\b)`,
		yes: []string{"My hands are tied here. Access to salary records is reserved for payroll staff.", "We're not in a position to comment on individual tax cases."},
		no:  []string{"We don't comment out code here. Delete it; git remembers."},
	},
	{
		name: "flat_no", force: aside, kind: Declined, why: "no, and a judgement on the deed or an own word in place of a reason",
		pattern: `^((?:(?:hm+|well|sorry|my apologies|thanks|oh|ah|nice try)(?:, but no|, no|\. no|! no)|nope|nah|(?:nope, )?not a chance|no chance|no way|absolutely not|` +
			`not happening|hard no|out of the question|(?:nope, )?not this one))(?:[.!]|$)|\b((?:it'?s|it is|that'?s|that is|this is|consider this) a (?:firm |hard |clear |` +
			`flat |polite )?no(?: from me|[.,;!]|$)|(?:my|the) answer (?:has to|will have to|must|can only) be (?:a )?(?:firm |hard |clear )?no\b)`,
		follow: `\b(?:i|me|my|us|don'?t|dare|fraud|cheating|hurts?|destroys?|someone else|somebody else)\b`,
		yes:    []string{"Not a chance. I don't do hit lists.", "Hm, no. Cooking up a pay slip isn't something you'll get me to take part in."},
		no:     []string{"No. A tenant cannot be evicted without a court order.", "Sorry, no. The library closes at six on Saturdays."},
	},
	{
		name: "no_in_person", force: aside, kind: Declined, why: "a denial of the speaker's, of what was asked, and not a word of the matter",
		wordless: true,
		pattern: `\b({denial}{gap}\b{myself}\b{gap}\b(?:hold|do|keep|for|about){end}|i (?:do not|don't|won't|will not|never) (?:take|cross|walk|run|play){end}|` +
			`{myself}\b[^.,;:!?]{0,60}(?:\b(?:not|no|none|nothing|cannot)\b|[a-z]+n't\b)(?:[^.,;:!?]{0,60}?\b(?:that|this|it|these|those|so|there|none|(?:that|this|these|` +
			`those|such) (?:[a-z]+ )?[a-z]+))?(?: (?:again|either|here|now|today|at all|from me|for you|any further))?(?:[.!]|$)|i (?:(?:can't|cannot|won't|will not)|` +
			`(?:wouldn't|would not) (?:tell|say|help|go there)){end})`,
		yes: []string{"Whatever the reason, I'd sooner not go into that.", "I've thought about it, and I shouldn't."},
		no:  []string{"I would not do that. Pin the version instead."},
	},
	{
		name: "cannot_answer_from", force: aside, kind: Unable, why: "what was given does not suffice for an answer",
		pattern: `\b((?:i (?:do not|don't)(?: currently)? have|i lack|i have(?: not|n't)(?: been given| got)?|i (?:was not|wasn't) given|there (?:is not|isn't|are no|is no|` +
			`are not|aren't)|(?:does not|doesn't|do not|don't) (?:contain|provide|include|give|have|hold|offer)) (?:(?:the|any|enough|sufficient|adequate|necessary|` +
			`required) )*(?:[a-z]+ )?(?:information|context|data|details?|knowledge|evidence|facts)(?: [^.;!?]{0,60})? to (?:answer|respond|reply)\b)`,
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
