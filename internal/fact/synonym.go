package fact

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/failproof/failproof/internal/english"
)

// Synonyms are groups of words and phrases that mean the same. The zero value holds those that are built in.
type Synonyms struct {
	groups [][][]string // stems
	of     map[string][]int
}

// same are the groups that are built in: everyday words that answers put for each other, and words of rules and deadlines.
var same = strings.Split(`must shall required mandatory obligatory obliged have_to has_to need_to needs_to, may allowed permitted,
multi-factor_authentication multifactor_authentication MFA two-factor_authentication 2FA, notify inform report notification, written in_writing,
yearly annually annual every_year once_a_year each_year, monthly every_month once_a_month each_month, weekly every_week once_a_week each_week,
daily every_day once_a_day each_day, quarterly every_quarter once_a_quarter, twice two_times,
immediately without_delay at_once promptly straight_away right_away, at_rest stored, begin start commence, end finish expire run_out, version v,
maximum max, deliver delivery, recover recovery, purchase buy acquire, produce make manufacture, extend prolong lengthen, postpone delay put_off,
cancel call_off, reject decline turn_down vote_down throw_out dismiss, dismiss fire sack lay_off, approve authorise sign_off,
return send_back give_back hand_back, refund reimburse pay_back money_back, repair fix mend, choose select pick, delete erase,
send ship dispatch, keep store retain, check inspect examine verify, assess evaluate, happen occur take_place, build construct, complete finish,
increase rise grow go_up, decrease reduce fall drop go_down, receive obtain get, provide supply offer, reply answer respond, teach instruct,
show display, use employ, entitled_to right_to, liable responsible, supplier vendor, employee staff worker, customer client, company firm,
child kid, doctor physician, lawyer attorney, tenant renter, holiday vacation annual_leave time_off, contract agreement,
deadline due_date time_limit, salary wage, illness disease, medicine drug medication, fridge refrigerator, flat apartment, shop store,
rubbish garbage trash waste, luggage baggage, film movie, photo picture, phone telephone, mistake error, sick ill, big large, fast quick rapid,
dangerous hazardous, additional extra further, approximately roughly, enough sufficient, frequently often`, ",")

// builtIn are the groups of same, which are read once: each is read as English.
var builtIn = sync.OnceValue(func() (groups [][][]string) {
	for _, group := range same {
		groups = append(groups, phrases(group))
	}
	return groups
})

// NewSynonyms returns the built-in groups with those of extra, which maps a word to what means the same.
func NewSynonyms(extra map[string][]string) *Synonyms {
	s := &Synonyms{of: map[string][]int{}}
	for _, group := range builtIn() {
		s.add(group)
	}
	for _, word := range slices.Sorted(maps.Keys(extra)) {
		s.add(stems(append([]string{word}, extra[word]...)...))
	}
	return s
}

func (s *Synonyms) add(phrases [][]string) {
	for _, stems := range phrases {
		s.of[stems[0]] = append(s.of[stems[0]], len(s.groups))
	}
	s.groups = append(s.groups, phrases)
}

// find returns the groups that have the phrase which stands at i, and the length of the longest such phrase in words.
func (s *Synonyms) find(words []english.Word, i int) (groups []int, length int) {
	for _, g := range s.of[words[i].Stem] {
		for _, phrase := range s.groups[g] {
			if n := len(phrase); stands(words, i, phrase) && n >= length {
				if n > length {
					groups, length = nil, n
				}
				groups = append(groups, g)
			}
		}
	}
	return slices.Compact(groups), length
}

// stands reports a phrase at i.
func stands(words []english.Word, i int, phrase []string) bool {
	if i+len(phrase) > len(words) {
		return false
	}
	for k, s := range phrase {
		if words[i+k].Stem != s {
			return false
		}
	}
	return true
}

// occurrences are the words of a text at which the stems of a phrase stand in a row.
func occurrences(p *english.Text, phrase []string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := p.FirstOf(phrase[0]); i != english.NoWord; i = p.Next[i] {
			if stands(p.Words, int(i), phrase) && !yield(int(i)) {
				return
			}
		}
	}
}
