package doctor

import (
	"fmt"
	"io"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/text"
)

// WriteJSON writes the findings as JSON.
func WriteJSON(w io.Writer, findings []Finding) error {
	return show.WriteJSON(w, struct {
		Findings []Finding `json:"findings"`
	}{append([]Finding{}, findings...)})
}

// Print prints the findings for people, and counts them. Findings quote files: each line is made inert.
func Print(w io.Writer, findings []Finding) error {
	open := 0
	for _, f := range findings {
		if f.Open {
			open++
		}
		if err := f.print(w); err != nil {
			return err
		}
	}
	end := "Nothing is open."
	if notes := text.Count(len(findings)-open, "note"); open > 0 {
		end = fmt.Sprintf("%d open, %s.", open, notes)
	} else if len(findings) > 0 {
		end = fmt.Sprintf("Nothing is open; %s.", notes)
	}
	_, err := fmt.Fprintln(w, end)
	return err
}

// print prints what is so, why it matters and what to do.
func (f Finding) print(w io.Writer) error {
	level := "note"
	if f.Open {
		level = "open"
	}
	if place := f.Place(); place != "" {
		level += "  " + place
	}
	_, err := fmt.Fprintf(w, "%s  [%s]\n      %s\n      %s\n      %s\n\n", show.Log(level), f.Rule, show.Log(f.What), show.Log(f.Why), show.Log("→ "+f.Do))
	return err
}
