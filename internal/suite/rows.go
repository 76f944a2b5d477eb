package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/schemas"
)

// dataLine is added to the line numbers in a separate file of cases. It distinguishes them from line numbers in the
// suite file.
const dataLine = 1 << 30

// rows are the cases of a suite. They are in the suite file or in a separate file.
type rows struct {
	at    document.Position // place of the list, or of the separate file's name
	items []*document.Node  // maps in the form of a suite's cases
}

// has reports whether any row has the given key.
func (r *rows) has(key string) bool {
	return slices.ContainsFunc(r.items, func(item *document.Node) bool { return item.Get(key) != nil })
}

// readRows returns the cases of the suite root, or nil if there are none to read.
func (f *file) readRows(root *document.Node) *rows {
	at := root.Get("cases")
	switch {
	case at == nil:
		return nil
	case at.Kind == document.List:
		return &rows{at.Pos, slices.DeleteFunc(slices.Clone(at.List()), func(item *document.Node) bool { return item.AsMap() == nil })}
	case at.Get("file").AsText() != "":
		return f.readData(at.Get("file"))
	}
	f.faults.rejectAddress(at, at.AsText(), "cases: { file: "+pathOf(at.AsText())+" }")
	return nil
}

// readData returns the cases in the separate file that name names, or nil on an error.
func (f *file) readData(name *document.Node) *rows {
	casesPath, ok := f.reader.locate(name, "file of cases", false)
	if !ok {
		return nil
	}
	d := &casesFile{file: f, faults: f.faults, path: casesPath}
	read := d.list
	switch strings.ToLower(path.Ext(casesPath)) {
	case ".csv":
		read, d.csv = d.table, true
	case ".jsonl":
		read = d.lines
	case ".yaml", ".yml":
	default:
		f.faults.ErrorAt(name.Pos, "path", "a file of cases ends in .csv, .jsonl, .yaml or .yml; %s does not", document.Quote(name.Text))
		return nil
	}
	f.loader.nonSuites[casesPath], f.faults.casesPath = true, casesPath
	text, ds := document.Read(f.loader.fsys, casesPath)
	f.faults.Add(ds...)
	if document.HasErrors(ds) {
		return nil
	}
	f.columns = columns{fields: map[string]bool{}, variables: map[string]bool{}, unnamable: map[string]document.Position{}}
	d.text = text
	items := d.readItems(read)
	f.faults.Add(rowsSchema().Check(casesPath, document.ListOf(name.Pos, items...))...)
	return &rows{name.Pos, items}
}

// casesFile is a separate file of cases. Each column is a field of the case or a variable.
type casesFile struct {
	file   *file
	faults *diagnostics
	path   string
	csv    bool
	text   []byte
}

// row is a row of a separate file of cases. end is its last line number, with dataLine added.
type row struct {
	*document.Node
	end int
}

// readItems returns the rows that read yields as cases of a suite file. It reports invalid rows and leaves them out.
func (f *casesFile) readItems(read iter.Seq[row]) (items []*document.Node) {
	for r := range read {
		switch {
		case slices.ContainsFunc(f.file.earlierErrors, func(w document.Diagnostic) bool {
			return w.Path == f.path && r.Pos.Line <= w.Line+dataLine && w.Line+dataLine <= r.end
		}):
		case r.AsMap() == nil:
			f.faults.ErrorAt(r.Pos, "type", "a row is a map of variables and of what is expected")
		case r.Get("suite_id") != nil && r.Get("case_id") != nil:
			f.faults.ErrorAt(r.Pos, "contract", "this is a row of the FailProof data contract, which is read without a suite; let the configuration's `suites` name its file")
			return items
		default:
			items = append(items, f.caseOf(r.Node))
		}
	}
	return items
}

// table yields the rows of a CSV file.
func (f *casesFile) table(yield func(row) bool) {
	t, ds := document.NewTable(f.path, f.text, 1+dataLine)
	f.faults.Add(ds...)
	for more := t != nil; more; {
		var n *document.Node
		n, ds, more = t.Row()
		f.faults.Add(ds...)
		if n != nil && !yield(row{n, t.Line() - 1}) {
			return
		}
	}
	f.file.suiteInvalid = f.file.suiteInvalid || t == nil || t.Broken()
}

// lines yields the rows of a file of JSON lines.
func (f *casesFile) lines(yield func(row) bool) {
	number := 0
	for line := range bytes.SplitSeq(bytes.TrimPrefix(f.text, []byte("\ufeff")), []byte("\n")) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		n, ds := document.ParseJSON(f.path, string(bytes.TrimSuffix(line, []byte("\r"))), document.Position{Line: number, Column: 1})
		f.faults.Add(ds...)
		if n != nil && !document.HasErrors(ds) {
			n.Shift(dataLine)
			if !yield(row{n, number + dataLine}) {
				return
			}
		}
	}
}

// list yields the rows of a YAML file, which is a list.
func (f *casesFile) list(yield func(row) bool) {
	root, ds := document.Parse(f.path, f.text)
	f.faults.Add(ds...)
	if root == nil || document.HasErrors(ds) {
		f.file.suiteInvalid = true
		return
	}
	root.Shift(dataLine)
	if root.Kind != document.List {
		f.faults.ErrorAt(root.Pos, "type", "a file of cases is a list of rows")
		return
	}
	for _, n := range root.List() {
		if !yield(row{n, lastLine(n)}) {
			return
		}
	}
}

// lastLine returns the line at which the last value of n begins.
func lastLine(n *document.Node) int {
	last := n.Pos.Line
	for _, inner := range slices.Concat(n.Values, n.List()) {
		last = max(last, lastLine(inner))
	}
	return last
}

