package suite

import (
	"crypto/sha256"
	"io/fs"
	"reflect"
	"sync"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
)

// LineFiles has what one side read from its files of JSON lines. If the other side has an equal file, it copies the
// suites and does not read them again. These files name no other files, so equal texts under equal settings make equal
// suites. The zero value is ready to use. A nil LineFiles keeps nothing.
type LineFiles struct {
	mu    sync.Mutex
	files map[lineFileKey]func() lineFile
}

type lineFileKey struct {
	path string
	text Key
}

// lineFile is what was read from a file without an error or a warning; otherwise it has no suites.
type lineFile struct {
	config   *config.Config // by which it was read
	suites   []Suite
	expanded int // what its cases add to loader.expandedBytes
}

// Load is like the function Load. It may copy suites from what LoadBase read, and the other way round.
func (l *LineFiles) Load(fsys fs.FS, cfg *config.Config, globs []string) ([]*Suite, []document.Diagnostic) {
	return load(newLoader(fsys, cfg, l), globs)
}

// LoadBase is like the function LoadBase.
func (l *LineFiles) LoadBase(fsys fs.FS, cfg *config.Config, globs []string) (suites, lost []*Suite,
	ds []document.Diagnostic) {
	return loadBase(newLoader(fsys, cfg, l), globs)
}

// read returns the suites in the file of JSON lines f, whose text is text. It calls readText to read them.
func (l *LineFiles) read(f *file, text []byte, readText func() *fileResult) *fileResult {
	if l == nil {
		return readText()
	}
	var own *fileResult // set if f is the first with this text
	first := l.first(lineFileKey{f.path, sha256.Sum256(text)}, func() lineFile {
		before := f.loader.expandedBytes
		own = readText()
		kept := lineFile{config: f.loader.config, expanded: f.loader.expandedBytes - before}
		if len(own.faults) == 0 {
			for _, s := range own.suites {
				kept.suites = append(kept.suites, *s)
			}
		}
		return kept
	})
	switch kept := first(); {
	case own != nil:
		return own
	case len(kept.suites) > 0 && sameSettings(*kept.config, *f.loader.config) &&
		f.loader.expandedBytes+kept.expanded <= maxExpanded:
		f.loader.expandedBytes += kept.expanded
		return &fileResult{suites: kept.copies(), file: f}
	}
	return readText()
}

// first returns the function that reads the file with the given key: read, or that of an earlier call.
func (l *LineFiles) first(key lineFileKey, read func() lineFile) func() lineFile {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.files == nil {
		l.files = map[lineFileKey]func() lineFile{}
	}
	if l.files[key] == nil {
		l.files[key] = sync.OnceValue(read)
	}
	return l.files[key]
}

// sameSettings reports whether files of JSON lines are read alike by a and b. The bounds are of prompt files.
func sameSettings(a, b config.Config) bool {
	a.PromptBounds, b.PromptBounds = nil, nil
	return reflect.DeepEqual(a, b)
}

// copies returns copies of the suites. Their cases share what is never changed after reading.
func (l lineFile) copies() (all []*Suite) {
	for _, s := range l.suites {
		cases := s.Cases
		s.Cases = make(Cases, 0, len(cases))
		for _, c := range cases {
			s.Cases.Add(*c)
		}
		all = append(all, &s)
	}
	return all
}
