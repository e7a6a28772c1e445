package rules

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/go-yolk/yolk/compiler/egraph"
	"github.com/go-yolk/yolk/compiler/ir"
)

// law is a rewrite with what its data cannot say: its text, and a guard that can be written down.
type law struct {
	rewrite *egraph.Rewrite
	text    string // as written, comments apart, ending in a newline
	guard   guard
}

// word is a token of a law.
type word struct {
	tok    token.Token
	lit    string
	offset int
}

func (w word) end() int { return w.offset + len(w.lit) }

// lawParser reads one law. Mistakes are collected, so that one run shows them all.
type lawParser struct {
	*source
	defs   map[string]*ir.Def
	masked string // the text as go/parser may see it
	words  []word
	errs   []error
}

func (p *lawParser) fault(offset int, format string, args ...any) {
	p.errs = append(p.errs, p.source.fault(offset, format, args...))
}

// clause is a part of a law: the words after its keyword.
type clause struct {
	keyword word
	words   []word
}

// The words that begin a clause. "!" begins the licences.
const (
	where      = "where"
	with       = "with"
	forType    = "for"
	on         = "on"
	everywhere = "everywhere"
	within     = "within"
	licensed   = "!"
)

// masks stand for names that Go keeps for itself in what go/parser sees. They have the same length, and no word of a law
// may begin with an underscore.
var masks = map[token.Token]string{token.SELECT: "_elect", token.CONST: "_onst"}

// unmask gives a name back its first letter.
func unmask(text string) string {
	for tok, mask := range masks {
		text = strings.ReplaceAll(text, mask, tok.String())
	}
	return text
}

func parseLaw(src *source, defs map[string]*ir.Def) (law, []error) {
	p := &lawParser{source: src, defs: defs}
	name, start, ok := p.name()
	if !ok || !p.scan(start) {
		return law{}, p.errs
	}
	left, arrow, right, clauses, ok := p.cut()
	if !ok {
		return law{}, p.errs
	}
	r := &egraph.Rewrite{Name: name, Pos: strings.TrimSuffix(src.position(0), ":1"), Kind: arrow.kind}
	if c, ok := clauses[licensed]; ok {
		r.Licence = p.licences(c)
	}
	if c, ok := clauses[forType]; ok {
		r.Type = p.floatType(c)
	}
	t := newTerms(p, r.Type)
	if c, ok := clauses[with]; ok {
		t.define(p.definitions(c))
	}
	lhs, rhs := p.expr(left, arrow.offset), p.expr(right, arrow.end)
	if lhs == nil || rhs == nil {
		return law{}, p.errs
	}
	t.sides(r, lhs, rhs)
	if len(p.errs) > 0 {
		return law{}, p.errs
	}
	if sameTerm(r.LHS, r.RHS) {
		p.fault(arrow.offset, "both sides are the same")
	}
	l := law{rewrite: r, text: src.verbatim()}
	p.domain(&l, clauses, arrow)
	if len(p.errs) > 0 {
		return law{}, p.errs
	}
	return l, nil
}

// name reads the law's name up to the colon and returns the offset after it.
func (p *lawParser) name() (name string, start int, ok bool) {
	name, _, ok = strings.Cut(p.text, ":")
	if !ok {
		p.fault(0, "a law begins with its name and a colon")
		return "", 0, false
	}
	for i, c := range []byte(name) {
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			p.fault(i, "a name is made of lower-case letters, digits and -, and begins with a letter")
			return "", 0, false
		}
	}
	if name == "" {
		p.fault(0, "a law needs a name before the colon")
		return "", 0, false
	}
	return name, len(name) + 1, true
}

