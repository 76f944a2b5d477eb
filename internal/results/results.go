// Package results reads the results of other runners for base and head: files → rows → paired cases → results. It
// calls nobody and decides nothing.
package results

import (
	"cmp"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/results/jsonl"
	"github.com/failproof/failproof/internal/results/junit"
	"github.com/failproof/failproof/internal/results/promptfoo"
	"github.com/failproof/failproof/internal/results/rows"
	"github.com/failproof/failproof/internal/text"
)

// Limits of the results of base or head.
const (
	maxSide   = 512 << 20 // bytes
	maxFiles  = 1000
	maxCases  = 100_000
	maxSuites = 1000
	maxRuns   = 1000 // runs of a case
)

// Options say how files are read.
type Options struct {
	Format string         // the format's name; "" if the content decides
	Runs   *regexp.Regexp // its only group matches the number of the run in a test's name; may be nil
	PassAt *float64       // the lowest score of a run that passes; nil makes a run with only a score an error
}

// Format is a format of results.
type Format struct {
	Name            string
	ShowsAssertions bool // reports whether the format has the runner's assertions
	Strict          bool // reports whether tests in the format call no model
	equalRowsRepeat bool // reports whether the format has no other sign of a repeated case than equal rows
	fits            func(rows.Shape) bool
	read            func(data []byte, o Options, take func(rows.Row) error) (notes []string, err error)
}

var formats = []Format{
	{Name: "promptfoo", ShowsAssertions: true, equalRowsRepeat: true, fits: promptfoo.Fits,
		read: func(data []byte, _ Options, take func(rows.Row) error) ([]string, error) {
			return nil, promptfoo.Read(data, take)
		}},
	{Name: "junit", Strict: true, fits: junit.Fits,
		read: func(data []byte, o Options, take func(rows.Row) error) ([]string, error) {
			return junit.Read(data, o.Runs, take)
		}},
	{Name: "jsonl", fits: jsonl.Fits, read: func(data []byte, _ Options, take func(rows.Row) error) ([]string, error) {
		return nil, jsonl.Read(data, take)
	}},
}

// Formats returns the names of the formats.
func Formats() (names []string) {
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// Fault is an error in a file of results.
type Fault struct {
	Path string
	Why  string
}

func (f Fault) Error() string { return f.Path + ": " + f.Why }

// Side is the results of base or head.
type Side struct {
	Format     Format
	NoRunFound bool     // reports whether Options.Runs matches the name of no test
	Notes      []Fault  // on files that are read all the same
	Repeated   []string // the names of cases with several runs that nothing but equal names shows as such
	cases      []*testCase
	byID       map[identity]*testCase
	suites     map[[3]string]bool // by suite, provider and prompt
	skipped    map[string]bool    // the names of cases that the runner left out
}

// identity identifies a case. Rows with the same identity are runs of one case.
type identity struct {
	suite, key, title, expected string
	provider, prompt            rows.Name
}

// testCase is a case of one side, with its runs.
type testCase struct {
	identity
	name      string
	input     string
	path      string
	line      int
	file      string // the file of its first run
	runs      []run
	runPlaces map[string]string // from the number of a run to its place

	// set by Pair
	suiteID, id      string
	pairName         string // equal for the cases of a pair, and for no others
	format           string
	strict, mustPass bool
}

type run struct {
	passed, noAnswer bool
	unjudged         bool // any answer would pass
	score            *float64
	output, reason   string
	number           string
}

// Read reads a file of a tree, or all files below a folder. An error in a file is a Fault.
func Read(tree fs.FS, name string, o Options) (*Side, error) {
	files, err := filesOf(tree, name)
	if err != nil {
		return nil, err
	}
	side, left := &Side{byID: map[identity]*testCase{}, suites: map[[3]string]bool{}, skipped: map[string]bool{}}, int64(maxSide)
	for _, file := range files {
		data, faults := document.ReadText(tree, file, rows.MaxFile)
		if len(faults) > 0 {
			return nil, Fault{file, faults[0].Message}
		}
		if left -= int64(len(data)); left < 0 {
			return nil, Fault{name, "the files hold more than 512 MiB"}
		}
		if err := side.add(file, data, o); err != nil {
			return nil, Fault{file, err.Error()}
		}
	}
	if len(side.cases) == 0 {
		return nil, Fault{name, "it holds no results"}
	}
	side.joinUntitled()
	side.byID = nil
	side.NoRunFound = o.Runs != nil
	for _, c := range side.cases {
		side.NoRunFound = side.NoRunFound && len(c.runPlaces) == 0
		if n := len(c.runs) - len(c.runPlaces); n > 1 && !side.Format.equalRowsRepeat {
			side.Repeated = append(side.Repeated, short(c.name))
		}
		c.runPlaces = nil
	}
	return side, nil
}

// joinUntitled joins the runs that do not show the title of their case, such as lines with an error and no input, with
// the only case that they can be of.
func (s *Side) joinUntitled() {
	untitled := func(c *testCase) identity {
		id := c.identity
		id.title = ""
		return id
	}
	titled := grouped(slices.DeleteFunc(slices.Clone(s.cases), func(c *testCase) bool { return c.title == "" }), untitled)
	s.cases = slices.DeleteFunc(s.cases, func(c *testCase) bool {
		of := titled[untitled(c)]
		if c.title != "" || len(of) != 1 {
			return false
		}
		of[0].runs = append(of[0].runs, c.runs...)
		return true
	})
}

// DropRuns drops the runs of a side, which use most of its memory. Call it after the results are written.
func (s *Side) DropRuns() {
	for _, c := range s.cases {
		c.runs, c.input, c.identity = nil, "", identity{}
	}
}

// filesOf returns name if it is a file, and otherwise the files below the folder name, in lexical order.
func filesOf(tree fs.FS, name string) (files []string, err error) {
	err = fs.WalkDir(tree, name, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return Fault{at, document.Reason(err)}
		case entry.IsDir():
			return nil
		case !entry.Type().IsRegular():
			return Fault{at, "it is no regular file; expected one, which no link leads to"}
		case len(files) == maxFiles:
			return Fault{name, fmt.Sprintf("it holds more than %d files", maxFiles)}
		}
		files = append(files, at)
		return nil
	})
	if err == nil && len(files) == 0 {
		err = Fault{name, "the folder holds no file"}
	}
	return files, err
}

