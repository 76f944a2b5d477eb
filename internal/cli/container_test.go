//go:build container

package cli_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
	"github.com/failproof/failproof/internal/sharedtest"
)

// image is the name of the image under test, which .ci/run builds.
func image(t *testing.T) string {
	t.Helper()
	return needed(t, "FAILPROOF_IMAGE")
}

// docker runs docker and returns what it printed.
func docker(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("docker", args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("docker %s: %v\n%s", strings.Join(args, " "), err, exit.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// asAction is the image, which runs with the arguments that action.yml gives it as it does with none.
func asAction(t *testing.T) string {
	t.Helper()
	if !regexp.MustCompile(`(?m)^  args: \[action\]$`).MatchString(read("../../action.yml")) {
		t.Fatal("action.yml runs the image with other arguments than these tests")
	}
	if got := docker(t, "", "inspect", "--format", "{{.Config.Entrypoint}} {{.Config.Cmd}}", image(t)); got != "[/failproof] [action]\n" {
		t.Fatalf("without arguments the image runs %s", got)
	}
	return image(t)
}

// contain runs the image as GitHub's runner runs a container action, with the workspace of the hub.
func (h *hub) contain(t *testing.T, image string) outcome {
	t.Helper()
	payload, err := json.Marshal(h.event)
	if err != nil {
		t.Fatal(err)
	}
	event := filepath.Join(t.TempDir(), "event.json")
	write(t, event, string(payload))
	cmd := exec.Command(sharedtest.Path(t, "tools/run-as-action"), image, h.env["GITHUB_EVENT_NAME"], event, h.env["GITHUB_API_URL"], h.workspace)
	cmd.Env = append(os.Environ(), "INPUTS=token="+githubtest.Token+"\nmin-run-score=0.9\n", "TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("run-as-action: %v\n%s", err, out)
	}
	return readRun(t, string(out))
}

var ranForm = regexp.MustCompile(`(?s)^(.*)\nexit=(\d+)\n--- set_output\n(.*)--- set_env\n(.*)--- step_summary\n(.*)$`)

// readRun reads what run-as-action prints.
func readRun(t *testing.T, out string) outcome {
	t.Helper()
	m := ranForm.FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("run-as-action printed something else:\n%s", out)
	}
	if m[4] != "" {
		t.Errorf("the run sets variables of later steps:\n%s", m[4])
	}
	code, _ := strconv.Atoi(m[2])
	outputs := filepath.Join(t.TempDir(), "outputs")
	write(t, outputs, m[3])
	return outcome{code: code, log: m[1], outputs: readOutputs(t, outputs), summary: m[5]}
}

// reworded is the example with one answer in other words, which is as right as it was.
func reworded(t *testing.T) map[string]string {
	t.Helper()
	const file, was = "recordings/support/refund.jsonl", "takes this over now"
	files := exampleFiles(t, "main")
	if strings.Count(files[file], was) != 1 {
		t.Fatalf("%s does not say %q once", file, was)
	}
	return with(files, file, strings.Replace(files[file], was, "takes this over at once", 1))
}

func TestContainer(t *testing.T) {
	name := asAction(t)
	t.Run("a change that breaks two cases fails and is commented", func(t *testing.T) {
		h := newHub(t)
		h.expect(h.contain(t, name), cli.ExitFailed, "failed")
		holds(t, "the comment", h.comment().Body, "angry-customer")
	})
	t.Run("a change that breaks nothing passes", func(t *testing.T) {
		h := hubOf(t, exampleFiles(t, "main"), reworded(t))
		o := h.contain(t, name)
		h.expect(o, cli.ExitPassed, "passed")
		if o.outputs["run-score"] != "1" {
			t.Errorf("the run score is %q, want 1", o.outputs["run-score"])
		}
	})
	t.Run("a token that can only read changes no verdict", func(t *testing.T) {
		h := newHub(t)
		h.fork(repository(2000))
		o := h.contain(t, name)
		h.expect(o, cli.ExitFailed, "failed")
		holds(t, "the log", o.log, "comes from a fork", "file=suites/support/refund.yaml,line=13")
		holds(t, "the summary", o.summary, "angry-customer")
	})
	t.Run("what is written belongs to the owner of the workspace", func(t *testing.T) {
		h := newHub(t)
		if err := os.Chown(h.workspace, 1001, 1001); err != nil {
			t.Fatal(err)
		}
		h.expect(h.contain(t, name), cli.ExitFailed, "failed")
		ownedBy(t, h.workspace, 1001)
	})
}

// ownedBy reports files below dir that belong to somebody else.
func ownedBy(t *testing.T, dir string, uid uint32) {
	t.Helper()
	files := 0
	err := filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		files++
		if got := info.Sys().(*syscall.Stat_t).Uid; got != uid {
			t.Errorf("%s belongs to %d, want %d", name, got, uid)
		}
		return nil
	})
	if err != nil || files < 6 {
		t.Errorf("%d files and folders (%v), want the output folder with its files", files, err)
	}
}

func TestContainerImage(t *testing.T) {
	if got := docker(t, "", "run", "--rm", "--network", "none", image(t), "--version"); !strings.HasPrefix(got, "failproof version ") {
		t.Errorf("--version prints %q", got)
	}
	id := strings.TrimSpace(docker(t, "", "create", image(t)))
	defer docker(t, "", "rm", id)
	files := filesOf(t, docker(t, "", "export", id))
	holdsItsAuthorities(t, files["failproof"])
	for name := range files {
		switch path.Base(name) {
		case "sh", "bash", "ash", "busybox", "apk", "git", "curl", "wget":
			t.Errorf("the image holds %s", name)
		}
	}
	const limit = 15 << 20
	if size := compressed(t, docker(t, "", "save", image(t))); size >= limit {
		t.Errorf("the image takes %d bytes to pull, want less than %d", size, limit)
	} else {
		t.Logf("the image takes %d bytes to pull", size)
	}
}

// holdsItsAuthorities: the image names no authorities that sign certificates, so the program must bring them.
func holdsItsAuthorities(t *testing.T, program string) {
	t.Helper()
	info, err := buildinfo.Read(strings.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range info.Deps {
		if m.Path == "golang.org/x/crypto/x509roots/fallback" {
			return
		}
	}
	t.Error("the program brings no authorities, so no certificate can be checked")
}

func filesOf(t *testing.T, archive string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for r := tar.NewReader(strings.NewReader(archive)); ; {
		header, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[header.Name] = string(data)
	}
}

func compressed(t *testing.T, data string) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := io.WriteString(w, data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}
