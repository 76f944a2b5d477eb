package main

import (
	"archive/tar"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// packed packs this test's own program in the place of failproof's and returns the folder.
func packed(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	program, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"failproof_linux_amd64": string(program), "failproof_linux_arm64": string(program),
		"failproof_windows_amd64.exe": string(program), "LICENSE": "MIT\n"} {
		write(t, filepath.Join(dir, name), data)
	}
	if err := pack("0.1.0", dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, path, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestPack(t *testing.T) {
	dir := packed(t)
	for _, c := range []struct {
		rule  string
		check func(t *testing.T, dir string)
	}{
		{"equal binaries give equal bytes", twice},
		{"the image is the program and the licences, for both architectures", image},
		{"the bill names every file and module", bill},
		{"the checksums cover every file that is offered", checksums},
	} {
		t.Run(c.rule, func(t *testing.T) { c.check(t, dir) })
	}
}

func twice(t *testing.T, a string) {
	b := packed(t)
	files := 0
	err := fs.WalkDir(os.DirFS(a), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files++
			if read(t, a, name) != read(t, b, name) {
				t.Errorf("%s differs", name)
			}
		}
		return err
	})
	if err != nil || files < 14 {
		t.Errorf("%d files (%v)", files, err)
	}
}

func image(t *testing.T, dir string) {
	top, err := layout.ImageIndexFromPath(filepath.Join(dir, "image"))
	if err != nil {
		t.Fatal(err)
	}
	digest, err := v1.NewHash(strings.TrimSpace(read(t, dir, "image.digest")))
	if err != nil {
		t.Fatal(err)
	}
	index, err := top.ImageIndex(digest)
	if err != nil {
		t.Fatalf("the digest is not that of an index in the layout: %v", err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	var platforms []string
	for _, m := range manifest.Manifests {
		platforms = append(platforms, m.Platform.String())
		image, err := index.Image(m.Digest)
		if err != nil {
			t.Fatal(err)
		}
		checkImage(t, image, m.Platform.Architecture)
	}
	if want := []string{"linux/amd64", "linux/arm64"}; !slices.Equal(platforms, want) {
		t.Errorf("the platforms are %v, want %v", platforms, want)
	}
}

// checkImage holds an image to what the runner needs of it.
func checkImage(t *testing.T, image v1.Image, arch string) {
	t.Helper()
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if c := config.Config; config.Architecture != arch || c.User != "" || !slices.Equal(append(c.Entrypoint, c.Cmd...), []string{"/failproof", "action"}) {
		t.Errorf("%s: %+v", arch, config)
	}
	layers, err := image.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("%d layers (%v), want 1", len(layers), err)
	}
	archive, err := layers[0].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := tar.NewReader(archive); ; {
		header, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, header.FileInfo().Mode().String()+" "+header.Name)
		if header.Uid != 0 || header.Gid != 0 || !header.ModTime.Equal(epoch) {
			t.Errorf("%s belongs to %d:%d and is of %s", header.Name, header.Uid, header.Gid, header.ModTime)
		}
	}
	if want := []string{"-rw-r--r-- LICENSE", "-rw-r--r-- NOTICES.txt", "-rwxr-xr-x failproof"}; !slices.Equal(got, want) {
		t.Errorf("the image holds %v, want %v", got, want)
	}
}

func bill(t *testing.T, dir string) {
	var b bom
	if err := json.Unmarshal([]byte(read(t, dir, "failproof.cdx.json")), &b); err != nil {
		t.Fatal(err)
	}
	known := map[string]component{b.Metadata.Component.Ref: b.Metadata.Component}
	for _, c := range b.Components {
		if _, twice := known[c.Ref]; twice {
			t.Errorf("%s is there twice", c.Ref)
		}
		known[c.Ref] = c
	}
	for _, d := range b.Dependencies {
		for _, ref := range append(d.DependsOn, d.Ref) {
			if _, ok := known[ref]; !ok {
				t.Errorf("%s depends on %s, which is no component", d.Ref, ref)
			}
		}
	}
	binaries, err := readBinaries(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range binaries {
		if got := known[c.file].Hashes; len(got) != 1 || got[0].Content != c.sha256 {
			t.Errorf("%s: hashes %v, want %s", c.file, got, c.sha256)
		}
	}
	all := modules(binaries)
	if len(all) == 0 {
		t.Error("the program has no modules")
	}
	for _, m := range all {
		if c := known[purl(m)]; c.Name != m.Path || c.Version != m.Version || len(c.Hashes) != 1 {
			t.Errorf("%s %s is %+v in the bill", m.Path, m.Version, c)
		}
	}
}

func checksums(t *testing.T, dir string) {
	var names []string
	for line := range strings.Lines(read(t, dir, "checksums.txt")) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if got, err := checksum(filepath.Join(dir, name)); err != nil || got != sum {
			t.Errorf("%s has the sum %s (%v), the list says %s", name, got, err, sum)
		}
		names = append(names, name)
	}
	want := []string{"LICENSE", "NOTICES.txt", "failproof.cdx.json", "failproof_linux_amd64", "failproof_linux_arm64", "failproof_windows_amd64.exe"}
	if !slices.Equal(names, want) {
		t.Errorf("the list names %v, want %v", names, want)
	}
}

func TestNothingIsPackedThatMayNotBePassedOnOrIsNotKnown(t *testing.T) {
	t.Run("a module without a licence is an error", func(t *testing.T) {
		var out strings.Builder
		err := addNotices(&out, "example.com/m v1.0.0", fstest.MapFS{"m.go": {Data: []byte("package m")}}, true)
		if err == nil || !strings.Contains(err.Error(), "example.com/m v1.0.0 has no licence") {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("a licence of a part comes along", func(t *testing.T) {
		var out strings.Builder
		err := addNotices(&out, "m", fstest.MapFS{"LICENSE": {Data: []byte("one")}, "part/COPYING.md": {Data: []byte("two")}, "testdata/LICENSE": {Data: []byte("three")}}, true)
		if got := out.String(); err != nil || !strings.Contains(got, "one") || !strings.Contains(got, "two") || strings.Contains(got, "three") {
			t.Errorf("%v: %s", err, got)
		}
	})
	t.Run("a folder without binaries is an error", func(t *testing.T) {
		if err := pack("0.1.0", t.TempDir()); err == nil {
			t.Error("an empty folder was packed")
		}
	})
	t.Run("a file that is no Go program is an error", func(t *testing.T) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "failproof_linux_amd64"), "#!/bin/sh\n")
		if err := pack("0.1.0", dir); err == nil || !strings.Contains(err.Error(), "failproof_linux_amd64") {
			t.Errorf("the error is %v", err)
		}
	})
}
