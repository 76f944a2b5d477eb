package promptfoo

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
)

// applicationTarget makes the target of a provider `http`: an address, a body, and an expression for the answer.
func applicationTarget(src *source, t *target, config node) bool {
	t.value = mapOf().set("provider", str("http"))
	s := &settings{src: src, target: t, headers: mapOf()}
	var where, method, body, answer node
	if strings.HasPrefix(t.id, "http://") || strings.HasPrefix(t.id, "https://") {
		where = node{&document.Node{Kind: document.String, Text: t.id, Pos: t.from.Pos}, t.from.path}
	}
	src.keys(config, "of the provider", handlers{
		"url": keep(&where), "method": keep(&method), "body": keep(&body), "transformResponse": keep(&answer),
		"responseParser": keep(&answer),
		"headers":        func(n node) { s.headerMap(n) },
		"maxRetries": src.skip("`maxRetries`",
			"failproof decides on retries, up to the target's `patience`"),
		"timeoutMs": src.skip("`timeoutMs`", "the target has a `timeout` of its own"),
		"tls": src.toDo("`tls` of the provider", "the system's certificates are used",
			"trust the authority on the runner"),
		"signatureAuth": src.toDo("`signatureAuth` of the provider", "requests are not signed",
			"a proxy that signs them"),
		"request": src.toDo("`request` of the provider", "raw requests are not supported",
			"`url`, `headers` and `body`"),
		"transformRequest": src.toDo("`transformRequest` of the provider", "it is code",
			"`body` with `{{ prompt }}` and `{{ vars.NAME }}` in it"),
		"sessionParser":  src.toDo("`sessionParser` of the provider", "every case is a separate request", ""),
		"validateStatus": src.toDo("`validateStatus` of the provider", "success is 200 or 201 with JSON", ""),
		"queryParams": src.toDo("`queryParams` of the provider", "a value is sent in the body",
			"write fixed ones into `url`"),
	})
	u, ok := address(where.text())
	switch {
	case where.missing() || !ok:
		src.addToDo(t.from, "the provider "+document.Quote(t.id), "its address is missing or computed",
			"`provider: http` with the address in `url`")
		return false
	case method.text() != "" && !oneOf(strings.ToUpper(method.text()), "POST", "PUT", "PATCH"):
		src.addToDo(method, "the provider "+document.Quote(t.id), "an application is called with POST, PUT or PATCH",
			ownProgram)
		return false
	}
	form, ok := requestBody(src, t, body)
	if !ok {
		return false
	}
	t.value.set("url", str(where.text()))
	t.overHTTP(u)
	if m := strings.ToUpper(method.text()); m != "" && m != "POST" {
		t.value.set("method", str(m))
	}
	t.value.some("headers", s.headers).set("body", form).set("answer", str(answerPath(src, t, answer)))
	return true
}

// overHTTP allows plain http to another machine.
func (t *target) overHTTP(u *url.URL) {
	t.value.mark("allow_http", u.Scheme == "http" && !slices.Contains([]string{"localhost", "127.0.0.1", "::1"},
		u.Hostname()))
}

// requestBody returns the body that an application is sent.
func requestBody(src *source, t *target, n node) (out *value, ok bool) {
	at, why := n, "it is not an object"
	if n.missing() {
		at = t.from
	}
	if n.isText() {
		root, ds := document.ParseJSON(n.path, undumped(n.Text), n.Pos)
		if n.Node = root; document.HasErrors(ds) {
			n.Node, why = nil, "it is not JSON with variables in its values"
		}
	}
	if n.isMap() {
		sends := false
		if out, why = bodyValue(valueOf(n.Node), &sends); why == "" && !sends {
			why = "it sends nothing of a case"
		}
	}
	if why != "" {
		src.addToDo(at, "the body of "+document.Quote(t.id), why,
			"`body`, an object with `{{ prompt }}`, `{{ messages }}` and `{{ vars.NAME }}` in its values")
	}
	return out, why == ""
}

// bodyValue names variables as a target's `body` does.
func bodyValue(v *value, sends *bool) (*value, string) {
	for i, item := range v.items {
		var why string
		if v.items[i], why = bodyValue(item, sends); why != "" {
			return nil, why
		}
	}
	if v.kind != document.String || !hasMarks(v.text) {
		return v, ""
	}
	t := parseTemplate(v.text)
	if t.problem != "" {
		return nil, t.problem
	}
	text := t.text
	for _, name := range t.vars {
		if *sends = true; name != "prompt" {
			text = strings.ReplaceAll(text, "{{ "+name+" }}", "{{ vars."+name+" }}")
		}
	}
	return str(text), ""
}

// answerPath returns the expression that finds the text in a response.
func answerPath(src *source, t *target, n node) string {
	const guess = "response.json.choices[0].message.content"
	if n.missing() {
		src.addToDo(t.from, "the answer of "+document.Quote(t.id),
			"there the whole response is the answer; here an expression finds the text in its JSON",
			"`answer` of the target; `"+guess+"` stands there")
		return guess
	}
	if path, err := responsePath(n.text()); err == nil {
		return path
	}
	src.addToDo(n, "the answer of "+document.Quote(t.id), "the code that finds it is not just a path in JSON",
		"`answer` of the target, an expression over `response.json`; it is `"+guess+"` now")
	return guess
}

// pathInResponse matches a path in a response's JSON, alone or as the result of a one-line function.
var pathInResponse = regexp.MustCompile(`^(?:\(?(?:\w+(?:,\s*\w+)*)?\)?\s*=>\s*)?(?:json|data|response)((?:\??\.[A-Za-z_]\w*|\[\d+\]|\[(?:'\w+'|"\w+")\])*);?$`)

// responsePath returns the expression for code that takes the text from a response by its path.
func responsePath(code string) (string, error) {
	m := pathInResponse.FindStringSubmatch(strings.TrimSpace(code))
	if m == nil {
		return "", errors.New("it is not a path")
	}
	path := "response.json" + strings.ReplaceAll(m[1], "?.", ".")
	_, err := expect.CompileExtract(path)
	return path, err
}

func oneOf(s string, all ...string) bool { return slices.Contains(all, s) }
