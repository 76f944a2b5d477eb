package page

import (
	"math"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// wordsPart lays the cases out by their words: a drawing in which cases of like words stand near each other, groups of
// failures that are alike, and of each new failure the passing case that is most like it.
type wordsPart struct {
	Lead       string
	Label      string
	Signs      []signPath
	Tips       []signTip
	Clusters   []wordCluster
	Groups     []failureGroup
	Neighbours []neighbourRow
	Geometry   []geometryRow
}

// wordCluster is one cluster in numbers.
type wordCluster struct{ Name, Cases, Failing, New string }

// failureGroup are failures that are alike, in a sentence.
type failureGroup struct {
	Words   []show.Span
	Example caseLink
}

// leastLike is the likeness from which on a passing case is told as like a failure.
const leastLike = 0.3

// neighbourRow is a new failure and the passing case nearest to it.
type neighbourRow struct {
	Failure, Passing caseLink
	Likeness         string
	Other            bool // the passing case is of another category
}

// geometryRow is one figure of both embeddings.
type geometryRow struct{ Name, Content, Seed string }

// The drawing, in units, and how many lines its tables hold.
const (
	wordsWide, wordsHigh = 640, 400
	wordsPair            = 30
	wordsTips            = 600
)

// caseIndex finds the places of some cases in the report's changes.
type caseIndex map[observe.CaseRef]int

// indexOf finds the cases that are drawn, or named beside the drawing.
func (v printer) indexOf(o *observe.Observability, alike []observe.FailureGroup) caseIndex {
	named := map[observe.CaseRef]bool{}
	for _, p := range o.Points {
		named[observe.CaseRef{SuiteID: p.SuiteID, CaseID: p.CaseID}] = true
	}
	for _, n := range o.Neighbours {
		named[n.Failure], named[n.Passing] = true, true
	}
	for _, g := range alike {
		named[g.Example] = true
	}
	at := caseIndex{}
	for i, c := range v.Report.Changes.All() {
		if ref := (observe.CaseRef{SuiteID: c.SuiteID, CaseID: c.CaseID}); named[ref] {
			at[ref] = i
		}
	}
	return at
}

// wordsPart is nil where too few cases were answered.
func (v printer) wordsPart() *wordsPart {
	o := v.Report.Observability
	if o == nil || len(o.Points) == 0 {
		return nil
	}
	alike := v.Alike()
	at := v.indexOf(o, alike)
	p := &wordsPart{Lead: wordsLead(o), Geometry: geometryRows(o)}
	v.drawPoints(p, o.Points, at)
	p.Clusters = clusterRows(o.Points)
	p.Label = wordsLabel(p, o.Points)
	for _, g := range alike {
		p.Groups = append(p.Groups, failureGroup{v.AlikeSentence(g).Spans(show.NameRunes), v.caseLink(g.Example, at)})
	}
	for _, n := range o.Neighbours[:min(len(o.Neighbours), wordsPair)] {
		if n.Similarity >= leastLike {
			p.Neighbours = append(p.Neighbours, v.neighbourRow(n, at))
		}
	}
	return p
}

func wordsLead(o *observe.Observability) string {
	text := "Cases with like words stand near each other; near and far say something, left and right do not. "
	if o.Of > o.Cases {
		text += show.Grouped(o.Cases) + " of " + show.Count(o.Of, "answered case") + " are drawn. "
	}
	if o.TooFew {
		text += "There are too few cases to interpret the figures."
	}
	return strings.TrimSpace(text)
}

func wordsLabel(p *wordsPart, points []observe.Point) string {
	failing := 0
	for _, pt := range points {
		if !pt.Passed {
			failing++
		}
	}
	return show.Count(len(points), "case") + " laid out by their words, " + show.Grouped(failing) + " of them failing, in " + show.Count(len(p.Clusters), "cluster") +
		"; the table has the same in numbers"
}

// drawPoints writes a sign for each case, one path for each kind.
func (v printer) drawPoints(p *wordsPart, points []observe.Point, at caseIndex) {
	place := fitPoints(points)
	paths := map[report.Kind][]byte{}
	for _, pt := range points {
		i, known := at[observe.CaseRef{SuiteID: pt.SuiteID, CaseID: pt.CaseID}]
		k := report.KindPassing
		if known {
			k = v.Report.Changes.KindAt(i)
		}
		x, y := place(pt)
		paths[k] = append(paths[k], sign(k, x, y)...)
		if known && k != report.KindPassing && len(p.Tips) < wordsTips {
			p.Tips = append(p.Tips, v.pointTip(i, k, x, y))
		}
	}
	for n := len(report.Kinds) - 1; n >= 0; n-- { // passing cases first, below the others
		if path := paths[report.Kinds[n]]; path != nil {
			p.Signs = append(p.Signs, signPath{report.Kinds[n], string(path)})
		}
	}
}

func (v printer) pointTip(i int, k report.Kind, x, y int) signTip {
	c := v.Report.Changes.At(i)
	tip := signTip{X: x, Y: y, Text: caseName(c) + ": " + v.labelOf(c, k)}
	if v.inTable(c) {
		tip.Href = "#" + rowAnchor(c)
	}
	return tip
}

// fitPoints returns how a point is placed in the drawing: one scale for both directions, so that distances keep their
// proportions, and all of it in the middle.
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
		return placed((p.X-midX)*scale, wordsWide), placed((midY-p.Y)*scale, wordsHigh)
	}
}

