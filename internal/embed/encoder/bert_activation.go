package encoder

import "math"

// activations are the functions that config.json may name in hidden_act.
var activations = map[string]func(float64) float64{
	"gelu":              gelu,
	"gelu_new":          geluTanh,
	"gelu_pytorch_tanh": geluTanh,
	"relu":              func(x float64) float64 { return max(0, x) },
}

func activate(x []float32, f func(float64) float64) {
	for i, v := range x {
		x[i] = float32(f(float64(v)))
	}
}

// gelu is x·Φ(x).
func gelu(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) }

// geluTanh is the approximation that some models were trained with.
func geluTanh(x float64) float64 {
	return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
}
