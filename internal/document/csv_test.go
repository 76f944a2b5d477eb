package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/document"
)

// rowsOf formats the cells of a table with their places, and then its diagnostics.
func rowsOf(text string) (out []string) {
	t, ds := document.NewTable("a.csv", []byte(text), 1)
	for t != nil {
		row, wrong, more := t.Row()
		ds = append(ds, wrong...)
		if row != nil {
			var cells []string
			for i, cell := range row.Values {
				cells = append(cells, fmt.Sprintf("%s=%q@%d:%d", row.Keys[i].Text, cell.Text, cell.Pos.Line, cell.Pos.Column))
			}
			out = append(out, strings.Join(cells, " "))
		}
		if !more {
			break
		}
	}
	for _, d := range ds {
		out = append(out, fmt.Sprintf("%s %s: %s", d.Location(), d.Rule, d.Message))
	}
	return out
}

func TestTablesAreReadCellByCell(t *testing.T) {
	for _, c := range []struct {
		rule, text string
		want       []string // the beginning of each row or fault
	}{
		{"cells stand between commas", "a,b\n1, x \n,3\n", []string{`a="1"@2:1 b=" x "@2:3`, `a=""@3:1 b="3"@3:2`}},
		{"the last line needs no end", "a,b\n1,2", []string{`a="1"@2:1 b="2"@2:3`}},
		{"a row may end in an empty cell", "a,b\n1,", []string{`a="1"@2:1 b=""@2:3`}},
		{"lines may end in CRLF", "a,b\r\n1,\"2\"\r\n\r\n3,4\r\n", []string{`a="1"@2:1 b="2"@2:3`, `a="3"@4:1 b="4"@4:3`}},
		{"blank lines are no rows", "\n\na\n1\n\n\n2\n", []string{`a="1"@4:1`, `a="2"@7:1`}},
		{"nor are those that a spreadsheet was emptied of", "a,b\n1,2\n,,,,\n,\r\n \t, \n  \n3,4\n,,", []string{`a="1"@2:1 b="2"@2:3`, `a="3"@7:1 b="4"@7:3`}},
		{"one column of a space is a row, and commas are none", "a\n \n,,\n,\n", []string{`a=" "@2:1`}},
		{"cells in quotes are a row", "a,b\n\"\",\n", []string{`a=""@2:1 b=""@2:4`}},
		{"quotes hold commas, quotes and lines", "a,b\n\"x, \"\"y\"\"\r\nz\n\",é\n\"\",\"\"\n", []string{`a="x, \"y\"\nz\n"@2:1 b="é"@4:3`, `a=""@5:1 b=""@5:4`}},
		{"columns count characters", "a,b\né,\"ü\"\n", []string{`a="é"@2:1 b="ü"@2:3`}},
		{"a byte order mark is left out", "\ufeffa,b\n1,2\n", []string{`a="1"@2:1 b="2"@2:3`}},
		{"a column may have no name", ",b\n0,2\n", []string{`="0"@2:1 b="2"@2:3`}},
		{"names are trimmed", " a , b\n1,2\n", []string{`a="1"@2:1 b="2"@2:3`}},
		{"a header alone has no row", "a,b\n", nil},
		{"an empty file has no header", "", []string{"a.csv:1:1 empty: "}},
		{"a column stands once", "a,b,a\n1,2,3\n", []string{"a.csv:1:5 duplicate-key: "}},
		{"commas part the columns", "a;b\n1;2\n", []string{"a.csv:1:1 syntax: the columns are separated by semicolons"}},
		{"a row is as long as the header, and the others are read", "a,b\n1\n1,2\n1,2,3\n", []string{`a="1"@3:1 b="2"@3:3`, "a.csv:2:1 row: the row has 1 cells and the header 2", "a.csv:4:1 row: "}},
		{"a quote ends", "a,b\n1,2\n1,\"2\n3,4\n", []string{`a="1"@2:1 b="2"@2:3`, "a.csv:3:3 syntax: the cell begins with a quote and never ends"}},
		{"a quote stands in quotes", "a,b\n5\" pipe,1\n", []string{"a.csv:2:2 syntax: a quote inside a cell"}},
		{"nothing follows a cell in quotes", "a,b\n\"5\" pipe,1\n", []string{"a.csv:2:4 syntax: text follows"}},
		{"a row has at most 1000 cells", strings.Repeat(",", 1000) + "\n", []string{"a.csv:1:1001 syntax: "}},
		{"a merge conflict is named", "a,b\n<<<<<<< x\n1,2\n=======\n1,3\n>>>>>>> y\n", []string{"a.csv:2:1 merge-conflict: merge conflict marker `<<<<<<<`; resolve"}},
		{"CR alone ends no line", "a,b\r1,2\r", []string{"a.csv:1:4 syntax: the line ends with CR alone"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := rowsOf(c.text)
			ok := len(got) == len(c.want)
			for i := 0; ok && i < len(got); i++ {
				ok = strings.HasPrefix(got[i], c.want[i])
			}
			if !ok {
				t.Errorf("rows of %q:\n\t%s\nwant\n\t%s", c.text, strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
			}
		})
	}
}

func FuzzTable(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "a\r\n\"x\"\"\ny\"\r\n", "\ufeff\"a\",\n,\"\"", "a,a\n", "a\r"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table, ds := document.NewTable("a.csv", []byte(text), 1)
		if (table == nil) != (len(ds) > 0) {
			t.Fatal("a table or what is wrong with it")
		}
		for rows := 0; table != nil; rows++ {
			row, wrong, more := table.Row()
			if row != nil && len(row.Values) != len(table.Header) || len(wrong) > 0 && row != nil {
				t.Fatal("a row is as long as the header, or a fault")
			}
			if rows > len(text)+1 {
				t.Fatal("the table has no end")
			}
			if !more {
				return
			}
		}
	})
}
