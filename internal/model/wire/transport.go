package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
)

// maxIdle is the largest number of unused connections that are kept open. A target can have as many concurrent calls.
const maxIdle = 1000

// NewHTTPClient returns an HTTP client that calls only the scheme and host of address. It follows no redirect, and
// limits neither time nor size.
func NewHTTPClient(address *url.URL) *http.Client {
	return &http.Client{
		Transport:     &boundTransport{scheme: address.Scheme, host: address.Host, next: newTransport(address)},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// boundTransport is a transport that only sends requests to one scheme and host. Every request carries the key, so no
// redirect, bug or text of a pull request may send a request elsewhere.
type boundTransport struct {
	scheme, host string
	next         *http.Transport
}

func (b *boundTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != b.scheme || r.URL.Host != b.host || r.Host != "" && r.Host != b.host {
		return nil, fmt.Errorf("%w: %s://%s", errForeign, r.URL.Scheme, r.URL.Host)
	}
	return b.next.RoundTrip(r)
}

// CloseIdleConnections closes idle connections. http.Client calls it.
func (b *boundTransport) CloseIdleConnections() { b.next.CloseIdleConnections() }

// newTransport returns a transport for requests to address. It uses the proxy that the environment names. The proxy
// never sees the key, because the connection through it is encrypted up to the target. Unencrypted requests go only to
// this machine or a private address, and never through a proxy.
func newTransport(address *url.URL) *http.Transport {
	anyDialer := &net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second}
	checkedDialer := &net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second, ControlContext: refuseInner}
	proxy := http.ProxyFromEnvironment
	if address.Scheme == "http" {
		checkedDialer.ControlContext, proxy = refusePublic, nil
	}
	targetAddr := addressOf(address)
	return &http.Transport{
		Proxy:                  proxy,
		OnProxyConnectResponse: refusedByProxy,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if addr == targetAddr && !config.IsLoopback(address.Hostname()) {
				return checkedDialer.DialContext(ctx, network, addr)
			}
			return anyDialer.DialContext(ctx, network, addr)
		},
		TLSHandshakeTimeout:    connectTimeout,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdle,
		IdleConnTimeout:        90 * time.Second,
		ForceAttemptHTTP2:      true,
	}
}

// proxyError is the error of a proxy that refuses to connect to a target.
type proxyError struct {
	host   string // host of the proxy; not its address, which may contain a password
	status int
}

func (e *proxyError) Error() string {
	return fmt.Sprintf("the proxy %s answers HTTP %d", e.host, e.status)
}

func refusedByProxy(_ context.Context, proxy *url.URL, _ *http.Request, r *http.Response) error {
	if r.StatusCode == http.StatusOK {
		return nil
	}
	return &proxyError{proxy.Host, r.StatusCode}
}

// addressOf returns the address that the transport dials for u without a proxy.
func addressOf(u *url.URL) string {
	port := cmp.Or(u.Port(), map[string]string{"https": "443", "http": "80"}[u.Scheme])
	return net.JoinHostPort(u.Hostname(), port)
}

// refuseInner returns an error if a resolved address cannot be that of a model. Such addresses are this machine under
// another name, and link-local addresses such as 169.254.169.254, where clouds serve metadata. Private networks are
// allowed.
func refuseInner(_ context.Context, _, addr string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return err
	}
	ip := at.Addr().Unmap()
	if ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsMulticast() || ip.IsUnspecified() ||
		ip == netip.MustParseAddr("fd00:ec2::254") {
		return fmt.Errorf("%w: the name resolves to %s", errForeign, ip)
	}
	return nil
}

// refusePublic returns an error if an unencrypted request to the address could be read on the way. These are public
// addresses. It also returns an error for the addresses that refuseInner rejects.
func refusePublic(ctx context.Context, network, addr string, c syscall.RawConn) error {
	if err := refuseInner(ctx, network, addr, c); err != nil {
		return err
	}
	if ip := netip.MustParseAddrPort(addr).Addr().Unmap(); !config.IsPrivateIP(ip) {
		return fmt.Errorf("%w: http is allowed to private addresses only, and the name resolves to %s; write https",
			errForeign, ip)
	}
	return nil
}

