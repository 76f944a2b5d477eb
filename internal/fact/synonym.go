package fact

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/failproof/failproof/internal/english"
)

// Synonyms are groups of words and phrases that mean the same. The zero value has no groups.
type Synonyms struct {
	groups       [][][]string // stems
	groupsByStem map[string][]int
}

// synonymTable are the built-in groups: everyday words that answers use for each other, and words of rules and
// deadlines.
var synonymTable = strings.Split(`must shall required mandatory obligatory obliged compulsory have_to has_to had_to need_to needs_to needed necessary is_due are_due falls_due,
may can allowed permitted permissible welcome, possible can able, entitled_to right_to eligible_for qualify_for,
multi-factor_authentication multifactor_authentication MFA two-factor_authentication 2FA two-step_verification,
notify inform report notification tell alert let_know, written in_writing, yearly annually annual, twice two_times,
immediately instantly without_delay at_once promptly straight_away right_away, at_rest stored, begin start commence launch,
valid_until ends_on expires_on runs_until lasts_until end expire, valid_for expires_after expires_in expire_after expire_in,
move reschedule, end finish expire run_out terminate lapse, version v, purchase buy acquire, order purchase,
produce make manufacture, extend prolong lengthen, postpone delay put_off defer push_back, cancel call_off,
reject decline turn_down vote_down throw_out dismiss, dismiss fire sack lay_off, approve authorise sign_off,
return send_back give_back hand_back bring_back get_back, refund reimburse pay_back money_back get_back, repay pay_back pay_off,
pay cost price charge, fee charge cost, repair fix mend, choose select pick opt_for, delete erase remove wipe, send ship dispatch mail,
delivery shipping deliver ship, keep store retain, check inspect examine verify, assess evaluate, happen occur take_place,
build construct, founded established set_up started_up, complete finish,
increase rise rose grow go_up is_up was_up are_up were_up up_by climb,
decrease reduce fall drop go_down is_down was_down are_down were_down down_by, receive obtain get, provide supply offer,
include comprise contain come_with cover, reply answer respond, teach instruct, show display, use employ, liable responsible accountable,
supplier vendor, employee staff worker personnel, customer client, company firm business, child kid, doctor physician,
lawyer attorney solicitor, tenant renter, landlord lessor, administrator admin, holiday vacation annual_leave time_off,
paid_leave paid_holiday paid_vacation paid_time_off, contract agreement, deadline due_date time_limit, salary wage, illness disease,
medicine drug medication, fridge refrigerator, flat apartment, shop store, rubbish garbage trash waste, luggage baggage, film movie,
photo picture, phone telephone, mistake error, sick ill, big large, size larger bigger smaller, length longer shorter,
height taller higher, weight heavier weigh, fast quick rapid, dangerous hazardous, lift elevator,
hand_luggage cabin_baggage hand_baggage carry-on, leave depart set_off, late delay,
ahead_of_schedule ahead_of_time earlier_than_planned early, double twice_as_high twice_as_much twice_as_many twice_as_large,
age old older, additional extra further, approximately roughly, enough sufficient, frequently often, free complimentary gratis,
submit hand_in send_in lodge turn_in file, cover pay_for, contact reach get_in_touch, support assistance help, tablet pill, dose dosage,
injection shot jab, operation surgery, side_effect adverse_effect adverse_reaction, allergic allergy, kidney renal,
hypertension high_blood_pressure, drowsy sleepy drowsiness sleepiness, after_meals after_a_meal after_eating after_food,
before_meals before_a_meal before_eating before_food, automatically by_itself on_its_own, manually by_hand, log_in sign_in login,
log_out sign_out log_off, turn_off switch_off disable deactivate shut_down, turn_on switch_on enable activate, app application,
computer PC, memory RAM, password passcode, website site, configuration config setting, outage downtime, bug defect, restart reboot,
crash go_down, invoice bill, fine penalty, discount rebate price_reduction off, deposit down_payment, instalment installment,
profit earnings, revenue turnover, parcel package shipment, item product goods, damaged broken faulty defective out_of_order,
warranty guarantee, apply_for ask_for request, register sign_up enrol, resign quit step_down, hire recruit take_on, elect vote_in,
travel journey trip, car vehicle, bike bicycle, guest visitor, participant attendee, test exam examination, job position,
boss manager supervisor, colleague co-worker, weekday working_day business_day, around_the_clock 24/7 24_hours_a_day day_and_night,
anytime any_time whenever at_all_times, entire whole, total overall, main primary, important essential crucial vital, correct accurate,
difficult hard, easy simple, cheap inexpensive low-cost, valid in_force in_effect, confidential secret, data information,
law legislation statute, authority regulator, court tribunal, breach violation infringement, consent permission, proof evidence,
document paper, accompanied escorted supervised, located situated, suspended paused put_on_hold, block freeze, arrive get_in get_here`, ",")

