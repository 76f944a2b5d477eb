package observe

import "github.com/failproof/failproof/internal/model"

// Observability is the `observability` of report.json. Figures are rounded to 6 decimals, below which processors differ.
type Observability struct {
	Version       string         `json:"version"`
	Cases         int            `json:"cases"`                 // of the head, answered, that were analysed
	BaseCases     int            `json:"base_cases"`            // of the base, whose answer or outcome is another than the head's
	Of            int            `json:"of"`                    // answered cases of the head; more than cases if it is a sample
	TooFew        bool           `json:"too_few_to_interpret"`  // fewer than FewCases
	Content       Geometry       `json:"content"`               // the headline: texts without labels
	Seed          Geometry       `json:"seed"`                  // as document 001 has it: labels are words of the text
	Points        []Point        `json:"points"`                // the head's cases, in their order
	FailureGroups []FailureGroup `json:"failure_groups"`        // largest first; each of two cases or more
	Neighbours    []Neighbour    `json:"nearest_passing_cases"` // of new failures
}

// Geometry is one embedding of the texts with what is found in it. It is fitted on both sides together; the figures are of
// the head's cases.
type Geometry struct {
	Terms             int               `json:"terms"`              // distinct words
	Dimensions        int               `json:"dimensions"`         // of the truncated SVD
	Exact             bool              `json:"exact"`              // the SVD is of all documents; otherwise of some, evenly spread
	ExplainedVariance float64           `json:"explained_variance"` // share of the TF-IDF matrix's, 0 to 1
	PlaneShare        float64           `json:"plane_share"`        // of the embedding's spread that the two axes show, 0 to 1
	Clusters          int               `json:"clusters"`
	ClusterSizes      []int             `json:"cluster_sizes"` // the head's cases in each
	Silhouette        float64           `json:"silhouette"`    // -1 to 1; below 0.25 there are hardly any clusters
	MutualInformation MutualInformation `json:"mutual_information"`
}

// MutualInformation says how far the clusters agree with each label. Null: the label has one value only, or none.
type MutualInformation struct {
	Category *Association `json:"category"`
	Severity *Association `json:"severity"`
	PassFail *Association `json:"pass_fail"`
}

// Association is the agreement of the clusters with one label. Informations are in nats.
type Association struct {
	Values   int     `json:"values"`    // different values of the label
	Cases    int     `json:"cases"`     // that have the label
	MI       float64 `json:"mi"`        // mutual information
	ChanceMI float64 `json:"chance_mi"` // what labels dealt out at random give on average
	Bound    float64 `json:"bound"`     // the most there could be: the smaller of the two entropies
	Adjusted float64 `json:"adjusted"`  // 0 is chance, 1 agreement (AMI, arithmetic mean)
	PValue   float64 `json:"p_value"`   // how often labels dealt out at random agree as much; of 1,000 seeded shuffles
}

// Point is one case of the head on the map of cases.
type Point struct {
	SuiteID     string  `json:"suite_id"`
	CaseID      string  `json:"case_id"`
	X           float64 `json:"scatter_x"`
	Y           float64 `json:"scatter_y"`
	Cluster     int     `json:"cluster"`      // of content, from 0; the largest first
	SeedCluster int     `json:"seed_cluster"` // of seed
	Passed      bool    `json:"passed"`
	New         bool    `json:"new_failure,omitempty"`
}

// CaseRef names a case.
type CaseRef struct {
	SuiteID string `json:"suite_id"`
	CaseID  string `json:"case_id"`
}

// FailureGroup are failures whose texts are alike: those of the head, and those of the base that the head fixed.
type FailureGroup struct {
	Terms        []model.Untrusted `json:"terms"`         // words that mark the group, the most telling first
	Mode         string            `json:"mode"`          // of more than half of its cases; "" if there is none
	Example      CaseRef           `json:"example"`       // the failure most like the others; a new one if there is one
	HeadFailures int               `json:"head_failures"` // cases
	BaseFailures int               `json:"base_failures"` // cases, fixed ones among them
	New          []CaseRef         `json:"new"`           // failures that the base did not have
	Fixed        []CaseRef         `json:"fixed"`         // failures of the base that the head does not have
	Still        []CaseRef         `json:"still"`         // the head's other failures
}

// Neighbour is the passing case of the head whose text is most like that of a new failure.
type Neighbour struct {
	Failure    CaseRef `json:"failure"`
	Passing    CaseRef `json:"passing"`
	Similarity float64 `json:"similarity"`    // cosine of the TF-IDF rows of content, 0 to 1
	Category   bool    `json:"same_category"` // false: no passing case of the failure's category has a word in common with it
}
