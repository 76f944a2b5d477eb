// Package english reads a text as English: in go the words that a model or an author wrote, out come words with their places,
// sentences and clauses, what each clause denies, asks, supposes or quotes, amounts, and stems. It knows no label, fact, refusal or
// risk: who looks for one has tables of words of his own. It takes time linear in the length of the text.
package english
