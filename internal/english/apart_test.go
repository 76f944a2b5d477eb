package english

import (
	"strings"
	"testing"
)

// Each line is one word in its forms; no two lines may have a stem in common.
const wordFamilies = `
universe universes
university universities
universal universally
organ organs
organize organised organization organisations
organic organically
general generally
generic
generate generated generation
generous generously
news
new newer
past
paste pasted
import imports imported
important importance importantly
intern interns
internal internally
international internationally
experience experienced
experiment experiments experimental
author authors
authority authorities
authorise authorized authorization
community communities
communicate communicated communication
position positions
positive positively
several
severe severely
severity
polite politely
political politics politically
inform information
informal informally
depart departs departed
department departments departmental
apart
apartment apartments
custom customs
customer customers
critic critics criticism
critical critically
terminate terminated termination
terminal terminals
liberal liberals
liberate liberated
moral morals
morale
human humans
humane
converse conversely
conversation conversations
conversion conversions
process processes processed
procession
success successful
succession
direct directly
director directors
directive directives
deposit deposits
deposition
response responses
responsible responsibility responsibly
account accounts
accountable accountability
accountant accountants
negligent negligence
negligible negligibly
object objects
objection objections
objective objectives objectively
execute executed execution
executive executives
office offices
officer officers
major
majority majorities
detect detected detection
detective detectives
consider considered
considerable considerably
respect respects respectful
respective respectively
subject subjects
subjective subjectively
transit
transition transitions
unit units
unite united
project projects
projection projections
competition competitive
competent competence
compete competed
publish published
public publicly
publication publications
publicity
extension
extensive extensively
expense expenses
expensive
integrate integrated integration
integrity
reason reasons
reasonable reasonably
status
statue statues`

func TestWordsOfDifferentMeaningHaveDifferentStems(t *testing.T) {
	families := map[string]string{}
	for family := range strings.Lines(strings.TrimSpace(wordFamilies)) {
		for word := range strings.FieldsSeq(family) {
			s := WordStem(word)
			if other := families[s]; other != "" && other != family {
				t.Errorf("%s has the stem %s of %s", word, s, other)
			}
			families[s] = family
		}
	}
}

func TestFormsOfOneWordHaveOneStem(t *testing.T) {
	for _, forms := range []string{
		"university universities", "universal universally", "organize organised organization organisations", "authority authorities",
		"customer customers", "responsible responsibility", "refund refunds refunded", "guarantee guarantees guaranteed",
		"important importance", "critical critically", "department departments", "officer officers", "paste pasted",
	} {
		stems := map[string]bool{}
		for form := range strings.FieldsSeq(forms) {
			stems[WordStem(form)] = true
		}
		if len(stems) != 1 {
			t.Errorf("%s: %d stems %v, want 1", forms, len(stems), stems)
		}
	}
}
