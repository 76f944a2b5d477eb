package output

import (
	"os"

	"github.com/failproof/failproof/internal/report"
)

// OpenLog opens the log of results at a path, to read single ones of them.
func OpenLog(path string) *report.Log {
	return report.OpenLog(readAt(func() (*os.File, error) { return os.Open(path) }))
}

// readAt is a file that is opened for every read: a log is read a few times long after it was written, and nobody knows which time
// is the last.
type readAt func() (*os.File, error)

func (open readAt) ReadAt(p []byte, off int64) (int, error) {
	f, err := open()
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.ReadAt(p, off)
}
