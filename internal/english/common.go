package english

// Common are the commonest words of English by the share of sentences that have them, as rounded as they are well known.
var Common = []struct {
	Share float64
	Words string
}{
	{0.6, "the"},
	{0.4, "a of to in and"},
	{0.25, "is for on with are"},
	{0.15, "be that it as by this an or from at was not have has will can you"},
	{0.08, `its which their they we he his were been but must may should if when all other more one two than any no there about into
		after also such who do does would could your our she her him them what out up over under only being had did i my me us then so`},
	{0.04, `these those some each how where while because before between through during within without both same new time people year use used
		first man woman make made get take part per day case need work most many said says three four just like very even back well
		way own off down here now again against until upon yes via etc`},
}
