package fact

import (
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// addressPattern matches the address of a page or a mailbox: https://acme.com/refund, www.acme.com, support@acme.com.
var addressPattern = regexp.MustCompile(`(?i)(?:https?://|www\.)[^\s<>()"']+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|` +
	`\b(?:[a-z0-9-]+\.)+(?:com|org|net|gov|edu|io)\b(?:/[^\s<>()"']*)?`)

// addressTerm returns a term for the address that begins with the word at i, or nil if there is no address. addresses
// has the byte ranges of the addresses in the text. used is the number of words in the address.
func addressTerm(p *english.Text, addresses [][]int, i int) (t *term, used int) {
	start := int(p.Words[i].Start)
	for _, span := range addresses {
		if span[0] <= start && start < span[1] {
			return &term{address: normalizeAddress(p.Source[span[0]:span[1]]), required: true}, wordCount(p, i, span[1])
		}
	}
	return nil, 0
}

// wordCount returns the number of words from the word at i to the byte offset end. It is at least one.
func wordCount(p *english.Text, i, end int) int {
	_, to := p.WordsAt(int(p.Words[i].Start), end)
	return max(1, to-i)
}

// normalizeAddress returns an address in lower case, without its scheme, "www." and punctuation at its ends.
func normalizeAddress(text string) string {
	text = strings.ToLower(text)
	for _, begin := range []string{"http://", "https://", "www."} {
		text = strings.TrimPrefix(text, begin)
	}
	return strings.TrimLeft(strings.TrimRight(text, "./,;:!?"), ".+-")
}

// addressLength returns the number of words if the term's address begins at i, or else 0. A part of a longer address
// does not count: the domain of a mailbox or of a subdomain, or a parent page.
func (t *term) addressLength(p *english.Text, i int) int {
	if p.Lower == "" {
		p.Lower = strings.ToLower(p.Source)
	}
	text, start := p.Lower, int(p.Words[i].Start)
	if len(text) != len(p.Source) || !strings.HasPrefix(text[start:], t.address) {
		return 0 // lower-casing changed the length of a letter, so no offset is right
	}
	end := start + len(t.address)
	ahead, behind := strings.TrimSuffix(text[:start], "www."), text[end:]
	if english.IsWordRuneBefore(ahead, len(ahead)) || strings.HasSuffix(ahead, "@") || strings.HasSuffix(ahead, "-") ||
		strings.HasSuffix(ahead, ".") || english.IsWordRuneAt(behind, 0) {
		return 0
	}
	if behind != "" && strings.IndexByte(".-_@/", behind[0]) >= 0 && english.IsWordRuneAt(behind, 1) &&
		(behind[0] != '/' || strings.Contains(t.address, "/")) {
		return 0
	}
	return wordCount(p, i, end)
}
