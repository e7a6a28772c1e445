package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// record is what one program has been measured at: a line of the log.
type record struct {
	function, typ, tier, hash string
	forms                     []string
	operations                int
	points                    int64
	exhaustive                bool
	maxULP                    float64
	worst                     []float64
	wrong                     int64 // results other than the correctly rounded one; -1: not counted
	wrongAt                   []float32
	settled                   uint64 // inputs at which float64 did not decide how the truth rounds
}

func (r record) key() string { return r.function + " " + r.typ + " " + r.tier }

type records map[string]record

const recordHeader = "function\ttype\ttier\tprogram\tforms\toperations\tpoints\texhaustive\tmax_ulp\tworst\twrong\twrong_at\tsettled_wide\n"

func (r record) String() string {
	var worst, wrongAt []string
	for _, x := range r.worst {
		worst = append(worst, strconv.FormatFloat(x, 'x', -1, 64))
	}
	for _, x := range r.wrongAt {
		wrongAt = append(wrongAt, fmt.Sprintf("%08x", math.Float32bits(x)))
	}
	return strings.Join([]string{
		r.function, r.typ, r.tier, r.hash, strings.Join(r.forms, ","), strconv.Itoa(r.operations), strconv.FormatInt(r.points, 10),
		strconv.FormatBool(r.exhaustive), strconv.FormatFloat(r.maxULP, 'g', 8, 64), strings.Join(worst, ","),
		strconv.FormatInt(r.wrong, 10), strings.Join(wrongAt, ","), strconv.FormatUint(r.settled, 10),
	}, "\t") + "\n"
}

func parseRecord(line string) (record, error) {
	field := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
	if len(field) != strings.Count(recordHeader, "\t")+1 {
		return record{}, fmt.Errorf("%d fields", len(field))
	}
	split := func(s string) []string { return strings.FieldsFunc(s, func(r rune) bool { return r == ',' }) }
	r := record{function: field[0], typ: field[1], tier: field[2], hash: field[3], forms: split(field[4])}
	var errs [7]error
	r.operations, errs[0] = strconv.Atoi(field[5])
	r.points, errs[1] = strconv.ParseInt(field[6], 10, 64)
	r.exhaustive, errs[2] = strconv.ParseBool(field[7])
	r.maxULP, errs[3] = strconv.ParseFloat(field[8], 64)
	for _, s := range split(field[9]) {
		x, err := strconv.ParseFloat(s, 64)
		r.worst, errs[4] = append(r.worst, x), errors.Join(errs[4], err)
	}
	r.wrong, errs[5] = strconv.ParseInt(field[10], 10, 64)
	for _, s := range split(field[11]) {
		bits, err := strconv.ParseUint(s, 16, 32)
		r.wrongAt, errs[4] = append(r.wrongAt, math.Float32frombits(uint32(bits))), errors.Join(errs[4], err)
	}
	r.settled, errs[6] = strconv.ParseUint(field[12], 10, 64)
	return r, errors.Join(errs[:]...)
}

// readRecords reads the log, which need not be there.
func readRecords(name string) (records, error) {
	all := records{}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	line := 0
	for s := range strings.Lines(string(text)) {
		if line++; line == 1 {
			continue
		}
		r, err := parseRecord(s)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		all[r.key()] = r
	}
	return all, nil
}

// write replaces the log, functions in the order given, so that a stop loses nothing.
func (all records) write(name string, order []string) error {
	keys := slices.Collect(maps.Keys(all))
	place := func(key string) int { return slices.Index(order, all[key].function) }
	slices.SortFunc(keys, func(a, b string) int {
		if d := place(a) - place(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var b strings.Builder
	b.WriteString(recordHeader)
	for _, k := range keys {
		b.WriteString(all[k].String())
	}
	if err := os.WriteFile(name+".new", []byte(b.String()), 0o644); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}
