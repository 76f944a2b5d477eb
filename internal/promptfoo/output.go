package promptfoo

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// output collects the files of the result.
type output struct {
	src     *source
	inPlace bool // it goes to the root of what is read
	files   []File
	copies  map[string]string // files of the source that were copied, by path, to where
	inJSON  map[string]string // files that hold a value in JSON, by name and text
	names   map[string]bool   // of files, in small letters
}

// reference returns how a suite names a file of the tree: its own path if the result is written in place, else that of
// a copy. It is false for no file.
func (o *output) reference(name string) (string, bool) {
	switch {
	case name == "":
		return "", false
	case o.inPlace:
		return "../" + name, true
	}
	if _, copied := o.copies[name]; !copied {
		data, err := fs.ReadFile(o.src.tree, name)
		if err != nil {
			return "", false
		}
		local, inside := strings.CutPrefix(name, o.src.dir+"/")
		if !inside && o.src.dir != "." {
			local = path.Base(name)
		}
		o.copies[name] = o.write("files/"+local, data)
		o.src.findings = append(o.src.findings, Finding{Changed, name, document.Position{},
			"the file", "it is copied to " +
				document.Quote(o.copies[name]) + ", and the copy is judged: " +
				"a change of the file itself is not",
			"have your application read the copy, or import it without --out, in a folder without a configuration"})
	}
	return "../" + o.copies[name], true
}

// write adds a file to the result, under another name if that is taken.
func (o *output) write(name string, text []byte) string {
	free := o.free(name)
	o.files = append(o.files, File{free, text})
	return free
}

// free returns a name that no file of the result has, in any letter case.
func (o *output) free(name string) string {
	ext := path.Ext(name)
	if strings.HasSuffix(name, ".schema.json") {
		ext = ".schema.json"
	}
	name = freeName(strings.TrimSuffix(name, ext), ext,
		func(name string) bool { return o.names[strings.ToLower(name)] })
	o.names[strings.ToLower(name)] = true
	return name
}

// jsonFile returns the file that holds a value, as seen from the suites' folder. Equal values share a file.
func (o *output) jsonFile(name, text string) string {
	key := name + " " + text
	if _, ok := o.inJSON[key]; !ok {
		var out bytes.Buffer
		_ = json.Indent(&out, []byte(text), "", "  ") // it was written as JSON here
		o.inJSON[key] = o.write(name, append(out.Bytes(), '\n'))
	}
	return "../" + o.inJSON[key]
}

// caseFile writes cases to a file of their own.
func (o *output) caseFile(name string, cases *value) string {
	if !large(cases) {
		return o.write("cases/"+name+".yaml", cases.yaml())
	}
	var out strings.Builder
	for _, c := range cases.items {
		out.WriteString(c.json() + "\n")
	}
	return o.write("cases/"+name+".jsonl", []byte(out.String()))
}
