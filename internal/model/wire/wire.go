// Package wire makes one HTTP request to one provider's address. It makes no retry and follows no redirect, has a
// deadline and a size limit, and sends no byte to another host. The response is checked JSON, or a failure with its
// cause. The package knows no provider's protocol.
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

// Limits of one request.
const (
	connectTimeout = 5 * time.Second // for the connection, and again for the TLS handshake
	maxBody        = 4 << 20         // bytes, after decompression
	maxHeader      = 256 << 10       // bytes
	maxBodyQuote   = 80              // bytes that are shown of a body that is no JSON
)

// Access has the key and the headers that a target's configuration adds to every request.
type Access struct {
	Key     string      // "": none
	KeyFile *KeyFile    // file with the key; nil: use Key
	Header  http.Header // further headers
	Secrets []string    // secret values in Header
}

// Options are the address of an endpoint and its protocol.
type Options struct {
	URL       *url.URL      // the only address that is called
	Method    string        // "": POST
	Header    http.Header   // headers that the protocol requires
	Access    Access        // its secrets are removed from failures
	KeyHeader string        // name of the header that carries the key
	KeyPrefix string        // text before the key, such as "Bearer "
	Timeout   time.Duration // for the whole answer, until its last byte
}

// Endpoint sends requests to one address. It is safe for concurrent use.
type Endpoint struct {
	options     Options // its Header has all headers, except a key from a file
	http        *http.Client
	redact      *redact.Redactor
	readSlots   chan struct{} // limits concurrent parsing, which takes several times the answer's memory
	hasAnswered atomic.Bool   // the endpoint has answered a request
}

