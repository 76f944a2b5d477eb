package english

import "slices"

// reports reports a word at i, in the clause that begins at from, that tells what somebody else holds, or wishes.
func (p *Text) reports(from, i int) bool {
	switch w, next := p.Words[i].Text, p.textAt(i+1); {
	case reporters[w], rumours[w] && next == "has":
		return true
	case next == "that" && (doubted[w] || Claims[w] || rumours[w]):
		return !p.ownVoice(from, i)
	case opinions[w]:
		at := i - 1
		return at >= from && (speakers[p.Words[at].Text] || at > from && speakers[p.Words[at-1].Text] || p.Words[at].Text == "may" || p.Words[at].Text == "might")
	case accusing[w]:
		return slices.ContainsFunc(p.Words[i:min(len(p.Words), i+accusedReach)], func(w Word) bool { return w.Text == "of" })
	case wishing[w]:
		return next != "to"
	}
	return false
}

// accusedReach bounds in words how far behind an accusation stands what of.
const accusedReach = 5

// tells reports a word at i, in the clause that begins at from, that leads into what somebody else says: "a blog says that", "she was told
// that". What a rule or a source says is what the answer says.
func (p *Text) tells(from, i int) bool {
	behind := i + 1
	if addressing[p.Words[i].Text] && p.textAt(behind) != "that" {
		behind++
	} else if p.textAt(behind) == "to" { // somebody
		behind += 2
	}
	return p.textAt(behind) == "that" && !p.ownVoice(from, i)
}

// ownVoice reports words before the one at i by which the answer itself or a source speaks, or nobody does.
func (p *Text) ownVoice(from, i int) bool {
	for k := max(from, i-voiceReach); k < i; k++ {
		if voices[p.Words[k].Text] || p.Words[k].Denial {
			return true
		}
	}
	return false
}

// voiceReach bounds in words how far ahead of a word that says something its speaker is looked for.
const voiceReach = 8

var (
	saying     = Set(forms("say tell write state report argue believe think insist swear suggest hold convince feel declare announce predict hope promise"))
	addressing = Set(forms("tell"))
	voices     = Set(`i we let me our policy policies terms law laws section clause article contract agreement manual handbook documentation docs
		guideline guidelines guidance regulation regulations act rule rules statute label standard study studies evidence`)
)

// What somebody else is said to say: "some people believe", "critics argue".
var (
	reporters = Set("alleges alleged allegedly purports purportedly")
	doubted   = Set(forms("insist swear maintain contend assert allege suspect speculate fear shout proclaim guess complain advertise assume suppose pretend dream") +
		" hypothesis assumption suspicion allegation accusation speculation notion belief theory")
	opinions = Set(forms("believe think say argue assume suppose hold"))
	accusing = Set(forms("accuse suspect") + " acquitted")
	wishing  = Set("wish wishes wished")
	rumours  = Set("rumour rumours rumor rumors gossip legend")
	speakers = Set("people some many few others critics users customers rumours rumors sources skeptics sceptics")
)
