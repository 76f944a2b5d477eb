package page

import (
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// caseMap draws every case as a sign, suite by suite, so that a reader sees where it breaks.
type caseMap struct {
	printer
	Drawn []suiteMap
	Left  int // suites that are not drawn
}

// suiteMap is the drawing of one suite, and the same in numbers.
type suiteMap struct {
	Name, Label          string
	Counts               map[report.Kind]int
	Wide, High           int        // units
	ShownWide, ShownHigh int        // pixels, where there is room
	Signs                []signPath // one for each kind
	Tips                 []signTip
}

// signPath draws all cases of one kind at once: ten thousand elements would make the page slow.
type signPath struct {
	Kind report.Kind
	D    string
}

// signTip is the place of a case that is worth a word.
type signTip struct {
	X, Y       int
	Href, Text string
}

// Bounds of the drawing.
const (
	mapCell    = 10    // units of a sign's place
	mapColumns = 34    // of signs
	mapSuites  = 300   // drawn
	mapTips    = 1_000 // in all
)

// caseMap is nil where there is no case, or only one.
func (v printer) caseMap() *caseMap {
	if v.Report.Changes.Len() < 2 {
		return nil
	}
	m := &caseMap{printer: v, Left: max(len(v.bySuite)-mapSuites, 0)}
	tips, shown := mapTips, v.Kinds()
	for _, s := range v.bySuite[:len(v.bySuite)-m.Left] {
		m.Drawn = append(m.Drawn, v.suiteMap(s, shown, &tips))
	}
	return m
}

func (v printer) suiteMap(s suiteCases, shown []report.Kind, tips *int) suiteMap {
	columns := min(mapColumns, max(10, len(s.cases)))
	m := suiteMap{Name: suiteName(s.id), Counts: map[report.Kind]int{}, Wide: columns * mapCell, High: (len(s.cases) + columns - 1) / columns * mapCell}
	m.ShownWide, m.ShownHigh = v.mapPixels(m.Wide), v.mapPixels(m.High)
	paths := map[report.Kind][]byte{}
	for n, i := range s.cases {
		k, x, y := v.Report.Changes.KindAt(i), n%columns*mapCell, n/columns*mapCell
		paths[k] = append(paths[k], sign(k, x, y)...)
		m.Counts[k]++
		if k != report.KindPassing && *tips > 0 {
			*tips--
			c := v.Report.Changes.At(i)
			m.Tips = append(m.Tips, signTip{x, y, "#" + rowAnchor(c), name(c.CaseID) + ": " + v.labelOf(c, k)})
		}
	}
	var words []string
	for _, k := range shown {
		if n := m.Counts[k]; n > 0 {
			m.Signs = append(m.Signs, signPath{k, string(paths[k])})
			words = append(words, show.Grouped(n)+" "+kindLabel(k))
		}
	}
	m.Label = m.Name + ": " + strings.Join(words, ", ")
	return m
}

// mapPixels is a length of the map on the screen: the fewer the cases, the larger their signs.
func (v printer) mapPixels(units int) int {
	switch n := v.Report.Changes.Len(); {
	case n <= 150:
		return units * 2
	case n <= 1_000:
		return units * 3 / 2
	}
	return units
}

// sign draws a case of a kind into a place: every kind has a shape of its own, so that colour says nothing that the shape
// does not. All are strokes.
func sign(k report.Kind, x, y int) string {
	switch k {
	case report.KindRegressed: // a cross in a ring
		return ring(x, y) + at(x+3, y+3) + "l4 4" + at(x+7, y+3) + "l-4 4"
	case report.KindFell: // an arrow down
		return at(x+5, y+1) + "v8" + at(x+2, y+6) + "l3 3 3-3"
	case report.KindFailing: // a cross
		return at(x+2, y+2) + "l6 6" + at(x+8, y+2) + "l-6 6"
	case report.KindHidden: // a triangle with a dot
		return at(x+5, y+1) + "l4 8h-8z" + at(x+5, y+6) + "h0"
	case report.KindMissing: // an empty square
		return at(x+2, y+2) + "h6v6h-6z"
	case report.KindWorse: // a line that falls
		return at(x+2, y+2) + "l6 6"
	case report.KindReview: // a ring with a dot
		return ring(x, y) + at(x+5, y+5) + "h0"
	case report.KindFlaky: // a wave
		return at(x+1, y+5) + "q2-5 4 0t4 0"
	case report.KindFixed: // a tick in a ring
		return ring(x, y) + at(x+3, y+5) + "l2 2 2-4"
	case report.KindRedefined: // a diamond
		return at(x+5, y+1) + "l4 4-4 4-4-4z"
	case report.KindNew: // a triangle
		return at(x+5, y+2) + "l3 6h-6z"
	case report.KindRemoved: // a dash
		return at(x+2, y+5) + "h6"
	}
	return at(x+5, y+5) + "h0" // a dot
}

func at(x, y int) string { return "M" + strconv.Itoa(x) + " " + strconv.Itoa(y) }

func ring(x, y int) string { return at(x+1, y+5) + "a4 4 0 1 0 8 0a4 4 0 1 0-8 0" }
