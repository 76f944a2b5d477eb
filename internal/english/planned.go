package english

import "strings"

var (
	// Verbs that tell of what is to come, with what leads to that.
	intending = Set(forms("plan aim intend hope expect prepare schedule strive wait") + " planned planning")
	nearing   = Set("ready set slated going about yet track way due") // the same, behind an auxiliary
	toward    = Set("to for toward towards")
	// What is set for a day is so then, and is not done.
	arranged = Set("planned scheduled slated set")
	// Words right behind which stands what is to come.
	awaiting = Set("pending awaiting seeking pursuing")
	// What is said of what is to come, behind a verb.
	ahead = Set("pending planned scheduled underway intended")
	// Auxiliaries that a verb behind "to" has.
	infinitives = Set("be been being have am")
)

// is reports a text that says of something that it is or was so, neither as a duty nor as what will or can be; done, by the form of a past too.
func (p *Text) is() (so, done bool) {
	for i := range p.Words {
		w := &p.Words[i]
		if w.Is(IsDuty|IsHedge) || modal[w.Text] || w.Text == "to" && (infinitives[p.textAt(i+1)] || i > 0 && p.Words[i-1].Is(isAuxiliary)) ||
			p.intends(i, true) || p.impends(i, true) {
			return false, false
		}
		done = done || w.Past()
		so = so || done || w.Is(isAuxiliary)
	}
	return so, done
}

var modal = Set("will would shall should can could must")

// planned reports a word at i that stands behind what tells in its clause that it is to come, in so many words: "is preparing for certification",
// "plans to be certified", or before: "certification is pending".
func (p *Text) planned(i int, done bool) bool {
	c := &p.Clauses[p.Words[i].Clause]
	for k := i - 1; k > max(c.First, i-statementReach); k-- {
		if w := &p.Words[k]; p.intends(k, done) {
			return true
		} else if w.Is(isAuxiliary) && !infinitives[w.Text] || w.Text == "that" {
			break
		}
	}
	for k := i + 1; k < min(c.Last, i+statementReach); k++ {
		if p.impends(k, done) {
			return true
		}
	}
	return false
}

// intends reports a word at i that says of what stands behind it that it is to come. What a reader plans, or anybody should, says nothing of that.
func (p *Text) intends(i int, done bool) bool {
	w, next := p.Words[i].Text, p.textAt(i+1)
	who := i - 1
	for who > i-nearReach && who > 0 && p.Words[who].Is(isAuxiliary) {
		who--
	}
	noun := (w == "plan" || w == "plans") && (next != "to" || i > 0 && determiners[p.Words[i-1].Text]) // the plan for teams
	if noun || arranged[w] && next == "for" && !done {
		return false
	}
	if who < 0 || p.Parted(i) || p.Parted(i+1) || p.Words[who].Text == "to" || p.Words[who].Text == "you" {
		return false
	}
	switch third := p.textAt(i + 2); {
	case toward[next] && intending[w], w == "process" && next == "of" && strings.HasSuffix(third, "ing"), strings.HasPrefix(next, "toward") && strings.HasPrefix(w, "work"):
		return true
	case !awaiting[w] && !(toward[next] && nearing[w]) || w == "due" && third != "be":
		return false
	}
	for k := i - 1; k >= max(0, i-nearReach) && p.within(k, i); k-- {
		if p.Words[k].Is(isAuxiliary) {
			return true
		}
	}
	return false
}

// nearReach bounds in words how far before "ready to" its auxiliary or its subject stands.
const nearReach = 3

// impends reports a word at i that says so of what stands before it.
func (p *Text) impends(i int, done bool) bool {
	w := p.Words[i].Text
	return i > 0 && (ahead[w] && (done || !arranged[w]) && p.Words[i-1].Is(isAuxiliary) || w == "progress" && p.Words[i-1].Text == "in")
}
