package journal

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/text"
)

// formVersion is the version of the form of records. Records of other versions are skipped without a warning.
const formVersion = 2

type record struct {
	Form  int       `json:"form"`
	Trust Trust     `json:"trust"`
	At    time.Time `json:"at"`
	model.JournalKey
	SuiteID string         `json:"suite_id"` // for people who read the file
	CaseID  string         `json:"case_id"`
	Answer  model.Response `json:"answer"`
}

// key identifies an address in the indexes of a Journal.
type key [sha256.Size]byte

func exactKey(a model.JournalKey) key {
	return sha256.Sum256(fmt.Appendf(nil, "%q %d %d %q", a.Request, a.Occurrence, a.Trial, a.Comparison))
}

func anyPairKey(a model.JournalKey) key {
	a.Comparison = ""
	return exactKey(a)
}

const sumLength = 8 // number of hexadecimal digits of the checksum; a space and the JSON follow it

var checksums = crc32.MakeTable(crc32.Castagnoli)

// encode returns the record as a line with its checksum, between two line ends. The first line end separates the record
// from a truncated record before it.
func (r record) encode() []byte {
	body := text.MustJSON(r)
	return fmt.Appendf(nil, "\n%0*x %s\n", sumLength, crc32.Checksum(body, checksums), body)
}

var errDamaged = errors.New("damaged record")

// parse returns the record in a line without line ends. It returns an error if the line is damaged.
func parse(line []byte) (record, error) {
	sum, body, ok := bytes.Cut(line, []byte(" "))
	if !ok || string(sum) != fmt.Sprintf("%0*x", sumLength, crc32.Checksum(body, checksums)) {
		return record{}, errDamaged
	}
	var r record
	if err := json.Unmarshal(body, &r); err != nil {
		return record{}, errDamaged
	}
	return r, nil
}

// readFile indexes the records of the file with the given name. It skips damaged records, and counts those that no
// earlier run has reported.
func (j *Journal) readFile(name string) error {
	f, err := regular.OpenIn(j.folder, name)
	if err != nil {
		return err
	}
	if info, _ := f.Stat(); info.Size() > maxFile { // an open file has a size
		return errors.Join(fmt.Errorf("%s is larger than %d bytes", name, maxFile), f.Close())
	}
	j.files = append(j.files, f)
	reported := j.reportedDamage(name)
	var damaged []string
	err = j.scan(f, len(j.files)-1, func(line []byte, at place) {
		// Damaged records are identified by place and checksum.
		if s := fmt.Sprintf("%d %d %08x", at.offset, len(line), crc32.Checksum(line, checksums)); !reported[s] {
			damaged = append(damaged, s)
		}
	})
	j.noteDamage(name, damaged)
	return err
}

// scan indexes the record in each line of f, and calls damaged for each invalid line. It does not call damaged for a
// last line without a line end, because another run may still be writing it. file is the index of f in j.files.
func (j *Journal) scan(f *os.File, file int, damaged func(line []byte, p place)) error {
	in := bufio.NewReaderSize(f, 256<<10)
	offset := int64(0)
	for {
		line, err := in.ReadBytes('\n') // at most the file's size
		text := bytes.TrimSuffix(line, []byte("\n"))
		p := place{file: file, offset: offset, length: len(text)}
		if len(text) > 0 && !j.indexLine(text, p) && err == nil {
			damaged(text, p)
		}
		offset += int64(len(line))
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// indexLine indexes the record in a line. It returns false if the line is damaged. It ignores a record with a time in
// the future, because such a record would expire too late.
func (j *Journal) indexLine(line []byte, p place) bool {
	r, err := parse(line)
	if err != nil {
		return false
	}
	if r.Form == formVersion && r.Trust == j.options.Trust && !r.At.After(j.options.Now().Add(maxClockSkew)) {
		p.storedAt = r.At.Unix()
		a := r.JournalKey
		j.index[exactKey(a)], j.latest[anyPairKey(a)] = p, p
	}
	return true
}

// damagedEnding is the suffix of the file that lists which damaged records of a month have been reported. The file of
// the month itself is never rewritten, because other runs append to it.
const damagedEnding = ".damaged"

// maxDamaged is the largest number of bytes that are read from a list of damaged records.
const maxDamaged = 16 << 20

// reportedDamage returns the damaged records in the file with the given name that earlier runs have reported. It
// returns an empty map if the list of these records cannot be read.
func (j *Journal) reportedDamage(name string) map[string]bool {
	reported := map[string]bool{}
	f, err := regular.OpenIn(j.folder, damagedName(name))
	if err != nil {
		return reported
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, maxDamaged)) // the readable part
	for line := range strings.Lines(string(text)) {
		reported[strings.TrimSpace(line)] = true
	}
	return reported
}

// noteDamage counts the records in damaged, which are reported now, and adds them to the list for the file with the
// given name. If the list cannot be written, a later run reports them again.
func (j *Journal) noteDamage(name string, damaged []string) {
	if len(damaged) == 0 {
		return
	}
	j.problems.damaged += len(damaged)
	list := damagedName(name)
	if info, err := j.folder.Lstat(list); err == nil && !info.Mode().IsRegular() {
		return
	}
	f, err := j.folder.OpenFile(list, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	_, _ = io.WriteString(f, strings.Join(damaged, "\n")+"\n")
	_ = f.Close()
}

func damagedName(name string) string { return strings.TrimSuffix(name, fileEnding) + damagedEnding }
