package document

import (
	"bytes"
	"fmt"
	"strings"
)

// maxColumns is the largest number of cells that a row may have.
const maxColumns = 1000

// Table reads a CSV file (RFC 4180) row by row. The first row has the names of the columns. Line ends within a cell are
// read as LF.
type Table struct {
	Header []*Node // the names of the columns, each a String; "" for a column without a name

	faults *Diagnostics
	cursor
	broken bool
}

// NewTable reads the header of the table in text and returns the table. firstLine is the number of the first line of
// text in the file. NewTable skips a byte order mark, which spreadsheets write. If the header has errors, it returns
// nil and the errors.
func NewTable(path string, text []byte, firstLine int) (*Table, []Diagnostic) {
	text = bytes.TrimPrefix(text, bom)
	t := &Table{faults: NewDiagnostics(path), cursor: cursor{text: string(text), line: firstLine, column: 1}}
	t.Header = t.readCells()
	if len(t.Header) == 0 && !t.broken {
		t.faults.ErrorAt(Position{Line: firstLine, Column: 1}, "empty",
			"the file is empty; expected a first row with the names of the columns")
	}
	seen := map[string]bool{}
	for _, name := range t.Header {
		switch name.Text = strings.TrimSpace(name.Text); {
		case conflictMark.MatchString(name.Text):
			t.faults.addConflict(name.Pos, name.Text)
		case name.Text != "" && seen[name.Text]:
			t.faults.ErrorAt(name.Pos, "duplicate-key", "the column %s is there twice; rename one", Quote(name.Text))
		case len(t.Header) == 1 && strings.ContainsAny(name.Text, ";\t"):
			t.faults.ErrorAt(name.Pos, "syntax",
				"the columns are separated by semicolons or tabs; save the file with commas")
		}
		seen[name.Text] = true
	}
	if len(t.faults.list) > 0 {
		return nil, t.faults.All()
	}
	return t, nil
}

// Row returns the next row as a map of String cells. ok reports whether there was a next row. If a row's length differs
// from the header's, row is nil and ds has the error. A syntax error ends the table; see Broken.
func (t *Table) Row() (row *Node, ds []Diagnostic, ok bool) {
	t.faults = NewDiagnostics(t.faults.Path)
	cells := t.readCells()
	switch {
	case t.broken:
		return nil, t.faults.All(), false
	case len(cells) == 0:
		return nil, nil, false
	case len(cells) != len(t.Header) && conflictMark.MatchString(cells[0].Text):
		t.faults.addConflict(cells[0].Pos, cells[0].Text)
		t.broken = true
		return nil, t.faults.All(), false
	case len(cells) != len(t.Header):
		t.faults.ErrorAt(cells[0].Pos, "row",
			"the row has %d cells and the header %d; put cells with a comma in quotes", len(cells), len(t.Header))
		return nil, t.faults.All(), true
	}
	return &Node{Kind: Map, Pos: cells[0].Pos, Keys: t.Header, Values: cells}, nil, true
}

// Line returns the number of the next line to read. The next row begins there, or after blank lines.
func (t *Table) Line() int { return t.line }

// Broken reports whether a syntax error ended the table.
func (t *Table) Broken() bool { return t.broken }

// blankLineLen returns the length in bytes of the next line, with its line end, if the line is blank, and 0 otherwise.
// A line of commas is blank, because spreadsheets write an emptied row that way.
func (t *Table) blankLineLen() int {
	line := t.text[t.next:]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = line[:end+1]
	}
	if text := strings.TrimRight(line, "\r\n"); len(text) > 0 {
		emptied := len(t.Header) > 1 || t.Header != nil && strings.IndexByte(text, ',') >= 0
		if !emptied || len(strings.TrimRight(text, ", \t")) > 0 {
			return 0
		}
	} else if !strings.HasSuffix(line, "\n") {
		return 0
	}
	return len(line)
}

// readCells skips blank lines and returns the cells of the next row. It returns nil at the end of the file and after a
// syntax error.
func (t *Table) readCells() (cells []*Node) {
	for n := t.blankLineLen(); n > 0; n = t.blankLineLen() {
		t.next += n
		t.startLine()
	}
	if t.next >= len(t.text) {
		return nil
	}
	cells = make([]*Node, 0, max(len(t.Header), 4))
	for {
		cell := &Node{Kind: String, Pos: t.position()}
		if len(cells) == maxColumns {
			t.stop(cell.Pos, fmt.Sprintf("the row has more than %d cells", maxColumns))
			return nil
		}
		cells = append(cells, cell)
		if t.next < len(t.text) && t.text[t.next] == '"' {
			cell.Text = t.readQuoted(cell.Pos)
		} else {
			cell.Text = t.readPlain()
		}
		switch {
		case t.broken:
			return nil
		case t.next >= len(t.text):
			t.startLine() // after the row, although its line has no end
			return cells
		case t.text[t.next] == ',':
			t.next++
		default:
			t.next += strings.IndexByte(t.text[t.next:], '\n') + 1
			t.startLine()
			return cells
		}
	}
}

func (t *Table) stop(at Position, message string) {
	t.broken = true
	t.faults.ErrorAt(at, "syntax", "%s", message)
}

// readPlain reads a cell without quotes, which ends before a comma or at the end of the line.
func (t *Table) readPlain() string {
	cell := t.text[t.next:]
	if end := strings.IndexAny(cell, ",\n\r\""); end >= 0 {
		cell = cell[:end]
	}
	t.next += len(cell)
	switch rest := t.text[t.next:]; {
	case strings.HasPrefix(rest, `"`):
		t.stop(t.position(),
			"a quote inside a cell without quotes; put the whole cell in quotes and double each quote in it")
	case rest == "\r": // the last line ends in CR
		t.next++
	case strings.HasPrefix(rest, "\r") && !strings.HasPrefix(rest, "\r\n"):
		t.stop(t.position(), "the line ends with CR alone; save the file with line ends LF or CRLF")
	}
	return cell
}

func (t *Table) readQuoted(start Position) string {
	end := t.next + 1
	for ; ; end++ { // up to a quote that is not doubled
		length := strings.IndexByte(t.text[end:], '"')
		if length < 0 {
			t.stop(start, "the cell begins with a quote and never ends; a quote inside a cell is doubled")
			return ""
		}
		if end += length + 1; !strings.HasPrefix(t.text[end:], `"`) {
			break
		}
	}
	cell := t.text[t.next:end]
	for line := range strings.Lines(cell) {
		if t.next += len(line); line[len(line)-1] == '\n' {
			t.startLine()
		}
	}
	if rest := t.text[t.next:]; len(rest) > 0 && rest[0] != ',' && rest[0] != '\n' && !strings.HasPrefix(rest, "\r\n") {
		t.stop(t.position(), "text follows the quote that ends the cell; a quote inside a cell is doubled")
	}
	return quotedText.Replace(cell[1 : len(cell)-1])
}

// quotedText returns the text of a cell that stands between quotes.
var quotedText = strings.NewReplacer(`""`, `"`, "\r\n", "\n")

// ListOf returns a list with the given position and items.
func ListOf(at Position, items ...*Node) *Node { return &Node{Kind: List, Pos: at, items: items} }

// Shift adds lines to the line numbers of n, its keys and its descendants.
func (n *Node) Shift(lines int) {
	n.Pos.Line += lines
	for _, key := range n.Keys {
		key.Pos.Line += lines
	}
	for _, value := range n.Values {
		value.Shift(lines)
	}
	for _, item := range n.items {
		item.Shift(lines)
	}
}
