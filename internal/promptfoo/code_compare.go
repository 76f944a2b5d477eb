package promptfoo

import "strconv"

// kindName is what `typeof` says.
var kindName = map[string]string{isText: "string", isVar: "string", isNumber: "number", isBool: "boolean"}

func (t translator) compared(s *syntax) (said, error) {
	if s.args[0].op == "typeof" && s.args[1].op == "text" {
		of, err := t.of(s.args[0].args[0])
		if err != nil || kindName[of.kind] != s.args[1].text || s.op != "==" && s.op != "!=" {
			return said{}, errUnknown
		}
		return said{strconv.FormatBool(s.op == "=="), isBool, 0}, nil
	}
	left, right, err := t.operands(s)
	if err != nil {
		return said{}, err
	}
	left, right = asNumber(left, right), asNumber(right, left)
	for _, side := range []said{left, right} {
		if side.kind == isList || side.kind == isCall || side.kind == isCalls || side.kind == isBool && s.op != "==" && s.op != "!=" {
			return said{}, errUnknown
		}
	}
	if left.kind != right.kind && left.kind != isAny && right.kind != isAny && left.kind != isVar && right.kind != isVar {
		return said{}, errUnknown
	}
	return said{left.in(0) + " " + s.op + " " + right.in(0), isBool, 1}, nil
}

// operands are both sides of an operator.
func (t translator) operands(s *syntax) (left, right said, err error) {
	if left, err = t.of(s.args[0]); err == nil {
		right, err = t.of(s.args[1])
	}
	return left, right, err
}

// asNumber is a variable that is compared with a number.
func asNumber(s, with said) said {
	if s.kind == isVar && with.kind == isNumber {
		return said{"float(" + s.text + ")", isNumber, 0}
	}
	return s
}

// within is `in` of Python.
func (t translator) within(s *syntax) (said, error) {
	part, of, err := t.operands(s)
	if err != nil {
		return said{}, err
	}
	var out said
	switch {
	case of.kind == isList:
		out = said{part.in(0) + " in " + of.text, isBool, 1}
	case (of.kind == isText || of.kind == isVar) && (part.kind == isText || part.kind == isVar):
		out = said{of.in(0) + " contains " + part.in(0), isBool, 1}
	default:
		return said{}, errUnknown
	}
	if s.op == "not in" {
		return negated(out), nil
	}
	return out, nil
}

func (t translator) sum(s *syntax) (said, error) {
	left, right, err := t.operands(s)
	if err != nil {
		return said{}, err
	}
	if left.kind != isNumber || right.kind != isNumber {
		return said{}, errUnknown
	}
	return said{left.in(0) + " " + s.op + " " + right.in(0), isNumber, 1}, nil
}
