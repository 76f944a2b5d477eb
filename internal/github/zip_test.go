package github

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestWhatZipIsRefused(t *testing.T) {
	made := func(headers ...zip.FileHeader) []byte {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		for i := range headers {
			if _, err := w.CreateRaw(&headers[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	var many []zip.FileHeader
	for i := range maxZipFiles + 1 {
		many = append(many, zip.FileHeader{Name: fmt.Sprint(i)})
	}
	for want, data := range map[string][]byte{
		"it is no zip":                   []byte("PK"),
		"it holds more than 10000 files": made(many...),
		`it holds "a" twice`:             made(zip.FileHeader{Name: "a"}, zip.FileHeader{Name: "a"}),
		"it holds more than 512 MiB":     made(zip.FileHeader{Name: "a", UncompressedSize64: 300 << 20}, zip.FileHeader{Name: "b", UncompressedSize64: 300 << 20}),
	} {
		if _, err := openZip(data); !errors.Is(err, ErrZip) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