// add adds the rows of a file.
func (s *Side) add(file string, data []byte, o Options) error {
	f, err := formatOf(data, o.Format)
	if err != nil {
		return err
	}
	if s.Format.Name != "" && s.Format.Name != f.Name {
		return fmt.Errorf("its format is %s, and that of the other files %s; expected one format a side", f.Name, s.Format.Name)
	}
	s.Format = f
	notes, err := f.read(data, o, func(r rows.Row) error { return s.addRow(file, r, o) })
	for _, note := range notes {
		s.Notes = append(s.Notes, Fault{file, note})
	}
	return err
}

// formatOf returns the format with the given name. If name is "", it returns the only format that the data fits.
func formatOf(data []byte, name string) (Format, error) {
	if name != "" { // one of Formats
		return formats[slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })], nil
	}
	shape := rows.ShapeOf(data)
	var fit []Format
	for _, f := range formats {
		if f.fits(shape) {
			fit = append(fit, f)
		}
	}
	switch {
	case shape.Root == "promptfoo":
		return Format{}, fmt.Errorf("it is promptfoo's own XML, which says too little; write the results with `-o x.json`")
	case len(fit) == 0 && shape.Err != nil:
		return Format{}, shape.Err
	case len(fit) == 0:
		return Format{}, fmt.Errorf("its content fits no format of %s; see https://github.com/failproof/failproof/blob/main/docs/reference/results.md", text.List(Formats(), "and"))
	case len(fit) > 1:
		return Format{}, fmt.Errorf("its content fits %s and %s; name the format with --format", fit[0].Name, fit[1].Name)
	}
	return fit[0], nil
}

// addRow adds a row as a run of its case.
func (s *Side) addRow(file string, r rows.Row, o Options) error {
	passed := false
	switch {
	case r.Skipped:
		s.skipped[r.Case] = true
		return nil
	case r.NoAnswer:
	case r.Passed != nil:
		passed = *r.Passed
	case o.PassAt == nil:
		return fmt.Errorf("%s: `passed` is missing, and from which score on a run passes is not said; "+
			"write `passed`, or set `pass_at` in the configuration", r.At)
	default:
		passed = *r.Score >= *o.PassAt
	}
	if r.Run != "" {
		r.Title = ""
	}
	id := identity{r.Suite, cmp.Or(r.Key, r.Case), r.Title, r.Expected, r.Provider, r.Prompt}
	c := s.byID[id]
	if c == nil {
		if len(s.cases) == maxCases {
			return fmt.Errorf("%s: there are more than %d cases", r.At, maxCases)
		}
		c = &testCase{identity: id, name: r.Case, input: r.Input, path: r.Path, line: r.Line, file: file, runPlaces: map[string]string{}}
		if s.suites[[3]string{r.Suite, r.Provider.Long, r.Prompt.Long}] = true; len(s.suites) > maxSuites {
			return fmt.Errorf("%s: there are more than %d suites, providers and prompts", r.At, maxSuites)
		}
		s.byID[id] = c
		s.cases = append(s.cases, c)
	}
	c.input = cmp.Or(c.input, r.Input)
	return c.add(file, r, passed)
}

func (c *testCase) add(file string, r rows.Row, passed bool) error {
	at := file + ", " + r.At
	switch first := c.runPlaces[r.Run]; {
	case r.Run == "" && c.file != file:
		return fmt.Errorf("%s: case %q is in %s as well, and neither says which run it is", r.At, short(c.name), c.file)
	case r.Run != "" && first != "":
		return fmt.Errorf("%s: run %s of case %q is there twice, first in %s", r.At, short(r.Run), short(c.name), first)
	case len(c.runs) == maxRuns:
		return fmt.Errorf("%s: case %q has more than %d runs", r.At, short(c.name), maxRuns)
	}
	if r.Run != "" {
		c.runPlaces[r.Run] = at
	}
	c.runs = append(c.runs, run{passed: passed, noAnswer: r.NoAnswer, unjudged: r.Unjudged, score: r.Score, output: r.Output, reason: r.Reason, number: r.Run})
	return nil
}

// sortedRuns returns a case's runs sorted by number.
func (c *testCase) sortedRuns() []run {
	number := func(r run) int {
		n, _ := strconv.Atoi(r.number) // runs without a number come first
		return n
	}
	slices.SortStableFunc(c.runs, func(a, b run) int { return number(a) - number(b) })
	return c.runs
}

// short cuts a name for a message.
func short(name string) string { return text.FirstRunes(name, 80) }
