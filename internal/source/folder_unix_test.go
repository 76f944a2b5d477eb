//go:build unix

package source_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/failproof/failproof/internal/source"
)

func TestLinksOnDiskAreRefused(t *testing.T) {
	dir, tree := disk(t, files{"real/f": file("x"), "real/g": file("y"), ".git/config": file("token"), "chain/0": file("x")})
	secret := writeFile(t, filepath.Join(t.TempDir(), "secret"), "secret")
	links := map[string]string{
		"absolute":     secret,
		"escaping":     "../../../../../../etc/passwd",
		"proc":         "/proc/self/environ",
		"in-tree":      "real/f",
		"to-git":       ".git/config",
		"dangling":     "nowhere",
		"loop":         "loop",
		"up":           "..",
		"linked":       "real",
		"real/inner":   ".",
		"chain/linked": "0",
	}
	for name, target := range links {
		ok(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	for name := range links {
		t.Run(name, func(t *testing.T) { wantRefusal(t, tree, name, source.ErrSymlink) })
	}
	for _, name := range []string{"linked/f", "up/x", "real/inner/f", "real/inner/inner/inner/f"} {
		t.Run(name, func(t *testing.T) { wantRefusal(t, tree, name, source.ErrSymlink) })
	}
	if _, err := fs.ReadFile(tree, "linked/f"); err == nil || !strings.Contains(err.Error(), `"linked" is a symbolic link`) {
		t.Errorf("ReadFile(linked/f) = %v, want it to name the link", err)
	}
}

func TestAWalkFollowsNoLinkOnDisk(t *testing.T) {
	dir, tree := disk(t, files{"real/f": file("x")})
	ok(t, os.Symlink("..", filepath.Join(dir, "real", "up")))
	ok(t, os.Symlink("real", filepath.Join(dir, "again")))
	want := []string{"d .", "l again", "d real", "- real/f", "l real/up"}
	if got := names(t, tree); !slices.Equal(got, want) {
		t.Errorf("a walk shows %q, want %q", got, want)
	}
}

func TestTheFolderItselfMayBeALink(t *testing.T) {
	dir, _ := disk(t, files{"f": file("x")})
	at := filepath.Join(t.TempDir(), "link")
	ok(t, os.Symlink(dir, at))
	if got, err := fs.ReadFile(must(source.Folder(at))(t), "f"); err != nil || string(got) != "x" {
		t.Errorf("ReadFile = %q, %v", got, err)
	}
}

func TestSpecialFilesAreRefusedAtOnce(t *testing.T) {
	dir, tree := disk(t, files{"f": file("x")})
	ok(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644))
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	ok(t, err)
	defer socket.Close()
	for _, name := range []string{"fifo", "socket"} {
		for call, err := range map[string]error{ // one that waits for a writer never comes back
			"Stat": second(fs.Stat(tree, name)), "Open": second(tree.Open(name)), "ReadFile": second(fs.ReadFile(tree, name)),
		} {
			if !errors.Is(err, source.ErrNotRegular) {
				t.Errorf("%s(%q) = %v, want ErrNotRegular", call, name, err)
			}
		}
	}
}

func TestDevicesAreRefused(t *testing.T) {
	tree := must(source.Folder("/dev"))(t)
	if data, err := fs.ReadFile(tree, "zero"); !errors.Is(err, source.ErrNotRegular) {
		t.Errorf("ReadFile(/dev/zero) = %d bytes, %v, want ErrNotRegular", len(data), err)
	}
}

func TestNamesThatNoTreeReadsAreListedSoThatNothingIsSilent(t *testing.T) {
	dir, tree := disk(t, files{"f": file("x")})
	writeFile(t, filepath.Join(dir, "line\nbreak.yml"), "x")
	got := names(t, tree)
	if want := []string{"d .", "- f", "- line\nbreak.yml"}; !slices.Equal(got, want) {
		t.Fatalf("a walk shows %q, want %q", got, want)
	}
	wantRefusal(t, tree, "line\nbreak.yml", source.ErrName)
}

// A file that is exchanged for a link again and again while it is read gives its content or an error, never
// what the link leads to.
func TestARaceForALinkIsNeverWon(t *testing.T) {
	dir, _ := disk(t, files{"a/f": file("content"), "b/f": file("secret")})
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		at, away := filepath.Join(dir, "a"), filepath.Join(dir, "away")
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(at, away)
			os.Symlink("b", at)
			os.Remove(at)
			os.Rename(away, at)
		}
	}()
	read := 0
	for tries := 0; read < 200 || tries < 3000; tries++ {
		tree, err := source.Folder(dir)
		ok(t, err)
		data, err := fs.ReadFile(tree, "a/f")
		tree.Close()
		if err == nil && string(data) != "content" {
			t.Errorf("ReadFile = %q", data)
		}
		if err == nil {
			read++
		}
	}
	close(stop)
	<-stopped
}
