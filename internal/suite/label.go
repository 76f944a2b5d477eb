package suite

import (
	"cmp"
	"fmt"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/score"
)

// labelIn reads where the label stands. It returns that as it is written, nil where nothing is said or no label is expected.
func (j *judge) labelIn(e *score.Expected, n fields) map[string]string {
	at := n.get("label_in").AsMap()
	if e.Labels == nil {
		if n.own.Get("label_in") != nil {
			j.faults.errorAt(n.own.KeyPos("label_in"), "label", "`label_in` says where the label stands, and no label is expected; add `expected_label`")
		}
		return nil
	}
	if at == nil {
		return nil
	}
	e.LabelIn = j.labelsIn.of(at, string(document.AppendNode(nil, at)), func() *label.In { return j.compileLabelIn(at) })
	written := map[string]string{}
	for _, kind := range []string{"json", "line", "regex"} {
		if text := at.Get(kind).AsText(); text != "" {
			written[kind] = text
		}
	}
	return written
}

func (f *file) compileLabelIn(at *document.Node) *label.In {
	if path := at.Get("json").AsText(); path != "" {
		return &label.In{Where: fmt.Sprintf("the JSON field %q", path), Read: func(answer string) []string { return expect.JSONField(answer, path) }}
	}
	key, compile := "line", label.InLine
	if at.Get(key).AsText() == "" {
		key, compile = "regex", label.InPattern
	}
	text := at.Get(key).AsText()
	if text == "" {
		return nil // what the schema refused is reported
	}
	in, err := compile(text)
	if err != nil {
		f.faults.errorAt(at.Get(key).Pos, "compile", "label_in: %v", err)
	}
	return in
}

// toldApart refuses labels of which the reading of an answer could not say which one it gives.
func (j *judge) toldApart(labels *label.Set, at *document.Node) {
	if at == nil || j.again || j.alike[at] {
		return
	}
	if j.alike == nil {
		j.alike = map[*document.Node]bool{}
	}
	j.alike[at] = true
	a, b, ok := labels.Alike()
	if !ok {
		return
	}
	name := cmp.Or(b, a)
	for _, item := range at.Items() {
		switch {
		case item.AsText() != name:
			continue
		case b == "":
			j.faults.errorAt(item.Pos, "label", "the label %s holds nothing that could be found in an answer; expected a word, a number or a sign", document.Quote(a))
		default:
			j.faults.errorAt(item.Pos, "label", "the labels %s and %s are one to whoever reads an answer; expected labels that differ in more than letter case, spaces or the way a denial is put",
				document.Quote(a), document.Quote(b))
		}
		return
	}
}
