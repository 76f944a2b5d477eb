package acceptance_test

import (
	"crypto/ed25519"
	"crypto/x509"
	"crypto/x509/pkix"
	"debug/buildinfo"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	_ "golang.org/x/crypto/x509roots/fallback" // as main.go has it
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// alone is set in a process that a test starts for itself, and which needs no failproof.
const alone = "FAILPROOF_TEST_ALONE"

// TestRoots: on a system that names no authority, like the image, the program trusts those that it brings along. A
// process reads the system's list once, so the question is asked in one of its own. macOS and Windows answer from their
// own list in any case.
func TestRoots(t *testing.T) {
	if os.Getenv(alone) != "" {
		askForTrust(t)
		return
	}
	built, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(built.Deps, func(m *debug.Module) bool { return m.Path == "golang.org/x/crypto/x509roots/fallback" }) {
		t.Error("failproof brings no authorities along")
	}
	none := filepath.Join(t.TempDir(), "none")
	asking := exec.Command(os.Args[0], "-test.run=^TestRoots$")
	asking.Env = append(os.Environ(), alone+"=1", "SSL_CERT_FILE="+none, "SSL_CERT_DIR="+none)
	if out, err := asking.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// askForTrust verifies the certificate of an authority that everybody knows, and of one that nobody does.
func askForTrust(t *testing.T) {
	known := 0
	for root := range bundle.Roots() {
		cert, err := x509.ParseCertificate(root.Certificate)
		if err != nil {
			t.Fatal(err)
		}
		if cert.Subject.CommonName != "ISRG Root X1" {
			continue
		}
		known++
		if _, err := cert.Verify(x509.VerifyOptions{CurrentTime: cert.NotBefore.AddDate(1, 0, 0)}); err != nil {
			t.Errorf("%s is not trusted: %v", cert.Subject, err)
		}
	}
	if known != 1 {
		t.Errorf("%d certificates of ISRG Root X1, want 1", known)
	}
	own := ownAuthority(t)
	if _, err := own.Verify(x509.VerifyOptions{CurrentTime: own.NotBefore}); err == nil {
		t.Error("an authority that the test made up is trusted")
	}
}

// ownAuthority makes an authority that is on no list.
func ownAuthority(t *testing.T) *x509.Certificate {
	t.Helper()
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "nobody"}, NotBefore: now, NotAfter: now.AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(nil, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}
