// Package render lists the formats in which a report is printed. A new format needs a line here and a printer.
package render

import (
	"io"

	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render/comment"
	"github.com/failproof/failproof/internal/render/machine"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// Output is one format of a report.
type Output struct {
	Format string // the name of the format in `failproof render --format`
	File   string // the name of the file in a run's folder; "" for a format that is only printed on demand
	Print  func(w io.Writer, s *story.Story, answers report.ResultFinders) error
}

// Outputs are the formats that are made from a report. The outputs on a terminal and for GitHub's runner are not among
// them. Neither is report.json, because it is the report itself.
var Outputs = []Output{
	{"md", output.CommentFile, whole(func(s *story.Story) []byte { return show.EscapeCommands(comment.Markdown(s)) })},
	{"html", output.PageFile, page.Write},
	{"junit", output.JUnitFile, whole(machine.JUnit)},
	{"sarif", output.SARIFFile, whole(machine.SARIF)},
	{"gitlab", "", whole(machine.GitLab)},
}

// whole returns a print function for a format that make produces as a whole before any of it is written.
func whole(make func(*story.Story) []byte) func(io.Writer, *story.Story, report.ResultFinders) error {
	return func(w io.Writer, s *story.Story, _ report.ResultFinders) error {
		_, err := w.Write(make(s))
		return err
	}
}

// Files returns the names of the files in a run's folder to which a report is printed, as part of a sentence.
func Files() string {
	var names []string
	for _, o := range Outputs {
		if o.File != "" {
			names = append(names, o.File)
		}
	}
	return text.List(names, "and")
}
