package run

import (
	"strconv"
	"time"

	"github.com/failproof/failproof/internal/drift"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/progress"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
)

// Values of Inputs.Scope.
const (
	ScopeChanged = "changed"
	ScopeAll     = "all"
)

// NoCache is the value of Inputs.Cache that keeps nothing.
const NoCache = "off"

// Inputs are what a run is told: what is compared, by whose rules, what the caller sets in place of the files, and the world that
// it runs in.
type Inputs struct {
	Head     *source.Tree
	Base     *source.Tree                 // nil: no base revision
	Rules    *source.Tree                 // whose rules hold; nil: the base's
	Fallback *source.Tree                 // whose configuration holds where Rules, or else the base, has none; nil: nobody's
	Stored   *Stored                      // a stored report as the base; nil: none
	Branch   func() (*source.Tree, error) // the branch by itself, where Head is its merge with another; nil where it is not
	Warnings []report.Warning             // of how these were found

	Config      string         // the configuration's path; "" for the usual places
	Suites      []string       // files or globs in place of the configuration's
	Scope       string         // ScopeChanged or ScopeAll
	Phase       string         // in place of the configuration's; "" keeps it
	MinScore    *float64       // the run bar, in [0, 1], in place of the configuration's; nil keeps it
	Trials      int            // of live targets, in place of the files'; 0 keeps them
	MostTrials  int            // no more answers of live targets to each case; 0: as many as the files say
	MostCostUSD float64        // the limit of cost is this at most, in US dollars; 0: the configuration's
	Fork        bool           // the head is somebody else's repository
	Asked       bool           // a comment asks for the run, which holds the repository's secrets then: no command of a target is run
	Part        shard.Part     // of the run, which is all that is asked, and nothing judged; zero: the whole
	Shards      *shard.Answers // what the parts of the run were told; nil: it was not divided
	Drift       *[]drift.Past  // what earlier runs of the branch saw, which it is held against; nil: nobody wants to know
	ShardsDir   string         // the folder in which these were found, where nobody named it
	Bootstrap   bool           // live targets of a first configuration are asked: somebody at a command line, or the workflow, wants it

	RunID    string // "" for the time
	Version  string // of failproof
	Dir      string // the current folder, below which out and cache lie
	Place    string // where on this machine paths of the configuration begin; "" for Dir
	Cache    string // folder of kept answers; "" for the default, NoCache for none
	Secrets  []string
	Getenv   func(string) string
	Now      func() time.Time
	Progress *progress.Progress
}

// now is the clock, or SOURCE_DATE_EPOCH where a reproducible run is asked for.
func (in Inputs) now() time.Time {
	if epoch := in.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		if seconds, err := strconv.ParseInt(epoch, 10, 64); err == nil {
			return time.Unix(seconds, 0).UTC()
		}
	}
	return in.Now().UTC()
}

// globs are the suite files that are read by a configuration's word, unless the caller named some.
func (in Inputs) globs(configured []string) []string {
	if len(in.Suites) > 0 {
		return in.Suites
	}
	return configured
}
