// Command release makes the files of a release from its binaries: license notices, a bill of materials, the container
// image and checksums. Equal binaries give equal files, because no time, machine name or folder goes in. The script
// build makes the binaries first.
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: release VERSION DIR")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// pack adds the files of the package comment to a folder with the binaries and LICENSE.
func pack(version, dir string) error {
	binaries, err := readBinaries(dir)
	if err != nil {
		return err
	}
	if err := writeNotices(filepath.Join(dir, "NOTICES.txt"), binaries); err != nil {
		return fmt.Errorf("notices: %w", err)
	}
	digest, err := writeImage(filepath.Join(dir, "image"), version, dir, binaries)
	if err != nil {
		return fmt.Errorf("image: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "image.digest"), []byte(digest+"\n"), 0o644); err != nil {
		return err
	}
	bom, err := billOfMaterials(version, digest, binaries)
	if err != nil {
		return fmt.Errorf("bill of materials: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "failproof.cdx.json"), bom, 0o644); err != nil {
		return err
	}
	return writeChecksums(dir, binaries)
}

// binary is a program for one platform, with Go's build information in it.
type binary struct {
	file, os, arch string // failproof_windows_amd64.exe, windows, amd64
	sha256         string // hexadecimal
	info           *debug.BuildInfo
}

// readBinaries reads all binaries in the folder, sorted by name.
func readBinaries(dir string) ([]binary, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "failproof_*_*"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no binaries failproof_OS_ARCH in %s: %w", dir, os.ErrNotExist)
	}
	slices.Sort(paths)
	var all []binary
	for _, path := range paths {
		b := binary{file: filepath.Base(path)}
		parts := strings.Split(strings.TrimSuffix(b.file, ".exe"), "_")
		if len(parts) != 3 {
			return nil, fmt.Errorf("%s: the name is not failproof_OS_ARCH", b.file)
		}
		b.os, b.arch = parts[1], parts[2]
		if b.sha256, err = checksum(path); err != nil {
			return nil, err
		}
		if b.info, err = buildinfo.ReadFile(path); err != nil {
			return nil, fmt.Errorf("%s: %w", b.file, err)
		}
		all = append(all, b)
	}
	return all, nil
}

// checksum returns the SHA-256 of a file in hexadecimal.
func checksum(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(data)), nil
}

// writeChecksums writes checksums.txt with every file of the release, in the form that `sha256sum --check` reads.
func writeChecksums(dir string, binaries []binary) error {
	names := []string{"LICENSE", "NOTICES.txt", "failproof.cdx.json"}
	for _, b := range binaries {
		names = append(names, b.file)
	}
	slices.Sort(names)
	var list strings.Builder
	for _, name := range names {
		sum, err := checksum(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%s  %s\n", sum, name)
	}
	return os.WriteFile(filepath.Join(dir, "checksums.txt"), []byte(list.String()), 0o644)
}

// modules returns the modules in the binaries, each once, sorted by name.
func modules(binaries []binary) []*debug.Module {
	byName := map[string]*debug.Module{}
	for _, b := range binaries {
		for _, m := range b.info.Deps {
			byName[m.Path+"@"+m.Version] = m
		}
	}
	return slices.SortedFunc(maps.Values(byName), func(a, b *debug.Module) int {
		return strings.Compare(a.Path+"@"+a.Version, b.Path+"@"+b.Version)
	})
}
