package main

import (
	_ "github.com/bmatcuk/doublestar/v4"
	_ "github.com/expr-lang/expr"
	_ "github.com/getkin/kin-openapi/openapi3"
	_ "github.com/getkin/kin-openapi/openapi3filter"
	_ "github.com/getkin/kin-openapi/routers/gorillamux"
	_ "github.com/go-git/go-git/v5"
	_ "github.com/gofri/go-github-ratelimit/v2/github_ratelimit"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/google/go-github/v60/github"
	_ "github.com/olekukonko/tablewriter"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/santhosh-tekuri/jsonschema/v5"
	_ "github.com/schollz/progressbar/v3"
	_ "github.com/sethvargo/go-githubactions"
	_ "github.com/spf13/cobra"
	_ "github.com/yuin/goldmark"
	_ "go.uber.org/goleak"
	_ "go.yaml.in/yaml/v4"
	_ "golang.org/x/text/unicode/norm"
	_ "pgregory.net/rapid"
)
