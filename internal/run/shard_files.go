package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/output"
)

// ShardFiles are the files of a run's parts. They are read while the run lasts.
type ShardFiles struct {
	*shard.Answers
	files []shard.File
}

// OpenShards opens and reads the files of parts at paths: each a file, or a folder that stands for those below it. Its error is a fault.Input.
func OpenShards(paths []string) (s ShardFiles, err error) {
	if err = s.open(paths); err == nil {
		s.Answers, err = shard.Read(s.files)
	}
	if err != nil {
		s.Close()
		return ShardFiles{}, fault.Inputf("the shards: %w", err)
	}
	return s, nil
}

// OpenShardsIn opens what lies in a folder; one that is not there holds nothing.
func OpenShardsIn(folder string) (ShardFiles, error) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return OpenShards(nil)
	}
	return OpenShards([]string{folder})
}

// Close closes the files.
func (s ShardFiles) Close() {
	for _, f := range s.files {
		_ = f.ReaderAt.(*os.File).Close() // it was only read
	}
}

// IsEmpty reports that there is no file.
func (s ShardFiles) IsEmpty() bool { return len(s.files) == 0 }

func (s *ShardFiles) open(paths []string) error {
	for _, path := range paths {
		found, err := shardFiles(path)
		if err != nil {
			return err
		}
		for _, name := range found {
			f, err := openShard(name)
			if err != nil {
				return err
			}
			s.files = append(s.files, f)
		}
	}
	return nil
}

// shardFiles are the files of parts at a path: itself, or those below it.
func shardFiles(path string) (found []string, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s does not exist; expected a file or a folder that `failproof run --shard` wrote", path)
	}
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == output.ShardFile && !entry.IsDir() {
			found = append(found, name)
		}
		return err
	})
	return found, err
}

func openShard(name string) (shard.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return shard.File{}, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", name)
	}
	if err != nil {
		_ = f.Close() // it was only looked at
		return shard.File{}, err
	}
	return shard.File{Name: name, ReaderAt: f, Size: info.Size()}, nil
}
