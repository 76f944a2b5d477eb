package document

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// Check returns the errors of the tree root by the schema, in file order. There is one error for each cause. An error
// stands at the wrong value, at the unknown key, or at the map that lacks a key. Check does not repeat errors of Parse.
// It rejects the words yes, no, on and off, except where an enum of the schema lists the word.
func (s *Schema) Check(path string, root *Node) []Diagnostic {
	if root == nil {
		return nil
	}
	c := &checker{schema: s, file: path, listed: map[*Node]bool{}}
	leaves := c.check(root, s.rules)
	for _, l := range leaves {
		c.report(l)
	}
	c.checkWords(root, leaves)
	Sort(c.diagnostics)
	f := NewDiagnostics(path)
	f.Add(c.diagnostics...)
	return f.All()
}

// checker checks one tree by a schema.
type checker struct {
	schema      *Schema
	file        string // path of the file
	diagnostics []Diagnostic
	path        []string       // keys and indices from the root to the value that is being checked
	listed      map[*Node]bool // the words yes, no, on and off that are among the allowed values
}

func (c *checker) errorAt(at Position, rule, format string, args ...any) {
	c.diagnostics = append(c.diagnostics, NewError(c.file, at, rule, format, args...))
}

const wordMessage = "%s is read as true or false by some readers of YAML and as text by others; put it in quotes if " +
	"it is text, or write true or false"

// checkWords reports each word yes, no, on or off that the schema does not list in an enum. leaves are the errors of
// the tree. A word among them is not reported again.
func (c *checker) checkWords(root *Node, leaves []leaf) {
	reported := map[*Node]bool{}
	for _, l := range leaves {
		reported[l.node] = true
	}
	for _, word := range wordsIn(root, nil) {
		if !reported[word] && !c.listed[word] {
			c.errorAt(word.Pos, "word", wordMessage, Quote(word.Text))
		}
	}
}

func wordsIn(n *Node, found []*Node) []*Node {
	if n.isAmbiguous() {
		return append(found, n)
	}
	for _, item := range n.items {
		found = wordsIn(item, found)
	}
	for _, value := range n.Values {
		found = wordsIn(value, found)
	}
	return found
}

// check returns the causes for which the value n does not fit the rules r. It treats the words yes, no, on and off as
// text.
func (c *checker) check(n *Node, r *rules) (causes []leaf) {
	fail := func(keyword string, failed bool) {
		if failed {
			causes = append(causes, leaf{keyword: keyword, rules: r, subject: c.subject(), node: n})
		}
	}
	outside := func(v float64, low, high *float64) bool { return low != nil && v < *low || high != nil && v > *high }
	if n.faulty { // it has a diagnostic already
		return nil
	}
	if r.Type != nil && !slices.ContainsFunc(r.Type, n.hasType) {
		fail("type", true)
		return causes
	}
	if allowed := r.allowedValues(); allowed != nil {
		isListed := slices.ContainsFunc(allowed, n.equals)
		fail("const", !isListed && r.Const != nil)
		fail("enum", !isListed && r.Const == nil)
		c.listed[n] = c.listed[n] || isListed
	}
	switch {
	case n.Kind == Map:
		unknown := r.closed() && slices.ContainsFunc(n.Keys, func(k *Node) bool { return r.Properties[k.Text] == nil })
		// Unknown keys explain that there are too many.
		fail("Properties", outside(float64(len(n.Keys)), r.MinProperties, r.MaxProperties) && !unknown)
		fail("required", slices.ContainsFunc(r.Required, func(key string) bool { return n.Get(key) == nil }))
		fail(unknownKeys, unknown)
		causes = append(causes, c.checkEntries(n, r)...)
	case n.Kind == List:
		fail("Items", outside(float64(len(n.items)), r.MinItems, r.MaxItems))
		fail("uniqueItems", r.UniqueItems && len(repeatedItems(n)) > 0)
		for i, item := range n.items {
			if r.Items != nil {
				causes = append(causes, c.checkBelow(strconv.Itoa(i), item, r.Items)...)
			}
		}
	case n.Kind == String, n.isAmbiguous():
		fail("Length", outside(float64(utf8.RuneCountInString(n.Text)), r.MinLength, r.MaxLength))
		fail("pattern", r.Pattern != nil && !r.Pattern.MatchString(n.Text))
	case n.Kind == Number:
		v, _ := n.AsNumber()
		fail("range", outside(v, r.Minimum, r.Maximum))
	}
	for _, part := range r.AllOf {
		causes = append(causes, c.check(n, part)...)
	}
	if r.Ref != "" {
		causes = append(causes, c.check(n, c.schema.resolved(r))...)
	}
	return append(causes, c.checkBranches(n, slices.Concat(r.AnyOf, r.OneOf))...)
}

