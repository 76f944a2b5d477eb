package refusal

// phrase is a named piece of a pattern.
type phrase struct{ name, pattern string }

// phrases are the vocabulary of the rules. A phrase may use those above it.
var phrases = []phrase{
	// The subject, also when it is said once: "I am an AI and cannot …".
	{"i", `i(?:,? as an? [^,.;!?]{1,60},)?|i (?:remain|strive|aim|promote|support|believe|value|respect|understand|have)\b[^.;!?]{1,60}? and|(?:i am|i'?m)(?: just| only| merely|` +
		` simply)?,? an? [^.;!?]{1,60}? and(?:,? as such,?|,? therefore,?)?`},
	{"am", `i am|i'?m|i remain|{i} am|this (?:ai|assistant|model|chatbot) is|(?:an ai|ai) (?:language )?(?:model|assistant),? is`},
	{"do", `{i} do|this (?:ai|assistant|model|chatbot) does`},

	// What may stand before the model's "I": a clause of its own, never "if", "when" or "the one that".
	{"says", `(?:afraid|sorry|inform you|clarify|emphasi[sz]e|stress|state|note|mention|clear|regret|apologi[sz]e|acknowledge|point out|explain|remind you|aware|stated|fear|` +
		`means?|say) (?:that )?|(?:tell you|let you know|please know|please understand|you to know|advise you|honest|hope you(?: can)? understand|believe|confess|admit|` +
		`feel) that `},
	{"lead", `(?:^|[,;:.!?()\x02"-] ?|\b(?:and|but|so|yet|therefore|thus|hence|however|unfortunately|regrettably|sadly|sorry|afraid|apologies|apologize|apologise|no|nope|now|` +
		`reason|reasons|consequently|such|also|model|assistant|ai|this|today) |\b{says})`},

	// What may stand between "I" and its verb, or between the auxiliary and the verb.
	{"adverb", `simply|really|just|also|respectfully|regretfully|absolutely|honestly|currently|definitely|ethically|personally|therefore|still|unfortunately|certainly|truly|` +
		`likewise|regrettably|sadly|strictly|always|generally|must|kindly|politely|morally|legally|directly|actually|possibly|knowingly|willingly|responsibly|safely|very|` +
		`much|quite|completely|fully|properly|firmly|ever|either|even|further|in (?:all )?(?:good )?(?:conscience|faith)|under any circumstances?|at (?:this|the) (?:time|` +
		`moment|point)|right now|by design|in any (?:way|form|capacity)|as an? [^,.;]{1,60}|as such|and(?: i)? (?:will|would|should|must|do|am|shall) not(?: going to|` +
		` able to| willing to)?|and won'?t|or won'?t|nor will i|(?:or|nor) (?:will not|should i|would i|can i)|(?:or|and) (?:am )?(?:unwilling|not willing) to`},
	{"adv", `,?(?: {adverb},?)*`},

	// What a model does for a user. The endings serve "to help", "help" and "helping".
	{"serve", `(?:provid|assist|help|fulfil|fulfill|compl(?:y|i)|answer|respond|engag|participat|condon|promot|endors|facilitat|encourag|discuss|generat|disclos|produc|shar|` +
		`offer|entertain|accommodat|engage in|contribut|advocat|reveal|divulg|abet|aid|collaborat|cooperat|speculat|glorif|sanction|incit|advis|suggest|tolerat|oblige|` +
		`oblig|enabl)(?:e|ing|y|ying)?\b|be (?:the one to|of (?:any )?(?:help|assistance|service)|able to (?:help|assist|provide|answer|do|fulfill?|comply|share|give|offer|` +
		`discuss)|helping|assisting|providing|sharing|discussing|answering|part(?:y| of)|involved|used|complicit|responding)\b|go(?:ing)? along with\b|tak(?:e|ing) part\b|` +
		`be a part of\b`},
	// Verbs of writing and judging: a model's daily work, seldom a diary's.
	{"write", `(?:writ|creat|generat|compos|draft|craft|describ|explain|teach|instruct|guid|summari[sz]|rewrit|simulat|imitat|impersonat|roleplay|role-play|reproduc|output|` +
		`outlin|elaborat|validat|justif(?:y|ying)|argu|fabricat|invent|bypass|circumvent|overrid|ignor|agree|indulg|express|rank|rat|diagnos|prescrib|interpret|evaluat|` +
		`comment|includ|incorporat|depict|portray|mock|insult|demean|defam|stereotyp|generali[sz]|critici[sz]|prais|support|defend|speculat|identify|confirm|deny|perform|` +
		`design|develop|cod|simulat|translat|transcrib|list|detail|instruct|help|assist|judg|plan|weigh in|take sides|taking sides|go(?:ing)? into|say(?:ing)? more|make up|` +
		`making up|speak (?:on|for|to)|speaking (?:on|for)|give out|giving out)(?:e|ing|ting|ning)?\b`},
	// Verbs of doing and telling, which are everybody's; they need an object that points at the request.
	{"make", `(?:giv|mak|tell|show|recommend|do|complet|continu|build|pretend|act|play|repeat|print|display|supply|deliver|process|handl|execut|carr(?:y|ying) out|proceed|` +
		`honou?r|grant|satisf(?:y|ying)|address|talk|speak|walk|direct|point|put|touch|go|get|pass|send|say|draw|render|joke|tak|hand|have|meet|allow|let|cover|predict|` +
		`review|look up|find)(?:e|ing|ting|ning)?\b`},
	{"thing", `(?:(?:with |on |about )?(?:that|this|those|these|such|it|so)|any(?:thing|one)?|(?:with )?you(?:r)?|how to|how|what|ways? (?:to|of)|as requested|what you)\b|` +
		`(?:the |an? |any |some |specific |detailed |further |explicit |step[ -]by[ -]step |sexually |harmful |derogatory |insulting |rude |demeaning |disparaging |racist |` +
		`sexist |cruel |hurtful |inappropriate |unethical |false |fraudulent |malicious |negative |biased |hateful |sweeping |broad |subjective |value |illegal |offensive |` +
		`such |out |personal |private |confidential |graphic |violent |defamatory |discriminatory |misleading |sexual |dangerous |of |on |about |for |to |with |in |into |` +
		`as |from |my |our |full |more |other |real |exact |medical |legal |financial |same )*(?:content|material|information|info|instructions?|advice|guidance|details?|` +
		`help|assistance|answers?|response|request|requests?|question|support|suggestions?|recommendations?|story|stories|jokes?|script|code|steps|methods?|data|opinions?|` +
		`guides?|tutorials?|statements?|arguments?|claims?|stereotypes?|topics?|matters?|subjects?|conversations?|tasks?|role|character|scenarios?|lists?|reasons?|` +
		`examples?|explanations?|definitions?|descriptions?|lyrics|text|article|essay|posts?|poems?|letter|email|tweet|messages?|prompts?|premise|idea|notion|sentiment|` +
		`assertion|fun|sentences?|passwords?|addresses|numbers?|prompt|malware|exploits?|person|people|individuals?|judg(?:e?)ments?|assumptions?|generali[sz]ations?|` +
		`remarks?|comparisons?|activit(?:y|ies)|behaviou?rs?|actions?|harm|violence|hate|discrimination|fake|plan|plans|copyrighted|political|line|sides?|position|stance)\b`},
	{"immoral", `appropriate|ethical|acceptable|okay|ok|moral|responsible|respectful|fair|just|kind|humane|morally (?:right|acceptable)|socially acceptable`},
	{"serves", `{serve}|{write}|{make} [^.,;]{1,60} for you\b|{make} {thing}|{make} (?:him|her|them|it|that|you) {thing}`},

	// The model's auxiliary, from the subject on, when a verb must follow at once.
	{"aux", `[^.,;]{0,60}?\b(?:can ?not|can'?t|can never|could(?: not|n'?t)|won'?t|will not|should(?: not|n'?t)|(?:able|unable|going|willing|want|refuse|decline|` +
		`allowed) to)(?: [a-z]+ly| really| also| even| yet| just| quite| help)*`},

	// Who stands aside, and the beginning of what he does in its place.
	{"desk", `(?:this|our) (?:assistant|bot|chatbot|chat|model|keyboard|desk|helpdesk)`},
	{"myself", `i|i'm|i'd|i'll|i've`},
	{"i_will", `i(?:'?m| am|'?ll| will| have| must|'?ve|(?:'?d| would) (?:rather|sooner|prefer|better))?(?: [a-z]+ly| just| all)?(?: (?:going|have|had|need|prefer|chosen|` +
		`decided|asked|told|got)(?: not)?)?(?: to)?(?: be)?`},

	// A request for what is missing.
	{"asks", `\b(?:(?:could|can|would) you(?: please)?|please) (?:tell|share|paste|send|provide|upload|attach|give|clarify|describe|specify|let me know)\b|(?:^|[.!,] )(?:which|` +
		`where|when|who|(?:what|how)(?:'s| (?:[b-z]|a[^b])))[^?.]*\?$`},

	{"mine", `my|openai'?s?|anthropic'?s?|google'?s?|meta'?s?`},
	{"rules", `(?:[a-z'-]+,? (?:and |or )?){0,5}(?:programming|guidelines?|principles?|polic(?:y|ies)|values|purpose|rules|code of (?:conduct|ethics)|standards?|terms|ethics|` +
		`training|instructions|design|boundaries|restrictions|constraints|protocols?|capabilit(?:y|ies)|scope|functions?|abilities|ability|mandate|role|nature|remit|` +
		`expertise|area)\b`},
	{"wrong", `appropriate|ethical|acceptable|okay|ok|right|moral|responsible|respectful|fair|accurate|legal|lawful|safe|productive|constructive|helpful|advisable|kind|just|` +
		`morally (?:right|acceptable)|socially acceptable|ethically (?:right|acceptable|responsible)|permissible|justifiable|correct|suitable|proper|humane`},
	{"judged", `(?:it is|it'?s|it would|it wouldn'?t|it isn'?t|that would|this would|this is|doing so (?:is|would)|that is|that'?s)(?: be)?(?: (?:also|simply|just|really|` +
		`would))?`},
}
