package page

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

// caseMap draws every case as a sign, suite by suite, to show where cases break.
type caseMap struct {
	Kinds   []report.Kind // kinds that some case has
	Counts  map[report.Kind]int
	Drawn   []suiteMap
	Undrawn int    // suites that are not drawn
	More    string // number of the drawn suites' cases that are not drawn; "" for none
}

// suiteMap is the drawing of one suite, with the number of cases of each kind.
type suiteMap struct {
	drawing
	Name, Label          string
	Counts               map[report.Kind]int
	Wide, High           int // units
	ShownWide, ShownHigh int // pixels, if the screen has room
}

// drawing is a picture of cases by their signs.
type drawing struct {
	Signs []*signPath // one for each kind; later ones cover earlier ones
	Tips  []signTip
}

// signPath draws all cases of one kind at once, since ten thousand elements would make the page slow.
type signPath struct {
	Kind report.Kind
	D    strings.Builder
}

// signTip is the place of a case's sign in a drawing, with the sign's link and tooltip.
type signTip struct {
	X, Y       int
	Href, Text string
}

func newDrawing(kinds []report.Kind) (d drawing) {
	for _, k := range kinds {
		d.Signs = append(d.Signs, &signPath{Kind: k})
	}
	return d
}

// put draws the sign of a case. A case that does not simply pass also gets a tooltip if tipsLeft is above 0.
func (d *drawing) put(v *story.Story, c report.Change, x, y int, tipsLeft *int) {
	for _, s := range d.Signs {
		if s.Kind == c.Kind {
			s.D.WriteString(sign(c.Kind, x, y))
		}
	}
	if c.Kind != report.KindPassing && *tipsLeft > 0 {
		*tipsLeft--
		d.Tips = append(d.Tips, signTip{x, y, rowLink(v, c), name(c.CaseID) + ": " + labelOf(v, c)})
	}
}

// Bounds of the drawings.
const (
	mapCell    = 10      // units of a sign's place
	mapColumns = 34      // of signs
	mapSuites  = 300     // drawn
	mapSigns   = 200_000 // drawn, of all suites together
	mapTips    = 1_000   // in all

	wordsWide, wordsHigh = 640, 400 // units
	wordsTips            = 600
	wordsPair            = 30  // rows of the table of similar pairs
	leastLike            = 0.3 // the least similarity of a pair that is shown
)

// mapCases is the smallest number of cases for which there is a map. With fewer, a table shows as much.
const mapCases = 30

// caseMap returns the map of all cases, or nil if there are too few cases.
func (p *printer) caseMap() *caseMap {
	if len(p.story.Report.Changes) < mapCases {
		return nil
	}
	m := &caseMap{Kinds: p.kinds(), Counts: p.counts, Undrawn: max(len(p.bySuite)-mapSuites, 0)}
	tips, room, more := mapTips, mapSigns, 0
	for _, s := range p.bySuite[:len(p.bySuite)-m.Undrawn] {
		drawn := s.cases[:min(len(s.cases), room)]
		room -= len(drawn)
		more += len(s.cases) - len(drawn)
		m.Drawn = append(m.Drawn, newSuiteMap(p.story, s, drawn, m.Kinds, &tips))
	}
	if more > 0 {
		m.More = show.Count(more, "case")
	}
	return m
}

func newSuiteMap(v *story.Story, s suiteCases, drawn []int, shown []report.Kind, tips *int) suiteMap {
	columns := min(mapColumns, max(10, len(drawn)))
	m := suiteMap{drawing: newDrawing(shown), Name: suiteName(s.id), Counts: map[report.Kind]int{},
		Wide: columns * mapCell, High: (len(drawn) + columns - 1) / columns * mapCell}
	m.ShownWide, m.ShownHigh = m.Wide*3/2, m.High*3/2
	for _, i := range s.cases {
		m.Counts[v.Report.Changes[i].Kind]++
	}
	for n, i := range drawn {
		m.put(v, v.Report.Changes[i], n%columns*mapCell, n/columns*mapCell, tips)
	}
	var words []string
	for _, k := range shown {
		if n := m.Counts[k]; n > 0 {
			words = append(words, show.WithCommas(n)+" "+kindLabel(k))
		}
	}
	m.Label = m.Name + ": " + strings.Join(words, ", ")
	return m
}

