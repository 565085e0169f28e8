// Command transparency checks a checkpoint and its proofs with the implementation of the Go module sumdb: none of the
// code under test takes part. It reads one JSON document from standard input and ends with 0 when all holds.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type document struct {
	Key     string
	Note    string
	Records []struct {
		Index int64
		Entry []byte
		Path  [][]byte
	}
	Older []struct {
		Note string
		Path [][]byte
	}
}

func main() {
	if err := check(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check() error {
	var given document
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		return err
	}
	verifier, err := note.NewVerifier(given.Key)
	if err != nil {
		return err
	}
	size, root, err := head(given.Note, verifier)
	if err != nil {
		return err
	}
	for _, record := range given.Records {
		proof := tlog.RecordProof(hashes(record.Path))
		if err := tlog.CheckRecord(proof, size, root, record.Index, tlog.RecordHash(record.Entry)); err != nil {
			return err
		}
	}
	for _, older := range given.Older {
		oldSize, oldRoot, err := head(older.Note, verifier)
		if err != nil {
			return err
		}
		if err := tlog.CheckTree(tlog.TreeProof(hashes(older.Path)), size, root, oldSize, oldRoot); err != nil {
			return err
		}
	}
	return nil
}

func head(written string, verifier note.Verifier) (int64, tlog.Hash, error) {
	opened, err := note.Open([]byte(written), note.VerifierList(verifier))
	if err != nil {
		return 0, tlog.Hash{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != verifier.Name() {
		return 0, tlog.Hash{}, fmt.Errorf("no checkpoint of %s", verifier.Name())
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return 0, tlog.Hash{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return size, root, err
}

func hashes(path [][]byte) []tlog.Hash {
	found := make([]tlog.Hash, len(path))
	for place, one := range path {
		copy(found[place][:], one)
	}
	return found
}
