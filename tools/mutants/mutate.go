package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// mutant is one change to one file.
type mutant struct {
	file        string
	start, end  int // of the replaced text
	replacement string
	line        int
	description string // in words
}

// apply returns the source with the change.
func (m mutant) apply(source []byte) []byte {
	return slices.Concat(source[:m.start], []byte(m.replacement), source[m.end:])
}

// mutantsOf returns every mutant of the functions in a file, in the order of the source. Some do not compile.
func mutantsOf(name string, source []byte) ([]mutant, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &finder{name: name, source: source, files: files}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			if node.Body != nil {
				ast.Inspect(node.Body, f.visit)
			}
			return false
		case *ast.FuncLit: // of a variable
			ast.Inspect(node.Body, f.visit)
			return false
		}
		return true
	})
	slices.SortStableFunc(f.mutants, func(a, b mutant) int { return a.start - b.start })
	return f.mutants, nil
}

type finder struct {
	name    string
	source  []byte
	files   *token.FileSet
	mutants []mutant
}

// comparisons maps each operator to its replacement.
var comparisons = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS,
	token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

func (f *finder) visit(node ast.Node) bool {
	switch node := node.(type) {
	case *ast.IfStmt:
		f.replace(node.Cond.Pos(), node.Cond.End(), "!("+f.text(node.Cond)+")", "the condition is negated")
	case *ast.BinaryExpr:
		if to, ok := comparisons[node.Op]; ok {
			end := node.OpPos + token.Pos(len(node.Op.String()))
			f.replace(node.OpPos, end, to.String(), fmt.Sprintf("%s becomes %s", node.Op, to))
		}
	case *ast.BasicLit:
		if node.Kind == token.INT {
			f.replace(node.Pos(), node.End(), "("+node.Value+" + 1)", node.Value+" becomes "+node.Value+" + 1")
		}
	case *ast.ReturnStmt:
		for _, result := range node.Results {
			f.negateBool(result)
		}
	case *ast.AssignStmt:
		f.deleteAssignment(node)
	case *ast.IncDecStmt:
		f.replace(node.Pos(), node.End(), "", f.text(node)+" is deleted")
	case *ast.ExprStmt:
		f.replace(node.Pos(), node.End(), "", f.text(node)+" is deleted")
	case *ast.CaseClause:
		if len(node.Body) > 0 {
			f.replace(node.Colon+1, node.End(), "", "the body of the case is deleted")
		}
	}
	return true
}

// negateBool replaces a constant true or false.
func (f *finder) negateBool(result ast.Expr) {
	to := map[string]string{"true": "false", "false": "true"}
	if name, ok := result.(*ast.Ident); ok && to[name.Name] != "" {
		f.replace(name.Pos(), name.End(), to[name.Name], name.Name+" becomes "+to[name.Name])
	}
}

// deleteAssignment assigns the values to blanks instead. Their evaluation stays, so that no variable becomes unused.
func (f *finder) deleteAssignment(node *ast.AssignStmt) {
	if node.Tok == token.DEFINE || slices.ContainsFunc(node.Lhs, isBlank) {
		return
	}
	blanks := strings.TrimSuffix(strings.Repeat("_, ", len(node.Lhs)), ", ")
	f.replace(node.Pos(), node.Rhs[0].Pos(), blanks+" = ", f.text(node)+" is deleted")
}

func isBlank(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "_"
}

// text returns the source of a node.
func (f *finder) text(node ast.Node) string {
	return string(f.source[f.offset(node.Pos()):f.offset(node.End())])
}

func (f *finder) offset(at token.Pos) int { return f.files.Position(at).Offset }

func (f *finder) replace(from, to token.Pos, text, change string) {
	change, _, more := strings.Cut(change, "\n")
	if more {
		change += " … is deleted"
	}
	f.mutants = append(f.mutants, mutant{
		file: f.name, start: f.offset(from), end: f.offset(to), replacement: text,
		line: f.files.Position(from).Line, description: change,
	})
}
