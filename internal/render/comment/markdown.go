package comment

import (
	"cmp"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
)

// page collects Markdown block by block. What it is given is either ours or inert already.
type page struct{ strings.Builder }

func (p *page) para(text string) {
	if text != "" {
		p.WriteString(text + "\n\n")
	}
}

func (p *page) list(items []string) {
	for _, item := range items {
		p.WriteString("- " + cmp.Or(item, show.Absent) + "\n")
	}
	if len(items) > 0 {
		p.WriteByte('\n')
	}
}

// table writes rows below a header; align holds one l or r for each column, the last for all further ones. Without rows it writes nothing.
func (p *page) table(align string, header []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	p.row(header)
	rule := make([]string, len(header))
	for i := range header {
		rule[i] = map[byte]string{'l': ":--", 'r': "--:"}[align[min(i, len(align)-1)]]
	}
	p.WriteString("|" + strings.Join(rule, "|") + "|\n")
	for _, r := range rows {
		p.row(r)
	}
	p.WriteByte('\n')
}

// tableOf writes the first of all below a header, a row each, and counts the rest of them.
func tableOf[T any](w *writer, align string, header []string, all []T, most int, noun string, cells func(T) []string) {
	var rows [][]string
	for _, one := range all[:min(len(all), most)] {
		rows = append(rows, cells(one))
	}
	w.table(align, header, rows)
	w.more(len(all)-len(rows), noun)
}

func (p *page) row(cells []string) {
	for _, c := range cells {
		p.WriteString("| " + show.Barred(c) + " ")
	}
	p.WriteString("|\n")
}

// fold writes body behind a summary, which is our words and numbers alone: Markdown is not read there.
func (p *page) fold(summary string, body func()) {
	p.WriteString("<details><summary>" + summary + "</summary>\n\n")
	body()
	p.WriteString("</details>\n\n")
}

// text is the page, which ends in one line feed.
func (p *page) text() string { return strings.TrimRight(p.String(), "\n") + "\n" }
