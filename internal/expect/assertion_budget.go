package expect

import (
	"encoding/json"
	"errors"
	"strconv"
)

// Expr bounds its own memory in items, not in bytes, and its time not at all. A budget does both for one evaluation.
//
// A turn of a loop costs turnCost; where its body calls functions on texts or lists, which may each walk and copy the
// whole answer, it costs a quarter of the answer's length more. So a million plain turns are allowed, four thousand
// turns that work on the text of a 64 KiB answer, and sixty-odd on the largest answers.
const (
	budgetUnits = 1 << 26
	turnCost    = 64
	textShare   = 4
)

var errBudget = errors.New("it takes too much work; loops and texts in assertions are bounded")

// budget is what one evaluation may still spend.
type budget struct{ units, textTurn int }

func newBudget(answerBytes int) *budget {
	return &budget{units: budgetUnits, textTurn: turnCost + answerBytes/textShare}
}

func (b *budget) spend(units int) error {
	if units < 0 || units > b.units {
		return errBudget
	}
	b.units -= units
	return nil
}

// plainNumbers copies a JSON value with its numbers as int where they are whole and fit, else as float64, which are
// what Expr computes with.
func plainNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		if i, err := strconv.Atoi(string(v)); err == nil {
			return i
		}
		if f, err := strconv.ParseFloat(string(v), 64); err == nil {
			return f
		}
		return string(v) // out of range: comparing it as a number is an error, not an infinity
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = plainNumbers(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = plainNumbers(item)
		}
		return out
	}
	return value
}
