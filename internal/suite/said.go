package suite

import (
	"strings"

	"github.com/failproof/failproof/internal/model"
)

// said is what of messages stands in the file that is read, role by role: what is read from a file of its own shows there.
func said(messages []message, is func(message) bool) string {
	var out strings.Builder
	for _, m := range messages {
		if m.from.Path == "" && is(m) {
			out.WriteString(m.role + ":\n" + strings.TrimRight(m.text, "\n") + "\n")
		}
	}
	return out.String()
}

// said is what a prompt that cases share says in their own file. A nil prompt says nothing.
func (p *prompt) said() string {
	if p == nil {
		return ""
	}
	return said(p.messages, func(message) bool { return true })
}

// saidToIt is what a case alone has its file say as a prompt: its turns of the system, or all of a prompt of its own. Its other turns are its input.
func (p *prompt) saidToIt(shared bool) string {
	switch {
	case p.of != nil:
		return said(p.own(), func(m message) bool { return m.role == model.RoleSystem })
	case shared:
		return ""
	}
	return p.said()
}

// SaidPair is what stands in a suite's file and is sent as the prompt, as both sides have it.
type SaidPair struct {
	Base, Head string   // "role:\ntext\n" for each message, variables not filled in
	Cases      []string // that are sent it, by the head's ids; nil: all of the suite
}

// ChangedSayings returns what the files of a suite's both sides say otherwise as a prompt, at most so many things: what all cases are sent, and then what
// some are sent alone, equal ones together.
func ChangedSayings(base, head *Suite, most int) (changed []SaidPair) {
	if base.Said != head.Said {
		changed = append(changed, SaidPair{Base: base.Said, Head: head.Said})
	}
	if !base.SaysEach && !head.SaysEach {
		return changed
	}
	places := map[[2]string]int{}
	for p := range matchingOf([]*Suite{base}).cases(base, head) {
		if p.Base == nil || p.Head == nil || p.Base.Keys().RequestKey == p.Head.Keys().RequestKey {
			continue
		}
		was, is := p.Base.Open().said, p.Head.Open().said
		if was == is {
			continue
		}
		at, known := places[[2]string{was, is}]
		if !known {
			if len(changed) >= most {
				break
			}
			at, changed = len(changed), append(changed, SaidPair{Base: was, Head: is})
			places[[2]string{was, is}] = at
		}
		changed[at].Cases = append(changed[at].Cases, p.Head.ID)
	}
	for i := range changed {
		if len(changed[i].Cases) == head.Cases.Len() { // as lines are that have one prompt each
			changed[i].Cases = nil
		}
	}
	return changed
}
