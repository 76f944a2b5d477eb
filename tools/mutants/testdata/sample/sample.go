// Package sample has functions of which the tests hold some.
package sample

// Clamp returns n, or the nearest of 0 and limit if it is outside.
func Clamp(n, limit int) int {
	if n < 0 {
		return 0
	}
	if n > limit {
		n = limit
	}
	return n
}

// Unheld has no test.
func Unheld(a, b bool) bool {
	return a && b
}
