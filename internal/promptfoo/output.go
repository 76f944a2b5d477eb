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
	src       *source
	inPlace   bool // whether the result is written to the root of the source
	files     []File
	copies    map[string]string // by path of a source file: the name of its copy
	jsonFiles map[string]string // by requested name and JSON text: the name of the file with the text
	names     map[string]bool   // all names in use, in lower case
}

// reference returns the path by which a suite names the source file with the given name. It is the path of a copy or,
// if the result is written in place, of the file itself. It returns false if name is "" or the file cannot be read.
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
		o.src.addFinding(Changed, node{&document.Node{}, name}, "the file",
			"it is copied to "+document.Quote(o.copies[name])+", and the copy is judged: a change of the file itself is not",
			"have your application read the copy, or import it without --out, in a folder without a configuration")
	}
	return "../" + o.copies[name], true
}

// write adds a file to the result and returns its name. The returned name differs from the given one if that is taken.
func (o *output) write(name string, text []byte) string {
	free := o.reserveName(name)
	o.files = append(o.files, File{free, text})
	return free
}

// reserveName reserves a name that differs from every other name, also in lower case, and returns it. It is name if
// that is not taken.
func (o *output) reserveName(name string) string {
	ext := path.Ext(name)
	if strings.HasSuffix(name, ".schema.json") {
		ext = ".schema.json"
	}
	name = freeName(strings.TrimSuffix(name, ext), ext,
		func(name string) bool { return o.names[strings.ToLower(name)] })
	o.names[strings.ToLower(name)] = true
	return name
}

// jsonFile returns the path of a file with the given JSON text, relative to the folder suites. Equal texts with the
// same requested name share a file.
func (o *output) jsonFile(name, text string) string {
	key := name + " " + text
	if _, ok := o.jsonFiles[key]; !ok {
		var out bytes.Buffer
		_ = json.Indent(&out, []byte(text), "", "  ") // text is valid JSON
		o.jsonFiles[key] = o.write(name, append(out.Bytes(), '\n'))
	}
	return "../" + o.jsonFiles[key]
}

// caseFile writes the cases to a file and returns its name. name is the requested name without folder and ending.
func (o *output) caseFile(name string, cases *value) string {
	if !large(cases) {
		return o.write("cases/"+name+".yaml", cases.yaml())
	}
	var out []byte
	for _, c := range cases.items {
		out = append(out, c.json()+"\n"...)
	}
	return o.write("cases/"+name+".jsonl", out)
}
