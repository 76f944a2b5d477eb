// Package journal keeps answers on disk, so that a paid answer survives a cancel, a kill, a full disk or a damaged
// file. Each record is appended by one write, so several runs can write at once.
package journal

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/text"
)

// Trust is the origin of the change that a run judges. A journal has answers from runs of one trust, and a run never
// reads a journal of another trust.
type Trust string

const (
	Trusted Trust = "trusted"
	Fork    Trust = "fork" // the change comes from another repository
)

const (
	maxAge       = 30 * 24 * time.Hour // how long an answer is kept; the model may change in a longer time
	monthLayout  = "2006-01"
	fileEnding   = ".journal"
	maxFile      = 1 << 30          // largest size in bytes of the file of a month; a larger file is not read
	maxClockSkew = 10 * time.Minute // how far the clock of another machine may be ahead
)

// Options has the folder of a journal and what the journal depends on.
type Options struct {
	Folder    *os.Root // the folder of all journals; each Trust has a folder in it
	Trust     Trust
	Now       func() time.Time
	HasSecret func(text string) bool // reports whether a text must not be kept; nil: every text may be kept
}

// Journal is a folder of answers. It implements model.Journal, and is safe for concurrent use by goroutines and
// processes.
type Journal struct {
	options Options
	folder  *os.Root

	mu    sync.Mutex
	files []*os.File
	index map[model.JournalKey]place // the latest record; without a comparison, that of any comparison
	// damaged records that no run has reported yet; each is identified by its file, place and checksum
	unreported map[string]bool
	out        appender
	outFile    int // index in files of the file that out writes
	problems   problems

	dirty   chan struct{} // has one element if written records are not synced yet
	syncing sync.WaitGroup
}

type appender interface {
	Write(p []byte) (int, error)
	Seek(offset int64, whence int) (int64, error)
	Sync() error
}

type place struct {
	file     int
	offset   int64
	length   int
	storedAt int64 // time when the answer was kept, in seconds since 1970
}

// problems has the failures so far.
type problems struct {
	damaged  int   // number of damaged records
	unstored int   // number of answers that could not be kept
	firstErr error // the reason of the first of them
	files    []string
}

// Open opens the journal of o.Trust in o.Folder. It reads the records, and deletes files that are too old.
func Open(o Options) (*Journal, error) {
	if err := o.Folder.MkdirAll(string(o.Trust), 0o700); err != nil {
		return nil, fmt.Errorf("make the response cache's folder: %w", err)
	}
	folder, err := o.Folder.OpenRoot(string(o.Trust))
	if err != nil {
		return nil, fmt.Errorf("open the response cache's folder: %w", err)
	}
	j := &Journal{options: o, folder: folder, index: map[model.JournalKey]place{}, unreported: map[string]bool{},
		dirty: make(chan struct{}, 1)}
	entries, err := fs.ReadDir(folder.FS(), ".")
	if err != nil {
		j.Close()
		return nil, fmt.Errorf("read the response cache: %w", err)
	}
	oldest := o.Now().Add(-maxAge).UTC().Format(monthLayout)
	for _, entry := range entries {
		month, isJournal := strings.CutSuffix(entry.Name(), fileEnding)
		if _, err := time.Parse(monthLayout, month); !isJournal || err != nil || !entry.Type().IsRegular() {
			continue
		}
		if month < oldest {
			_ = folder.Remove(entry.Name()) // such files are not read anyway
			continue
		}
		if err := j.readFile(entry.Name()); err != nil {
			j.problems.files = append(j.problems.files, entry.Name())
		}
	}
	if j.problems.damaged = len(j.unreported); j.problems.damaged > 0 {
		note := record{Form: formVersion, Trust: o.Trust, At: o.Now().UTC(), Reported: slices.Sorted(maps.Keys(j.unreported))}
		_, _ = j.append(note.encode(), note.At) // without the note, a later run reports them again
	}
	return j, nil
}