// checkEntries returns the causes in the keys and values of the map n.
func (c *checker) checkEntries(n *Node, r *rules) (causes []leaf) {
	for key, value := range n.Entries() {
		if r.PropertyNames != nil {
			for _, l := range c.check(key, r.PropertyNames) {
				l.subject = "the key"
				causes = append(causes, l)
			}
		}
		if own := cmp.Or(r.Properties[key.Text], r.AdditionalProperties); own != nil && !own.forbidden {
			causes = append(causes, c.checkBelow(key.Text, value, own)...)
		}
	}
	return causes
}

// checkBelow checks a value at key, which is the key of a map or the index of a list.
func (c *checker) checkBelow(key string, value *Node, r *rules) []leaf {
	c.path = append(c.path, key)
	causes := c.check(value, r)
	c.path = c.path[:len(c.path)-1]
	return causes
}

// checkBranches returns the causes for which the value n fits none of the branches. They are those of the branch that
// the author of the file most likely meant: of those for the kind of the value, the one with the fewest causes. If no
// branch is for the kind of the value, there is one cause: the value is of a wrong kind.
func (c *checker) checkBranches(n *Node, branches []*rules) []leaf {
	var best, unfit []leaf
	for _, branch := range branches {
		causes := c.check(n, branch)
		mismatch := slices.IndexFunc(causes, func(l leaf) bool {
			isOfKind := l.keyword == "type" || l.keyword == "enum" || l.keyword == "const"
			return l.node == n && (isOfKind || l.meansOtherBranch(causes))
		})
		switch {
		case mismatch >= 0:
			unfit = append(unfit, causes[mismatch])
		case best == nil || len(causes) < len(best):
			best = append([]leaf{}, causes...) // not nil, even without causes
		}
	}
	if best != nil || unfit == nil {
		return best
	}
	slices.SortStableFunc(unfit, func(a, b leaf) int {
		return cmp.Compare(strings.Count(a.keyword, unknownKeys), strings.Count(b.keyword, unknownKeys))
	})
	first := unfit[0]
	first.alternatives = unfit[1:]
	return []leaf{first}
}

// leaf is one cause of an error: a keyword of the schema and the value that does not satisfy it.
type leaf struct {
	keyword      string // type, enum, required, …; one word for a minimum and a maximum
	rules        *rules // the part of the schema that has the keyword
	subject      string // how messages name the value
	node         *Node  // the value, or a key of a map
	alternatives []leaf // causes of the other branches of an anyOf or oneOf, if no branch fits
}

// unknownKeys is the keyword of the schema that unknown keys violate.
const unknownKeys = "additionalProperties"

// meansOtherBranch reports whether the map of l lacks a key that the branch requires, and has no key that the branch
// knows, not even misspelled. The author of such a map meant another branch.
func (l leaf) meansOtherBranch(branch []leaf) bool {
	return l.keyword == unknownKeys && l.strange() &&
		slices.ContainsFunc(branch, func(b leaf) bool { return b.keyword == "required" && b.node == l.node })
}

// strange reports whether the schema knows no key of the map of l, not even misspelled.
func (l leaf) strange() bool {
	known := l.rules.keys()
	return !slices.ContainsFunc(l.node.Keys, func(k *Node) bool {
		_, like := text.Suggest(k.Text, known)
		return like || slices.Contains(known, k.Text) || l.rules.Instead[k.Text] != ""
	})
}

// hasType reports whether the value n has a type of JSON Schema.
func (n *Node) hasType(name string) bool {
	switch {
	case n.isAmbiguous():
		return name == "string"
	case name == "integer":
		v, ok := n.AsNumber()
		return ok && v == math.Trunc(v)
	}
	return kinds[name].kind == n.Kind
}

// equals reports whether the value n is the scalar value of a schema.
func (n *Node) equals(value any) bool {
	if number, ok := n.AsNumber(); ok {
		return value == number
	}
	return value == n.Value()
}