// connectionFailure returns the failure of a request that got no response, because of err. deadline is set if the time
// for the answer ran out.
func (e *Endpoint) connectionFailure(err error, deadline bool) model.Response {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // without the address
	}
	var proxy *proxyError
	var dns *net.DNSError
	switch {
	case errors.As(err, &proxy):
		return e.proxyFailure(proxy)
	case deadline:
		return timeoutFailure(e.options.Timeout, "no complete answer within %s", e.options.Timeout)
	case errors.Is(err, errForeign), isTLS(err):
		return model.FailedResponse(model.ReasonTransport, "connect to %s: %v", e.options.URL.Host, err)
	case errors.As(err, &dns):
		retries := 0        // as many as the caller allows: a failing name server may recover
		if dns.IsNotFound { // a missing name usually stays missing
			retries = 2
		}
		return allowRetries(retries,
			model.FailedResponse(model.ReasonTransport, "connect to %s: %v", e.options.URL.Host, err))
	case isTimeout(err):
		return timeoutFailure(connectTimeout, "no connection to %s within %s", e.options.URL.Host, connectTimeout)
	case isNoHTTP(err):
		return model.FailedResponse(model.ReasonProtocol, "%s did not answer in valid HTTP: %v", e.options.URL.Host,
			err)
	}
	// A server on this machine that has never answered was probably not started, so few retries are made. One that has
	// answered before may be restarting.
	if isRefused(err) && config.IsLoopback(e.options.URL.Hostname()) && !e.hasAnswered.Load() {
		return allowRetries(2, model.FailedResponse(model.ReasonTransport,
			"connect to %s: connection refused; start the server, or correct the target's address", e.options.URL.Host))
	}
	return allowRetries(0,
		model.FailedResponse(model.ReasonTransport, "%s: the connection broke: %v", e.options.URL.Host, err))
}

// proxyFailure returns the failure of a connection that a proxy refused. A retry is allowed only if the proxy is out of
// order or overloaded. A proxy that rejects a request (403, 407) would reject it again.
func (e *Endpoint) proxyFailure(proxy *proxyError) model.Response {
	advice := ""
	switch proxy.status {
	case http.StatusForbidden:
		advice = "; it does not allow connections to this host"
	case http.StatusProxyAuthRequired:
		advice = "; it requires a user and a password: add them to HTTPS_PROXY"
	}
	r := model.FailedResponse(model.ReasonTransport, "connect to %s: %v%s", e.options.URL.Host, proxy, advice)
	r.Failure.Status = proxy.status
	if proxy.status >= 500 || proxy.status == http.StatusTooManyRequests {
		r.Failure.Retry = &model.Retry{}
	}
	return r
}

func timeoutFailure(limit time.Duration, format string, args ...any) model.Response {
	r := allowRetries(1, model.FailedResponse(model.ReasonTimeout, format, args...))
	r.Failure.LimitSeconds = limit.Seconds()
	return r
}

// isTLS reports whether err means that no trusted TLS connection is possible, such as an invalid certificate. A retry
// does not change that.
func isTLS(err error) bool {
	var cert *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var host x509.HostnameError
	return errors.As(err, &cert) || errors.As(err, &record) || errors.As(err, &host) ||
		strings.Contains(err.Error(), "remote error: tls:") ||
		strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// isRefused reports whether the host refused the connection because nothing listens at the port. Windows has its own
// error number for that.
func isRefused(err error) bool {
	const refusedByWindows = syscall.Errno(10061)
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, refusedByWindows)
}

func isTimeout(err error) bool {
	t, ok := errors.AsType[net.Error](err)
	return ok && t.Timeout()
}

// isNoHTTP reports whether err means that the server breaks the HTTP protocol or sends without end. These errors of
// net/http have no types, so their words are compared.
func isNoHTTP(err error) bool {
	known := []string{"malformed HTTP", "malformed MIME", "headers exceeded", "too many 1xx",
		"invalid header", "gzip: ",
		"invalid Content-Length", "transfer encoding", "malformed chunked", "chunk length", "header list", "flate: "}
	return slices.ContainsFunc(known, func(words string) bool { return strings.Contains(err.Error(), words) })
}
