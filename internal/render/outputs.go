// Package render lists the formats that a report is printed in. A new format needs a line here and a printer.
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

// Output is one form of a report.
type Output struct {
	Format string // name for `failproof render --format`
	File   string // name of the file in a run's folder; "" for a form that is only printed on demand
	Print  func(w io.Writer, s *story.Story, answers page.Answers) error
}

// Outputs are all formats that are made from the report, except the outputs on a terminal and for GitHub's runner.
// report.json is not among them, because it is the report itself.
var Outputs = []Output{
	{"md", output.CommentFile, markdown},
	{"html", output.PageFile, page.Write},
	{"junit", output.JUnitFile, func(w io.Writer, s *story.Story, _ page.Answers) error { return machine.JUnit(w, s) }},
	{"sarif", output.SARIFFile, whole(machine.SARIF)},
	{"gitlab", "", whole(machine.GitLab)},
}

// markdown prints the comment, without lines that a runner's log would take for commands.
func markdown(w io.Writer, s *story.Story, _ page.Answers) error {
	lines := show.NewLineWriter(w, show.NoCommand)
	if _, err := io.WriteString(lines, comment.Markdown(s)); err != nil {
		return err
	}
	return lines.Flush()
}

// whole returns a print function for a format. The print function makes the whole output before it writes any of it.
func whole(make func(*story.Story) ([]byte, error)) func(io.Writer, *story.Story, page.Answers) error {
	return func(w io.Writer, s *story.Story, _ page.Answers) error {
		all, err := make(s)
		if err == nil {
			_, err = w.Write(all)
		}
		return err
	}
}

// Files lists, as part of a sentence, the files of a run's folder that a report is printed to.
func Files() string {
	var names []string
	for _, o := range Outputs {
		if o.File != "" {
			names = append(names, o.File)
		}
	}
	return text.List(names, "and")
}
