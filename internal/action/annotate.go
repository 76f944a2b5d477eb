package action

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/render/machine"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
)

// Annotate writes workflow commands, which GitHub's runner shows at the lines of files. The report's paths begin in dir.
func Annotate(w io.Writer, getenv func(string) string, dir string, rep *report.Report) error {
	links := show.Links{Dir: belowWorkspace(getenv("GITHUB_WORKSPACE"), dir)}
	var shown []github.Annotation
	for _, a := range machine.Annotations(view.New(rep, links)) {
		shown = append(shown, github.Annotation{Path: links.Path(a.Path), Line: a.Line, Level: a.Level, Title: a.Title, Message: a.Message})
	}
	return github.NewRunner(getenv, w).Annotate(shown)
}

// LinksOf are the links of a report in a format of `render`, whose paths begin in dir. GitLab takes paths to begin at the root of the repository.
func LinksOf(format, dir string) show.Links {
	if _, below, err := source.Within(dir); err == nil && format == "gitlab" {
		return show.Links{Dir: below}
	}
	return show.Links{}
}

// belowWorkspace is a folder as the workflow's workspace sees it; "" where there is none around it.
func belowWorkspace(root, dir string) string {
	below, err := filepath.Rel(root, dir)
	if root == "" || err != nil || !filepath.IsLocal(below) || below == "." {
		return ""
	}
	return strings.TrimSuffix(filepath.ToSlash(below), "/")
}
