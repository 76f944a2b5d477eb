package acceptance_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// stand-ins of the published programs, which say their version.
const (
	published = "#!/bin/sh\necho failproof version 0.1.0\n"
	altered   = "#!/bin/sh\necho failproof version 0.1.0; touch \"$RUNNER_TEMP/ran\"\n"
)

// setUp runs setup/install as the action does, beside pins of a release (of none if version is empty), with a mirror
// that serves one program under every name, or nothing if it is empty. It returns the exit status, the log, and the
// folder that the runner calls RUNNER_TEMP.
func setUp(t *testing.T, version, served string, env map[string]string) (ok bool, log, temp string) {
	t.Helper()
	action, temp := t.TempDir(), t.TempDir()
	script := shipped(t, "setup/install")
	lays(t, action, map[string]string{"install": script})
	if version != "" {
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(published)))
		lays(t, action, map[string]string{"version": version + "\n", "checksums.txt": sum + "  failproof_linux_amd64\n" + sum + "  failproof_darwin_arm64\n"})
	}
	mirror := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if served == "" || !strings.HasPrefix(r.URL.Path, "/releases/v"+version+"/failproof_") {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, served)
	}))
	defer mirror.Close()
	all := map[string]string{"RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "RUNNER_TEMP": temp, "GITHUB_PATH": filepath.Join(temp, "path"),
		"GITHUB_OUTPUT": filepath.Join(temp, "output"), "FAILPROOF_MIRROR": mirror.URL + "/releases/"}
	maps.Copy(all, env)
	cmd := exec.Command("bash", filepath.Join(action, "install"))
	cmd.Env = os.Environ()
	for name, value := range all {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return err == nil, string(out), temp
}

func TestSetupPutsTheProgramOnThePath(t *testing.T) {
	for _, c := range []struct {
		rule string
		env  map[string]string
	}{
		{"on Linux", nil},
		{"on macOS", map[string]string{"RUNNER_OS": "macOS", "RUNNER_ARCH": "ARM64"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			ok, log, temp := setUp(t, "0.1.0", published, c.env)
			if !ok || !strings.HasSuffix(log, "failproof version 0.1.0\n") {
				t.Fatalf("the installation fails:\n%s", log)
			}
			folder := strings.TrimSpace(read(t, filepath.Join(temp, "path")))
			if got := read(t, filepath.Join(folder, "failproof")); got != published {
				t.Errorf("the folder on the PATH holds %q", got)
			}
			if got, want := read(t, filepath.Join(temp, "output")), "version=0.1.0\npath="+folder+"/failproof\n"; got != want {
				t.Errorf("the outputs are %q, want %q", got, want)
			}
		})
	}
}

func TestSetupRefuses(t *testing.T) {
	for _, c := range []struct {
		rule, version, served string
		env                   map[string]string
		says                  string
	}{
		{"another program than the release's", "0.1.0", altered, nil, "it is not the program of this release, and was thrown away"},
		{"a commit that is no release, and says what to write", "", published, nil, "uses: failproof/failproof/setup@v0.1.0"},
		{"a processor that there is no program for", "0.1.0", published, map[string]string{"RUNNER_ARCH": "X86"}, "there is one for X64 and ARM64"},
		{"a system that there is no program for", "0.1.0", published, map[string]string{"RUNNER_OS": "Plan9"}, "there is one for Linux, macOS and Windows"},
		{"a program that the release does not have", "0.1.0", published, map[string]string{"RUNNER_OS": "Windows"}, "the release 0.1.0 has no failproof_windows_amd64.exe"},
		{"what a mirror does not have, and says that there are others", "0.1.0", "", nil, "The input 'mirror' names another place"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			ok, log, temp := setUp(t, c.version, c.served, c.env)
			if ok || !strings.Contains(log, "::error title=failproof setup::") || !strings.Contains(log, c.says) {
				t.Errorf("want an error that says %q, got (ok: %v):\n%s", c.says, ok, log)
			}
			for _, name := range []string{"path", "output", "ran", "failproof-0.1.0/failproof", "failproof-0.1.0/failproof.part"} {
				if _, err := os.Stat(filepath.Join(temp, name)); err == nil {
					t.Errorf("it leaves %s", name)
				}
			}
		})
	}
}
