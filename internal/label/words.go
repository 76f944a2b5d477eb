package label

import (
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

var (
	// The second words of denials of two.
	seconds     = english.Set("to from near of than but")
	being       = english.Set("is are was were")
	maybe       = english.Set("leaning resemble resembles may might could can would seem seems appear appears look looks sound sounds read reads feel feels")
	indefinite  = english.Set("a an any")
	verbDenials = english.Set("fail fails failed short hardly scarcely unable")
	absences    = english.Set("without lack except excluding") // deny a thing beside the label
	contrasts   = english.Set("but however yet nevertheless nonetheless")
	degree      = english.Set(`partially partly mostly largely somewhat nearly almost barely mainly generally substantially broadly
		conditionally provisionally potentially borderline marginally`)
	// Words that may stand between a negation and what it negates.
	transparent = english.Set(`like out is are was were be been being am s do does did have has had will remain remains considered deemed classified classed labelled labeled regarded treated marked called judged
		rated said found held described categorised categorized to as a an the that it this they he she we you i
		fully entirely completely wholly strictly truly really merely actually currently yet at all in any way sense even quite very too
		so remotely technically legally exactly necessarily clearly formally totally longer means by of think believe consider
		find say either more by definitely certainly absolutely simply therefore thus hence overall still now also would qualify qualifies constitute constitutes count counts amount amounts represent represents likely probably possibly perhaps maybe case true been presently evidently est sont ist sind es está è é`)
)

// lists are the words that rows of tables name.
var lists = map[string]map[string]bool{
	"being": being, "maybe": maybe, "degree": degree, "transparent": transparent, "claims": english.Claims, "truths": english.Truths, "untruths": english.Untruths,
	"proofs": english.Proofs, "nouns": strongNouns, "interjections": interjections, "changes": changes, "contrasts": contrasts,
	"none":     english.Set("not never no hardly scarcely unable non without"),
	"classing": english.Set("considered deemed classified classed labelled labeled regarded treated marked called judged rated categorised categorized"),
	"wholes":   english.Set("fully entirely completely wholly totally strictly 100"),
	"belief":   english.Set("think believe consider find agree say see deem regard classify call feel expect mean suppose mark label"),
	"findings": english.Set(`find finds found consider considers considered deem deems deemed judge judges judged declare declares declared hold holds held rate
		rated assess assesses assessed turns turned believe said known shown proved proven determined concluded regarded classified`),
	"overstated": english.Set("hesitate reluctant hard difficult impossible exaggeration overstatement stretch premature misleading overkill unfair"),
	"denials":    english.Set("deny denies disagree disagrees doubt doubts doubtful dispute disputes"),
	"routes":     english.Set("add adds decide decided choose chose opt opted point points pointed pointing send sent route routed forward forwarded assign assigned move moved goes go going belongs set mapped maps amounts comes equals corresponds translates"),
	"sure":       english.Set("confidence certainty probability likelihood"),
	"touted":     english.Set("billed touted marketed advertised sold posing dressed"),
	"breaks":     english.Set("; now but however yet nevertheless nonetheless"),
	"formerly":   english.Set("previously earlier initially originally formerly previous initial original preliminary"),
	"calls":      english.Set("expect expects expected billed calls called guess guessed named assume assumes assumed believe believes believed think thinks thought describes described mentions mentioned flags flagged tags tagged marks marked lists listed scores scored labels labelled labeled rates rated says said considers considered asks asked wants wanted requests requested quotes quoted cites cited noted notes insists insisted maintains maintained argues argued swears"),
	"nobody":     without(english.FunctionWords, "he she they you one"),
	// Words before "it is" that leave no doubt that it is, and others that nobody says.
	"verbless": english.Set("shows show means proves confirms indicates demonstrates suggests clear certain obvious evident fact doubt sure confident say conclude given because since as so " + join(english.FunctionWords, transparent, makes, changes)),
	"makes":    makes,
	"choices":  english.Set("pick choose decide select tell say determine distinguish"), // of a choice that is not made: "I cannot pick between high and low"
	"leads":    english.Set("so because since and but therefore thus hence as while although whereas that for"),
	"notions":  english.Set("idea notion claim suggestion impression assumption belief argument allegation myth view theory hope fear rumour"),
	"intents":  english.Set("recommendation advice suggestion choice call plan"), // what a decision is, before "is to deny it"
}

func without(words map[string]bool, but string) map[string]bool {
	out := maps.Clone(words)
	for w := range english.Set(but) {
		delete(out, w)
	}
	return out
}

func join(sets ...map[string]bool) string {
	var words []string
	for _, s := range sets {
		words = slices.AppendSeq(words, maps.Keys(s))
	}
	return strings.Join(words, " ")
}
