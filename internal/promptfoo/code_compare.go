package promptfoo

import "strconv"

// kindName is what `typeof` says.
var kindName = map[string]string{isText: "string", isVar: "string", isNumber: "number", isBool: "boolean"}

func (t translator) compared(s *syntax) said {
	if s.args[0].op == "typeof" && s.args[1].op == "text" {
		if kindName[t.of(s.args[0].args[0]).kind] != s.args[1].text || s.op != "==" && s.op != "!=" {
			panic(errUnknown)
		}
		return said{strconv.FormatBool(s.op == "=="), isBool, 0}
	}
	left, right := t.of(s.args[0]), t.of(s.args[1])
	left, right = asNumber(left, right), asNumber(right, left)
	for _, side := range []said{left, right} {
		if side.kind == isList || side.kind == isCall || side.kind == isBool && s.op != "==" && s.op != "!=" {
			panic(errUnknown)
		}
	}
	if left.kind != right.kind && left.kind != isAny && right.kind != isAny && left.kind != isVar && right.kind != isVar {
		panic(errUnknown)
	}
	return said{left.in(0) + " " + s.op + " " + right.in(0), isBool, 1}
}

// asNumber is a variable that is compared with a number.
func asNumber(s, with said) said {
	if s.kind == isVar && with.kind == isNumber {
		return said{"float(" + s.text + ")", isNumber, 0}
	}
	return s
}

// within is `in` of Python.
func (t translator) within(s *syntax) (out said) {
	part, of := t.of(s.args[0]), t.of(s.args[1])
	switch {
	case of.kind == isList:
		out = said{part.in(0) + " in " + of.text, isBool, 1}
	case (of.kind == isText || of.kind == isVar) && (part.kind == isText || part.kind == isVar):
		out = said{of.in(0) + " contains " + part.in(0), isBool, 1}
	default:
		panic(errUnknown)
	}
	if s.op == "not in" {
		return negated(out)
	}
	return out
}

func (t translator) sum(s *syntax) said {
	left, right := t.of(s.args[0]), t.of(s.args[1])
	if left.kind != isNumber || right.kind != isNumber {
		panic(errUnknown)
	}
	return said{left.in(0) + " " + s.op + " " + right.in(0), isNumber, 1}
}
