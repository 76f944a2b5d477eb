package fact

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// antonymTable are rows of words that contradict each other. In a row with |, each side contradicts the other. With =,
// denying a word of one side also means the other side: not open is closed. With >, only the right side contradicts the
// left. In a row without these signs, each word contradicts all others.
var antonymTable = strings.Split(`must shall required mandatory have_to has_to > may might can could voluntary voluntarily, may > must shall required mandatory have_to has_to,
only > not_only not_just not_merely, more greater higher larger bigger longer better | less fewer lower smaller shorter worse,
most highest largest biggest longest best | least fewest lowest smallest shortest worst, above over exceeding | below under,
before prior | after following, earlier sooner faster quicker | later slower,
increase increased rise rose risen grow grew grown gain gained climb climbed | decrease decreased fall fell fallen drop dropped decline declined shrink shrank lose lost,
raise raised lift lifted improve improved | lower lowered reduce reduced worsen worsened, first | last, minimum min | maximum max,
always | sometimes rarely, all every each | some no, include included including cover covered = exclude excluded excluding,
open opens = close closes closed shut, start starts begin begins | end ends stop stops finish, enable enabled = disable disabled,
accept accepted approve approved = reject rejected declined turned_down, buy purchase bought | sell sold, import | export, upload | download,
add added | remove removed delete deleted, internal inbound incoming | external outbound outgoing, public | private confidential,
pass passed succeed = fail failed, work functional operational effective = broken defective out_of_order useless, in_stock available = sold_out out_of_stock, present = absent, online = offline, alive = dead,
win won | lose lost, cheap cheaper | expensive, early ahead | late behind, north northern | south southern,
east eastern | west western, left | right, same = different, safe = dangerous hazardous, legal lawful | illegal unlawful, true = false,
debit | credit, employer | employee, buyer customer | seller, lender | borrower, landlord | tenant, winter | summer, morning | evening,
strong | weak, permanent | temporary, automatic automatically | manual manually, hot heat | cold cool,
indoor indoors inside | outdoor outdoors outside, lock locked | unlock unlocked, weekday weekdays | weekend weekends, hire hired | fire fired,
send sent sender | receive received recipient, lend lent | borrow borrowed, arrive arrival arrived | depart departure departed, gross | net,
inclusive | exclusive, fixed | variable, short | long, dry | wet moist damp, full | empty, clean | dirty, heavy | light, loud | quiet, hard | soft, near | far, wide | narrow, deep | shallow,
thick | thin, raw | cooked, visible | hidden, confirm confirmed | deny denied, add | subtract, male | female, adult adults | child children minor minors,
national | international, online | in_person, credit_card | debit_card, hardware | software, breakfast lunch dinner, new | old, top | bottom, upper | lower, front | back rear, domestic | foreign,
day | night, input | output, inhale | exhale, ascending | descending, voluntary | compulsory,
monday tuesday wednesday thursday friday saturday sunday, january february april june july august september october november december,
spring summer autumn winter, persecond perminute hourly daily weekly monthly quarterly yearly, once twice thrice, first second third fourth fifth sixth,
free complimentary | charge charged fee cost paid chargeable, red green blue yellow orange black white grey purple pink brown`, ",")

// antonymsByStem maps a stem to the phrases of the table that begin with it. A phrase has its synonyms and opposites,
// and is listed once for each of its rows.
var antonymsByStem = func() map[string][]antonyms {
	m := map[string][]antonyms{}
	put := func(own, other [][]string, whole bool) {
		for _, phrase := range own {
			m[phrase[0]] = append(m[phrase[0]],
				antonyms{phrase: phrase, synonyms: own, opposites: other, complementary: whole})
		}
	}
	for _, row := range antonymTable {
		if at := strings.IndexAny(row, "|=>"); at >= 0 {
			one, other, whole := phrases(row[:at]), phrases(row[at+1:]), row[at] == '='
			put(one, other, whole)
			if row[at] != '>' {
				put(other, one, whole)
			}
		} else {
			for all, i := phrases(row), 0; i < len(all); i++ {
				m[all[i][0]] = append(m[all[i][0]], antonyms{phrase: all[i], synonyms: all[i : i+1],
					opposites: slices.Delete(slices.Clone(all), i, i+1)})
			}
		}
	}
	return m
}()

// antonyms is a phrase of the table with its synonyms and its opposites.
type antonyms struct {
	phrase              []string
	synonyms, opposites [][]string
	complementary       bool // the denial of a synonym means the opposites: not open is closed
}

// phrases returns the stems of each phrase in a row. Spaces separate the phrases, and _ joins the words of a phrase.
func phrases(row string) [][]string {
	return stems(strings.Fields(row)...)
}

// stems returns the stems of each phrase, and leaves out phrases without a word.
func stems(all ...string) (out [][]string) {
	for _, phrase := range all {
		if words := english.Parse(strings.ReplaceAll(phrase, "_", " ")).Words; len(words) > 0 {
			out = append(out, stemsOf(words))
		}
	}
	return out
}