// Find returns the latest answer that was kept for the address a. If a has no Pair, the answer may have any Pair. See
// model.Journal.
func (j *Journal) Find(a model.JournalKey) (model.Response, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	p, ok := j.index[a]
	if !ok || j.options.Now().Unix()-p.storedAt > int64(maxAge/time.Second) {
		return model.Response{}, false
	}
	line := make([]byte, p.length) // it may have been damaged since
	_, err := j.files[p.file].ReadAt(line, p.offset)
	r, whole := parse(line)
	if err != nil || !whole || r.Trust != j.options.Trust ||
		withoutComparison(r.JournalKey) != withoutComparison(a) {
		j.problems.damaged++
		return model.Response{}, false
	}
	return r.Answer, true
}

// Store keeps the answer r; see model.Journal. It skips an answer that contains a secret or invalid UTF-8. Invalid
// UTF-8 would not be read back unchanged.
func (j *Journal) Store(a model.JournalKey, q model.Request, r model.Response) {
	for _, text := range []model.Untrusted{r.Text, r.Refusal} {
		if !utf8.ValidString(string(text)) || j.options.HasSecret != nil && j.options.HasSecret(string(text)) {
			return
		}
	}
	now := j.options.Now().UTC()
	// These fields describe the call, and a kept answer needs none of them.
	r.Failure, r.Cached, r.Attempts, r.MayCost = nil, false, 0, false
	line := record{Form: formVersion, Trust: j.options.Trust, At: now.Truncate(time.Second), JournalKey: a,
		SuiteID: q.SuiteID, CaseID: q.CaseID, Answer: r}.encode()
	j.mu.Lock()
	defer j.mu.Unlock()
	p, err := j.append(line, now)
	if err != nil {
		j.problems.unstored++
		j.problems.firstErr = cmp.Or(j.problems.firstErr, err)
		return
	}
	j.addToIndex(a, p)
}

func (j *Journal) addToIndex(a model.JournalKey, p place) {
	j.index[a], j.index[withoutComparison(a)] = p, p
}

func withoutComparison(a model.JournalKey) model.JournalKey {
	a.Comparison = ""
	return a
}

// append appends a record, which is given as a line, to the file of the month. It returns the place of the record.
func (j *Journal) append(line []byte, now time.Time) (place, error) {
	if j.out == nil {
		if err := j.openMonth(now); err != nil {
			return place{}, err
		}
	}
	if _, err := j.out.Write(line); err != nil {
		return place{}, err
	}
	end, err := j.out.Seek(0, 1) // the end of what was written, even if others append
	if err != nil {
		return place{}, err
	}
	select {
	case j.dirty <- struct{}{}:
	default: // the due sync covers this record too
	}
	return place{file: j.outFile, offset: end - int64(len(line)) + 1, length: len(line) - 2, storedAt: now.Unix()}, nil
}

// openMonth opens the file for new records, which is named after the month of now. It starts to sync the file.
func (j *Journal) openMonth(now time.Time) error {
	name := now.Format(monthLayout) + fileEnding
	if info, err := j.folder.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", name)
	}
	f, err := j.folder.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	j.files = append(j.files, f)
	j.out, j.outFile = f, len(j.files)-1
	j.syncing.Go(func() { j.syncAll(f) })
	return nil
}

// syncAll syncs written records to disk until Close. All records that are written during a sync share the next sync, so
// that no answer waits for the disk.
func (j *Journal) syncAll(out appender) {
	for range j.dirty {
		_ = out.Sync() // what a crash of the machine loses is requested again
	}
}

// Close syncs all written records and closes the files.
func (j *Journal) Close() {
	close(j.dirty)
	j.syncing.Wait()
	_ = j.folder.Close()
	for _, f := range j.files {
		_ = f.Close()
	}
}

// Warnings returns messages about records that could not be read or written.
func (j *Journal) Warnings() (out []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	p := j.problems
	for _, name := range p.files {
		out = append(out, fmt.Sprintf("the response cache of %s cannot be read and was ignored; its answers are "+
			"requested again", strings.TrimSuffix(name, fileEnding)))
	}
	if p.damaged > 0 {
		were := map[bool]string{true: "was", false: "were"}[p.damaged == 1]
		out = append(out, fmt.Sprintf("the response cache has %s, which %s ignored: these answers are requested "+
			"again", text.Count(p.damaged, "damaged record"), were))
	}
	if p.unstored > 0 {
		out = append(out, fmt.Sprintf("%s could not be cached (%v); the run continues without",
			text.Count(p.unstored, "answer"), p.firstErr))
	}
	return out
}
