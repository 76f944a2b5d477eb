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
	"github.com/failproof/failproof/internal/text"
)

// Output is one format of a report.
type Output struct {
	Format string // the name of the format in `failproof render --format`
	File   string // the name of the file in a run's folder; "" for a format that is only printed on demand
	Print  func(w io.Writer, s *story.Story, answers page.ResultFinders) error
}

// Outputs are the formats that are made from a report. The outputs on a terminal and for GitHub's runner are not among
// them. Neither is report.json, because it is the report itself.
var Outputs = []Output{
	{"md", output.CommentFile, markdown},
	{"html", output.PageFile, page.Write},
	{"junit", output.JUnitFile,
		func(w io.Writer, s *story.Story, _ page.ResultFinders) error { return machine.JUnit(w, s) }},
	{"sarif", output.SARIFFile, whole(machine.SARIF)},
	{"gitlab", "", whole(machine.GitLab)},
}

// markdown prints the comment, without lines that a runner's log would take for commands.
func markdown(w io.Writer, s *story.Story, _ page.ResultFinders) error {
	lines := show.NewLineWriter(w, show.EscapeCommands)
	if _, err := io.WriteString(lines, comment.Markdown(s)); err != nil {
		return err
	}
	return lines.Flush()
}

// whole returns a print function for a format that make produces. The print function makes the whole output before it
// writes any of it.
func whole(make func(*story.Story) ([]byte, error)) func(io.Writer, *story.Story, page.ResultFinders) error {
	return func(w io.Writer, s *story.Story, _ page.ResultFinders) error {
		all, err := make(s)
		if err == nil {
			_, err = w.Write(all)
		}
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
