package refusal

// roles are what words do in turning a request down: who speaks, what denies, what is denied, what forbids, and where it is out of reach. The aside
// rules put them together. A word that strangers use is added to its role, and to no rule. Like a phrase, a role may use those above it.
var roles = []phrase{
	{"gap", `[^.,;:!?\x02]*`}, // within a clause
	{"end", `(?:[.,;!]|$)`},

	{"to_me", `\b(?:for|to|from|with|by|of|on) (?:me|us|mine|{desk})\b`},

	// What denies. "Didn't" and "haven't" report.
	{"denial", `\b(?:not|never|no|none|nothing|neither|nor|cannot|unable|unwilling|(?:ca|wo|do|does|is|are|would|could|should|must)n't)\b`},

	// What turns down. "Don't" and "never" tell of habits, "couldn't" reports.
	{"refused", `\b(?:not|cannot|neither|nor|unable|unwilling|(?:ca|wo|should|must|would)n't|(?:do not|don't) (?:think|believe|see|feel|want|intend|wish|plan|care))\b`},

	// What an assistant does for a user with words.
	{"words", `\b(?:answer|respond|help|assist|comment|discuss|disclos|divulg|reveal|shar|explain|describ|teach|instruct|coach|writ|draft|compos|creat|generat|produc|invent|` +
		`fabricat|forg|imitat|impersonat|speculat|diagnos|prescrib|interpret|translat|summari[sz]|provid|process)(?:e|y|ing)?\b`},
	{"tells", `(?:\b{serve}|{words}|\b(?:(?:forg|guess|supply|continu|process|plot|proceed|touch)[a-z]*|join[a-z]* in|(?:play|com)[a-z]* along|(?:tak|pick|choos)[a-z]* (?:a |` +
		`any )?(?:sides?|part|position|stance)|lend[a-z]* (?:a|my) hand|part (?:in|of)|(?:spell|hand|giv|lay|pass)[a-z]* (?:[a-z]+ )?(?:out|over|away|on)|(?:tell|giv|show|` +
		`push|send|walk|get|sell)[a-z]* you|say[a-z]* (?:more|anything)|go[a-z]* (?:there|into|further|near|down)|get[a-z]* into|act[a-z]* on|(?:choos|decid|` +
		`plan)[a-z]* (?:for|with) you)\b)`},

	// What an assistant hands to a user, and no shop does.
	{"content", `\b(?:advice|guidance|instructions?|directions|assistance|opinions?|comments?|statements?|speculation|tutorials?|recipes?|step-by-step)\b`},

	{"hands", `{tells}|{content}`}, // of which cues are drawn

	// What was asked for.
	{"request", `\b(?:(?:such|(?:this|that) (?:kind|sort) of|anything (?:that|of)|(?:content|material|guidance|requests|questions|texts|messages|topics|things) (?:of (?:that|` +
		`this) (?:kind|sort|type|nature)|like (?:that|this|these)|such as (?:this|these)))\b|[a-z]+ (?:questions|requests|topics|matters|tasks)\b|(?:this|that|your|the|` +
		`these|those) (?:(?:kind|type|sort) of |particular |specific )?(?:requests?|questions?|content|prompt|topic|task|query|material)\b|(?:what|the thing|` +
		`everything)(?: that)? (?:you(?:'?re|'?ve)?)\b)`},

	// What is done with a request, or with what is asked for.
	{"served", `\b(?:answered|provided|given|shared|generated|written|produced|created|discussed|disclosed|revealed|processed|fulfill?ed|granted|handled|offered|entertained|` +
		`honou?red|acted upon|read out|explained|described|published|translated|reproduced|drafted|composed|supplied)\b`},

	// What the speaker is under, and what it does.
	{"ground", `\b(?:(?:my|our|company|house|usage|content|community|safety|ethical|moral|legal|privacy|confidentiality|professional) (?:[a-z]+ (?:and )?){0,2}?(?:polic(?:y|` +
		`ies)|rules?|guidelines?|terms|instructions|principles|standards|values|ethics|concerns|conscience|programming|training|code|obligations?|duty|boundar(?:y|ies)|` +
		`limits|restrictions|reasons|safeguards|orders|commitments?)|conscience|confidentiality|the terms (?:that|which) govern me)\b`},
	{"forbids", `\b(?:(?:forbid|prohibit|prevent|preclud|disallow|bar|stop|block|exclud)(?:e|s|es)?|keeps? (?:me|us) (?:back|out|from)|leaves? no room)\b`},
	{"breaks", `\b(?:violat|breach|infring|contraven|betray|break|conflict|against|contrary|prohibit|forbidden|barred|banned|ruled out|disallowed)[a-z]*\b`},

	// What the speaker's work is.
	{"domain", `(?:[a-z]+ ){0,2}(?:remit|scope|department|field|kitchen|area|reach|territory|purview|line of work|job(?: description)?|business|beat|world|range|lane|league|` +
		`brief|repertoire|expertise|purpose|place|pay ?grade|tool(?:kit|box)|depth|wheelhouse|mandate|competence|ken|sphere|domain|province|skill ?set|capabilit(?:y|ies)|` +
		`powers|limits|bounds|ambit|duties|role|function|style|thing|cup of tea|game|specialt?it?y|forte|strong suit|charter|call|decision|abilit(?:y|ies))`},
	{"expert", `\b(?:doctors?|physicians?|radiologists?|specialists?|lawyers?|attorneys?|solicitors?|accountants?|pharmacists?|therapists?|counsell?ors?|vets?|nurses?|` +
		`professionals?|experts?|advis[eo]rs?|locksmiths?|electricians?|engineers?|judges?|notar(?:y|ies)|clinicians?|dentists?|psychologists?)\b`},

	// Where nothing comes of it.
	{"off", `(?:off(?: |-)limits|off the (?:table|menu|cards|list)|out of (?:the question|bounds|reach)|(?:not|never) (?:up for (?:discussion|debate|negotiation)|` +
		`on (?:the (?:table|menu|cards)|offer)|negotiable)|n't (?:up for (?:discussion|debate|negotiation)|on offer|negotiable)|[a-z]+ing\b{gap}n't on the (?:table|menu|` +
		`cards)|a (?:no-go|non-starter))`},
	{"kept", `(?:(?:with|to) (?:me|us|myself|ourselves)|between us|under wraps|unsaid|unwritten|unanswered|unopened|in the (?:drawer|vault))`},

	// What one has who can look, hear, reach or act.
	{"means", `\b(?:access|tools?|eyes?|ears?|microphone|camera|window|view|connection|insight|data|hands|body|voice|licen[cs]e|qualifications?|authority|mandate|means|feed|` +
		`crystal ball|internet|browser|memory|power|sight|sensors?|line to|way (?:of|to|in)|training|permission)\b`},
}
