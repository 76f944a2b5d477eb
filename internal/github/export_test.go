package github

import (
	"maps"
	"slices"
)

// NewTransport is what carries requests when a test says nothing else.
var NewTransport = newTransport

// OutputNames are the outputs that a Runner takes, sorted.
func OutputNames() []string { return slices.Sorted(maps.Keys(outputs)) }
