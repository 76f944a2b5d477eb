package fact

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

var romans = map[string]string{"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "x": "10", "xi": "11", "xii": "12"}

// designated gives the letters and Roman numerals that tell things of a kind apart the kind that they stand behind: the II of Type II, the B of
// hepatitis B, also where they are terms only so, as the A of Plan A is. They are never left out.
func designated(p *english.Text, out []*term, of []int) []*term {
	for i := 1; i < len(p.Words); i++ {
		kind := of[i-1]
		if kind == english.NoWord || kind == of[i] || len(out[kind].forms) == 0 || !designates(p, i) {
			continue
		}
		if of[i] == english.NoWord && len(out) < mostTerms {
			of[i] = len(out)
			out = append(out, &term{forms: [][]string{{p.Words[i].Stem}}, text: p.Words[i].Text})
		}
		if t := of[i]; t != english.NoWord {
			out[t].number, out[t].kind = true, out[kind].forms
			if n := romans[p.Words[i].Text]; n != "" {
				out[t].forms = append(slices.Clip(out[t].forms), []string{n})
			}
		}
	}
	return out
}

// designates reports a capital letter or a Roman numeral behind the name of a kind. One between two names is an initial; an I may be the writer.
func designates(p *english.Text, i int) bool {
	w, behind := p.Words[i].Text, p.Source[p.Words[i].End:]
	next := i+1 < len(p.Words) && (!p.Parted(i+1) || strings.HasPrefix(behind, ". "))
	if p.Parted(i) || !p.Content(i-1) || p.Words[i-1].Amount || !p.Upper(i) || p.Words[i].Amount || p.Words[i].Signed || strings.IndexAny(behind, "-/&'") == 0 {
		return false // A/B, X-ray
	}
	if w == "i" {
		return p.Upper(i-1) || !next
	}
	return len(w) > 1 && romans[w] != "" || len(w) == 1 && !(p.Upper(i-1) && next && p.Upper(i+1))
}

// tells reports that a designation at i stands behind its kind, alone or in a list: Plans A and B. Without any kind, only one that is no word may stand.
func (t *term) tells(p *english.Text, i int) bool {
	if t.kind == nil {
		return true
	}
	word := p.Words[i].Is(english.IsFunction)
	if word && !p.Upper(i) {
		return false
	}
	k := i - 1
	for k > max(0, i-listReach) && p.Sentence(k) == p.Sentence(i) && (listing[p.Words[k].Text] || len(p.Words[k].Text) == 1 || romans[p.Words[k].Text] != "") {
		k--
	}
	if k < 0 || k == i-1 && p.Parted(i) || p.Sentence(k) != p.Sentence(i) || !p.Content(k) {
		return !word
	}
	return slices.ContainsFunc(t.kind, func(form []string) bool { return form[len(form)-1] == p.Words[k].Stem })
}

// listReach bounds in words a list of which something is a member.
const listReach = 64

var listing = english.Set("and or to nor")
