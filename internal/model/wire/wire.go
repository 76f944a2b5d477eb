// Package wire makes one HTTP request to one provider's address: no retry, no redirect, a deadline, a size limit, and
// no byte to another host. The response is checked JSON, or a failure with its cause. It knows no provider's
// protocol.
package wire

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/regular"
)

// Limits of one attempt.
const (
	connectTimeout = 5 * time.Second // for the connection, and the same for TLS
	maxBody        = 4 << 20         // bytes, decompressed
	maxHeader      = 256 << 10       // bytes
	shownBytes     = 80              // shown of a body that is no JSON
)

// Access has the key and the headers that a target's configuration adds to every request.
type Access struct {
	Key     string      // "": none
	KeyFile *KeyFile    // read the key from it; nil: use Key
	Header  http.Header // further headers
	Secrets []string    // secret values among them
}

// Options are the address of an endpoint and its protocol.
type Options struct {
	URL     *url.URL      // the only address that is called
	Method  string        // "": POST
	Header  http.Header   // of the protocol
	Access  Access        // its secrets are removed from failures
	KeyIn   string        // header of the key
	KeyWord string        // prefix of the key: "Bearer "
	Timeout time.Duration // for the whole answer, until its last byte
}

// Endpoint is an address to call. It is safe for concurrent use.
type Endpoint struct {
	options Options // Header holds all headers, except a key from a file
	http    *http.Client
	redact  *redact.Redactor
	reading chan struct{} // limits concurrent parsing, which takes several times the answer's memory
	reached atomic.Bool   // it has sent a response
}

// New returns an endpoint. It sends nothing.
func New(o Options) *Endpoint {
	secrets := redact.New(append([]string{o.Access.Key}, o.Access.Secrets...), nil)
	header := http.Header{"User-Agent": {"failproof"}}
	maps.Copy(header, o.Access.Header)
	maps.Copy(header, o.Header)
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "application/json")
	switch {
	case o.Access.KeyFile != nil:
		secrets = secrets.With(o.Access.KeyFile.learned)
	case o.Access.Key != "":
		header.Set(o.KeyIn, o.KeyWord+o.Access.Key)
	}
	o.Method, o.Header = cmp.Or(o.Method, http.MethodPost), header
	return &Endpoint{options: o, http: Client(o.URL), redact: secrets,
		reading: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Close closes idle connections.
func (e *Endpoint) Close() error {
	e.http.CloseIdleConnections()
	return nil
}

// Ask sends body, which is JSON, once. If the answer is successful and valid JSON without an error, the function
// convert makes the response from it. Ask returns an error if ctx ended; any other failure is in the response.
func (e *Endpoint) Ask(ctx context.Context, body []byte, convert func(Reply) model.Response) (model.Response, error) {
	began := time.Now()
	header, key, err := e.authorized()
	if err != nil {
		r := model.Failed(model.ReasonNoKey, "%v", err)
		r.Failure.Stop = true
		return r.Clean(e.redact.Text), nil
	}
	limited, cancel := context.WithTimeout(ctx, e.options.Timeout)
	defer cancel()
	reply, err := e.send(limited, header, body)
	var answer model.Response
	switch {
	case err != nil && ctx.Err() != nil:
		return model.Response{}, fmt.Errorf("ask %s: %w", e.options.URL.Host, ctx.Err())
	case err != nil:
		answer = e.broken(err, limited.Err() != nil)
		answer.MayCost = limited.Err() != nil || reply != nil
	default:
		e.reached.Store(true)
		answer = e.read(reply, convert)
		answer.Pause = pause(reply.Header, time.Now(), answer.Usage)
	}
	e.renew(&answer, key)
	answer.Latency = time.Since(began)
	return answer.Clean(e.redact.Text), nil
}

// authorized returns the headers of a request and the key read from a file, or "".
func (e *Endpoint) authorized() (h http.Header, key string, err error) {
	h = e.options.Header.Clone()
	if e.options.Access.KeyFile == nil {
		return h, "", nil
	}
	if key, err = e.options.Access.KeyFile.Read(); err != nil {
		return nil, "", err
	}
	h.Set(e.options.KeyIn, e.options.KeyWord+key)
	return h, key, nil
}

// renew allows a retry of a request with a rejected key, if the key's file now holds another one.
func (e *Endpoint) renew(r *model.Response, key string) {
	if e.options.Access.KeyFile == nil || r.Failure == nil || r.Failure.Reason != model.ReasonAuth {
		return
	}
	if now, err := e.options.Access.KeyFile.Read(); err == nil && now != key {
		r.Failure.Stop, r.Failure.Retry = false, &model.Retry{Max: 1}
		return
	}
	r.Failure.Message += model.Untrusted(fmt.Sprintf(" (%s has no other key)", e.options.Access.KeyFile.path))
}

// Reply is an HTTP response.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
	long   bool // the body exceeds the limit
}

