package promptfoo

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
)

// completeApplication sets t.value to a target with `provider: http`: an address, a body, and an expression that finds
// the answer. If that is impossible, it returns the reason.
func completeApplication(src *source, t *target, config node) conversionError {
	t.value = mapOf().set("provider", str("http"))
	s := &settings{src: src, target: t, headers: mapOf()}
	var url, method, body, answer node
	if strings.Contains(t.id, "://") {
		url = node{&document.Node{Kind: document.String, Text: t.id, Pos: t.origin.Pos}, t.origin.path}
	}
	src.handleKeys(config, "of the provider", handlers{
		"url": storeIn(&url), "method": storeIn(&method), "body": storeIn(&body), "transformResponse": storeIn(&answer),
		"responseParser": storeIn(&answer), "headers": s.readHeaders,
	})
	parsedURL, ok := parseAddress(url.text())
	httpMethod := cmp.Or(strings.ToUpper(method.text()), "POST")
	switch {
	case !ok:
		return conversionError{"its address is missing or computed", "`provider: http` with the address in `url`"}
	case !slices.Contains([]string{"POST", "PUT", "PATCH"}, httpMethod):
		return conversionError{"an application is called with POST, PUT or PATCH", ownProgram}
	}
	sent, why := requestBody(body)
	if why != "" {
		return conversionError{why, "`body`, an object with `{{ prompt }}`, `{{ messages }}` and `{{ vars.NAME }}` in its values"}
	}
	t.value.set("url", str(url.text()))
	t.setAllowHTTP(parsedURL)
	if httpMethod != "POST" {
		t.value.set("method", str(httpMethod))
	}
	t.value.setNonEmpty("headers", s.headers).set("body", sent).set("answer", str(answerPath(src, t, answer)))
	return conversionError{}
}

// setAllowHTTP sets `allow_http` if the address u is plain http to another machine.
func (t *target) setAllowHTTP(u *url.URL) {
	local := slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, u.Hostname())
	t.value.setTrue("allow_http", u.Scheme == "http" && !local)
}

// requestBody returns the body of a request to an application. If there is none, why is the reason.
func requestBody(n node) (out *value, why string) {
	if n.isText() {
		root, ds := document.ParseJSON(n.path, withoutDump(n.Text), n.Pos)
		if document.HasErrors(ds) {
			root = nil
		}
		n.Node = root
	}
	if !n.isMap() {
		return nil, "its body is not a JSON object with variables in its values"
	}
	usesCase := false
	if out, why = bodyValue(convertNode(n.Node), &usesCase); why == "" && !usesCase {
		why = "its body sends nothing of a case"
	}
	return out, why
}

// bodyValue returns v with its variables written as in the `body` of a target. If that is impossible, it returns the
// reason. It sets *usesCase to true if v has a variable.
func bodyValue(v *value, usesCase *bool) (*value, string) {
	for i, item := range v.items {
		var why string
		if v.items[i], why = bodyValue(item, usesCase); why != "" {
			return nil, why
		}
	}
	if v.kind != document.String || !hasPlaceholders(v.text) {
		return v, ""
	}
	t := parseTemplate(v.text)
	if t.problem != "" {
		return nil, t.problem
	}
	text := t.text
	for _, name := range t.vars {
		if *usesCase = true; name != "prompt" {
			text = strings.ReplaceAll(text, "{{ "+name+" }}", "{{ vars."+name+" }}")
		}
	}
	return str(text), ""
}

// answerPath returns the expression that finds the text of the answer in a response. n is promptfoo's code for this, if
// any.
func answerPath(src *source, t *target, n node) string {
	const guess = "response.json.choices[0].message.content"
	if n.isMissing() {
		src.addFinding(ToDo, t.origin, "the answer of "+document.Quote(t.id),
			"there the whole response is the answer; here an expression finds the text in its JSON",
			"`answer` of the target; `"+guess+"` stands there")
		return guess
	}
	if m := pathInResponse.FindStringSubmatch(strings.TrimSpace(n.text())); m != nil {
		path := "response.json" + strings.ReplaceAll(m[1], "?.", ".")
		if _, err := expect.CompileExtract(path); err == nil {
			return path
		}
	}
	src.addFinding(ToDo, n, "the answer of "+document.Quote(t.id), "the code that finds it is not just a path in JSON",
		"`answer` of the target, an expression over `response.json`; it is `"+guess+"` now")
	return guess
}

// pathInResponse matches code for a path in the JSON of a response. The path stands alone, or is the result of a
// one-line function.
var pathInResponse = regexp.MustCompile(`^(?:\(?(?:\w+(?:,\s*\w+)*)?\)?\s*=>\s*)?(?:json|data|response)((?:\??\.[A-Za-z_]\w*|\[\d+\]|\[(?:'\w+'|"\w+")\])*);?$`)
