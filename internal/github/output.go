package github

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// outputs are those of action.yml, with what their values may be. A value is "" where a run has none.
var outputs = map[string]func(string) bool{
	"verdict":        isVerdict,
	"run-score":      isNumber,
	"base-run-score": isNumber,
	"delta":          isNumber,
	"regressions":    isCount,
	"fixed":          isCount,
	"report":         isPath,
	"comment-url":    isAddress,
}

func isVerdict(v string) bool {
	return slices.Contains([]string{"", "passed", "failed", "undecided", "invalid"}, v)
}

// maxNumber is the bytes of the longest number that is written: sign, nine digits, point, and those behind it of the least there is.
const maxNumber = 1 + 9 + 1 + 340

var (
	number = regexp.MustCompile(`^([+-]?[0-9]{1,9}(\.[0-9]+)?)?$`)
	count  = regexp.MustCompile(`^([0-9]{1,9})?$`)
)

func isNumber(v string) bool { return len(v) <= maxNumber && number.MatchString(v) }
func isCount(v string) bool  { return count.MatchString(v) }

// isPath takes one printable line. The line with which the library ends a value begins with an underscore and could
// only be a whole path.
func isPath(v string) bool {
	return len(v) <= 4096 && utf8.ValidString(v) && !strings.ContainsFunc(v, unicode.IsControl) && !strings.ContainsAny(v, "\u2028\u2029") && !strings.HasPrefix(v, "_GitHubActions")
}

func isAddress(v string) bool {
	if v == "" {
		return true
	}
	u, err := url.Parse(v)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") && u.User == nil && u.String() == v && len(v) <= 2048
}
