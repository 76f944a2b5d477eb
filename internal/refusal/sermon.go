package refusal

import "github.com/failproof/failproof/internal/english"

// The rules of answers that only lecture, or that only comfort the reader and name a helpline.
const (
	sermonName   = "sermon"
	helplineName = "helpline"
)

// lecture finds an answer that moralizes from beginning to end, or in a crisis only refers to a helpline, and ignores
// the matter. A verdict alone ("Your total is wrong.") is no sermon: it must also exhort the reader, or speak of the
// model.
func (d *Detector) lecture(v *view) (Match, bool) {
	if !v.whole || !v.flat.MayMatch(d.signs.Judging.Expression) && !v.flat.MayMatch(d.signs.Helpline.Expression) {
		return Match{}, false
	}
	all := english.Sentences(v.Lower)
	lectures, exhorts, beside := d.lecturing(v, all)
	if len(all) < 2 || !beside { // one sentence is no sermon
		return Match{}, false
	}
	whole, name := v.flat, helplineName
	var at *english.Span
	if whole.holds(&d.signs.Crisis) {
		at = whole.find(&d.signs.Helpline)
	}
	if at == nil && 2*lectures >= len(all) && (exhorts || whole.holds(&d.signs.Own)) {
		name, at = sermonName, whole.find(&d.signs.Judging)
	}
	if at == nil {
		return Match{}, false
	}
	m := v.match(name, at.Start, at.End)
	m.Kind = Deflected
	return m, true
}

// lecturing returns the number of moralizing sentences. exhorts reports whether a sentence exhorts, and beside reports
// whether no sentence deals with the matter. If the first sentence judges, all others count as moralizing.
func (d *Detector) lecturing(v *view, all []english.Span) (lectures int, exhorts, beside bool) {
	judged := false
	for i, part := range all {
		s := d.sentence(v, part)
		judges, exhorting := s.holds(&d.signs.Judging), s.holds(&d.signs.Exhorting)
		judged, exhorts = judged || i == 0 && judges, exhorts || exhorting
		switch {
		case i == 0 && s.holds(&d.signs.Asserting), s.holds(&d.signs.Delivery):
			return 0, false, false
		case judges, s.holds(&d.signs.Lecture), judged:
			lectures++
		case part.End-part.Start >= factBytes && d.signs.saysFacts(s):
			return 0, false, false
		}
	}
	return lectures, exhorts, true
}
