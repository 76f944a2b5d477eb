package suite

import (
	"iter"
	"path"
	"runtime"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/together"
)

// parsed is what can be told of a file by itself. JSON lines are read when their cases are made.
type parsed struct {
	source
	text   []byte
	unread []document.Diagnostic // why it cannot be read
	root   *document.Node        // nil: it has no tree to speak of
	faults []document.Diagnostic // of the tree
	unmet  []document.Diagnostic // in what a suite differs from the schema
	ahead  *opened               // of several files of JSON lines, which are read at once; nil: its cases are made in its turn
}

// atOnce is how many files are parsed at once at most; each is held until its cases are made.
const atOnce = 4

// parsed yields the files in their order. Several of YAML, of which each is at most 1 MiB, are parsed at once, and several of JSON lines read.
func (l *loader) parsed(files []source) iter.Seq2[int, parsed] {
	return func(yield func(int, parsed) bool) {
		width := min(runtime.GOMAXPROCS(0), atOnce)
		for at := 0; at < len(files); {
			n := 1
			for n < width && at+n < len(files) && files[at].goesWith(files[at+n]) {
				n++
			}
			batch := make([]parsed, n)
			together.Each(n, n, func(i int) {
				if batch[i] = l.parse(files[at+i]); n > 1 && batch[i].form == linesForm {
					batch[i].ahead = l.ahead(batch[i])
				}
			})
			for i, p := range batch {
				if !yield(at+i, p) {
					return
				}
				batch[i] = parsed{} // its tree can go
			}
			at += n
		}
	}
}

// goesWith reports two files that are parsed, or read, at once.
func (s source) goesWith(other source) bool {
	return s.isYAML() && other.isYAML() || s.form == linesForm && other.form == linesForm
}

func (s source) isYAML() bool {
	return s.form != linesForm && strings.ToLower(path.Ext(s.path)) != ".json"
}

// parse reads a file into a tree, unless it holds JSON lines.
func (l *loader) parse(s source) parsed {
	p := parsed{source: s}
	if wrong := badPath(s.path); wrong != "" {
		p.unread = []document.Diagnostic{document.NewFault(s.path, document.Position{}, "path", "the file's path %s", wrong)}
		return p
	}
	if s.form == linesForm {
		return p
	}
	p.text, p.unread = document.Read(l.fsys, s.path)
	if document.HasErrors(p.unread) {
		return p
	}
	p.root, p.faults = document.Parse(s.path, p.text)
	if p.root != nil && s.form != promptForm && !isPromptFile(s.path, p.root) {
		p.unmet = suiteSchema().Check(s.path, p.root)
	}
	return p
}
