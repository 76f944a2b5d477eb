package score

import (
	"github.com/failproof/failproof/internal/answer"
	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/fact"
)

// reading holds the texts in which an answer is read.
type reading struct {
	sent    string        // what the model sent
	said    string        // the answer in sent, without reasoning
	visible string        // the visible text of said; with link targets only if labels may be addresses
	linked  string        // the visible text with its link targets
	text    *english.Text // visible as parsed English; the parser knows the names of the labels

	linkedText *english.Text                   // linked as parsed English; nil until needed
	work       int                             // work of the searches so far, limited by maxWork
	found      map[*fact.Fact]fact.MatchResult // of the facts that were searched
}

// newReading returns the reading of the text that a model sent as the answer to the case e.
func newReading(e *Expected, sent string) reading {
	r := reading{sent: sent}
	r.said, _ = answer.StripReasoning(sent)
	r.visible = answer.RemoveHidden(r.said)
	if r.linked = r.said; r.visible != r.said {
		r.linked = answer.RemoveHiddenKeepLinks(r.said)
	}
	var names *english.Names
	if e.Labels != nil {
		if names = e.Labels.Vocabulary; e.Labels.HasAddress() {
			r.visible = r.linked
		}
	}
	r.text = english.ParseWith(r.visible, names)
	return r
}

// prose returns the visible answer as parsed English with stems.
func (r *reading) prose() *english.Text { return r.text.StemWords() }

// linkedProse returns the answer with the targets of its links as parsed English with stems. Facts with an address are
// looked for in this text.
func (r *reading) linkedProse() *english.Text {
	if r.linkedText == nil {
		if r.linkedText = r.prose(); r.linked != r.visible {
			r.linkedText = english.Parse(r.linked)
		}
	}
	return r.linkedText
}

// isBlank reports whether the answer has no words, not even in the targets of its links.
func (r *reading) isBlank() bool { return len(r.text.Words) == 0 && len(r.linkedProse().Words) == 0 }

// searchFact looks for fact f in the answer, once. It also looks in the answer's link targets if f has an address.
// searched is false if maxWork was used up.
func (r *reading) searchFact(f *fact.Fact) (found fact.MatchResult, searched bool) {
	if found, searched = r.found[f]; searched {
		return found, true
	}
	if !r.spendWork(f.Cost(r.prose())) || f.HasAddress() && !r.spendWork(f.Cost(r.linkedProse())) {
		return found, false
	}
	found = f.Match(r.prose())
	if f.HasAddress() && found.Outcome != fact.Said {
		if linked := f.Match(r.linkedProse()); linked.Outcome != fact.NotFound {
			found = linked
		}
	}
	if r.found == nil {
		r.found = map[*fact.Fact]fact.MatchResult{}
	}
	r.found[f] = found
	return found, true
}

// maxWork is the largest amount of work for all facts and claims of one answer. It takes a few seconds.
const maxWork = 1 << 26

// spendWork adds work to the work of the searches, and reports whether the total stays within maxWork.
func (r *reading) spendWork(work int) bool {
	r.work += work
	return r.work <= maxWork
}
