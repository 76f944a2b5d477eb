package promptfoo

import (
	"regexp"
	"strconv"
	"strings"
)

type token struct {
	kind string // number, text, pattern, name, op, line, end
	text string
}

var tokenForm = regexp.MustCompile(`^(?:(\d+(?:\.\d+)?)|([A-Za-z_$][A-Za-z0-9_$]*)|(===|!==|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\*\*|[-+*/%<>!()\[\]{}.,:;?=]))`)

// goesOn are operators by which an expression of JavaScript goes on from the line before.
var goesOn = []string{"&&", "||", ".", "?", ":", "??", "?."}

// tokens parts a program, and panics with an untranslated. Comments are left out, and ends of lines that end nothing.
func tokens(code string, l language) (out []token) {
	depth := 0 // of brackets
	for len(code) > 0 {
		last := token{"op", "("}
		if len(out) > 0 {
			last = out[len(out)-1]
		}
		switch {
		case code[0] == '\n' && depth == 0:
			out, code = append(out, token{"line", ""}), code[1:]
			continue
		case strings.IndexByte(" \t\r\n", code[0]) >= 0:
			code = code[1:]
			continue
		case l == javascript && strings.HasPrefix(code, "//"), l == python && code[0] == '#':
			end := strings.IndexByte(code+"\n", '\n')
			code = code[min(end, len(code)):]
			continue
		case code[0] == '"', code[0] == '\'', l == javascript && code[0] == '`', l == python && len(code) > 1 && code[0] == 'r' && (code[1] == '"' || code[1] == '\''):
			text, rest := quotedText(code, l)
			out, code = append(out, token{"text", text}), rest
			continue
		case l == javascript && code[0] == '/' && !isValue(last):
			m := patternForm.FindStringSubmatch(code)
			require(m != nil, errCode)
			out, code = append(out, token{"pattern", m[2] + "/" + m[1]}), code[len(m[0]):]
			continue
		}
		t, length := plainToken(code)
		switch {
		case oneOf(t.text, "(", "[", "{"):
			depth++
		case oneOf(t.text, ")", "]", "}"):
			depth--
		}
		for l == javascript && oneOf(t.text, goesOn...) && len(out) > 0 && out[len(out)-1].kind == "line" {
			out = out[:len(out)-1]
		}
		out, code = append(out, t), code[length:]
	}
	return out
}

// plainToken is a number, a name or an operator, and its length.
func plainToken(code string) (token, int) {
	m := tokenForm.FindStringSubmatch(code)
	require(m != nil, errCode)
	switch {
	case m[1] != "":
		return token{"number", m[1]}, len(m[0])
	case m[2] != "":
		return token{"name", m[2]}, len(m[0])
	}
	return token{"op", m[3]}, len(m[0])
}

var patternForm = regexp.MustCompile(`^/((?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)/([a-z]*)`)

// isValue reports a token behind which a slash divides.
func isValue(t token) bool {
	return t.kind == "number" || t.kind == "text" || t.kind == "name" && t.text != "return" || t.text == ")" || t.text == "]"
}

// quotedText reads a text in quotes. One that is filled in by a program is refused.
func quotedText(code string, l language) (text, rest string) {
	asIs := code[0] == 'r'
	if asIs {
		code = code[1:]
	}
	quote := code[0]
	require(l != python || !strings.HasPrefix(code, strings.Repeat(string(quote), 3)), errCode)
	var out strings.Builder
	for i := 1; i < len(code); i++ {
		switch c := code[i]; {
		case c == quote:
			return out.String(), code[i+1:]
		case quote == '`' && strings.HasPrefix(code[i:], "${"), c == '\n' && quote != '`':
			panic(errCode)
		case c == '\\' && !asIs:
			i++
			require(i < len(code), errCode)
			if code[i] == 'u' && i+4 < len(code) {
				r, err := strconv.ParseUint(code[i+1:i+5], 16, 16)
				require(err == nil, errCode)
				out.WriteRune(rune(r))
				i += 4
				continue
			}
			plain, known := map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': `\`, '\'': "'", '"': `"`, '`': "`", '/': "/"}[code[i]]
			require(known, errCode)
			out.WriteString(plain)
		default:
			out.WriteByte(c)
		}
	}
	panic(errCode)
}
