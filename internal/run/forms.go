package run

import (
	"errors"
	"io"
	"slices"

	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render/comment"
	"github.com/failproof/failproof/internal/render/machine"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/together"
)

// content is what a report's forms are made of.
type content struct {
	report  *report.Report
	view    *view.View // nil where sorting the report broke: report.json is all there is then
	answers page.Answers
}

// forms are those in which a report is written: for `failproof render` by a name, "" for none, and into the report's folder as a file, "" for none. The report
// itself is last: whoever sees it finds the rest beside it.
var forms = [...]struct {
	name, file string
	print      func(io.Writer, content) error
}{
	{"md", output.CommentFile, func(w io.Writer, s content) error { return whole(w, []byte(comment.Markdown(s.view)), nil) }},
	{"junit", output.JUnitFile, func(w io.Writer, s content) error { return machine.JUnit(w, s.view) }},
	{"sarif", output.SARIFFile, func(w io.Writer, s content) error { text, err := machine.SARIF(s.view); return whole(w, text, err) }},
	{"gitlab", "", func(w io.Writer, s content) error { text, err := machine.GitLab(s.view); return whole(w, text, err) }},
	{"html", output.PageFile, func(w io.Writer, s content) error { return page.Write(w, s.view, s.answers) }},
	{"", output.ReportFile, func(w io.Writer, s content) error { return s.report.Write(w) }},
}

// whole writes a text, unless there is an error instead.
func whole(w io.Writer, text []byte, err error) error {
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// Forms are the names by which WriteAs knows the forms of a report.
func Forms() (names []string) {
	for _, f := range forms {
		if f.name != "" {
			names = append(names, f.name)
		}
	}
	return names
}

// WriteAs writes a report in one of Forms.
func WriteAs(w io.Writer, form string, rep *report.Report, answers page.Answers) error {
	i := slices.Index(Forms(), form) // those without a name are last
	return forms[i].print(w, content{rep, view.New(rep, show.Links{}), answers})
}

// Write makes all files of a report's folder side by side. One on which failproof itself breaks is left out, and the others are written all the same.
func Write(out *output.Folder, rep *report.Report, links show.Links, answers page.Answers) error {
	s := content{report: rep, answers: answers}
	broken := evaluate.Guarded("sorting the report", func() error { s.view = view.New(rep, links); return nil })
	var commits [len(forms)]func() error
	var errs [len(forms)]error
	var prepare []func()
	for i, f := range forms {
		if f.file != "" {
			prepare = append(prepare, func() {
				commits[i], errs[i] = out.Prepare(f.file, func(w io.Writer) error {
					return evaluate.Guarded("writing "+f.file, func() error { return f.print(w, s) })
				})
			})
		}
	}
	together.Do(prepare...)
	for i, commit := range commits {
		err := errs[i]
		if err == nil && commit != nil {
			err = commit()
		}
		var bug *evaluate.Bug
		switch {
		case errors.As(err, &bug):
			broken = errors.Join(broken, err)
		case err != nil:
			return err
		}
	}
	return broken
}
