package english

import (
	"slices"
	"strings"
)

// irregular maps the past forms of irregular verbs to the verbs, such as "paid" to "pay". It leaves out forms that are
// also other words: found, left, rose and saw.
var irregular = func() map[string]string {
	m := map[string]string{}
	for row := range strings.SplitSeq(`pay paid,send sent,lend lent,spend spent,build built,buy bought,bring brought,teach taught,catch caught,fight fought,
		seek sought,sell sold,tell told,hold held,keep kept,sleep slept,lose lost,win won,make made,take took taken,give gave,shake shook shaken,
		choose chose chosen,begin began begun,break broke broken,speak spoke spoken,steal stole stolen,freeze froze frozen,drive drove driven,
		eat ate eaten,grow grew grown,know knew known,throw threw thrown,draw drew drawn,say said,think thought,feel felt,write wrote written,swear swore sworn,withdraw withdrew withdrawn,fly flew flown,wear wore worn,
		hide hid hidden,ride rode ridden,sink sank sunk,sing sang sung,swim swam swum,drink drank drunk,run ran,go went gone,come came,become became,
		beat beaten,get got gotten,fall fell fallen,meet met,lead led,feed fed,deal dealt,hear heard,stand stood,understand understood,forget forgot forgotten,prove proven,arise arose arisen`, ",") {
		forms := strings.Fields(row)
		for _, past := range forms[1:] {
			m[past], m["re"+past] = forms[0], "re"+forms[0]
		}
	}
	return m
}()

// nominal maps nouns to the words that they derive from, such as "payment" to "pay". It lists only nouns to which the
// stemmer gives another stem.
var nominal = func() map[string]string {
	m := map[string]string{}
	for row := range strings.SplitSeq(`pay payment payable,repay repayment,treat treatment,ship shipment,move movement,settle settlement,register registration,
		apply application,deliver delivery deliveries,recover recovery,submit submission,permit permission,admit admission,transmit transmission,
		omit omission,extend extension,suspend suspension,expand expansion,respond response,retain retention,detain detention,
		maintain maintenance,reduce reduction,produce production,introduce introduction,describe description,prescribe prescription,
		subscribe subscription,convert conversion,include inclusion,exclude exclusion,decide decision,divide division,expire expiry,
		verify verification,identify identification,classify classification,modify modification,certify certification,qualify qualification,
		clarify clarification,specify specification,notify notification,publish publication,acquire acquisition,assist assistance,attend attendance,
		insure insurance,guide guidance,prefer preference,differ difference,depart departure,fail failure,close closure,expose exposure,
		sign signature,store storage,use usage,sell sale sales,lose loss losses,choose choice,prove proof,grow growth,die death,weigh weight,
		fly flight,steal theft,enter entry entries,analyze analysis,complain complaint,explain explanation,repeat repetition,consume consumption,
		assume assumption,resume resumption,redeem redemption,intervene intervention,pregnant pregnancy,frequent frequency,absent absence,
		long length,high height,wide width,deep depth,strong strength,safe safety,liable liability,invade invasion,collide collision,
		occur occurrence,succeed success,seize seizure,refer referral,inherit inheritance,
		perform performance,resist resistance,disturb disturbance,avoid avoidance,comply compliance,defend defense,offend offense,
		evacuate evacuation,arrive arrival,refuse refusal,renew renewal,remove removal,
		approve approval,dispose disposal,withdraw withdrawal,enroll enrollment enrolment`, ",") {
		words := strings.Fields(row)
		for _, noun := range words[1:] {
			m[noun], m[noun+"s"] = words[0], words[0]
		}
	}
	return m
}()

// forms returns the verbs and their other forms, separated by spaces: tell, tells, telling, told.
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
