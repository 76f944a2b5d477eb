package journal

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/fulltest"
	"github.com/failproof/failproof/internal/model"
)

var kills = flag.Int("kills", fulltest.Count(5, 20), "how often writers are killed")

// writerFolder and writerName name the variables that make of the test's binary a process which keeps answers until it
// is killed.
const (
	writerFolder = "FAILPROOF_TEST_JOURNAL"
	writerName   = "FAILPROOF_TEST_WRITER"
)

// writeForEver keeps one answer after the other and tells of each that it is kept.
func writeForEver(folder string) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		panic(err)
	}
	j, err := Open(Options{Folder: root, Trust: Trusted, Now: time.Now})
	if err != nil {
		panic(err)
	}
	for n := 0; ; n++ {
		j.Store(model.JournalKey{Request: os.Getenv(writerName), Trial: n}, model.Request{}, answer(n))
		fmt.Println(n)
	}
}

// killed runs a writer, kills it after some answers, and returns how many it said are kept.
func killed(t *testing.T, folder, name string, after int) (told int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerFolder+"="+folder, writerName+"="+name)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Error(err)
		return 0
	}
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return 0
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if told++; told == after {
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
	}
	_ = cmd.Wait() // it was killed
	return told
}

// Two processes write into one journal and are killed at any moment, again and again: what was kept is there, and each
// death costs one record at most.
func TestAKillLosesNoAnswerThatWasKept(t *testing.T) {
	dir := t.TempDir()
	told := make([]int, 2**kills)
	for round := range *kills {
		var both sync.WaitGroup
		for i := range 2 {
			n := 2*round + i
			after := 1 + rand.IntN(200)
			both.Go(func() { told[n] = killed(t, dir, fmt.Sprint("w", n), after) })
		}
		both.Wait()
	}
	j := open(t, dir, func(o *Options) { o.Now = time.Now })
	defer shut(t, j)
	all := 0
	for n := range told {
		for i := range told[n] {
			all++
			if r, ok := j.Find(model.JournalKey{Request: fmt.Sprint("w", n), Trial: i}); !ok || !reflect.DeepEqual(r, answer(i)) {
				t.Fatalf("writer %d kept answer %d of %d, and it is %+v, %v", n, i, told[n], r, ok)
			}
		}
	}
	if all < 2**kills {
		t.Errorf("only %d answers were kept by %d writers", all, 2**kills)
	}
	if j.problems.damaged > 2**kills {
		t.Errorf("%d records are damaged, of %d writers", j.problems.damaged, 2**kills)
	}
}
