package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The head of an entry: magic, length of the text, length of the data (little endian), SHA-256 of the lengths, the text and the data.
const (
	magic    = "yolkc\x00\x00\x01" // ends in the version of the format
	lengths  = 16
	headSize = len(magic) + lengths + sha256.Size
)

func encode(text string, data []byte) []byte {
	b := make([]byte, headSize, headSize+len(text)+len(data))
	copy(b, magic)
	binary.LittleEndian.PutUint64(b[len(magic):], uint64(len(text)))
	binary.LittleEndian.PutUint64(b[len(magic)+8:], uint64(len(data)))
	b = append(append(b, text...), data...)
	sum := checksum(b)
	copy(b[headSize-len(sum):], sum[:])
	return b
}

// checksum is over everything in an encoded entry but itself.
func checksum(b []byte) [sha256.Size]byte {
	h := sha256.New()
	h.Write(b[:len(magic)+lengths])
	h.Write(b[headSize:])
	return [sha256.Size]byte(h.Sum(nil))
}

func decode(r io.Reader, size int64) (text string, data []byte, err error) {
	if size < int64(headSize) || size > maxEntry {
		return "", nil, fmt.Errorf("its size is %d bytes", size)
	}
	b := make([]byte, size)
	if _, err := io.ReadFull(r, b); err != nil {
		return "", nil, err
	}
	if !bytes.HasPrefix(b, []byte(magic)) {
		return "", nil, errors.New("another format")
	}
	n, m := binary.LittleEndian.Uint64(b[len(magic):]), binary.LittleEndian.Uint64(b[len(magic)+8:])
	if rest := uint64(len(b) - headSize); n > rest || m != rest-n {
		return "", nil, errors.New("its lengths are wrong")
	}
	if sum := checksum(b); !bytes.Equal(sum[:], b[headSize-len(sum):headSize]) {
		return "", nil, errors.New("its checksum is wrong")
	}
	return string(b[headSize : uint64(headSize)+n]), b[uint64(headSize)+n:], nil
}