func (e *Endpoint) send(ctx context.Context, header http.Header, body []byte) (*Reply, error) {
	request, err := http.NewRequestWithContext(ctx, e.options.Method, e.options.URL.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = header
	response, err := e.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	// The transport decompresses, so this is the decompressed size.
	var text bytes.Buffer
	// a known size avoids growing
	if 0 < response.ContentLength && response.ContentLength <= maxBody {
		text.Grow(int(response.ContentLength) + bytes.MinRead)
	}
	_, err = text.ReadFrom(io.LimitReader(response.Body, maxBody+1)) // one byte beyond the limit shows the excess
	came := &Reply{Status: response.StatusCode, Header: response.Header,
		Body: text.Bytes()[:min(text.Len(), maxBody)], long: text.Len() > maxBody}
	if !succeeded(response.StatusCode) {
		err = nil // the status names the error, even if the body breaks off
	}
	return came, err
}

// succeeded reports whether an HTTP status is 200 or 201.
func succeeded(status int) bool { return status == http.StatusOK || status == http.StatusCreated }

// read converts a reply into a response. At most one reply per processor is converted at a time.
func (e *Endpoint) read(r *Reply, convert func(Reply) model.Response) model.Response {
	e.reading <- struct{}{}
	defer func() { <-e.reading }()
	switch {
	case r.Status >= 300 && r.Status < 400:
		return model.Failed(model.ReasonProtocol,
			"HTTP %d: redirected%s, which is not followed; use the final address in the target",
			r.Status, target(r.Header))
	case r.Status >= 400:
		return faultOf(r).response()
	case !succeeded(r.Status):
		return again(1, model.Failed(model.ReasonProtocol, "HTTP %d instead of 200", r.Status))
	case r.long:
		return worked(model.Failed(model.ReasonOversize, "the answer is larger than %d MiB", maxBody>>20))
	case !isJSON(r.Header):
		return worked(again(1, model.Failed(model.ReasonProtocol, "the answer is %s instead of JSON: %s",
			contentType(r.Header), begin(r.Body))))
	}
	if err := model.SoundJSON(r.Body); err != nil {
		return worked(again(1, model.Failed(model.ReasonProtocol, "the answer is not valid JSON: %v: %s", err,
			begin(r.Body))))
	}
	if f, isError := parseFault(r.Status, r.Body); isError {
		return withHeader(f, r.Header).response()
	}
	return worked(convert(*r))
}

// worked returns r, the response to a call that the provider carried out. If r is a failure, worked marks that the call
// may have cost money.
func worked(r model.Response) model.Response {
	r.MayCost = r.Failure != nil
	return r
}

func faultOf(r *Reply) fault {
	f, _ := parseFault(r.Status, r.Body)
	if f.Message == "" && len(f.Codes) == 0 && len(r.Body) > 0 {
		f.Message = begin(r.Body)
	}
	return withHeader(f, r.Header)
}

func withHeader(f fault, h http.Header) fault {
	if after, ok := RetryAfter(h, time.Now()); ok {
		f.After = after
	}
	switch h.Get("X-Should-Retry") { // OpenAI's and Anthropic's servers override the status with it
	case "true":
		f.Retry = new(true)
	case "false":
		f.Retry = new(false)
	}
	return f
}

// target returns the target of a redirect without its path, which may hold a secret.
func target(h http.Header) string {
	u, err := url.Parse(h.Get("Location"))
	if err != nil || u.Host == "" {
		return ""
	}
	return " to " + strconv.QuoteToASCII(u.Host)
}

func isJSON(h http.Header) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && (kind == "application/json" || strings.HasPrefix(kind, "application/") &&
		strings.HasSuffix(kind, "+json"))
}

func contentType(h http.Header) string {
	kind := h.Get("Content-Type")
	if kind == "" {
		return "of an unnamed type"
	}
	return Quote(kind)
}

// Quote quotes a provider's word in ASCII.
func Quote(word string) string { return strconv.QuoteToASCII(short(word, model.WordBytes)) }

// begin quotes the beginning of a text in ASCII.
func begin(body []byte) string { return strconv.QuoteToASCII(short(string(body), shownBytes)) }

func short(s string, n int) string { return s[:min(len(s), n)] }

// again allows a failed request the given number of retries; 0 means as many as the caller allows.
func again(retries int, r model.Response) model.Response {
	r.Failure.Retry = &model.Retry{Max: retries}
	return r
}

// Malformed returns the response to an answer that breaks the provider's protocol. One retry is allowed.
func Malformed(format string, args ...any) model.Response {
	return again(1, model.Failed(model.ReasonProtocol, format, args...))
}

// Unreadable returns the response to a valid message without an answer: a tool call, a pause, an unknown finish
// reason.
func Unreadable(format string, args ...any) model.Response {
	return model.Failed(model.ReasonUnreadable, format, args...)
}

// Rejected returns the response to a request that the provider's API cannot express.
func Rejected(format string, args ...any) model.Response {
	return model.Failed(model.ReasonRejected, format, args...)
}

// errForeign is the transport's error for a request to another host, or to an address that no target may have.
var errForeign = errors.New("the request is for another host than the target's")

// maxKey is the longest key in bytes; cloud tokens have some thousand.
const maxKey = 16 << 10

// KeyFile is a file that contains only a key, which may be replaced. It is safe for concurrent use.
type KeyFile struct {
	path    string
	learned *redact.Learned
}

// NewKeyFile returns a key file. The key file adds each key to learned before the key is sent, so that the key is
// redacted.
func NewKeyFile(path string, learned *redact.Learned) *KeyFile { return &KeyFile{path, learned} }

// Read returns the key that the file holds now. No error quotes its content.
func (f *KeyFile) Read() (string, error) {
	text, err := regular.Read(f.path, maxKey)
	if err != nil {
		return "", fmt.Errorf("api_key_file: %w", err)
	}
	key := strings.TrimSpace(string(text))
	switch {
	case key == "":
		return "", fmt.Errorf("api_key_file: %s is empty", f.path)
	case !IsKey(key):
		return "", fmt.Errorf("api_key_file: %s is not only a key: it has a space or an invalid character", f.path)
	}
	f.learned.Add(key)
	return key, nil
}

// IsKey reports whether a text can be a key: printable ASCII without spaces, as headers require.
func IsKey(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}
