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
	inPlace bool // whether the files are written to the root of the source
	files   []File
	copies  map[string]string // from a source file's path to the name of its copy
	inJSON  map[string]string // from a requested name and a JSON text to the name of the file that contains the text
	names   map[string]bool   // all names in use, in lower case
}

// reference returns the path by which a suite names a source file. That is the path of a copy, or of the file itself if
// the result is written in place. It returns false if name is "" or the file cannot be read.
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
		o.src.add(Changed, node{&document.Node{}, name}, "the file",
			"it is copied to "+document.Quote(o.copies[name])+", and the copy is judged: a change of the file itself is not",
			"have your application read the copy, or import it without --out, in a folder without a configuration")
	}
	return "../" + o.copies[name], true
}

// write adds a file to the result and returns its name. If the given name is taken, the returned name differs.
func (o *output) write(name string, text []byte) string {
	free := o.free(name)
	o.files = append(o.files, File{free, text})
	return free
}

// free reserves a name that differs from every other name, also in lower case.
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

// jsonFile returns the path of a file with a JSON text, relative to the suites' folder. Equal texts share a file.
func (o *output) jsonFile(name, text string) string {
	key := name + " " + text
	if _, ok := o.inJSON[key]; !ok {
		var out bytes.Buffer
		_ = json.Indent(&out, []byte(text), "", "  ") // text is valid JSON
		o.inJSON[key] = o.write(name, append(out.Bytes(), '\n'))
	}
	return "../" + o.inJSON[key]
}

// caseFile writes cases to a file and returns its name.
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
