package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// broken says why no answer came over the wire. deadline reports that the time for the whole answer is over.
func (e *Endpoint) broken(err error, deadline bool) model.Response {
	if wrapped, is := errors.AsType[*url.Error](err); is {
		err = wrapped.Err // without the address
	}
	var proxy *proxyError
	var dns *net.DNSError
	switch {
	case errors.As(err, &proxy):
		return e.unconnected(proxy)
	case deadline:
		return late(e.options.Timeout, "no whole answer within %s", e.options.Timeout)
	case errors.Is(err, errForeign), isTLS(err):
		return model.Failed(model.ReasonTransport, "connect to %s: %v", e.options.URL.Host, err)
	case errors.As(err, &dns):
		r := model.Failed(model.ReasonTransport, "connect to %s: %v", e.options.URL.Host, err)
		r.Failure.Retry = &model.Retry{} // the server of names is out of order, and may be well again
		if dns.IsNotFound {              // which waiting does not change
			r.Failure.Retry.Max = 2
		}
		return r
	case isTimeout(err):
		return late(connectTimeout, "no connection to %s within %s", e.options.URL.Host, connectTimeout)
	case isNoHTTP(err):
		return model.Failed(model.ReasonProtocol, "%s answers in no sound HTTP: %v", e.options.URL.Host, err)
	}
	if isRefused(err) && isLoopback(e.options.URL.Hostname()) && !e.reached.Load() { // a server that was not started; one that was is waited for
		r := model.Failed(model.ReasonTransport, "connect to %s: connection refused, nothing listens there; start the server, or correct the address of the target", e.options.URL.Host)
		r.Failure.Retry = &model.Retry{Max: 2}
		return r
	}
	r := model.Failed(model.ReasonTransport, "%s: the connection broke: %v", e.options.URL.Host, err)
	r.Failure.Retry = &model.Retry{}
	return r
}

// unconnected is what a proxy refuses or fails to connect to. What it refuses (403, 407) it refuses the next time as well.
func (e *Endpoint) unconnected(proxy *proxyError) model.Response {
	advice := ""
	switch proxy.status {
	case http.StatusForbidden:
		advice = "; it does not let this machine through to there"
	case http.StatusProxyAuthRequired:
		advice = "; it wants a user and a password, which HTTPS_PROXY can hold"
	}
	r := model.Failed(model.ReasonTransport, "connect to %s: %v%s", e.options.URL.Host, proxy, advice)
	r.Failure.Status = proxy.status
	if proxy.status >= 500 || proxy.status == http.StatusTooManyRequests {
		r.Failure.Retry = &model.Retry{}
	}
	return r
}

func late(limit time.Duration, format string, args ...any) model.Response {
	r := again(model.Failed(model.ReasonTimeout, format, args...))
	r.Failure.LimitSeconds = limit.Seconds()
	return r
}

// isTLS reports that the other side could not show who it is, which does not change by asking again.
func isTLS(err error) bool {
	var cert *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var host x509.HostnameError
	return errors.As(err, &cert) || errors.As(err, &record) || errors.As(err, &host) ||
		strings.Contains(err.Error(), "remote error: tls:") || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// isRefused reports that the machine is there, and nobody listens at the port. Windows has a number of its own for that.
func isRefused(err error) bool {
	const refusedByWindows = syscall.Errno(10061)
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, refusedByWindows)
}

func isTimeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}

// isNoHTTP knows the errors of net/http, which have no types, for a server that breaks the protocol or sends without end.
func isNoHTTP(err error) bool {
	text := err.Error()
	for _, words := range []string{"malformed HTTP", "malformed MIME", "headers exceeded", "too many 1xx", "invalid header", "gzip: ",
		"invalid Content-Length", "transfer encoding", "malformed chunked", "chunk length", "header list", "flate: "} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}
