package skilleval

import (
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// OverlayPath returns the path of the failproof.yaml that has further settings for the cases of the evals.json at the
// given path.
func OverlayPath(evals string) string { return path.Join(path.Dir(evals), "failproof.yaml") }

// overlayKeys has the settings that failproof.yaml may have for a case, with the kinds of their values.
var overlayKeys = map[string]struct {
	kind  document.Kind
	words string
}{
	"must_pass": {document.Bool, "true or false"},
	"assert":    {document.List, "a list"},
	"judged":    {document.List, "a list of numbers"},
	"skip":      {document.String, "a text that says why"},
}

// readOverlay returns the settings in failproof.yaml by the id of the case. items are the evaluations in evals.json.
func readOverlay(r *converter, items []*document.Node) map[string]*document.Node {
	out := map[string]*document.Node{}
	root := r.Overlay
	if root == nil {
		return out
	}
	cases := root.Get("cases")
	if version := root.Get("version"); cases.AsMap() == nil || version == nil || version.Text != "1" || len(root.Keys) != 2 {
		r.ErrorAt(root.Pos, "overlay", "expected a map with `version: 1` and `cases`, a map by the ids of evals.json, and nothing else")
		return out
	}
	for key, value := range cases.Entries() {
		switch {
		case !slices.ContainsFunc(items, func(item *document.Node) bool {
			id, _ := item.Get("id").AsScalar()
			return id == key.Text
		}):
			r.ErrorAt(key.Pos, "overlay", "evals.json has no case %s", document.Quote(key.Text))
		case value.AsMap() == nil:
			r.ErrorAt(value.Pos, "overlay", "expected a map with must_pass, assert, judged or skip")
		case checkSettings(r, value):
			out[key.Text] = value
		}
	}
	return out
}

// checkSettings reports whether the settings of a case have known keys and values of the right kind. It adds the
// errors.
func checkSettings(r *converter, settings *document.Node) (sound bool) {
	sound = true
	for key, value := range settings.Entries() {
		switch setting, known := overlayKeys[key.Text]; {
		case !known:
			r.ErrorAt(key.Pos, "unknown-key", "%s is no key of a case; expected must_pass, assert, judged or skip", document.Quote(key.Text))
			sound = false
		case value.Kind != setting.kind, setting.kind == document.String && strings.TrimSpace(value.Text) == "":
			r.ErrorAt(value.Pos, "type", "`%s` is not %s", key.Text, setting.words)
			sound = false
		}
	}
	return sound
}
