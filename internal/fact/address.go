package fact

import (
	"regexp"
	"sort"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// address finds pages and mailboxes: https://acme.com/refund, www.acme.com, support@acme.com, acme.com/help.
var address = regexp.MustCompile(`(?i)(?:https?://|www\.)[^\s<>()"']+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:[a-z0-9-]+\.)+(?:com|org|net|gov|edu|io)\b(?:/[^\s<>()"']*)?`)

// addressed are the places of the addresses of a text, in bytes.
type addressed [][]int

func addresses(p *english.Text) addressed {
	if !strings.Contains(p.Source, ".") {
		return nil
	}
	return address.FindAllStringIndex(p.Source, -1)
}

// term returns the address that begins with the word at i, and its words; nil if none does.
func (a addressed) term(p *english.Text, i int) (t *term, used int) {
	start := int(p.Words[i].Start)
	at := sort.Search(len(a), func(k int) bool { return a[k][1] > start })
	if at == len(a) || a[at][0] > start {
		return nil, 0
	}
	_, to := p.WordsAt(start, a[at][1])
	return &term{address: bare(p.Source[a[at][0]:a[at][1]]), number: true}, max(1, to-i)
}

// bare is an address in lower case, without its scheme, "www." and the marks behind it.
func bare(text string) string {
	text = strings.ToLower(text)
	for _, begin := range []string{"http://", "https://", "www."} {
		text = strings.TrimPrefix(text, begin)
	}
	return strings.TrimLeft(strings.TrimRight(text, "./,;:!?"), ".+-")
}

// addressAt returns how many words of the address begin at i; 0 if it does not stand there.
func (t *term) addressAt(p *english.Text, i int) int {
	text, start := lowered(p), int(p.Words[i].Start)
	if len(text) != len(p.Source) || !strings.HasPrefix(text[start:], t.address) || !t.whole(text, start, start+len(t.address)) {
		return 0 // where a letter changed its length, no place would be right
	}
	_, to := p.WordsAt(start, start+len(t.address))
	return max(1, to-i)
}

// whole reports an address that is not part of another one: of a mailbox, a longer name of a server, or a page below another.
func (t *term) whole(text string, start, end int) bool {
	if start > 0 && (english.WordBefore(text, start) || strings.ContainsRune("@-", rune(text[start-1]))) || start > 4 && text[start-1] == '.' && text[start-4:start] != "www." {
		return false
	}
	if end == len(text) {
		return true
	}
	switch c := text[end]; c {
	case '/':
		return !strings.Contains(t.address, "/") || !english.WordAt(text, end+1)
	case '.', '-', '_', '@':
		return !english.WordAt(text, end+1)
	}
	return !english.WordAt(text, end)
}
