package wire

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// idle is how many connections are kept open: as many as a target may be asked at a time, so that none is made anew.
const idle = 1000

// Client speaks HTTP to the scheme and host of one address, and follows no redirect. It bounds neither the time nor the size
// of an answer.
func Client(to *url.URL) *http.Client {
	return &http.Client{
		Transport:     &bound{scheme: to.Scheme, host: to.Host, next: transport(to)},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// bound lets requests to one scheme and host through and refuses all others: the key goes with every request, and no
// redirect, no fault of ours and no text of a pull request can send it elsewhere.
type bound struct {
	scheme, host string
	next         *http.Transport
}

func (b *bound) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != b.scheme || r.URL.Host != b.host || r.Host != "" && r.Host != b.host {
		return nil, fmt.Errorf("%w: %s://%s", errForeign, r.URL.Scheme, r.URL.Host)
	}
	return b.next.RoundTrip(r)
}

// CloseIdleConnections is what http.Client looks for.
func (b *bound) CloseIdleConnections() { b.next.CloseIdleConnections() }

// transport talks to one address. A proxy of the environment is taken as the runner's own: connections through it are
// encrypted to the target, so it sees no key. What is not encrypted goes to this machine or to a private address, and never
// through a proxy.
func transport(to *url.URL) *http.Transport {
	open := &net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second}
	closed := &net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second, ControlContext: refuseInner}
	proxy := http.ProxyFromEnvironment
	if to.Scheme == "http" {
		closed.ControlContext, proxy = refusePublic, nil
	}
	own := addressOf(to)
	return &http.Transport{
		Proxy:                  proxy,
		OnProxyConnectResponse: refusedByProxy,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if addr == own && !isLoopback(to.Hostname()) {
				return closed.DialContext(ctx, network, addr)
			}
			return open.DialContext(ctx, network, addr)
		},
		TLSHandshakeTimeout:    connectTimeout,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           idle,
		MaxIdleConnsPerHost:    idle,
		IdleConnTimeout:        90 * time.Second,
		ForceAttemptHTTP2:      true,
	}
}

// proxyError is a proxy that does not connect to a target.
type proxyError struct {
	host   string // of the proxy; its address may hold a password
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

// addressOf is what the transport dials for u when there is no proxy.
func addressOf(u *url.URL) string {
	port := cmp.Or(u.Port(), map[string]string{"https": "443", "http": "80"}[u.Scheme])
	return net.JoinHostPort(u.Hostname(), port)
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// refuseInner refuses, behind the resolution of names, addresses at which no model answers but the machine or its cloud
// does: this machine under another name, and link-local ones such as 169.254.169.254. A private network is somebody's own.
func refuseInner(_ context.Context, _, addr string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return err
	}
	ip := at.Addr().Unmap()
	if ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsMulticast() || ip.IsUnspecified() || ip == netip.MustParseAddr("fd00:ec2::254") {
		return fmt.Errorf("%w: the name stands for %s", errForeign, ip)
	}
	return nil
}

// shared is the address space behind a carrier's or a provider's translation of addresses (RFC 6598), which nobody reaches from outside.
var shared = netip.MustParsePrefix("100.64.0.0/10")

// refusePublic refuses, beside what refuseInner does, every address that the internet leads to: on the way there anybody could read
// what is not encrypted.
func refusePublic(ctx context.Context, network, addr string, c syscall.RawConn) error {
	if err := refuseInner(ctx, network, addr, c); err != nil {
		return err
	}
	if ip := netip.MustParseAddrPort(addr).Addr().Unmap(); !ip.IsPrivate() && !shared.Contains(ip) {
		return fmt.Errorf("%w: http goes to private addresses only, and the name stands for %s; write https", errForeign, ip)
	}
	return nil
}
