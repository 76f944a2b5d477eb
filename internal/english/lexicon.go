package english

var (
	Claims    = Set("claims claim claimed claiming alleges alleged purports frames framed phrases phrased")
	Truths    = Set("case true correct right accurate")
	notOnly   = Set("only just merely simply solely surprisingly unlike")
	Proofs    = Set("evidence indication reason basis proof sign way grounds")
	Untruths  = Set("false wrong incorrect untrue inaccurate unconfirmed unverified unproven unfounded")
	Auxiliary = Set("does do did is are was were has have will can must should")
	// Words before the number of a clause.
	clauseNouns = Set("clause clauses section sections article articles paragraph paragraphs para rule regulation annex schedule chapter part subsection sec art")
	// Words that oblige.
	obliging     = Set("must shall required mandatory obliged obligated obligatory")
	VerdictNouns = Set(`answer verdict conclusion label classification decision determination assessment judgment judgement
		ruling prediction result status finding outcome category rating response opinion boxed overall final`)
	// functionWords carry no content of their own and are no terms.
	FunctionWords = Set(`non a an the this that these those it its they them their he she his her we us our you your i my me one
	and or but nor so as than then if whether while when where who whom which whose what how why because since until
	of to in on at by for with from into onto over under about between within during through per via against upon across after before
	is are was were be been being am do does did doing has have had having will would shall should can could may might must
	not no never also only just very too quite both each every any some all such same other another more most less least much many few
	there here up down out off again further once own s t re ve d ll v eg ie etc let been ought`)
)

// NoWord is the place of no word.
const NoWord = -1
