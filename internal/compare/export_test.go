package compare

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// Sides compares answers as they are: each flip counts.
func Sides(base, head *report.Side) Comparison {
	c, err := pair(base, head, config.Gate{Mode: config.ModeStrict}).assembled(base, head)
	if err != nil {
		panic(err)
	}
	return c
}
