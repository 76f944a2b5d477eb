package models

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/encoder"
	"github.com/failproof/failproof/internal/regular"
)

// fileNames lists the files that affect a model's vectors, sorted. Only the weights and the tokenizer must exist.
var fileNames = []string{encoder.PoolingFile, encoder.ConfigFile, encoder.WeightsFile, encoder.SentenceFile,
	encoder.TokenizerFile}

// Limits of files, in bytes.
const (
	maxText    = 64 << 20
	maxWeights = 2 << 30
)

// folder holds the files of a model.
type folder struct {
	path     string
	files    map[string][]byte
	sums     map[string]string // SHA-256 by name, lower-case hex
	inTree   bool              // path is a folder of the revision that names the model
	unpinned string            // a file or folder from the working folder that the revision does not pin; "" for none
}

func (f *folder) add(name string, text []byte) { f.files[name], f.sums[name] = text, sumOf(text) }

// readFolder reads the model in a folder of this machine.
func readFolder(path string) (*folder, error) {
	f := &folder{path: path}
	return f, f.read(path, nil)
}

// read reads the model's files. found has the files of the revision that names the model; without any, all files come
// from the folder dir of this machine. So do files that the revision only names (a Git LFS pointer, a link, a file that
// is too large). The SHA-256 in a pointer verifies the file. The digest of all files verifies the other files.
func (f *folder) read(dir string, found map[string]modelFile) error {
	f.files, f.sums = map[string][]byte{}, map[string]string{}
	for _, name := range fileNames {
		p, exists := found[name]
		switch {
		case exists && p.missingReason == "":
			f.add(name, p.text)
			continue
		case f.inTree && !exists && !isRequired(name):
			continue
		}
		if err := f.readFile(dir, name, p); err != nil {
			return err
		}
	}
	return nil
}

// readFile reads one file from the folder dir of this machine. p is the file in the revision, which lacks its content;
// the zero value if the revision does not have the file.
func (f *folder) readFile(dir, name string, p modelFile) error {
	text, err := regular.Read(filepath.Join(dir, filepath.FromSlash(name)), maxBytes(name))
	if f.inTree && p.sum == "" {
		f.unpinned = path.Join(f.path, name)
	}
	exists := p.missingReason != ""
	switch {
	case errors.Is(err, fs.ErrNotExist) && !isRequired(name) && p.sum == "":
		return nil // a link to a folder does not show which files exist; the digest verifies them
	case errors.Is(err, fs.ErrNotExist) && !exists:
		return embed.Faultf(embed.ReasonModelMissing, "the folder of the embedding model has no %s", name)
	case err != nil && !exists:
		return embed.Faultf(embed.ReasonModelInvalid, "read the embedding model's %s: %v", name,
			document.Reason(err)) // without a path of this machine
	case err != nil:
		return elsewhereFault(path.Join(f.path, name), p.missingReason+"; the working folder does not have the file")
	case p.sum != "" && p.sum != sumOf(text):
		return elsewhereFault(path.Join(f.path, name),
			p.missingReason+"; the working folder has another file: add a new model in its own pull request")
	}
	f.add(name, text)
	return nil
}

func maxBytes(name string) int64 {
	if name == encoder.WeightsFile {
		return maxWeights
	}
	return maxText
}

// digest returns one SHA-256 for all files together. It is the SHA-256 of the output of `sha256sum` for the files,
// sorted by name.
func (f *folder) digest() string {
	h := sha256.New()
	for _, name := range fileNames {
		if sum, ok := f.sums[name]; ok {
			fmt.Fprintf(h, "%s  %s\n", sum, name)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// modelFile is a file of a model in a revision.
type modelFile struct {
	text          []byte
	sum           string // SHA-256, lower-case hex; "" if unknown
	missingReason string // missingReason the revision lacks the content; "" if the revision has the content
}

// Checksums returns the SHA-256 of each of a model's files in the folder dir of a revision, by name, in lower-case hex.
// For a Git LFS pointer, the SHA-256 is that of the content that the pointer names. The SHA-256 is "" if the revision
// lacks the content and has no such pointer.
func Checksums(tree fs.FS, dir string) map[string]string {
	sums := map[string]string{}
	for name, p := range revisionFiles(tree, dir) {
		sums[name] = p.sum
	}
	return sums
}

// HasFiles reports whether the folder dir of a revision has any file of a model.
func HasFiles(tree fs.FS, dir string) bool {
	return slices.ContainsFunc(fileNames, func(name string) bool {
		_, err := fs.Stat(tree, path.Join(dir, name))
		return !errors.Is(err, fs.ErrNotExist)
	})
}

// FileNames returns the names of the files that a model may have.
func FileNames() []string { return slices.Clone(fileNames) }

// revisionFiles returns the files of a model in the folder dir of a revision, by name. Files that do not exist are left
// out.
func revisionFiles(tree fs.FS, dir string) map[string]modelFile {
	found := map[string]modelFile{}
	for _, name := range fileNames {
		text, err := fs.ReadFile(tree, path.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			found[name] = modelFile{missingReason: document.Reason(err)}
		case document.IsLFSPointer(text):
			found[name] = modelFile{sum: pointerSum(text),
				missingReason: "it is a Git LFS pointer; fetch the file with `lfs: true` in the checkout step"}
		default:
			found[name] = modelFile{text: text, sum: sumOf(text)}
		}
	}
	return found
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// pointer matches the line of a Git LFS pointer with the checksum.
var pointer = regexp.MustCompile(`(?m)^oid sha256:([0-9a-f]{64})$`)

func pointerSum(text []byte) string {
	if m := pointer.FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return ""
}

// InTree returns the model's folder as a path in s.Tree. It returns false for an installed model, and for a folder
// outside of the current folder.
func (s Spec) InTree() (string, bool) {
	if s.Tree == nil || !s.isPath() {
		return "", false
	}
	name := filepath.FromSlash(s.Model)
	if filepath.IsAbs(name) {
		below, ok := RelativeTo(s.Dir, name)
		if !ok {
			return "", false
		}
		name = below
	}
	name = path.Clean(filepath.ToSlash(name))
	return name, fs.ValidPath(name)
}

func elsewhereFault(file, why string) error {
	return &embed.Fault{Reason: embed.ReasonModelElsewhere, Path: file, Text: why}
}

func isRequired(name string) bool {
	return name == encoder.WeightsFile || name == encoder.TokenizerFile
}

// addOrigin adds to fault where the files come from, and returns it. They come from the revision, or from the working
// folder, where a file may differ.
func (f *folder) addOrigin(fault *embed.Fault) *embed.Fault {
	if f.inTree {
		fault.Path = f.path
	}
	if f.unpinned != "" {
		fault.Reason, fault.Path = embed.ReasonModelElsewhere, f.unpinned
		fault.Text += "; the files are from the working folder"
	}
	return fault
}
