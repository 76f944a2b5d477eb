package english

import (
	"slices"
	"strings"
)

// irregular holds, by their past forms, the verbs whose forms no rule tells; not those that are other words too, as found, left, rose and saw are.
var irregular = func() map[string]string {
	m := map[string]string{}
	for row := range strings.SplitSeq(`pay paid,send sent,lend lent,spend spent,build built,buy bought,bring brought,teach taught,catch caught,fight fought,
		seek sought,sell sold,tell told,hold held,keep kept,sleep slept,lose lost,win won,make made,take took taken,give gave,shake shook shaken,
		choose chose chosen,begin began begun,break broke broken,speak spoke spoken,steal stole stolen,freeze froze frozen,drive drove driven,
		eat ate eaten,grow grew grown,know knew known,throw threw thrown,draw drew drawn,say said,think thought,feel felt,write wrote written,swear swore sworn,withdraw withdrew withdrawn,fly flew flown,wear wore worn,
		hide hid hidden,ride rode ridden,sink sank sunk,sing sang sung,swim swam swum,drink drank drunk,run ran,go went gone,come came,become became,
		meet met,lead led,feed fed,deal dealt,hear heard,stand stood,understand understood,forget forgot forgotten,prove proven,arise arose arisen`, ",") {
		forms := strings.Fields(row)
		for _, past := range forms[1:] {
			m[past], m["re"+past] = forms[0], "re"+forms[0]
		}
	}
	return m
}()

// forms returns verbs with their forms: tell, tells, telling, told.
func forms(verbs string) string {
	out := strings.Builder{}
	for v := range strings.FieldsSeq(verbs) {
		stem := strings.TrimSuffix(v, "e")
		out.WriteString(" " + v + " " + v + "s " + stem + "ing " + stem + "ed")
	}
	for past, v := range irregular {
		if slices.Contains(strings.Fields(verbs), v) {
			out.WriteString(" " + past)
		}
	}
	return out.String()
}
