package label

import (
	"maps"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// lists are the words that the rows of tables name, each of words and of other lists.
var lists = func() map[string]map[string]bool {
	m := map[string]map[string]bool{"claims": english.Claims, "truths": english.Truths, "untruths": english.Untruths, "proofs": english.Proofs,
		"function": english.FunctionWords, "verdicts": english.VerdictNouns, "changes": changes}
	var set map[string]bool
	for line := range strings.Lines(written) {
		name, words, begins := strings.Cut(line, ": ")
		switch {
		case line[0] == '#' || line == "\n":
			continue
		case line[0] == ' ': // the list above goes on
			words = line
		case begins:
			set = map[string]bool{}
			m[name] = set
		}
		for w := range strings.FieldsSeq(words) {
			if list, named := strings.CutPrefix(w, "$"); named {
				maps.Copy(set, m[list])
			} else if but, excepted := strings.CutPrefix(w, "-"); excepted {
				delete(set, but)
			} else {
				set[w] = true
			}
		}
	}
	return m
}()

// What code asks for by itself.
var (
	being, maybe, degree, transparent, contrasts = lists["being"], lists["maybe"], lists["degree"], lists["transparent"], lists["contrasts"]
	makes, leads, interjections, strongNouns     = lists["makes"], lists["leads"], lists["interjections"], lists["nouns"]
	notFinal, keyless, announcing                = lists["tentative"], lists["keyless"], lists["announcing"]
)

// Verbs that move a label, "I would upgrade this to high", in every form.
var changes = func() map[string]bool {
	s := map[string]bool{}
	for w := range strings.FieldsSeq("change revise correct adjust raise lower lift shift switch upgrade downgrade bump increase escalate promote demote") {
		short := strings.TrimSuffix(w, "e")
		s[w], s[w+"s"], s[short+"ed"], s[short+"ing"] = true, true, true, true
	}
	return s
}()

// Each list has a name and words; "$list" is all of a list above, and "-word" is none of it.
const written = `
being: is are was were
maybe: leaning resemble resembles may might could can would seem seems appear appears look looks sound sounds read reads feel feels
degree: partially partly mostly largely somewhat nearly almost barely mainly generally substantially broadly conditionally provisionally potentially
  borderline marginally
contrasts: but however yet nevertheless nonetheless
none: not never no hardly scarcely unable non without

# Words that may stand between a denial and what it denies.
classing: considered deemed classified classed labelled labeled regarded treated marked called judged rated categorised categorized
wholes: fully entirely completely wholly totally strictly 100
transparent: $being $classing $wholes like out be been being am s do does did have has had will remain remains said found held described to as a an the
  that it this they he she we you i truly really merely actually currently yet at all in any way sense even quite very too so remotely technically legally
  exactly necessarily clearly formally longer means by of think believe consider find say either more definitely certainly absolutely simply therefore thus
  hence overall still now also would qualify qualifies constitute constitutes count counts amount amounts represent represents likely probably possibly
  perhaps maybe case true presently evidently est sont ist sind es está è é -100
expelling: exclude excludes excluded withdraw retract
ruling: rule rules ruled ruling

# What an answer settles on, and what a decision is, before "is to deny it".
nouns: answer verdict conclusion label classification decision determination assessment judgment judgement ruling prediction
announcing: $verdicts recommendation call pick choice take
intents: recommendation advice suggestion choice call plan
interjections: wait no nope oops whoops hmm oh ah sorry
mistaken: false wrong incorrect mistaken void invalid
provisos: if once unless assuming depending
belief: think believe consider find agree say see deem regard classify call feel expect mean suppose mark label
callings: calling labelling labeling classifying marking rating tagging choosing deciding
findings: find finds found consider considers considered deem deems deemed judge judges judged declare declares declared hold holds held rate rated assess
  assesses assessed turns turned believe said known shown proved proven determined concluded regarded classified
overstated: hesitate reluctant hard difficult impossible exaggeration overstatement stretch premature misleading overkill unfair
denials: deny denies disagree disagrees doubt doubts doubtful dispute disputes
routes: add adds decide decided choose chose opt opted point points pointed pointing send sent route routed forward forwarded assign assigned move moved
  goes go going belongs set mapped maps amounts comes equals corresponds translates
leads: so because since and but therefore thus hence as while although whereas that for

# Verbs other than "is" by which a thing is what a label says.
makes: warrants warrant merits merit deserves deserve gets earns receives constitutes conveys expresses makes make puts put brings renders leaves describes falls belongs counts qualifies becomes stays remains should
notions: idea notion claim suggestion impression assumption belief argument allegation myth view theory hope fear rumour
sure: confidence certainty probability likelihood
touted: billed touted marketed advertised sold posing dressed
minor: sign signs hint hints touch touches trace traces note notes undertone undertones overtones tinge dash shade shades flash flashes element elements bit
breaks: ; now $contrasts
formerly: previously earlier initially originally formerly previous initial original preliminary
calls: expect expects expected billed calls called guess guessed named assume assumes assumed believe believes believed think thinks thought describes
  described mentions mentioned flags flagged tags tagged marks marked lists listed scores scored labels labelled labeled rates rated says said considers
  considered asks asked wants wanted requests requested quotes quoted cites cited noted notes insists insisted maintains maintained argues argued swears
  votes voted files filed promises promised
nobody: $function -he -she -they -you -one

# Words before "it is" that leave no doubt that it is, and others that nobody says.
verbless: $function $transparent $makes $changes shows show means proves confirms indicates demonstrates suggests clear certain obvious evident fact doubt
  sure confident say conclude given because since as so

# No answer stands behind these as a key.
grounds: reason reasons reasoning rationale justification explanation because evidence why basis
tentative: second next runner alternative previous earlier initial wrong incorrect example sample their tentative possible preliminary original former long
  longer current existing
keyless: $grounds $tentative was were formerly before old prior claimed

# Of a choice that is not made: "I cannot pick between high and low".
choices: pick choose decide select tell say determine distinguish separate

# Before a word that is an answer by itself, and behind it.
openers: overall is be says say answer therefore thus hence so actually wait option choice choose chose pick select definitely clearly probably likely
  maybe perhaps possibly simply with and but
pronouns: it they he she this that there the because since as i we

# Before the name of an option, before what is chosen, and behind it.
options: level tier grade stage option choice answer alternative letter response candidate assistant model version output
choosers: makes get gives choose chose chosen choosing pick picked select selected prefer prefers preferred with for be is leaves leaving say says so therefore thus
  hence answer to actually definitely clearly probably likely maybe perhaps possibly simply but
ends: $leads here instead over
`
