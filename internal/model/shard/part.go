// Package shard keeps what one of several machines was told of a run that they share: a file of answers, which another reads to
// judge the whole.
package shard

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// MostParts is into how many parts a run can be divided.
const MostParts = 256

// Part is one of the equal parts of a run. The zero Part is the whole.
type Part struct {
	Number int `json:"part"` // 1, 2, … up to Of
	Of     int `json:"of"`
}

func (p Part) String() string { return strconv.Itoa(p.Number) + "/" + strconv.Itoa(p.Of) }

// Has reports whether the part holds what comes at a place, counted from 0.
func (p Part) Has(place int) bool { return p.Of <= 1 || place%p.Of == p.Number-1 }

var partForm = regexp.MustCompile(`^([1-9][0-9]{0,2})/([1-9][0-9]{0,2})$`)

// ParsePart reads a part as it is written: 2/8.
func ParsePart(text string) (Part, error) {
	m := partForm.FindStringSubmatch(text)
	if m == nil {
		return Part{}, errors.New("expected a part and how many there are, such as 2/8")
	}
	number, _ := strconv.Atoi(m[1]) // three digits fit
	of, _ := strconv.Atoi(m[2])
	if number > of || of > MostParts {
		return Part{}, fmt.Errorf("expected a part from 1 to the number of parts, of which there are at most %d", MostParts)
	}
	return Part{number, of}, nil
}
