package score

// Jaccard is the share of the distinct words of two texts that both have.
func Jaccard(a, b string) float64 { return jaccard(wordsOf(a), wordsOf(b)) }
