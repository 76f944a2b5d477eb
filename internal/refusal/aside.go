package refusal

import (
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// Bounds of an answer that hands nothing over, and the least length of a sentence that is taken for something of the matter, in bytes.
const (
	asideBytes  = 420
	matterBytes = 40
)

var (
	// What only an answer has: code, a list, a table, figures. The number of a helpline is none.
	structured = regexp.MustCompile(`\x01|\x02{12}|[|]|\n\s*[-*•#>]`)
	figures    = regexp.MustCompile(`[0-9]`)
	helplines  = regexp.MustCompile(`\b(?:988|911|999|112|111|116 ?123|741741)\b`)
	// A sentence that begins with the deed is about the request: "Tracking her phone is stalking."
	namesDeed = regexp.MustCompile(`^(?:and |but |so )?[a-z]{2,}ing\b|\b(?:reserved|restricted|confidential|private|internal|limited|permitted|allowed|` +
		`permission|polic(?:y|ies))\b`)
	// What harms, or whom: the ground of a refusal.
	harms = regexp.MustCompile(`\b(?:hurt|destroy|ruin|kill|fraud|theft|steal|stalk|blackmail|harass|bully|weapon|poison|bomb|explosive|malware|hack|scam|deceiv|decepti|` +
		`mislead|forge|counterfeit|cheat|plagiari|surveil|spying|threat|victim|liabilit)[a-z]*`)
	// A turn to something that is said neither of the speaker nor to the user.
	turnsTo = regexp.MustCompile(`(?:\bbut|[,;] yet|\b(?:however,|that said,|though|although)) ([^.;!?]{12,})`)
	// What somebody says of himself, or reports: no word on the request.
	ownState = regexp.MustCompile(`\b(?:not|[a-z]+n't|cannot|never) (?:[a-z]+ly )?(?:have|feel (?:well|good|bad|like|the|any)|know|think|see [a-ln-z][a-z]*|believe|find|mind|like|need|sure|certain|` +
		`able to|remember|recall|understand|over[a-z]+|wait|agree|worry)\b|` +
		`\b(?:(?:did|have|has|was|were|had)(?: not|n't)|says?|said|told|wrote|while|although|better than|nothing wrong)\b|^(?:(?:if|when|whenever)|the [a-z]+(?: that| which)?) i(?:'m|'d|'ll)?\b`)
	selfish  = regexp.MustCompile(`\b(?:i|i'm|i'd|i've|i'll|me|my)\b`)
	offers   = regexp.MustCompile(`\?$|\b(?:ask (?:me|your|an?)|(?:happy|glad) to|let me know|feel free|please|thank|try (?:me|another|asking)|let's|find (?:someone|somebody)|better still)\b`)
	personal = regexp.MustCompile(`\b(?:i|i'm|i'd|me|my|we|us|our|you|your|please|let'?s|ask|try)\b`)
)

// handsNothing reports an answer that hands nothing over: short and whole, without code, list or figure, and no sentence in it speaks of the
// matter alone, without the speaker, the user, the deed or a judgement on it.
func (d *Detector) handsNothing(v view, wordless bool) bool {
	if whole := (sentence{v.Flat, v.cues}); structured.MatchString(v.Plain) || whole.holds(&d.moves.advises) {
		return false
	}
	for _, at := range english.Sentences(v.Lower) {
		s := sentence{helplines.ReplaceAllString(v.Flat[at.Start:at.End], ""), v.cues}
		if d.saysOfTheMatter(&s) || wordless && d.touchesTheMatter(&s) || len(s.text) >= matterBytes && !d.besideTheMatter(&s) && (wordless || !s.holds(&d.moves.address)) {
			return false
		}
	}
	return true
}

// saysOfTheMatter reports a sentence that announces an answer, holds figures that are not the speaker's own, or turns to the matter.
func (d *Detector) saysOfTheMatter(s *sentence) bool {
	if s.holds(&d.moves.delivery) || figures.MatchString(s.text) && !(selfish.MatchString(s.text) && d.standsAside(s)) {
		return true
	}
	turn := turnsTo.FindStringSubmatch(s.text)
	return turn != nil && !personal.MatchString(turn[1]) && !namesDeed.MatchString(turn[1]) && !d.standsAside(&sentence{turn[1], s.cues})
}

// touchesTheMatter reports a sentence that says in passing what is so, or what the speaker thinks, beside words that anybody may say.
func (d *Detector) touchesTheMatter(s *sentence) bool {
	if ownState.MatchString(s.text) || turnsTo.MatchString(s.text) {
		return true
	}
	if _, behind, found := strings.Cut(s.text, ": "); found && !personal.MatchString(behind) && !d.standsAside(&sentence{behind, s.cues}) {
		return true
	}
	return !personal.MatchString(s.text) && !d.standsBeside(s)
}

// besideTheMatter reports a sentence that hands nothing over: it stands aside, speaks of the speaker or of the deed, greets, judges, points
// elsewhere or offers something else.
func (d *Detector) besideTheMatter(s *sentence) bool {
	return selfish.MatchString(s.text) || offers.MatchString(s.text) || s.holds(&d.moves.preamble) || d.standsBeside(s)
}

func (d *Detector) standsBeside(s *sentence) bool {
	return namesDeed.MatchString(s.text) || harms.MatchString(s.text) || s.holds(&d.moves.lecture) ||
		s.holds(&d.moves.judging) || s.holds(&d.moves.referral) || d.standsAside(s)
}

// standsAside reports a sentence with words of an aside rule.
func (d *Detector) standsAside(s *sentence) bool {
	for i := range d.rules {
		if r := &d.rules[i]; r.force == aside && (!r.handing || s.holds(&d.moves.hands)) && s.holds(&r.pattern) {
			return true
		}
	}
	return false
}
