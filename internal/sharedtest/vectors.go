package sharedtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"
)

// Vector is a published test vector of a statistical function.
type Vector struct {
	Fn, ID, Note string
	Input        json.RawMessage
	Expected     json.RawMessage
	Tol          float64
}

// Vectors returns the vectors in the folder of shared test data.
func Vectors(t *testing.T) []Vector {
	t.Helper()
	var file struct{ Tests []Vector }
	Decode(t, Read(t, "vectors/stats.json"), &file)
	if len(file.Tests) == 0 {
		t.Fatal("no vector")
	}
	return file.Tests
}

// fractionsID is the id of a vector whose answers pass in part. In this program an answer passes or fails, so the
// values that fractionsKeys names are not compared for this vector.
const fractionsID = "public-gate-26"

var fractionsKeys = []string{"head_score", "overall", "suites", "holm", "suspects"}

// RunVectors runs a subtest for each vector that has a function in functions. The subtest compares the result of the
// function with the expected value.
func RunVectors(t *testing.T, functions map[string]func(*testing.T, Vector) any) {
	t.Helper()
	ran := map[string]bool{}
	for _, v := range Vectors(t) {
		if f, known := functions[v.Fn]; known {
			ran[v.Fn] = true
			t.Run(v.ID+" "+v.Note, func(t *testing.T) {
				text, err := json.Marshal(f(t, v))
				if err != nil {
					t.Fatal(err)
				}
				var want, got any
				Decode(t, v.Expected, &want)
				Decode(t, text, &got)
				if fields, ok := want.(map[string]any); ok && v.ID == fractionsID {
					maps.DeleteFunc(fields, func(key string, _ any) bool { return slices.Contains(fractionsKeys, key) })
				}
				if checked := compareValues(t, "", want, got, v.Tol); checked == 0 {
					t.Errorf("nothing of %s was checked", v.Expected)
				}
			})
		}
	}
	if len(ran) != len(functions) {
		t.Errorf("vectors of %d functions ran, want %d", len(ran), len(functions))
	}
}

// VectorFunc returns a function that decodes a vector's input and returns the result of f for it. An unknown field in
// the input fails the test.
func VectorFunc[In, Out any](f func(*testing.T, In) Out) func(*testing.T, Vector) any {
	return func(t *testing.T, v Vector) any {
		var in In
		d := json.NewDecoder(bytes.NewReader(v.Input))
		d.DisallowUnknownFields()
		if err := d.Decode(&in); err != nil {
			t.Fatalf("input %s: %v", v.Input, err)
		}
		return f(t, in)
	}
}

// Decode decodes the JSON in text, and fails the test if it is invalid.
func Decode(t *testing.T, text []byte, dst any) {
	t.Helper()
	if err := json.Unmarshal(text, dst); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// ignoredKeys lists the keys in expected values that the program does not compute.
var ignoredKeys = []string{"enumerated_p_worse", "enumerated_p_better", "p_worse_mid", "p_two_sided_mid", "bh", "clopper_pearson", "jeffreys"}

// compareValues compares the computed value got with the expected value want, key by key, and returns the number of
// compared values. path names the value in errors, and tol is the tolerance for numbers.
func compareValues(t *testing.T, path string, want, got any, tol float64) (checked int) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		have, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s = %v, want %v", path, got, want)
		}
		for k, w := range want {
			if slices.Contains(ignoredKeys, k) {
				continue
			}
			if _, there := have[k]; !there {
				t.Errorf("%s.%s is missing, want %v", path, k, w)
			}
			checked += compareValues(t, path+"."+k, w, have[k], tol)
		}
	case []any:
		have, ok := got.([]any)
		if !ok || len(have) != len(want) {
			t.Errorf("%s = %v, want %v", path, got, want)
			return 1
		}
		for i, w := range want {
			checked += compareValues(t, fmt.Sprintf("%s[%d]", path, i), w, have[i], tol)
		}
		return checked + 1
	case float64:
		have, ok := got.(float64)
		if !ok || !(math.Abs(have-want) <= tol) {
			t.Errorf("%s = %v, want %v", path, got, want)
		}
		return 1
	default:
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s = %v, want %v", path, got, want)
		}
		return 1
	}
	return checked
}
