package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// writeImage writes the image of the Linux binaries as an OCI layout, with one index and a manifest for each
// architecture. It returns the digest of the index, by which a registry serves exactly this image.
func writeImage(layoutDir, version, dir string, binaries []binary) (digest string, err error) {
	labels := map[string]string{
		"org.opencontainers.image.title":       "failproof",
		"org.opencontainers.image.description": "A gate for prompt changes",
		"org.opencontainers.image.source":      "https://github.com/failproof/failproof",
		"org.opencontainers.image.licenses":    "MIT",
		"org.opencontainers.image.version":     version,
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, b := range binaries {
		if b.os != "linux" {
			continue
		}
		image, err := newImage(b, dir, labels)
		if err != nil {
			return "", fmt.Errorf("%s: %w", b.file, err)
		}
		platform := &v1.Platform{OS: b.os, Architecture: b.arch}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image,
			Descriptor: v1.Descriptor{Platform: platform}})
	}
	index = mutate.Annotations(index, labels).(v1.ImageIndex)
	hash, err := index.Digest()
	if err != nil {
		return "", err
	}
	path, err := layout.Write(layoutDir, empty.Index)
	if err != nil {
		return "", err
	}
	return hash.String(), path.AppendIndex(index)
}

// newImage returns the image of one binary: only the program and the licenses. It runs as root, because no other user
// may write the runner's files for outputs and summary.
func newImage(b binary, dir string, labels map[string]string) (v1.Image, error) {
	files, err := newLayer(dir, b.file)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(files)),
			nil
	},
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressionLevel(gzip.BestCompression))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	if image, err = mutate.Append(image,
		mutate.Addendum{Layer: layer, History: v1.History{Created: v1.Time{Time: epoch}}}); err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = b.os, b.arch, v1.Time{Time: epoch}
	// Without arguments it runs the action, because a gate that only printed its help would exit with 0.
	config.Config = v1.Config{Entrypoint: []string{"/failproof"}, Cmd: []string{"action"}, Labels: labels}
	return mutate.ConfigFile(image, config)
}

// epoch is the time of all files in the image, so that equal binaries give equal images.
var epoch = time.Unix(0, 0).UTC()

// newLayer returns the archive of the image's files. They belong to root.
func newLayer(dir, program string) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range []struct {
		name, from string
		mode       int64
	}{{"LICENSE", "LICENSE", 0o644}, {"NOTICES.txt", "NOTICES.txt", 0o644}, {"failproof", program, 0o755}} {
		data, err := os.ReadFile(filepath.Join(dir, f.from))
		if err != nil {
			return nil, err
		}
		header := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Size: int64(len(data)), Mode: f.mode,
			ModTime: epoch, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