// scan cuts the text from offset start on into words.
func (p *lawParser) scan(start int) bool {
	masked := []byte(p.text)
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(p.text)-start)
	var s scanner.Scanner
	s.Init(file, masked[start:], func(pos token.Position, msg string) { p.fault(start+pos.Offset, "%s", msg) }, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		offset := start + file.Offset(pos)
		switch {
		case tok == token.SEMICOLON && lit == "\n":
			continue
		case tok == token.COMMENT:
			p.fault(offset, "a comment begins with #")
		case tok == token.IDENT && !wordLike(lit):
			p.fault(offset, "%s: names are made of lower-case letters, digits and _, and begin with a letter", lit)
		case tok.IsKeyword() && masks[tok] == "" && tok != token.FOR:
			p.fault(offset, "%s has no meaning here", lit)
		}
		if lit == "" {
			lit = tok.String()
		}
		p.words = append(p.words, word{tok, lit, offset})
	}
	if len(p.errs) > 0 {
		return false
	}
	for _, w := range p.words {
		copy(masked[w.offset:], masks[w.tok])
	}
	p.masked = string(masked)
	return true
}

func wordLike(s string) bool {
	for i, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return true
}

// arrow is the sign between the sides.
type arrow struct {
	kind        egraph.Kind
	offset, end int
}

// cut divides the words into the two sides and the clauses.
func (p *lawParser) cut() (left []word, a arrow, right []word, clauses map[string]clause, ok bool) {
	clauses = map[string]clause{}
	current := &left
	var keyword word // of the clause that is being read
	var body []word
	finish := func() {
		if keyword.lit != "" {
			clauses[keyword.lit] = clause{keyword, body}
		}
	}
	depth, found := 0, false
	for i := 0; i < len(p.words); i++ {
		w := p.words[i]
		switch w.tok {
		case token.LPAREN:
			depth++
		case token.RPAREN:
			depth--
		}
		if depth == 0 && !found {
			if kind, n := p.arrowAt(i); n > 0 {
				a = arrow{kind, w.offset, p.words[i+n-1].end()}
				found, current = true, &right
				i += n - 1
				continue
			}
		}
		if depth == 0 && p.keywordAt(i) {
			if !found {
				p.fault(w.offset, "%s before the sign =, => or ~> between the sides", w.lit)
				return nil, a, nil, nil, false
			}
			finish()
			if _, twice := clauses[w.lit]; twice {
				p.fault(w.offset, "a second clause %q", w.lit)
			}
			keyword, body = w, nil
			current = &body
			continue
		}
		*current = append(*current, w)
	}
	finish()
	if !found {
		p.fault(len(p.text), "no sign =, => or ~> between two sides")
	}
	return left, a, right, clauses, len(p.errs) == 0
}

func (p *lawParser) arrowAt(i int) (egraph.Kind, int) {
	w := p.words[i]
	pointed := i+1 < len(p.words) && p.words[i+1].tok == token.GTR && p.words[i+1].offset == w.offset+1
	switch {
	case w.tok == token.TILDE && pointed:
		return egraph.Approximation, 2
	case w.tok == token.ASSIGN && pointed:
		return egraph.Directed, 2
	case w.tok == token.ASSIGN:
		return egraph.Identity, 1
	}
	return 0, 0
}

// keywordAt reports whether a clause begins at word i. A "!" that negates a guard is followed by a parenthesis or a call.
func (p *lawParser) keywordAt(i int) bool {
	switch w := p.words[i]; w.lit {
	case where, with, on, everywhere, within, forType:
		return true
	case licensed:
		if i+1 == len(p.words) {
			return true
		}
		call := i+2 < len(p.words) && p.words[i+2].tok == token.LPAREN
		return p.words[i+1].tok != token.LPAREN && p.words[i+1].tok != token.NOT && !call
	}
	return false
}

// expr reads words as one Go expression. at is where to complain if there are none.
func (p *lawParser) expr(words []word, at int) ast.Expr {
	if len(words) == 0 {
		p.fault(at, "an expression is missing")
		return nil
	}
	start, end := words[0].offset, words[len(words)-1].end()
	files := token.NewFileSet()
	if start > 0 { // what comes before, so that positions in the tree are offsets in the law
		files.AddFile("", -1, start-1)
	}
	e, err := parser.ParseExprFrom(files, "", p.masked[start:end], parser.SkipObjectResolution)
	if err == nil {
		return e
	}
	offset, msg := start, err.Error()
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		offset, msg = min(start+list[0].Pos.Offset, end), list[0].Msg
	}
	p.fault(offset, "%s", unmask(msg))
	return nil
}

// offset returns where in the law's text an expression begins.
func offset(e ast.Expr) int { return int(e.Pos()) - 1 }
