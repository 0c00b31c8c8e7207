// Proves each leaf of a log by Go's own client of checksum databases, which takes a log's note and tiles from anyone.
//
// usage: tiles URL NAME KEY TOKEN [SIZE ROOT]
//
// URL is what stands before `checkpoint`, KEY the witness key's public half in base64, TOKEN an auditor's; the tree has to
// continue the former one of SIZE and ROOT. Prints those of the tree, and ends with 1 at the first thing that does not hold.
package main

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// must gives what a call returned, unless that failed.
func must[Result any](result Result, err error) Result {
	if err != nil {
		log.Fatal(err)
	}
	return result
}

// paths has what was read; whoever reads it again checks it again.
type paths map[string][]byte

func (read paths) get(path string) []byte {
	if read[path] == nil {
		request := must(http.NewRequest("GET", os.Args[1]+path, nil))
		request.Header.Set("Authorization", "Bearer "+os.Args[4])
		answer := must(http.DefaultClient.Do(request))
		read[path] = must(io.ReadAll(answer.Body))
		if answer.StatusCode != 200 {
			log.Fatalf("%s: %s", path, answer.Status)
		}
	}
	return read[path]
}

func (read paths) Height() int                     { return 8 }
func (read paths) SaveTiles([]tlog.Tile, [][]byte) {}

// ReadTiles leaves the height out of the paths, as C2SP does.
func (read paths) ReadTiles(tiles []tlog.Tile) (data [][]byte, err error) {
	for _, tile := range tiles {
		data = append(data, read.get(strings.Replace(tile.Path(), "tile/8/", "tile/", 1)))
	}
	return data, nil
}

func tree(size, root string) tlog.Tree {
	return tlog.Tree{N: must(strconv.ParseInt(size, 10, 64)), Hash: must(tlog.ParseHash(root))}
}

func main() {
	read, name := paths{}, os.Args[2]
	key := must(note.NewEd25519VerifierKey(name, must(base64.StdEncoding.DecodeString(os.Args[3]))))
	text := must(note.Open(read.get("checkpoint"), note.VerifierList(must(note.NewVerifier(key))))).Text
	lines := strings.Split(text, "\n")
	if len(lines) != 4 || lines[0] != name {
		log.Fatal("a note, but no checkpoint of this log")
	}
	head := tree(lines[1], lines[2])
	hashes := tlog.TileHashReader(head, read)
	for first := int64(0); first < head.N; first += 256 {
		tile := tlog.Tile{H: 8, L: -1, N: first / 256, W: 256}
		if head.N-first < 256 {
			tile.W = int(head.N - first)
		}
		bundle := read.get(strings.Replace(tile.Path(), "tile/8/data", "tile/entries", 1))
		var leaves []tlog.Hash
		var places []int64
		for len(bundle) >= 2 && len(bundle)-2 >= int(binary.BigEndian.Uint16(bundle)) {
			end := 2 + int(binary.BigEndian.Uint16(bundle))
			places = append(places, tlog.StoredHashIndex(0, first+int64(len(leaves))))
			leaves = append(leaves, tlog.RecordHash(bundle[2:end]))
			bundle = bundle[end:]
		}
		// What comes of tiles was held against the root.
		if len(bundle) > 0 || len(leaves) != tile.W || !reflect.DeepEqual(must(hashes.ReadHashes(places)), leaves) {
			log.Fatalf("%s: other leaves", tile.Path())
		}
		for _, n := range []int64{0, int64(tile.W) - 1} {
			proof := must(tlog.ProveRecord(head.N, first+n, hashes))
			must(n, tlog.CheckRecord(proof, head.N, head.Hash, first+n, leaves[n]))
		}
	}
	if len(os.Args) > 6 {
		former := tree(os.Args[5], os.Args[6])
		proof := must(tlog.ProveTree(head.N, former.N, hashes))
		must(head, tlog.CheckTree(proof, head.N, head.Hash, former.N, former.Hash))
	}
	fmt.Println(head.N, head.Hash)
}
