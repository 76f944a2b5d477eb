package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/embed/encoder"
)

// Fetch is a download of a model.
type Fetch struct {
	Model     KnownModel
	From      string            // the address of the folder with the model's files; "": Model.Source
	Dir       string            // the folder in which the model is installed
	Transport http.RoundTripper // nil: the default one
}

// maxSmall is the largest size in bytes of a file other than the weights.
const maxSmall = 16 << 20

// deadline is the longest time that the download of one file may take.
const deadline = 10 * time.Minute

// Pull downloads a model, verifies the weights, reads the model as a test, and then moves it into place. path is the
// folder of the model, and digest is the value for semantic.sha256. If path already has the valid model, Pull leaves it
// unchanged.
func Pull(ctx context.Context, f Fetch) (path, digest string, err error) {
	path = filepath.Join(f.Dir, f.Model.Name)
	if digest, err := f.verify(path); err == nil {
		return path, digest, nil
	}
	if err := os.MkdirAll(f.Dir, 0o755); err != nil {
		return "", "", fmt.Errorf("make the folder of the models: %w", err)
	}
	temporary, err := os.MkdirTemp(f.Dir, ".pull-*")
	if err != nil {
		return "", "", fmt.Errorf("make a folder for the model: %w", err)
	}
	defer os.RemoveAll(temporary)
	if err := f.fetchAll(ctx, temporary); err != nil {
		return "", "", err
	}
	if digest, err = f.verify(temporary); err != nil {
		return "", "", fmt.Errorf("the fetched model is not installed: %w", err)
	}
	if err := os.Chmod(temporary, 0o755); err != nil {
		return "", "", err
	}
	if err := replace(temporary, path); err != nil {
		return "", "", fmt.Errorf("install the model: %w", err)
	}
	return path, digest, nil
}

// verify checks the weights in the folder path, reads the model as a test, and returns the model's digest.
func (f Fetch) verify(path string) (digest string, err error) {
	read, err := readFolder(path)
	if err != nil {
		return "", err
	}
	if sum := read.sums[encoder.Weights]; sum != f.Model.Weights {
		return "", fmt.Errorf("%s has the SHA-256 %s; expected %s", encoder.Weights, sum, f.Model.Weights)
	}
	_, err = read.open(f.Model.Kind, f.Model.Name)
	return read.digest(), err
}

// replace moves the folder from to the path to. It removes what was there before.
func replace(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		aside := from + ".old"
		if err := os.Rename(to, aside); err != nil {
			return err
		}
		defer os.RemoveAll(aside)
	}
	return os.Rename(from, to)
}

// fetchAll downloads all files of the model to dir, the small ones first, so that errors show early.
func (f Fetch) fetchAll(ctx context.Context, dir string) error {
	source := strings.TrimRight(f.From, "/")
	if source == "" {
		source = f.Model.Source
	}
	base, err := url.Parse(source)
	if err != nil || !safe(base) {
		return errors.New("the source of the model is not an https address")
	}
	client := &http.Client{Transport: f.Transport, CheckRedirect: follow}
	if client.Transport == nil {
		client.Transport = newTransport()
	}
	defer client.CloseIdleConnections()
	for _, name := range f.Model.Files {
		if _, err := fetch(ctx, client, base.JoinPath(name), dir, name, maxSmall); err != nil {
			return err
		}
	}
	sum, err := fetch(ctx, client, base.JoinPath(encoder.Weights), dir, encoder.Weights, f.Model.MaxBytes)
	if err == nil && sum != f.Model.Weights {
		err = fmt.Errorf("%s from %s has the SHA-256 %s; expected %s: it is not installed", encoder.Weights,
			base.Host, sum, f.Model.Weights)
	}
	return err
}

func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
	}
}

// safe reports whether u is an https address, or an http address on this machine. An address with a user name is not
// safe.
func safe(u *url.URL) bool {
	if u.Host == "" || u.User != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	local := u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
	return u.Scheme == "https" || u.Scheme == "http" && local
}

// follow allows up to 5 redirects, and only to safe addresses. Hugging Face redirects to its large files; no key is
// sent.
func follow(next *http.Request, via []*http.Request) error {
	if len(via) > 5 {
		return errors.New("redirected more than 5 times")
	}
	if !safe(next.URL) {
		return errors.New("redirected to an address that is not https")
	}
	return nil
}

// fetch downloads the file at the address from to the file name in dir. It returns the SHA-256 of the file.
func fetch(ctx context.Context, client *http.Client, from *url.URL, dir, name string,
	maxBytes int64) (sum string, err error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from.String(), nil)
	if err != nil {
		return "", err
	}
	request.Header.Set("User-Agent", "failproof")
	response, err := client.Do(request)
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w; without a network, copy the model's files to this machine", name,
			plain(err))
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("fetch %s: %s answered with status %d", name, from.Host, response.StatusCode)
	}
	sum, err = save(filepath.Join(dir, filepath.FromSlash(name)), response.Body, maxBytes)
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w", name, err)
	}
	return sum, nil
}

// plain returns err, an error of an HTTP client, without the address. The query of the address may contain a signature.
func plain(err error) error {
	if at, ok := errors.AsType[*url.Error](err); ok {
		return at.Err
	}
	return err
}

func save(path string, body io.Reader, maxBytes int64) (sum string, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, h), io.LimitReader(body, maxBytes+1))
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil && n > maxBytes {
		err = fmt.Errorf("it has more than %d bytes", maxBytes)
	}
	return hex.EncodeToString(h.Sum(nil)), err
}
