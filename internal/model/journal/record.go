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

// formVersion is the form of a record. Others are left out, without a word: they are of another failproof.
const formVersion = 2

type record struct {
	Form  int       `json:"form"`
	Trust Trust     `json:"trust"`
	At    time.Time `json:"at"`
	model.Address
	SuiteID string         `json:"suite_id"` // these two are for people who read the file
	CaseID  string         `json:"case_id"`
	Answer  model.Response `json:"answer"`
}

// key is an address in the index.
type key [sha256.Size]byte

func exact(a model.Address) key {
	return sha256.Sum256(fmt.Appendf(nil, "%q %d %d %q", a.Request, a.Occurrence, a.Trial, a.Pair))
}

func anyPair(a model.Address) key {
	a.Pair = ""
	return exact(a)
}

const sumLength = 8 // hexadecimal digits of the checksum, before a blank and the JSON

var checksums = crc32.MakeTable(crc32.Castagnoli)

// line is a record as it is written: on a line of its own whatever stands before it, so that one which was cut off spoils
// no other.
func (r record) line() []byte {
	body := text.MustJSON(r)
	return fmt.Appendf(nil, "\n%0*x %s\n", sumLength, crc32.Checksum(body, checksums), body)
}

var errDamaged = errors.New("damaged record")

// parse reads a line without its line breaks.
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

// readFile indexes the records of one file. What is damaged is left out, and told of once.
func (j *Journal) readFile(name string) error {
	f, err := regular.OpenIn(j.folder, name)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > maxFile {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxFile)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	j.files = append(j.files, f)
	told := j.toldOf(name)
	var spots []string
	err = j.scan(f, len(j.files)-1, func(line []byte, at place) {
		// Damaged bytes are named by their place and checksum.
		if s := fmt.Sprintf("%d %d %08x", at.offset, len(line), crc32.Checksum(line, checksums)); !told[s] {
			spots = append(spots, s)
		}
	})
	j.noteDamage(name, spots)
	return err
}

// scan indexes every line, and hands on those that are damaged. The last one may be under way in another run as long as nothing
// stands behind it.
func (j *Journal) scan(f *os.File, file int, damaged func(line []byte, at place)) error {
	in := bufio.NewReaderSize(f, 256<<10)
	offset := int64(0)
	for {
		line, err := in.ReadBytes('\n') // the size of the file bounds it
		text := bytes.TrimSuffix(line, []byte("\n"))
		at := place{file: file, offset: offset, length: len(text)}
		if len(text) > 0 && !j.note(text, at) && err == nil {
			damaged(text, at)
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

// note indexes one line, and reports false for a damaged one. A record that is dated in the future would
// be used for too long, so it is not used.
func (j *Journal) note(line []byte, at place) bool {
	r, err := parse(line)
	if err != nil {
		return false
	}
	if r.Form == formVersion && r.Trust == j.options.Trust && !r.At.After(j.options.Now().Add(skew)) {
		at.at = r.At.Unix()
		a := r.Address
		j.index[exact(a)], j.latest[anyPair(a)] = at, at
	}
	return true
}

// damagedEnding is of a file beside a month's that names the damaged records which were told of: the month's own file is never
// written anew, since other runs append to it.
const damagedEnding = ".damaged"

// maxDamaged bounds what is read of such a file, in bytes.
const maxDamaged = 16 << 20

// toldOf returns the damaged records of a month that earlier runs told of. What cannot be read was not told of.
func (j *Journal) toldOf(name string) map[string]bool {
	told := map[string]bool{}
	f, err := regular.OpenIn(j.folder, damagedName(name))
	if err != nil {
		return told
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, maxDamaged)) // as far as it can be read
	for line := range strings.Lines(string(text)) {
		told[strings.TrimSpace(line)] = true
	}
	return told
}

// noteDamage notes the damaged records of a month that are told of now. Where that fails they are told of again.
func (j *Journal) noteDamage(name string, spots []string) {
	if len(spots) == 0 {
		return
	}
	j.problems.damaged += len(spots)
	side := damagedName(name)
	if info, err := j.folder.Lstat(side); err == nil && !info.Mode().IsRegular() {
		return
	}
	f, err := j.folder.OpenFile(side, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	_, _ = io.WriteString(f, strings.Join(spots, "\n")+"\n")
	_ = f.Close()
}

func damagedName(name string) string { return strings.TrimSuffix(name, fileEnding) + damagedEnding }
