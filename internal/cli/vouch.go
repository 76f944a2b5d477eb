package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/text"
)

// targetConfirmer returns a function that asks the person whether to call targets that only the head names. The
// function returns an error if they must not be called.
func targetConfirmer(sys System, o runOptions) func([]sides.UntrustedTarget) error {
	var ask func(question string) bool
	if !o.Yes {
		o.Quiet = false // the questions are asked even without progress output
		ask = confirmPrompt(sys, o)
	}
	return (&confirmer{sys: sys, yes: o.Yes, ask: ask}).confirm
}

// inPipeline reports whether the process is part of a CI pipeline. All CI services set the environment variable CI.
func inPipeline(sys System) bool {
	ci := sys.Getenv("CI")
	return ci != "" && ci != "false" && ci != "0"
}

// confirmer asks a person about targets, and remembers the answers.
type confirmer struct {
	sys System
	yes bool
	ask func(question string) bool // nil: there is no terminal

	agreed []string // the Descriptions of the targets that the person agreed to
}

func (c *confirmer) confirm(all []sides.UntrustedTarget) error {
	known := readRemembered(c.sys)
	all = slices.DeleteFunc(all, func(u sides.UntrustedTarget) bool {
		return slices.Contains(known, rememberedLine(u)) || slices.Contains(c.agreed, u.Description)
	})
	for _, u := range all {
		logf(c.sys, "%s", u.Description)
	}
	switch {
	case c.yes || len(all) == 0:
		return nil
	case c.ask == nil:
		return fault.Inputf("no model was called: the lines above name %s of this checkout alone; check the "+
			"configuration, "+
			"then confirm with --yes", text.Count(len(all), "target"))
	case !c.ask("Only this checkout names this target"):
		return fault.Inputf("canceled: no requests were sent")
	}
	for _, u := range all {
		c.agreed = append(c.agreed, u.Description)
	}
	remember(c.sys, all)
	return nil
}

// rememberedLine returns the line that is stored when the person agrees to call u. It returns "" for a command and for
// a target that contradicts the default branch: the person is asked about these each time.
func rememberedLine(u sides.UntrustedTarget) string {
	if !u.NothingToCompare || u.Host == "" {
		return ""
	}
	line, _ := json.Marshal(map[string]any{"host": u.Host, "keys": u.Keys}) // strings always marshal
	return string(line)
}

// mostRemembered is the size limit, in bytes, of the file with remembered answers. A larger file is not read.
const mostRemembered = 1 << 20

// memoryFile returns the path of the file with remembered answers. It returns "" if there is no settings folder, or if
// the file would be in the repository, where a pull request could write it.
func memoryFile(sys System) string {
	if !filepath.IsAbs(sys.UserDir) {
		return ""
	}
	file := filepath.Join(sys.UserDir, "failproof", "asked.jsonl")
	if live.InRepository(sys.Dir, file) {
		return ""
	}
	return file
}

// readRemembered returns the lines of the file with remembered answers. It returns none if the file cannot be read.
func readRemembered(sys System) []string {
	file := memoryFile(sys)
	if file == "" {
		return nil
	}
	data, err := regular.Read(file, mostRemembered)
	if err != nil {
		return nil // nothing is remembered then
	}
	return slices.DeleteFunc(strings.Split(string(data), "\n"), func(line string) bool { return line == "" })
}

// remember adds to the file the targets in all that the person agreed to. If that fails, remember logs the reason, and
// the person is asked again the next time.
func remember(sys System, all []sides.UntrustedTarget) {
	file, lines := memoryFile(sys), ""
	for _, u := range all {
		if line := rememberedLine(u); line != "" {
			lines += line + "\n"
		}
	}
	if file == "" || lines == "" {
		return
	}
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	if err == nil {
		err = appendTo(file, lines)
	}
	if err != nil {
		logf(sys, "could not save your answer: %v", err)
	}
}

func appendTo(file, text string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
