package config

import (
	"cmp"
	"maps"
	"net/netip"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// Defaults of targets.
const (
	defaultTimeoutSeconds  = 30
	defaultPatienceSeconds = 300
	defaultConcurrency     = 8
)

func readTargets(r *reader, n *document.Node) map[string]Target {
	out := map[string]Target{}
	for key, target := range n.Entries() {
		out[key.Text] = readTarget(r, key.Text, target)
	}
	checkRecords(r, n, out)
	return out
}

func readTarget(r *reader, name string, n *document.Node) Target {
	t := Target{Name: name, Headers: readHeaders(r, n.Get("headers")), HTTP: readHTTP(r, n)}
	for _, k := range t.keys() {
		k.read(n.Get(k.key))
	}
	r.envName(n.Get("api_key_env"), "api_key_env")
	t.TimeoutSeconds = cmp.Or(r.seconds(n.Get("timeout"), time.Hour), defaultTimeoutSeconds)
	t.PatienceSeconds = cmp.Or(r.seconds(n.Get("patience"), 24*time.Hour), defaultPatienceSeconds)
	t.Concurrency = cmp.Or(t.Concurrency, defaultConcurrency)
	t.ExtraBody = readExtraBody(r, n.Get("extra_body"), t.API)
	if price := n.Get("price"); price != nil {
		t.Price = &Price{}
		t.Price.InputPerMillion, _ = price.Get("input_per_million").AsNumber()
		t.Price.OutputPerMillion, _ = price.Get("output_per_million").AsNumber()
	}
	checkTarget(r, t, n)
	t.Inputs.Vars, t.Inputs.AllVars = t.HTTP.Body.Variables()
	t.Inputs.Schema = t.StructuredOutput
	return t
}

// checkTarget reports keys that the target's provider needs and n lacks, keys that the provider ignores, and rejected
// values.
func checkTarget(r *reader, t Target, n *document.Node) {
	p, known := providers[t.Provider]
	for _, key := range p.requiredKeys {
		if n.Get(key) == nil {
			r.ErrorAt(n.Pos, "missing-key", "`%s` is missing in target %s; provider %s needs it", key, document.Quote(t.Name), t.Provider)
		}
	}
	for _, k := range t.keys() {
		if known && n.Get(k.key) != nil && k.group != 0 && k.group&p.groups == 0 {
			r.ErrorAt(n.KeyPos(k.key), "contradiction", "`%s` goes with provider %s only; this one is %s",
				k.key, text.List(providersWith(k.group), "or"), document.Quote(t.Provider))
		}
	}
	r.reportProblem(n, "path", "path", t.Path, cmp.Or(pathProblem(t.Path), recordingPathProblem(t.Path)))
	r.reportProblem(n, "base_url", "base-url", withoutUser(t.BaseURL), urlProblem(t.BaseURL, t.AllowHTTP))
	checkKey(r, t, n)
	checkHTTP(r, t, n)
	for _, key := range []string{"seed", "stop"} {
		if t.API == APIResponses && n.Get(key) != nil {
			r.ErrorAt(n.KeyPos(key), "contradiction", "`%s` goes with api chat only; Responses takes none", key)
		}
	}
}

// reportProblem reports an error: the value of key in n is wrong for the given reason. value is the printed form of
// that value. If value or reason is "", reportProblem reports nothing.
func (r *reader) reportProblem(n *document.Node, key, rule, value, reason string) {
	if value != "" && reason != "" {
		r.ErrorAt(n.Get(key).Pos, rule, "%s %s %s", key, document.Quote(value), reason)
	}
}

// recordingPathProblem returns why the path of a recording is rejected because of its pattern characters or braces, or
// "".
func recordingPathProblem(name string) string {
	switch plain := strings.ReplaceAll(name, "{suite}", "suite"); {
	case strings.ContainsAny(plain, "*?"):
		return "is a pattern; expected the path of one file, with {suite} for the suite's id"
	case strings.ContainsAny(plain, "{}"):
		return "has braces; only {suite} is replaced, by the suite's id"
	}
	return ""
}

// pathProblem returns why a path is rejected, or "". It rejects a path that could leave the repository or is not in its
// shortest form.
func pathProblem(name string) string {
	plain := strings.ReplaceAll(name, "{suite}", "suite")
	if wrong := outsideProblem(plain); wrong != "" || path.Clean(plain) == plain {
		return wrong
	}
	return "is not in its shortest form; write " + document.Quote(path.Clean(name))
}

// outsideProblem returns why a path or glob is rejected because it could leave the repository, or "".
func outsideProblem(name string) string {
	switch {
	case strings.HasPrefix(name, "/"):
		return "is absolute; write it relative to the current folder"
	case strings.Contains(name, `\`):
		return "has a backslash; write / between folders"
	case strings.Contains("/"+name+"/", "/../"):
		return `has a ".." and could leave the repository`
	}
	return ""
}

// apiVersion matches the queries that an address may have: none, or the api-version of Azure's older addresses.
var apiVersion = regexp.MustCompile(`^(api-version=[0-9A-Za-z._-]{1,40})?$`)

// urlProblem returns why an address is rejected, or "". The key is sent to the address, so the connection must be
// encrypted.
func urlProblem(text string, allowHTTP bool) string {
	u, err := url.Parse(text)
	if err == nil && u.User == nil && (!apiVersion.MatchString(u.RawQuery) || u.ForceQuery || u.Fragment != "") {
		return "has a query or fragment; remove it (only Azure's ?api-version=… is allowed)"
	}
	return addressProblem(u, err, allowHTTP)
}

// addressProblem returns why the address u is rejected, or "". It ignores the query. err is the error from parsing the
// address.
func addressProblem(u *url.URL, err error, allowHTTP bool) string {
	switch {
	case err != nil || u.Hostname() == "":
		return "is not an address; expected https://host/path"
	case u.User != nil:
		return "contains a user or password; name a variable in api_key_env instead"
	case u.Scheme == "https", u.Scheme == "http" && IsLoopback(u.Hostname()):
		return ""
	case u.Scheme == "http" && allowHTTP && !isPublicIP(u.Hostname()):
		return ""
	case u.Scheme == "http" && allowHTTP:
		return "is not a private address, and http would send the prompts unencrypted; write https"
	}
	return "does not begin with https://; http is allowed to localhost, and to private addresses with `allow_http: true`"
}

// isPublicIP reports whether host is a numeric address outside of private networks. It returns false for a host name,
// because names are resolved only when the target is called.
func isPublicIP(host string) bool {
	ip, err := netip.ParseAddr(host)
	return err == nil && !IsPrivateIP(ip)
}

// IsPrivateIP reports whether an address is in a private network, which cannot be reached from outside.
func IsPrivateIP(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsPrivate() || carrierNAT.Contains(ip)
}

// carrierNAT is the address space behind a carrier's address translation (RFC 6598).
var carrierNAT = netip.MustParsePrefix("100.64.0.0/10")

// IsLoopback reports whether a host is this machine by its name.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// withoutUser replaces the user and the password in an address with "…".
func withoutUser(address string) string { return userInfo.ReplaceAllString(address, "$1…@") }

var userInfo = regexp.MustCompile(`(?s)^(.*?://)[^/]*@`)

// readDefaultTargets returns the names of the targets of suites that name no target. They come from default_target or
// default_targets. If the file has neither, the only target is the default.
func readDefaultTargets(r *reader, root *document.Node, targets map[string]Target) (out []string) {
	single, list := root.Get("default_target"), root.Get("default_targets")
	switch {
	case single != nil && list != nil:
		r.ErrorAt(list.Pos, "target", "`default_target` and `default_targets` are both set; keep `default_targets`")
	case single == nil && list == nil && len(targets) == 1:
		return slices.Collect(maps.Keys(targets))
	}
	for _, node := range append(list.List(), single) {
		if name := node.AsText(); name != "" {
			key := "default_targets"
			if node == single {
				key = "default_target"
			}
			checkKnownTarget(r, node, key, name, targets)
			out = append(out, name)
		}
	}
	return out
}

func checkKnownTarget(r *reader, node *document.Node, key, name string, targets map[string]Target) {
	if _, known := targets[name]; !known {
		hint := text.Hint("; did you mean `%s`?", name, slices.Sorted(maps.Keys(targets)))
		r.ErrorAt(node.Pos, "target", "%s %s is not one of targets%s", key, document.Quote(name), hint)
	}
}

// checkRecords reports recorded targets whose `records` names no live target.
func checkRecords(r *reader, n *document.Node, targets map[string]Target) {
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		t, at := targets[name], n.Get(name).Get("records")
		if at == nil || t.RecordedFrom == "" {
			continue
		}
		checkKnownTarget(r, at, "records", t.RecordedFrom, targets)
		if recorded, known := targets[t.RecordedFrom]; known && !recorded.Live() {
			r.ErrorAt(at.Pos, "target", "records %s is %s; expected a live target", document.Quote(t.RecordedFrom), recorded.Provider)
		}
	}
}