// caseColumns maps the columns that are fields of a case to the kind of value that a CSV cell stands for. Files of
// other formats have the values themselves.
var caseColumns = text.ByName(map[string]document.Kind{
	"id|description|expected_response|match|expected_format|expected_classification": document.String,
	"expected_label|category|severity|reference":                                     document.String,
	"must_pass": document.Bool, "trials|case_threshold": document.Number,
	"assert|labels|key_facts|forbidden_claims|allowed_terms|policies|expected_tools": document.List,
	"failure_modes|tags|messages|rubric":                                             document.List,
	"vars|label_in|facts":                                                            document.Map,
})

// rowVars are the variables of a row, and the set of their names.
type rowVars struct {
	*document.Node
	given map[string]bool
}

// addVar adds a variable, unless the row gives it twice, which is an error.
func (f *casesFile) addVar(vars *rowVars, name, value *document.Node) {
	if vars.given[name.Text] {
		f.faults.ErrorAt(name.Pos, "duplicate-key", "the row gives the variable %s twice, as a column and as one of `vars`; "+
			"remove one", document.Quote(name.Text))
		f.file.suiteInvalid = f.file.suiteInvalid || f.csv // every row has both columns
		return
	}
	vars.given[name.Text] = true
	vars.Keys, vars.Values = append(vars.Keys, name), append(vars.Values, value)
}

// caseOf returns a row in the form of a case in a suite file.
func (f *casesFile) caseOf(row *document.Node) *document.Node {
	item := &document.Node{Kind: document.Map, Pos: row.Pos}
	vars := rowVars{&document.Node{Kind: document.Map, Pos: row.Pos}, map[string]bool{}}
	for i, key := range row.Keys {
		value := row.Values[i]
		kind, field := caseColumns[key.Text]
		field = field && (key.Text != "facts" || value.Get("unclear") != nil) // otherwise a variable
		if field {
			f.file.columns.fields[key.Text] = true
		}
		switch {
		case value.Kind == document.Null || field && f.csv && value.Text == "":
			continue // absent
		case field && f.csv:
			value = f.cell(value, kind)
		case !field:
			if name := f.columnVar(key); name != nil {
				f.addVar(&vars, name, value)
			}
			continue
		}
		if key.Text == "vars" && value.Kind == document.Map {
			for name, value := range value.Entries() {
				f.addVar(&vars, name, value)
			}
			continue
		}
		item.Keys, item.Values = append(item.Keys, key), append(item.Values, value)
	}
	if len(vars.Keys) > 0 {
		item.Keys = append(item.Keys, &document.Node{Kind: document.String, Text: "vars", Pos: row.Pos})
		item.Values = append(item.Values, vars.Node)
	}
	return item
}

// cell returns a CSV cell as a value of the kind of its column. In a column of lists, a cell contains one text or JSON.
// A single map in such a column becomes a list of one item.
func (f *casesFile) cell(cell *document.Node, kind document.Kind) *document.Node {
	out := *cell
	switch kind {
	case document.Bool:
		if word := strings.ToLower(cell.Text); word == "true" || word == "false" {
			out.Kind, out.Text = document.Bool, word
		}
	case document.Number:
		if document.Decimal.MatchString(cell.Text) {
			out.Kind = document.Number
		}
	case document.List, document.Map:
		if written := strings.TrimSpace(cell.Text); strings.HasPrefix(written, "[") || strings.HasPrefix(written, "{") {
			value, ds := document.ParseJSON(f.path, written, cell.Pos)
			switch {
			case value == nil || document.HasErrors(ds):
			case kind == document.List && value.Kind == document.Map && value.Get("replace") == nil: // one assertion, or one tool call
				return document.ListOf(cell.Pos, value)
			default:
				return value
			}
			f.faults.ErrorAt(cell.Pos, "syntax", "the cell begins with a bracket and is not JSON; write [\"a\", \"b\"] for a list of texts, or one text alone")
		}
		if kind == document.List {
			return document.ListOf(cell.Pos, &out)
		}
	}
	return &out
}

// rowsSchema is the schema of a list of cases.
var rowsSchema = schemaOf(`"items": { "$ref": "#/$defs/case" }`)

// schemaOf returns the schema with the given rules, which may refer to the definitions of the schema of suites.
func schemaOf(rules string) func() *document.Schema {
	return document.EmbeddedSchema(rules, func() []byte {
		whole := text.MustParse[map[string]json.RawMessage](schemas.Suite())
		return fmt.Appendf(nil, `{ "$schema": %s, "$defs": %s, %s }`, whole["$schema"], whole["$defs"], rules)
	})
}

// madeID returns an id for a case without one. It is made from the case's own variables and messages, so that it stays
// the same when the expectation or the place of the case changes.
func madeID(item *document.Node) string {
	own := struct {
		Vars     map[string]string `json:"vars,omitempty"`
		Messages [][3]string       `json:"messages,omitempty"`
	}{Vars: map[string]string{}}
	for key, value := range item.Get("vars").Entries() {
		own.Vars[key.Text] = textOf(value)
	}
	for _, m := range item.Get("messages").List() {
		own.Messages = append(own.Messages, [3]string{m.Get("role").AsText(), m.Get("content").AsText(), m.Get("file").AsText()})
	}
	return "case-" + keyOf(own).String()[:12]
}

// textOf returns the value of a variable as written. If the value is the path of a file, the result is marked as such.
func textOf(n *document.Node) string {
	if file := n.AsMap().Get("file"); file != nil {
		return "file\x00" + file.AsText()
	}
	written, _ := n.AsScalar()
	return written
}
