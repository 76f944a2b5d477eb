package github

// NewTransport is what carries requests when a test says nothing else.
var NewTransport = newTransport
