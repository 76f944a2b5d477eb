package english

import "strings"

// WordStem is the stem of a word for the reader of facts and claims. Where the algorithm takes words of different meaning for one,
// university for universe and negligent for negligible, the beginning that tells them apart is the stem.
func WordStem(word string) string {
	if len(word) <= 2 || len(word) > longestWord {
		return word
	}
	return known(word).own
}

// ownStem is what WordStem takes for the stem of a word whose stem is s by the algorithm.
func ownStem(word, s string) string {
	if len(s) == len(word) {
		return s
	}
	if begins := apart[s]; begins != nil {
		spelt := american(word)
		for _, begin := range begins {
			if strings.HasPrefix(spelt, begin) {
				return begin
			}
		}
	}
	return s
}

// apart holds, by the stem that they share, the beginnings of words that mean something else than the other words with it. Each
// stands here up to the bar, in a word that begins with it.
var apart = func() map[string][]string {
	m := map[string][]string{}
	for _, word := range strings.Fields(`accountab|le accountan|t animate| apartment| audition| authorit|y authoriz|e communic|ate communis|m
		communit|y competen|t comprehension| comprehensib|le conference| conservativ|e considerab|le considerate| constitution| contraction|
		conventional| conversation| conversion| corporal| critical| customer| defection| department| deposition| designat|e detective|
		digital| direction| director| directive| edition| elective| evening| executive| expensive| experiment| extensive| formation| general|
		generic| generosit|y generous| humane| identit|y importan|t informal| informant| integral| integrit|y intelligib|le internal|
		international| lateral| liberat|e literate| majorit|y medication| mineral| minorit|y morale| nationalit|y negligib|le news|
		nominal| normativ|e numerous| objection| objectiv|e observan|t occupation| officer| organic| organism| organiz|e oriental| paste|
		permissiv|e personalit|y politic|al position| president| prisoner| privation| probation| procession| productiv|e projection|
		prospective| protestant| provident| publicat|ion publicit|y rational| reasonab|le recession| resident| resolute| respective|
		responsib|le responsiv|e severe| severit|y statue| subjectiv|e succession| successiv|e suite| suspension| terminal| transition|
		unite| universal| universit|y utilit|y`) {
		begin, rest, _ := strings.Cut(word, "|")
		s := porter(begin + rest)
		m[s] = append(m[s], begin)
	}
	return m
}()
