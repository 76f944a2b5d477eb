package suite

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suiteid"
)

// toolsRole is the role of a made-up message in Suite.shared that stands for the suite's tools.
const toolsRole = "tools"

// inPrompt reports whether a message belongs to the prompt. ownTurns is set if the message is sent for a case that has
// turns of its own. The user and assistant messages in the suite file are then the case's input, and do not belong to
// the prompt.
func (m *message) inPrompt(ownTurns bool) bool {
	return !ownTurns || !m.inSuiteFile || m.role == model.RoleSystem
}

func anyInPrompt(messages []message, ownTurns bool) bool {
	return slices.ContainsFunc(messages, func(m message) bool { return m.inPrompt(ownTurns) })
}

// messagesText returns the messages as text: for each a role, a colon and the indented text, so that no text looks like
// another message. paths maps files to the paths to show. If the text of a message is from one of these files, the path
// replaces the text, because the report shows the change of the file itself.
func messagesText(messages []message, ownTurns bool, paths map[string]string) string {
	var out strings.Builder
	for i := range messages {
		m := &messages[i]
		path, known := "", false
		if m.files != nil {
			path, known = paths[m.files[0].Path]
		}
		switch {
		case !m.inPrompt(ownTurns):
			out.WriteString(m.role + ": …\n")
		case !known:
			out.WriteString(m.role + ":\n  " + strings.ReplaceAll(strings.TrimSuffix(m.text, "\n"), "\n", "\n  ") + "\n")
		case m.container == nil:
			out.WriteString(m.role + ": " + strconv.Quote(path))
			for _, f := range m.files[1:] {
				out.WriteString(" " + strconv.Quote(cmp.Or(paths[f.Path], f.Path)))
			}
			out.WriteString("\n")
		case i == 0 || messages[i-1].container != m.container: // one file may hold several messages
			out.WriteString(strconv.Quote(path) + "\n")
		}
	}
	return out.String()
}

// caseMessages returns the messages that are sent only for case c. ownTurns reports whether the case has turns of its
// own.
func (s *Suite) caseMessages(c *Case) (messages []message, ownTurns bool) {
	if c.parsed == nil || c.parsed.source == nil || c.parsed.source.shared == nil && !s.JSONLines {
		return nil, false
	}
	return c.parsed.source.ownMessages(), c.parsed.source.shared != nil
}

// MessageChange is a part of the prompt, one or more messages, on both sides.
type MessageChange struct {
	Base, Head string // in the form that messagesText returns
	// ids on the head of the cases that send these messages; nil: all cases of the suite
	Cases []string
}

// ChangedMessages returns at most limit differences between the prompts of both sides. They are in messages, roles,
// order, and text in the suite's own file. Changes of files are left out, because ChangedFiles returns them. The
// messages that all cases share come first. The messages of some cases follow, and equal ones are joined.
func ChangedMessages(m suiteid.Matches, base, head *Suite, limit int) (changed []MessageChange) {
	basePaths, headPaths := keptFiles(base, head)
	compare := func(was, later []message, ownTurns bool) (MessageChange, bool) {
		if !anyInPrompt(was, ownTurns) && !anyInPrompt(later, ownTurns) {
			return MessageChange{}, false
		}
		p := MessageChange{Base: messagesText(was, ownTurns, basePaths), Head: messagesText(later, ownTurns, headPaths)}
		return p, p.Base != p.Head
	}
	if p, differs := compare(base.shared, head.shared, false); differs {
		changed = append(changed, p)
	}
	changes := messageChanges(changed)
	for p := range (Pairing{m, []*Suite{base}, []*Suite{head}}).Pairs() {
		if p.Base == nil || p.Head == nil || p.Base.Keys().RequestKey == p.Head.Keys().RequestKey {
			continue
		}
		was, wasOwn := p.BaseSuite.caseMessages(p.Base)
		later, laterOwn := p.HeadSuite.caseMessages(p.Head)
		if change, differs := compare(was, later, wasOwn || laterOwn); differs && !changes.add(change, p.Head.ID, limit) {
			break
		}
	}
	return changes.entries(head)
}

// MovedMessages returns at most limit differences between the messages of cases that moved from another suite to the
// suite head.
func MovedMessages(moved []Pair, head *Suite, limit int) []MessageChange {
	var changes messageChanges
	for _, p := range moved {
		if p.Base.Keys().RequestKey == p.Head.Keys().RequestKey {
			continue
		}
		kept := map[string]string{}
		for _, f := range p.HeadSuite.Files {
			if slices.ContainsFunc(p.BaseSuite.Files, func(b SentFile) bool { return b.Path == f.Path }) {
				kept[f.Path] = f.Path
			}
		}
		change := MessageChange{Base: messagesText(p.BaseSuite.shared, false, kept),
			Head: messagesText(head.shared, false, kept)}
		was, wasOwn := p.BaseSuite.caseMessages(p.Base)
		if now, nowOwn := p.HeadSuite.caseMessages(p.Head); anyInPrompt(was, wasOwn) || anyInPrompt(now, nowOwn) {
			change.Base += messagesText(was, wasOwn, kept)
			change.Head += messagesText(now, nowOwn, kept)
		}
		if change.Base != change.Head && !changes.add(change, p.Head.ID, limit) {
			break
		}
	}
	return changes.entries(head)
}

// messageChanges are changed messages that are sent only for some cases of a suite. Equal changes of several cases are
// one entry.
type messageChanges []MessageChange

// add adds the case id to the entry that has the same messages as pair. If there is none, it appends pair as a new
// entry. It returns false if a new entry would exceed limit.
func (m *messageChanges) add(pair MessageChange, id string, limit int) bool {
	at := slices.IndexFunc(*m, func(p MessageChange) bool { return p.Cases != nil && p.Base == pair.Base && p.Head == pair.Head })
	if at < 0 {
		if at = len(*m); at >= limit {
			return false
		}
		*m = append(*m, pair)
	}
	(*m)[at].Cases = append((*m)[at].Cases, id)
	return true
}

// entries returns the entries. An entry that concerns all cases of the suite head has no case ids.
func (m messageChanges) entries(head *Suite) []MessageChange {
	for i := range m {
		if len(m[i].Cases) == len(head.Cases) {
			m[i].Cases = nil
		}
	}
	return m
}

// keptFiles returns two maps from paths to paths on the head. before has the base's paths of the files that the head
// still uses, and now has the head's own paths.
func keptFiles(base, head *Suite) (before, now map[string]string) {
	before, now = map[string]string{}, map[string]string{}
	pairs, _ := pairedFiles(base, head)
	for _, p := range pairs {
		now[p.Head.Path] = p.Head.Path
		if p.Base.Path != "" {
			before[p.Base.Path] = p.Head.Path
		}
	}
	return before, now
}