// New returns the endpoint that o describes. It sends nothing.
func New(o Options) *Endpoint {
	secrets := redact.New(append([]string{o.Access.Key}, o.Access.Secrets...), nil)
	header := http.Header{"User-Agent": {"failproof"}}
	maps.Copy(header, o.Access.Header)
	maps.Copy(header, o.Header)
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "application/json")
	switch {
	case o.Access.KeyFile != nil:
		secrets = secrets.WithLearned(o.Access.KeyFile.learned)
	case o.Access.Key != "":
		header.Set(o.KeyHeader, o.KeyPrefix+o.Access.Key)
	}
	o.Method, o.Header = cmp.Or(o.Method, http.MethodPost), header
	return &Endpoint{options: o, http: NewHTTPClient(o.URL), redact: secrets,
		readSlots: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Close closes idle connections.
func (e *Endpoint) Close() error {
	e.http.CloseIdleConnections()
	return nil
}

// Call sends body, which is JSON, once, and returns the response. If the answer is successful, is valid JSON and names
// no error, the function convert makes the response from it. Call returns an error only if ctx ended. Any other failure
// is in the response.
func (e *Endpoint) Call(ctx context.Context, body []byte, convert func(Reply) model.Response) (model.Response, error) {
	began := time.Now()
	header, key, err := e.authorized()
	if err != nil {
		r := model.FailedResponse(model.ReasonNoKey, "%v", err)
		r.Failure.StopsTarget = true
		return r.Redacted(e.redact.Text), nil
	}
	callCtx, cancel := context.WithTimeout(ctx, e.options.Timeout)
	defer cancel()
	reply, err := e.send(callCtx, header, body)
	var answer model.Response
	switch {
	case err != nil && ctx.Err() != nil:
		return model.Response{}, fmt.Errorf("ask %s: %w", e.options.URL.Host, ctx.Err())
	case err != nil:
		answer = e.connectionFailure(err, callCtx.Err() != nil)
		answer.MayCost = callCtx.Err() != nil || reply != nil
	default:
		e.hasAnswered.Store(true)
		answer = e.read(reply, convert)
		answer.Pause = limitPause(reply.Header, time.Now(), answer.Usage)
	}
	e.retryWithNewKey(&answer, key)
	answer.Latency = time.Since(began)
	return answer.Redacted(e.redact.Text), nil
}

// authorized returns the headers of a request. If the key comes from a file, authorized reads it and also returns key.
func (e *Endpoint) authorized() (h http.Header, key string, err error) {
	h = e.options.Header.Clone()
	if e.options.Access.KeyFile == nil {
		return h, "", nil
	}
	if key, err = e.options.Access.KeyFile.Read(); err != nil {
		return nil, "", err
	}
	h.Set(e.options.KeyHeader, e.options.KeyPrefix+key)
	return h, key, nil
}

// retryWithNewKey allows a retry if r says that key was rejected and the key's file now has another key. If the file
// has the same key, renew says so in the message of r.
func (e *Endpoint) retryWithNewKey(r *model.Response, key string) {
	if e.options.Access.KeyFile == nil || r.Failure == nil || r.Failure.Reason != model.ReasonAuth {
		return
	}
	if now, err := e.options.Access.KeyFile.Read(); err == nil && now != key {
		r.Failure.StopsTarget, r.Failure.Retry = false, &model.Retry{Max: 1}
		return
	}
	r.Failure.Message += model.Untrusted(fmt.Sprintf(" (%s has no other key)", e.options.Access.KeyFile.path))
}

// Reply is an HTTP response.
type Reply struct {
	Status  int
	Header  http.Header
	Body    []byte
	tooLong bool // the body exceeds the limit
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
	// The transport decompresses the body, so maxBody limits the decompressed size.
	var text bytes.Buffer
	// Reserve the announced size, so that the buffer need not grow.
	if 0 < response.ContentLength && response.ContentLength <= maxBody {
		text.Grow(int(response.ContentLength) + bytes.MinRead)
	}
	_, err = text.ReadFrom(io.LimitReader(response.Body, maxBody+1)) // one byte beyond the limit shows the excess
	reply := &Reply{Status: response.StatusCode, Header: response.Header,
		Body: text.Bytes()[:min(text.Len(), maxBody)], tooLong: text.Len() > maxBody}
	if !succeeded(response.StatusCode) {
		err = nil // the status names the error, even if the body breaks off
	}
	return reply, err
}

// succeeded reports whether an HTTP status is 200 or 201.
func succeeded(status int) bool { return status == http.StatusOK || status == http.StatusCreated }

// read returns the response that a reply means, and uses convert for a successful reply. As many replies as there are
// processors are converted at a time.
func (e *Endpoint) read(r *Reply, convert func(Reply) model.Response) model.Response {
	e.readSlots <- struct{}{}
	defer func() { <-e.readSlots }()
	switch {
	case r.Status >= 300 && r.Status < 400:
		return model.FailedResponse(model.ReasonProtocol,
			"HTTP %d: redirected%s, which is not followed; use the final address in the target",
			r.Status, redirectHost(r.Header))
	case r.Status >= 400:
		return faultOf(r).response()
	case !succeeded(r.Status):
		return MalformedResponse("HTTP %d instead of 200", r.Status)
	case r.tooLong:
		return markMayCost(model.FailedResponse(model.ReasonOversize, "the answer is larger than %d MiB", maxBody>>20))
	case !isJSON(r.Header):
		return markMayCost(MalformedResponse("the answer is %s instead of JSON: %s", contentType(r.Header), quoteStart(r.Body)))
	}
	if err := model.CheckJSON(r.Body); err != nil {
		return markMayCost(MalformedResponse("the answer is not valid JSON: %v: %s", err, quoteStart(r.Body)))
	}
	if f, isError := parseFault(r.Status, r.Body); isError {
		return withHeader(f, r.Header).response()
	}
	return markMayCost(convert(*r))
}

// markMayCost returns r, the response to a call that the provider carried out. If r is a failure, worked marks that the
// call may have cost money.
func markMayCost(r model.Response) model.Response {
	r.MayCost = r.Failure != nil
	return r
}

func faultOf(r *Reply) fault {
	f, _ := parseFault(r.Status, r.Body)
	if f.Message == "" && len(f.Codes) == 0 && len(r.Body) > 0 {
		f.Message = quoteStart(r.Body)
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

// redirectHost returns words for the host to which a reply redirects, or "". The path is left out, because it may
// contain a secret.
func redirectHost(h http.Header) string {
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

// Quote returns a provider's word in quotes and in ASCII, and shortens a long word.
func Quote(word string) string { return strconv.QuoteToASCII(truncate(word, model.MaxWordBytes)) }

// quoteStart returns the beginning of a body in quotes and in ASCII.
func quoteStart(body []byte) string {
	return strconv.QuoteToASCII(truncate(string(body), maxBodyQuote))
}

func truncate(s string, n int) string { return s[:min(len(s), n)] }

// allowRetries returns the failed response r with the given number of retries allowed. If retries is 0, the caller
// decides how many.
func allowRetries(retries int, r model.Response) model.Response {
	r.Failure.Retry = &model.Retry{Max: retries}
	return r
}

// MalformedResponse returns the response to an answer that breaks the provider's protocol. One retry is allowed.
func MalformedResponse(format string, args ...any) model.Response {
	return allowRetries(1, model.FailedResponse(model.ReasonProtocol, format, args...))
}

// UnreadableResponse returns the response to a valid message that contains no answer, such as a tool call, a pause or
// an unknown finish reason.
func UnreadableResponse(format string, args ...any) model.Response {
	return model.FailedResponse(model.ReasonUnreadable, format, args...)
}

// RejectedResponse returns the response to a request that the provider's API cannot express.
func RejectedResponse(format string, args ...any) model.Response {
	return model.FailedResponse(model.ReasonRejected, format, args...)
}

// errForeign is the transport's error for a request to another host, or to an address that no target may have.
var errForeign = errors.New("the request is for another host than the target's")

// maxKey is the largest size of a file with a key, in bytes. The tokens of clouds have some thousand bytes.
const maxKey = 16 << 10

// KeyFile is a file that contains only a key. Another program may replace the key during the run. A KeyFile is safe for
// concurrent use.
type KeyFile struct {
	path    string
	learned *redact.Learned
}

// NewKeyFile returns the key file at path. Each key that is read from it is added to learned before it is sent, so that
// outputs do not contain the key.
func NewKeyFile(path string, learned *redact.Learned) *KeyFile { return &KeyFile{path, learned} }

// Read returns the key that the file contains now. No error quotes the file.
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

// IsKey reports whether s has only characters that a key can have: printable ASCII without spaces, as HTTP headers
// require.
func IsKey(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}
