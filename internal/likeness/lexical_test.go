package likeness_test

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/likeness"
	"github.com/failproof/failproof/internal/score"
)

// pair is two sentences and how alike a person finds them, from 0 to 5.
type pair struct {
	gold float64
	a, b string
}

// readPairs reads score<TAB>a<TAB>b; a line without a score was not judged and is left out.
func readPairs(t *testing.T, path string) (pairs []pair) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "\t")
		if len(parts) < 3 || strings.TrimSpace(parts[0]) == "" {
			continue
		}
		gold, err := strconv.ParseFloat(strings.TrimSpace(parts[0]), 64)
		if err != nil {
			continue // a heading
		}
		pairs = append(pairs, pair{gold, parts[1], parts[2]})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return pairs
}

// corpus learns from all sentences, as a suite's would from its expected answers.
func corpus(pairs []pair) *likeness.Corpus {
	var texts []string
	for _, p := range pairs {
		texts = append(texts, p.a, p.b)
	}
	return likeness.NewCorpus(texts)
}

// lexical measures by the likeness in words alone.
func lexical(c *likeness.Corpus) func(a, b string) float64 {
	return func(a, b string) float64 {
		alike, _ := c.LexicalSimilarity(a, b)
		return alike
	}
}

// spearman is the rank correlation of what a measure finds with what people found, ties sharing their mean rank.
func spearman(pairs []pair, measure func(a, b string) float64) float64 {
	var gold, got []float64
	for _, p := range pairs {
		gold, got = append(gold, p.gold), append(got, measure(p.a, p.b))
	}
	return pearson(ranks(gold), ranks(got))
}

func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	out := make([]float64, len(values))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			out[k] = float64(i+j-1) / 2
		}
		i = j
	}
	return out
}

func pearson(x, y []float64) float64 {
	var mx, my score.Mean
	for i := range x {
		mx.Add(x[i], 1)
		my.Add(y[i], 1)
	}
	ax, _ := mx.Value()
	ay, _ := my.Value()
	xy, xx, yy := 0.0, 0.0, 0.0
	for i := range x {
		xy += (x[i] - ax) * (y[i] - ay)
		xx += (x[i] - ax) * (x[i] - ax)
		yy += (y[i] - ay) * (y[i] - ay)
	}
	return xy / math.Sqrt(xx*yy)
}

// The committed pairs were written for this test and judged by hand.
func TestTheLexicalSimilarityOrdersPairsBetterThanJaccardDoes(t *testing.T) {
	pairs := readPairs(t, filepath.Join("testdata", "pairs.tsv"))
	if len(pairs) < 40 {
		t.Fatalf("only %d pairs", len(pairs))
	}
	byWords, jaccard := spearman(pairs, lexical(corpus(pairs))), spearman(pairs, likeness.Jaccard)
	alone := spearman(pairs, lexical(likeness.NewCorpus(nil)))
	t.Logf("%d pairs: lexical %.3f, without a corpus %.3f, Jaccard %.3f", len(pairs), byWords, alone, jaccard)
	if byWords < 0.68 || alone < 0.68 || byWords <= jaccard {
		t.Errorf("Spearman's rho: lexical %.3f, without a corpus %.3f, Jaccard %.3f; want 0.68 and more than Jaccard", byWords, alone, jaccard)
	}
}

func TestLexicalSimilarity(t *testing.T) {
	like := lexical(likeness.NewCorpus(nil))
	const text = "Vendors report incidents within 14 days."
	for _, x := range []struct {
		rule, a, b string
		low, high  float64
	}{
		{"equal texts", text, text, 1 - 1e-12, 1},
		{"letter case and marks", text, "vendors report incidents, within 14 days!", 1 - 1e-12, 1},
		{"inflection", text, "A vendor reports an incident within 14 days", 0.7, 0.99},
		{"another subject", text, "The kettle leaks from its lid.", 0, 0.1},
		{"a paraphrase without a common word", "Buy it", "Purchase that", 0, 0.05},
		{"an empty text", text, "", 0, 0},
		{"another script", "退款需要三十天", "退款需要三十天", 1 - 1e-12, 1},
	} {
		t.Run(x.rule, func(t *testing.T) {
			if got := like(x.a, x.b); !(got >= x.low && got <= x.high) {
				t.Errorf("like(%q, %q) = %v, want %v to %v", x.a, x.b, got, x.low, x.high)
			}
			if got, back := like(x.a, x.b), like(x.b, x.a); math.Abs(got-back) > 1e-12 {
				t.Errorf("Lexical is %v one way and %v the other", got, back)
			}
		})
	}
}

func TestSharingARareWordCountsForMore(t *testing.T) {
	like := lexical(likeness.NewCorpus([]string{"vendors keep logs", "vendors test backups", "vendors train staff", "vendors rotate keys"}))
	if rare, usual := like("vendors rotate", "they rotate"), like("vendors rotate", "vendors they"); rare <= usual {
		t.Errorf("sharing the rare word scores %v, sharing the usual one %v", rare, usual)
	}
}
