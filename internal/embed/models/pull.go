package models

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/embed/encoder"
)

// Download is a download of a model.
type Download struct {
	Model     KnownModel
	Source    string            // the address of the folder with the model's files; "": Model.Source
	Dir       string            // the folder in which the model is installed
	Transport http.RoundTripper // nil: the default one
}

// maxSmallFile is the largest size in bytes of a file other than the weights.
const maxSmallFile = 16 << 20

// downloadTimeout is the longest time that the download of one file may take.
const downloadTimeout = 10 * time.Minute

// Pull downloads a model, verifies the weights, reads the model as a test, and then moves it into place. path is the
// folder of the model, and digest is the value for semantic.sha256. If path already has the valid model, Pull leaves it
// unchanged.
func Pull(ctx context.Context, f Download) (path, digest string, err error) {
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
	if err := installFolder(temporary, path); err != nil {
		return "", "", fmt.Errorf("install the model: %w", err)
	}
	return path, digest, nil
}

// verify checks the weights in the folder path, reads the model as a test, and returns the model's digest.
func (d Download) verify(path string) (digest string, err error) {
	installed, err := readFolder(path)
	if err != nil {
		return "", err
	}
	if sum := installed.sums[encoder.WeightsFile]; sum != d.Model.Weights {
		return "", fmt.Errorf("%s has the SHA-256 %s; expected %s", encoder.WeightsFile, sum, d.Model.Weights)
	}
	_, err = installed.embedder(d.Model.Kind, d.Model.Name)
	return installed.digest(), err
}

// installFolder moves the folder src to the path dst. It removes what was at dst before.
func installFolder(src, dst string) error {
	if _, err := os.Lstat(dst); err == nil {
		aside := src + ".old"
		if err := os.Rename(dst, aside); err != nil {
			return err
		}
		defer os.RemoveAll(aside)
	}
	return os.Rename(src, dst)
}

// fetchAll downloads all files of the model to dir, the small ones first, so that errors show early.
func (d Download) fetchAll(ctx context.Context, dir string) error {
	base, err := url.Parse(cmp.Or(strings.TrimRight(d.Source, "/"), d.Model.Source))
	if err != nil || !isSafe(base) {
		return errors.New("the source of the model is not an https address")
	}
	client := &http.Client{Transport: d.Transport, CheckRedirect: checkRedirect}
	defer client.CloseIdleConnections()
	for _, name := range d.Model.Files {
		if _, err := fetch(ctx, client, base.JoinPath(name), dir, name, maxSmallFile); err != nil {
			return err
		}
	}
	sum, err := fetch(ctx, client, base.JoinPath(encoder.WeightsFile), dir, encoder.WeightsFile, d.Model.MaxBytes)
	if err == nil && sum != d.Model.Weights {
		err = fmt.Errorf("%s from %s has the SHA-256 %s; expected %s: it is not installed", encoder.WeightsFile,
			base.Host, sum, d.Model.Weights)
	}
	return err
}

// isSafe reports whether u is an https address, or an http address on this machine. An address with a user name is not
// safe.
func isSafe(u *url.URL) bool {
	if u.Host == "" || u.User != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	local := u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
	return u.Scheme == "https" || u.Scheme == "http" && local
}

// checkRedirect allows up to 5 redirects, and only to safe addresses. Hugging Face redirects to its large files; no key
// is sent.
func checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) > 5 {
		return errors.New("redirected more than 5 times")
	}
	if !isSafe(next.URL) {
		return errors.New("redirected to an address that is not https")
	}
	return nil
}

// fetch downloads the file at the address source to the file name in dir. It returns the SHA-256 of the file.
func fetch(ctx context.Context, client *http.Client, source *url.URL, dir, name string,
	maxBytes int64) (sum string, err error) {
	ctx, cancel := context.WithTimeout(ctx, downloadTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, source.String(), nil)
	if err != nil {
		return "", err
	}
	request.Header.Set("User-Agent", "failproof")
	response, err := client.Do(request)
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w; without a network, copy the model's files to this machine", name,
			errors.Unwrap(err)) // without the address, whose query may contain a signature
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("fetch %s: %s answered with status %d", name, source.Host, response.StatusCode)
	}
	sum, err = saveFile(filepath.Join(dir, filepath.FromSlash(name)), response.Body, maxBytes)
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w", name, err)
	}
	return sum, nil
}

func saveFile(path string, body io.Reader, maxBytes int64) (sum string, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, h), io.LimitReader(body, maxBytes+1))
	if err = errors.Join(err, file.Close()); err == nil && n > maxBytes {
		err = fmt.Errorf("it has more than %d bytes", maxBytes)
	}
	return hex.EncodeToString(h.Sum(nil)), err
}
