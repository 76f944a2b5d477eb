package fact

import (
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/text"
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
			_, to := p.WordsAt(start, span[1])
			return &term{address: normalizeAddress(p.Source[span[0]:span[1]]), required: true}, to - i
		}
	}
	return nil, 0
}

// normalizeAddress returns an address in lower case, without its scheme, "www." and punctuation at its ends.
func normalizeAddress(address string) string {
	address = text.LowerASCII(address)
	for _, begin := range []string{"mailto:", "http://", "https://", "www."} {
		address = strings.TrimPrefix(address, begin)
	}
	return strings.TrimLeft(strings.TrimRight(address, "./,;:!?"), ".+-")
}

// aroundAddress are characters that stand around an address, and not in it.
const aroundAddress = " \n\t<>()[]\"'`*|"

// addressPlaces returns the places where the term's address stands. A part of a longer address does not count: the
// domain of a mailbox or of a subdomain, or a parent page. A page of a domain counts as the domain.
func (t *term) addressPlaces(p *english.Text) (out []place) {
	lower := text.LowerASCII(p.Source)
	for end := 0; ; {
		at := strings.Index(lower[end:], t.address)
		if at < 0 {
			return out
		}
		at += end
		begin := strings.LastIndexAny(lower[:at], aroundAddress) + 1
		end = at + len(t.address)
		if rest := strings.IndexAny(lower[end:], aroundAddress); rest >= 0 {
			end += rest
		} else {
			end = len(lower)
		}
		whole := normalizeAddress(lower[begin:end])
		if page := strings.TrimPrefix(whole, t.address); len(page) < len(whole) &&
			(page == "" || page[0] == '/' && !strings.Contains(t.address, "/")) {
			from, to := p.WordsAt(at, end)
			out = append(out, place{from, to})
		}
	}
}
