package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// A parser works line by line; each line is cut into fields with their columns.
type parser struct {
	name  string
	lines []string
	defs  []*Def
	line  int // of the fields, 1-based
	field []field
	next  int
	depth int // of loops
}

type field struct {
	text string
	col  int // 1-based
}

func (p *parser) fault(format string, args ...any) error {
	col := 1
	if p.next > 0 && p.next <= len(p.field) {
		col = p.field[p.next-1].col
	} else if n := len(p.field); p.next > n && n > 0 {
		col = p.field[n-1].col + len(p.field[n-1].text)
	}
	return fmt.Errorf("%w: %s:%d:%d: %s", ErrSyntax, p.name, p.line, col, fmt.Sprintf(format, args...))
}

// advance moves to the next line that is not blank. It reports false at the end of the text.
func (p *parser) advance() (bool, error) {
	for p.line < len(p.lines) {
		p.line++
		if err := p.split(p.lines[p.line-1]); err != nil {
			return false, err
		}
		if len(p.field) > 0 {
			return true, nil
		}
	}
	return false, nil
}

// require is advance where another line must follow.
func (p *parser) require(what string) error {
	ok, err := p.advance()
	if err == nil && !ok {
		err = p.fault("%s", what)
	}
	return err
}

func (p *parser) split(line string) error {
	p.field, p.next = p.field[:0], 0
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case c == '#':
			return nil
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '"':
			quoted, err := strconv.QuotedPrefix(line[i:])
			if err != nil {
				return fmt.Errorf("%w: %s:%d:%d: unterminated string", ErrSyntax, p.name, p.line, i+1)
			}
			p.field = append(p.field, field{quoted, i + 1})
			i += len(quoted)
		case strings.IndexByte("(){}[],=", c) >= 0:
			p.field = append(p.field, field{line[i : i+1], i + 1})
			i++
		default:
			j := i
			for j < len(line) && strings.IndexByte(" \t\r\"{}[],=#", line[j]) < 0 {
				// nan(0x7fc00000) is one word; any other parenthesis ends it.
				if line[j] == ')' || line[j] == '(' && line[i:j] != "nan" {
					if line[j] == ')' && strings.HasPrefix(line[i:j], "nan(") {
						j++
					}
					break
				}
				j++
			}
			if j == i {
				j++
			}
			p.field = append(p.field, field{line[i:j], i + 1})
			i = j
		}
	}
	return nil
}

func (p *parser) word() string {
	p.next++
	if p.next > len(p.field) {
		return ""
	}
	return p.field[p.next-1].text
}

func (p *parser) expect(want string) error {
	if got := p.word(); got != want {
		return p.fault("want %q, not %q", want, got)
	}
	return nil
}

func (p *parser) quoted() (string, error) {
	w := p.word()
	s, err := strconv.Unquote(w)
	if err != nil || w[0] != '"' {
		return "", p.fault("want a quoted name")
	}
	return s, nil
}
