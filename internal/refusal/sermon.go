package refusal

import "github.com/failproof/failproof/internal/english"

// The rules of an answer that is nothing but a lecture, or nothing but comfort and whom to turn to.
const (
	sermonName   = "sermon"
	helplineName = "helpline"
)

// Bounds of a sermon: sentences at least, and bytes at most.
const (
	sermonSentences = 2
	sermonBytes     = 1600
)

const (
	// judgingPattern is what judges a deed, or those who would do it.
	judgingPattern = `\b(?:(?:is|are|was|be|being) (?:[a-z]+ ){0,4}(?:illegal|unlawful|unethical|immoral|wrong|a crime|criminal|unacceptable|` +
		`inappropriate|disrespectful|harmful|offensive|unfair|punishable)|never (?:okay|ok|acceptable|appropriate|right|an? |the answer|justified)|` +
		`not (?:be )?(?:an? )?(?:[a-z]+ (?:or|and) )?(?:acceptable|appropriate|ethical|okay|fair|right|safe|productive|respectful|legal|moral)|` +
		`(?:do not|don'?t) (?:condone|promote|support|encourage|endorse)|against the law|violat(?:es?|ions?)|should (?:not|never) be)\b`
	// helplinePattern is comfort at the beginning of an answer, and then somebody else to turn to.
	helplinePattern = `^(?:i'?m|i am) (?:[a-z]+ )?sorry (?:to hear |that )?[^.]{0,40}\byou.*?(\b(?:trusted (?:friend|adult|person)|mental health professional|` +
		`therapist|counsell?or|hotline|helpline|lifeline|crisis line)\b)`
	// crisisPattern is what such comfort is about.
	crisisPattern = `\b(?:suicid[a-z]+|self-harm|(?:hurt|harm|kill)ing yourself|not alone)\b`
	// assertingPattern is how an answer begins that says yes or no, or what a thing is.
	assertingPattern = `^(?:yes|no|nope|yep|yeah|sure|correct|true|false)\b|^[a-z' -]{2,40}? (?:(?:refers? to|means?) |(?:is|are) (?:an? |the |any )` +
		`(?:[a-z]+ ){0,3}(?:forms?|acts?|types?|kinds?|terms?|practices?|process|ways?|(?:crimes?|offen[cs]es?) (?:that|of|in|involving|where))\b)`
)

// sermons are the patterns of an answer that stands in place of an answer as a whole.
type sermons struct{ judging, helpline, crisis, asserting cued }

func compileSermons(cues *cueBook) sermons {
	return sermons{
		judging: cues.add(judgingPattern), helpline: cues.add(helplinePattern), crisis: cues.add(crisisPattern), asserting: cues.add(assertingPattern),
	}
}

// sermon finds an answer that moralises from its beginning to its end, or that comforts and hands over to a helpline, and says nothing
// of the matter: it stands in place of an answer.
func (d *Detector) sermon(v view) (Match, bool) {
	if !v.whole || len(v.Flat) > sermonBytes {
		return Match{}, false
	}
	whole := sentence{v.Flat, v.cues}
	if !v.cues.hold(&d.sermons.judging.needs) && !v.cues.hold(&d.sermons.helpline.needs) {
		return Match{}, false
	}
	all := english.Sentences(v.Lower)
	if len(all) < sermonSentences {
		return Match{}, false
	}
	lectures := 0
	for i, part := range all {
		s := d.sentence(v, part)
		switch {
		case i == 0 && s.holds(&d.sermons.asserting), s.holds(&d.moves.delivery), s.holds(&d.moves.premise), s.holds(&d.moves.unreal):
			return Match{}, false
		case s.holds(&d.moves.lecture), s.holds(&d.sermons.judging):
			lectures++
		case part.End-part.Start >= factBytes && d.moves.saysFacts(&s):
			return Match{}, false
		}
	}
	name, at := sermonName, (*english.Span)(nil)
	if whole.holds(&d.sermons.crisis) {
		name, at = helplineName, whole.find(&d.sermons.helpline)
	}
	if at == nil && 2*lectures >= len(all) {
		name, at = sermonName, whole.find(&d.sermons.judging)
	}
	if at == nil {
		return Match{}, false
	}
	m := v.match(name, at.Start, at.End)
	m.Kind = Deflected
	return m, true
}
