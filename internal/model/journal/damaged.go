package journal

import (
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
)

// damagedEnding is of a file beside a month's that names the damaged records which were told of: the month's own file is never
// written anew, since other runs append to it.
const damagedEnding = ".damaged"

// maxDamaged bounds what is read of such a file, in bytes.
const maxDamaged = 16 << 20

// spot names damaged bytes by their place and checksum.
func spot(line []byte, at place) string {
	return fmt.Sprintf("%d %d %08x", at.offset, len(line), crc32.Checksum(line, checksums))
}

// toldOf returns the damaged records of a month that earlier runs told of. What cannot be read was not told of.
func (j *Journal) toldOf(name string) map[string]bool {
	told := map[string]bool{}
	f, err := j.folder.Open(damagedName(name))
	if err != nil {
		return told
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return told
	}
	text, _ := io.ReadAll(io.LimitReader(f, maxDamaged)) // as far as it can be read
	for line := range strings.Lines(string(text)) {
		told[strings.TrimSpace(line)] = true
	}
	return told
}

// tell notes the damaged records of a month that are told of now. Where that fails they are told of again.
func (j *Journal) tell(name string, spots []string) {
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