// placed is where a sign begins whose middle is so far from the middle of the drawing.
func placed(from float64, length int) int {
	if math.IsNaN(from) {
		from = 0
	}
	return int(math.Round(min(max(from+float64(length)/2, mapCell), float64(length-mapCell)))) - mapCell/2
}

func clusterRows(points []observe.Point) (out []wordCluster) {
	type counts struct{ cases, failing, fresh int }
	var all []counts
	for _, p := range points {
		for p.Cluster >= len(all) && p.Cluster < len(points) {
			all = append(all, counts{})
		}
		if p.Cluster < 0 || p.Cluster >= len(all) {
			continue
		}
		c := &all[p.Cluster]
		c.cases++
		if !p.Passed {
			c.failing++
		}
		if p.New {
			c.fresh++
		}
	}
	for i, c := range all {
		out = append(out, wordCluster{"Cluster " + strconv.Itoa(i+1), show.Grouped(c.cases), show.Grouped(c.failing), show.Grouped(c.fresh)})
	}
	return out
}

func (v printer) neighbourRow(n observe.Neighbour, at caseIndex) neighbourRow {
	return neighbourRow{v.caseLink(n.Failure, at), v.caseLink(n.Passing, at), show.Percent(n.Similarity), !n.Category}
}

func (v printer) caseLink(ref observe.CaseRef, at caseIndex) caseLink {
	link := caseLink{Name: show.Named(show.Ends(show.Case(ref.SuiteID, ref.CaseID), show.NameRunes))}
	if i, ok := at[ref]; ok && v.inTable(v.Report.Changes.At(i)) {
		link.Href = "#" + rowAnchor(v.Report.Changes.At(i))
	}
	return link
}

func geometryRows(o *observe.Observability) []geometryRow {
	row := func(name string, of func(observe.Geometry) string) geometryRow {
		return geometryRow{name, of(o.Content), of(o.Seed)}
	}
	return []geometryRow{
		row("distinct words", func(g observe.Geometry) string { return show.Grouped(g.Terms) }),
		row("clusters", func(g observe.Geometry) string { return show.Grouped(g.Clusters) }),
		row("silhouette (below 0.25 there are hardly any clusters)", func(g observe.Geometry) string { return show.Decimals(&g.Silhouette) }),
		row("spread that the drawing shows", func(g observe.Geometry) string { return show.Percent(g.PlaneShare) }),
		row("clusters and categories", func(g observe.Geometry) string { return association(g.MutualInformation.Category) }),
		row("clusters and severities", func(g observe.Geometry) string { return association(g.MutualInformation.Severity) }),
		row("clusters and passing", func(g observe.Geometry) string { return association(g.MutualInformation.PassFail) }),
	}
}

// association is how far clusters agree with a label: 0 is chance, 1 agreement.
func association(a *observe.Association) string {
	if a == nil {
		return show.Absent
	}
	return show.Decimals(&a.Adjusted) + " (p " + show.Decimals(&a.PValue) + ")"
}
