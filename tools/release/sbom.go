package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"
)

// The parts of CycloneDX 1.6 that are used here (https://cyclonedx.org/docs/1.6/json/).
type (
	bom struct {
		Schema       string       `json:"$schema"`
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Serial       string       `json:"serialNumber,omitempty"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type     string    `json:"type"`
		Ref      string    `json:"bom-ref"`
		Name     string    `json:"name"`
		Version  string    `json:"version,omitempty"`
		Hashes   []hash    `json:"hashes,omitempty"`
		Licenses []license `json:"licenses,omitempty"`
		PURL     string    `json:"purl,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	license struct {
		Expression string `json:"expression"`
	}
	dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
)

// quickJS is the engine of scripts. It is not a Go module; internal/script/quickjs names its source.
var quickJS = component{Type: "library", Ref: quickJSPackage, Name: "@jitl/quickjs-wasmfile-release-sync",
	Version:  "0.32.0",
	Licenses: []license{{"MIT"}}, PURL: quickJSPackage,
	Hashes: []hash{{"SHA-256", "105c3bed22d457e43e3d1c3c1c6959fda62a8fe06f0fc8a985303c3a2be72232"}}}

const quickJSPackage = "pkg:npm/%40jitl/quickjs-wasmfile-release-sync@0.32.0"

// billOfMaterials returns the modules of every binary, from Go's build information, in CycloneDX's JSON. It contains
// no time, so that equal binaries have equal bills.
func billOfMaterials(version, imageDigest string, binaries []binary) ([]byte, error) {
	program := component{Type: "application", Name: "failproof", Version: version, Licenses: []license{{"MIT"}},
		PURL: "pkg:golang/" + binaries[0].info.Main.Path + "@v" + version}
	program.Ref = program.PURL
	image := component{Type: "container", Name: "ghcr.io/failproof/failproof", Version: version,
		Hashes: []hash{{"SHA-256", strings.TrimPrefix(imageDigest, "sha256:")}},
		PURL: "pkg:oci/failproof@" + url.QueryEscape(imageDigest) + "?repository_url=" +
			url.QueryEscape("ghcr.io/failproof/failproof")}
	image.Ref = image.PURL
	standard := component{Type: "library", Name: "std", Version: strings.TrimPrefix(binaries[0].info.GoVersion, "go")}
	standard.PURL = "pkg:golang/std@" + standard.Version
	standard.Ref = standard.PURL

	out := bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata: metadata{program}, Components: []component{image, standard, quickJS},
	}
	all, inImage := dependency{Ref: program.Ref, DependsOn: []string{image.Ref}}, dependency{Ref: image.Ref}
	for _, b := range binaries {
		out.Components = append(out.Components, component{Type: "file", Ref: b.file, Name: b.file, Version: version,
			Hashes: []hash{{"SHA-256", b.sha256}}})
		deps := dependency{Ref: b.file, DependsOn: []string{standard.Ref, quickJS.Ref}}
		for _, m := range b.info.Deps {
			deps.DependsOn = append(deps.DependsOn, purl(m))
		}
		out.Dependencies = append(out.Dependencies, deps)
		all.DependsOn = append(all.DependsOn, b.file)
		if b.os == "linux" {
			inImage.DependsOn = append(inImage.DependsOn, b.file)
		}
	}
	out.Dependencies = append(out.Dependencies, all, inImage)
	for _, m := range modules(binaries) {
		sum, err := moduleHash(m)
		if err != nil {
			return nil, err
		}
		out.Components = append(out.Components, component{Type: "library", Ref: purl(m), Name: m.Path,
			Version: m.Version, Hashes: []hash{sum}, PURL: purl(m)})
	}
	return marshalBOM(out)
}

// purl returns the package URL of a module
// (https://github.com/package-url/purl-spec/blob/main/types/golang-definition.json).
func purl(m *debug.Module) string {
	return "pkg:golang/" + m.Path + "@" + url.QueryEscape(m.Version)
}

// moduleHash returns the hash of a module in go.sum: SHA-256 over the list of its files
// (https://go.dev/ref/mod#go-sum-files).
func moduleHash(m *debug.Module) (hash, error) {
	sum, ok := strings.CutPrefix(m.Sum, "h1:")
	raw, err := base64.StdEncoding.DecodeString(sum)
	if !ok || err != nil || len(raw) != sha256.Size {
		return hash{}, fmt.Errorf("%s %s has no checksum in the binary: is it replaced?", m.Path, m.Version)
	}
	return hash{"SHA-256", fmt.Sprintf("%x", raw)}, nil
}

// marshalBOM returns the bill with a serial number made from its content.
func marshalBOM(b bom) ([]byte, error) {
	text, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	id := sha256.Sum256(text)
	// a UUID of version 8, whose content is free (RFC 9562, section 5.8)
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	b.Serial = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
	out, err := json.MarshalIndent(b, "", "  ")
	return append(out, '\n'), err
}