// sign returns an SVG path for a case of kind k, with the corner of the sign at x, y. Every kind has its own shape,
// made of strokes, so that colour adds nothing.
func sign(k report.Kind, x, y int) string {
	switch k {
	case report.KindRegressed: // a cross in a ring
		return ring(x, y) + moveTo(x+3, y+3) + "l4 4" + moveTo(x+7, y+3) + "l-4 4"
	case report.KindFell: // an arrow down
		return moveTo(x+5, y+1) + "v8" + moveTo(x+2, y+6) + "l3 3 3-3"
	case report.KindFailing: // a cross
		return moveTo(x+2, y+2) + "l6 6" + moveTo(x+8, y+2) + "l-6 6"
	case report.KindMayHide: // a triangle with a dot
		return moveTo(x+5, y+1) + "l4 8h-8z" + moveTo(x+5, y+6) + "h0"
	case report.KindMissing: // an empty square
		return moveTo(x+2, y+2) + "h6v6h-6z"
	case report.KindWorse: // a line that falls
		return moveTo(x+2, y+2) + "l6 6"
	case report.KindReview: // a ring with a dot
		return ring(x, y) + moveTo(x+5, y+5) + "h0"
	case report.KindFlaky: // a wave
		return moveTo(x+1, y+5) + "q2-5 4 0t4 0"
	case report.KindFixed: // a tick in a ring
		return ring(x, y) + moveTo(x+3, y+5) + "l2 2 2-4"
	case report.KindRedefined: // a diamond
		return moveTo(x+5, y+1) + "l4 4-4 4-4-4z"
	case report.KindNew: // a triangle
		return moveTo(x+5, y+2) + "l3 6h-6z"
	case report.KindRemoved: // a dash
		return moveTo(x+2, y+5) + "h6"
	}
	return moveTo(x+5, y+5) + "h0" // a dot
}

func moveTo(x, y int) string { return "M" + strconv.Itoa(x) + " " + strconv.Itoa(y) }

func ring(x, y int) string { return moveTo(x+1, y+5) + "a4 4 0 1 0 8 0a4 4 0 1 0-8 0" }

// wordLayout lays the cases out by their words: a drawing in which similar cases are close, groups of similar failures,
// and for each new failure the most similar passing case.
type wordLayout struct {
	*observe.Observability
	drawing
	Failing  int // cases
	Clusters []wordCluster
	Near     []nearPair
}

// nearPair is a new failure and the passing case that is most like it.
type nearPair struct {
	Failure, Passing place
	Category         bool // whether their categories are equal
	Similarity       float64
}

type wordCluster struct{ Cases, Failing, New int }

// newWordLayout returns the layout of the cases by their words, or nil if the report has none.
func newWordLayout(v *story.Story) *wordLayout {
	o := v.Report.Observability
	if o == nil || len(o.Points) == 0 {
		return nil
	}
	kinds := slices.Clone(report.Kinds[:])
	slices.Reverse(kinds) // passing cases first, below the others
	p := &wordLayout{Observability: o, drawing: newDrawing(kinds), Clusters: clusters(o.Points),
		Failing: show.CountFunc(o.Points, func(pt observe.Point) bool { return !pt.Passed })}
	place, tips := fitPoints(o.Points), wordsTips
	for _, pt := range o.Points {
		c, known := v.Find(pt.SuiteID, pt.CaseID)
		if !known {
			c.Kind = report.KindPassing
		}
		x, y := place(pt)
		p.put(v, c, x, y, &tips)
	}
	for _, n := range o.Neighbours[:min(len(o.Neighbours), wordsPair)] {
		if n.Similarity >= leastLike {
			p.Near = append(p.Near,
				nearPair{rowPlace(v, n.Failure), rowPlace(v, n.Passing), n.SameCategory, n.Similarity})
		}
	}
	return p
}

// rowPlace returns the name of a case. If the case has a row in the table of all cases, the name links to that row.
func rowPlace(v *story.Story, ref observe.CaseRef) place {
	link := place{Name: name(show.Case(ref.SuiteID, ref.CaseID))}
	if c, known := v.Find(ref.SuiteID, ref.CaseID); known {
		link.URL = rowLink(v, c)
	}
	return link
}

// fitPoints returns a function that places points in the drawing, centred. The scale is the same in both directions.
func fitPoints(points []observe.Point) func(observe.Point) (x, y int) {
	lowX, highX, lowY, highY := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, p := range points {
		lowX, highX, lowY, highY = min(lowX, p.X), max(highX, p.X), min(lowY, p.Y), max(highY, p.Y)
	}
	const wide, high = wordsWide - 2*mapCell, wordsHigh - 2*mapCell
	scale := min(wide/max(highX-lowX, 1e-9), high/max(highY-lowY, 1e-9))
	if !(scale > 0) || math.IsInf(scale, 0) {
		scale = 0
	}
	midX, midY := (lowX+highX)/2, (lowY+highY)/2
	return func(p observe.Point) (int, int) {
		return signOffset((p.X-midX)*scale, wordsWide), signOffset((midY-p.Y)*scale, wordsHigh)
	}
}

// signOffset returns the coordinate at which a sign begins. offset is the distance of its middle from the middle of the
// drawing. The sign stays inside the drawing.
func signOffset(offset float64, length int) int {
	if math.IsNaN(offset) {
		offset = 0
	}
	return int(math.Round(min(max(offset+float64(length)/2, mapCell), float64(length-mapCell)))) - mapCell/2
}

// clusters counts the cases by cluster. It skips impossible cluster numbers, as in a hand-written report.
func clusters(points []observe.Point) (all []wordCluster) {
	for _, p := range points {
		if p.Cluster < 0 || p.Cluster >= len(points) {
			continue
		}
		all = append(all, make([]wordCluster, max(p.Cluster+1-len(all), 0))...)
		c := &all[p.Cluster]
		c.Cases++
		if !p.Passed {
			c.Failing++
		}
		if p.NewFailure {
			c.New++
		}
	}
	return all
}