// builtInGroups returns the groups of synonymTable, parsed as English once.
var builtInGroups = sync.OnceValue(func() (groups [][][]string) {
	for _, group := range synonymTable {
		groups = append(groups, phrases(group))
	}
	return groups
})

// NewSynonyms returns synonyms with the built-in groups, and with a group for each word in extra and its synonyms.
func NewSynonyms(extra map[string][]string) *Synonyms {
	s := &Synonyms{groupsByStem: map[string][]int{}}
	for _, group := range builtInGroups() {
		s.add(group)
	}
	for _, word := range slices.Sorted(maps.Keys(extra)) {
		s.add(stems(append([]string{word}, extra[word]...)...))
	}
	return s
}

func (s *Synonyms) add(phrases [][]string) {
	for _, stems := range phrases {
		s.groupsByStem[stems[0]] = append(s.groupsByStem[stems[0]], len(s.groups))
	}
	s.groups = append(s.groups, phrases)
}

// findGroups looks for the longest phrase of any group that begins at i. It returns the groups that have this phrase,
// and its length in words.
func (s *Synonyms) findGroups(words []english.Word, i int) (groups []int, length int) {
	for _, g := range s.groupsByStem[words[i].Stem] {
		for _, phrase := range s.groups[g] {
			if n := len(phrase); hasStemsAt(words, i, phrase) && n >= length {
				if n > length {
					groups, length = nil, n
				}
				groups = append(groups, g)
			}
		}
	}
	return slices.Compact(groups), length
}

// onlyPhrases are phrases that mean "only", "nobody else" or "nothing else".
var onlyPhrases = phrases(`only solely exclusively nobody_else no_one_else nothing_else none_but nobody_but no_one_but nothing_but
	nobody_except no_one_except none_except nothing_except reserved restricted limited alone`)

// deniedForms returns other ways to say a word that the fact denies: forbidden for not allowed, without for not needed.
func deniedForms(w english.Word) [][]string {
	switch {
	case permissionWords[w.Text]:
		return forbiddenPhrases
	case necessityWords[w.Text] || w.Is(english.IsDuty):
		return withoutPhrases
	}
	return nil
}

var (
	permissionWords  = english.Set("allowed permitted possible permissible")
	necessityWords   = english.Set("needed necessary")
	forbiddenPhrases = phrases("forbidden prohibited banned disallowed")
	withoutPhrases   = phrases("without_a without_an without_any")
)

var (
	particles  = english.Set("up in out on off down over back")
	lightVerbs = english.Set(`lasts lasted lasting take takes took taken need needs needed get gets happens happened occurs
		occurred located situated`)
	// boundWords are words that only name the bound of an amount.
	boundWords = english.Set("maximum max minimum min limit limited exceed exceeds exceeding cap capped below above " +
		"beyond")
	// addressees are the stems of words for people whom an answer may call "you".
	addressees = func() map[string]bool {
		m := map[string]bool{}
		for _, s := range phrases(`customer client user guest visitor tenant renter employee worker staff member subscriber
			passenger traveller applicant candidate student patient participant buyer shopper borrower cardholder
			policyholder holder driver resident taxpayer player owner`) {
			m[s[0]] = true
		}
		return m
	}()
)

// hasStemsAt reports whether the stems of a phrase begin at i.
func hasStemsAt(words []english.Word, i int, phrase []string) bool {
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

// occurrences returns the index of each word at which the stems of the phrase begin.
func occurrences(p *english.Text, phrase []string) (out []int) {
	for i := p.FirstOf(phrase[0]); i != english.NoWord; i = p.Next[i] {
		if hasStemsAt(p.Words, int(i), phrase) {
			out = append(out, int(i))
		}
	}
	return out
}
