package text

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// keyBytes is the largest number of bytes of a repeated key that an error quotes.
const keyBytes = 60

// Members reads the rest of a JSON object whose opening brace has been read. It calls take with each key, and take must
// read the value. Unlike package json, it rejects a repeated key.
func Members(d *json.Decoder, take func(key string) error) error {
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		key := token.(string) // the decoder allows nothing else here
		if seen[key] {
			return fmt.Errorf("the key %s is there twice", strconv.QuoteToASCII(key[:min(len(key), keyBytes)]))
		}
		seen[key] = true
		if err := take(key); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// Items reads the rest of a JSON list whose opening bracket has been read. It calls take for each item, and take must
// read the item.
func Items(d *json.Decoder, take func() error) error {
	for d.More() {
		if err := take(); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}
