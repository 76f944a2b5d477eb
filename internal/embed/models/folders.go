package models

import "path/filepath"

// FolderEnv names the folder of embedding models in place of the user's own.
const FolderEnv = "FAILPROOF_MODELS"

// imageFolder is where the container image keeps its model.
const imageFolder = "/usr/share/failproof/models"

// Folders are where installed models lie, the one that they are installed into first.
func Folders(getenv func(string) string) []string {
	var out []string
	for _, dir := range []string{getenv(FolderEnv), UserFolder(getenv, "models"), imageFolder} {
		if dir != "" {
			out = append(out, dir)
		}
	}
	return out
}

// UserFolder is a folder of the user's own, outside of what a pull request could have written; "" if there is none.
func UserFolder(getenv func(string) string, name string) string {
	for _, at := range []struct{ env, below string }{{"XDG_CACHE_HOME", ""}, {"LOCALAPPDATA", ""}, {"HOME", ".cache"}} {
		if dir := getenv(at.env); filepath.IsAbs(dir) {
			return filepath.Join(dir, at.below, "failproof", name)
		}
	}
	return ""
}
