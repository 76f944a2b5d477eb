package model

// Address identifies one answer among those that are kept from run to run.
type Address struct {
	Request    string `json:"request"`        // what is sent, and where to: equal for equal questions to one target
	Occurrence int    `json:"occurrence"`     // 1, 2, …: cases of a run that ask the same are asked each for itself
	Trial      int    `json:"trial"`          // 1, 2, …
	Pair       string `json:"pair,omitempty"` // which comparison it was asked for; "" for a request that is not compared with another one
}

// Journal keeps answers from run to run, so that a run which was cut off goes on, and one that is repeated asks nothing again.
// It is safe for concurrent use, and never in the way: what it cannot keep is only asked again.
type Journal interface {
	// Find returns a kept answer. For an address without a Pair, an answer of any comparison will do.
	Find(a Address) (Response, bool)
	// Keep keeps an answer. It returns once the answer outlives the process.
	Keep(a Address, q Request, r Response)
}
