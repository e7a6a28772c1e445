//go:build linux

package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
)

var header = []string{"function", "size", "peer", "kind", "least", "median", "ratio", "ulp", "abs", "samples"}

// readResults reads what earlier runs measured. No file is no results.
func readResults(path string) ([]row, error) {
	records, err := readTable(path)
	if err != nil {
		return nil, err
	}
	var rows []row
	for i, rec := range records {
		x := row{Function: rec[0], Peer: rec[2], Kind: kind(rec[3])}
		var errs [7]error
		x.Size, errs[0] = strconv.Atoi(rec[1])
		for k, to := range []*float64{&x.Least, &x.Median, &x.Ratio, &x.ULP, &x.Abs} {
			*to, errs[k+1] = strconv.ParseFloat(rec[4+k], 64)
		}
		x.Samples, errs[6] = strconv.Atoi(rec[9])
		if err := errors.Join(errs[:]...); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, i+2, err)
		}
		rows = append(rows, x)
	}
	return rows, nil
}

func writeResults(path string, rows []row) error {
	records := [][]string{header}
	for _, r := range rows {
		rec := []string{r.Function, strconv.Itoa(r.Size), r.Peer, string(r.Kind)}
		for _, v := range []float64{r.Least, r.Median, r.Ratio, r.ULP, r.Abs} {
			rec = append(rec, strconv.FormatFloat(v, 'g', 4, 64))
		}
		records = append(records, append(rec, strconv.Itoa(r.Samples)))
	}
	return writeTable(path, records)
}

func writeTable(path string, records [][]string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := csv.NewWriter(file)
	w.Comma = '\t'
	return errors.Join(w.WriteAll(records), file.Close())
}

// readTable reads the records after the header. No file is no records.
func readTable(path string) ([][]string, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comma = '\t'
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return records[min(1, len(records)):], nil
}

func readFacts(path string) ([]fact, error) {
	records, err := readTable(path)
	if err != nil {
		return nil, err
	}
	var facts []fact
	for i, rec := range records {
		f := fact{Group: rec[0], What: rec[1], Unit: rec[3], Wanted: rec[4]}
		if f.Value, err = strconv.ParseFloat(rec[2], 64); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, i+2, err)
		}
		facts = append(facts, f)
	}
	return facts, nil
}

func writeFacts(path string, facts []fact) error {
	records := [][]string{{"group", "what", "value", "unit", "wanted"}}
	for _, f := range facts {
		records = append(records, []string{f.Group, f.What, strconv.FormatFloat(f.Value, 'g', 4, 64), f.Unit, f.Wanted})
	}
	return writeTable(path, records)
}
