// Package promptname recognizes prompt files of a repository by their names. It finds prompts for a new user's first
// suites, and changed prompts that no suite uses. It reads no file.
package promptname

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	textExtensions = []string{".md", ".markdown", ".txt", ".prompt", ".prompty", ".j2", ".jinja", ".jinja2", ".tmpl",
		".tpl",
		".hbs", ".handlebars", ".mustache", ".liquid"}

	folderPattern   = regexp.MustCompile(`(?i)^(?:.+[-_])?prompts?$|^prompt[-_]templates$`)
	filePattern     = regexp.MustCompile(`(?i)(?:^|[._-])prompts?$`)
	documentPattern = regexp.MustCompile(`(?i)^(?:readme.*|changelog|changes|history|license|licence|notice|copying|contributing|code_of_conduct|security|authors|codeowners|` +
		`agents|claude|gemini|todo|notes|index|requirements.*|constraints|robots|humans|llms(?:-full)?|cmakelists)$`)

	otherFolders = []string{"node_modules", "vendor", "third_party", "venv", "site-packages", "dist", "build", "docs",
		"doc", "test", "tests", "testdata", "fixtures"}
)

// IsText reports whether a file's extension is that of a text or a template.
func IsText(name string) bool { return slices.Contains(textExtensions, path.Ext(name)) }

// IsPromptFolder reports whether a folder's name says that it has prompts.
func IsPromptFolder(name string) bool { return folderPattern.MatchString(name) }

// InPromptFolder reports whether a path is below a folder of prompts, at any depth.
func InPromptFolder(name string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), IsPromptFolder)
}

// IsPrompt reports whether a file's name says that it is a prompt, as system_prompt.md, refund.prompt and
// refund.prompt.yml do.
func IsPrompt(name string) bool {
	ending := path.Ext(name)
	return ending == ".prompt" || ending == ".prompty" || filePattern.MatchString(stem(name))
}

// IsDocument reports whether a file's name is typical of documentation or settings, such as README.md or
// requirements.txt.
func IsDocument(name string) bool { return documentPattern.MatchString(stem(name)) }

// IsOtherFolder reports whether a folder's name says that it holds no prompts of the product: hidden folders,
// dependencies, generated files, documentation and tests.
func IsOtherFolder(name string) bool {
	return name != "." && strings.HasPrefix(name, ".") || slices.Contains(otherFolders, strings.ToLower(name))
}

func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }
