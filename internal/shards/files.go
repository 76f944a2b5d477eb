package shards

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/regular"
)

// Files holds the open files of a run's shards. They are read during the run.
type Files struct {
	*shard.Answers
	files []shard.File
}

// Open opens and reads the files of a run's shards. Each path is a file, or a folder with files below it. The error is
// a fault.Input.
func Open(paths []string) (s Files, err error) {
	for _, path := range paths {
		if err = s.addBelow(path); err != nil {
			break
		}
	}
	if err == nil {
		s.Answers, err = shard.Read(s.files)
	}
	if err != nil {
		s.Close()
		return Files{}, fault.Inputf("the shards: %w", err)
	}
	return s, nil
}

// OpenIn opens the shards in folder. If folder does not exist, OpenIn returns empty Files.
func OpenIn(folder string) (Files, error) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return Open(nil)
	}
	return Open([]string{folder})
}

// Close closes the files.
func (s Files) Close() {
	for _, f := range s.files {
		_ = f.ReaderAt.(*os.File).Close() // it was only read
	}
}

// IsEmpty reports whether there are no files.
func (s Files) IsEmpty() bool { return len(s.files) == 0 }

// addBelow opens the file at path. If path is a folder, it opens the files of shards below the folder.
func (s *Files) addBelow(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist; expected a file or a folder that `failproof run --shard` wrote", path)
	case err != nil:
		return err
	case !info.IsDir():
		return s.add(path)
	}
	return filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == output.ShardFile && !entry.IsDir() {
			return s.add(name)
		}
		return err
	})
}

func (s *Files) add(name string) error {
	f, err := regular.Open(name)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close() // it was only looked at
		return err
	}
	s.files = append(s.files, shard.File{Name: name, ReaderAt: f, Size: info.Size()})
	return nil
}
