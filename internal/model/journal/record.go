package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
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

	Reported []string `json:"reported,omitempty"` // in place of an answer: the damaged records that a run has reported
}

const sumLength = 8 // number of hexadecimal digits of the checksum; a space and the JSON follow it

var checksums = crc32.MakeTable(crc32.Castagnoli)

// encode returns the record as a line with its checksum, between two line ends. The first line end separates the record
// from a truncated record before it.
func (r record) encode() []byte {
	body := text.MustJSON(r)
	return fmt.Appendf(nil, "\n%0*x %s\n", sumLength, crc32.Checksum(body, checksums), body)
}

// parse returns the record in a line without line ends. It returns false if the line is damaged.
func parse(line []byte) (r record, ok bool) {
	sum, body, _ := bytes.Cut(line, []byte(" "))
	ok = string(sum) == fmt.Sprintf("%0*x", sumLength, crc32.Checksum(body, checksums)) &&
		json.Unmarshal(body, &r) == nil
	return r, ok
}

// readFile indexes the records of the file with the given name. It notes damaged records as unreported.
func (j *Journal) readFile(name string) error {
	f, err := regular.OpenIn(j.folder, name)
	if err != nil {
		return err
	}
	if info, _ := f.Stat(); info.Size() > maxFile { // an open file has a size
		return errors.Join(fmt.Errorf("%s is larger than %d bytes", name, maxFile), f.Close())
	}
	j.files = append(j.files, f)
	in, p := bufio.NewReaderSize(f, 256<<10), place{file: len(j.files) - 1}
	for {
		line, err := in.ReadBytes('\n') // at most the file's size
		text := bytes.TrimSuffix(line, []byte("\n"))
		p.length = len(text)
		// Another run may still be writing a last line without a line end.
		if len(text) > 0 && !j.indexLine(text, p) && err == nil {
			j.unreported[fmt.Sprintf("%s %d %d %08x", name, p.offset, p.length, crc32.Checksum(text, checksums))] = true
		}
		p.offset += int64(len(line))
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
	r, ok := parse(line)
	switch {
	case !ok:
		return false
	case r.Form != formVersion || r.Trust != j.options.Trust || r.At.After(j.options.Now().Add(maxClockSkew)):
	case r.Reported != nil:
		for _, one := range r.Reported {
			delete(j.unreported, one)
		}
	default:
		p.storedAt = r.At.Unix()
		j.addToIndex(r.JournalKey, p)
	}
	return true
}
