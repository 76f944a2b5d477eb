package cli_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// BenchmarkLongAnswers asks for a hundred answers of a megabyte, fifty at once, and reports the most memory that was in
// use.
func BenchmarkLongAnswers(b *testing.B) {
	body := modeltest.Completion(strings.Repeat("yes, and many words more. ", 1_000_000/26))
	for range b.N {
		r := &repo{t: &testing.T{}, dir: b.TempDir(), server: modeltest.Serve(b, modeltest.JSON(body)), env: map[string]string{"MODEL_KEY": "k"}}
		r.config("")
		r.write("failproof.yml", strings.Replace(r.read("failproof.yml"), "concurrency: 4", fmt.Sprint("concurrency: ", 50), 1)+"limits: { max_cost_usd: 1000 }\n")
		r.suite("", "Is %s right?", 100)
		done, most := make(chan int), uint64(0)
		go func() {
			done <- mainOf(b.Context(), []string{"run", "--quiet", "--no-cache", "--yes"}, cli.System{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{},
				Stderr: &bytes.Buffer{}, Dir: r.dir, Getenv: func(name string) string { return r.env[name] }, Now: time.Now})
		}()
		every := time.NewTicker(20 * time.Millisecond)
		for running := true; running; {
			select {
			case code := <-done:
				if running = false; code != cli.ExitPassed {
					b.Fatalf("exit code %d", code)
				}
			case <-every.C:
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapInuse)
			}
		}
		every.Stop()
		b.ReportMetric(float64(most)/(1<<20), "MiB-at-most")
	}
}
