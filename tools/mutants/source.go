package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// A change is one mutant: in a function of a file, one piece of text is replaced by another.
type change struct {
	id             int
	file, function string
	line           int
	from, to       string
	nth            int // of the equal changes of the function, from 1
}

// key names a change. It does not depend on the line.
func (c change) key() string {
	key := fmt.Sprintf("%s:%s: %s → %s", c.file, c.function, c.from, c.to)
	if c.nth > 1 {
		key += " #" + strconv.Itoa(c.nth)
	}
	return key
}

// source is a file that gets all its mutants at once. Each stays asleep until mutant.On says that it acts.
type source struct {
	fset    *token.FileSet
	info    *types.Info
	pkg     *types.Package
	file    *ast.File
	name    string
	text    []byte
	nextID  int
	changes []change
	edits   []edit
	imports map[string]string // names in the file by path
	count   map[string]int    // of equal changes
}

// edit replaces length bytes at an offset by text. At one offset what ends comes before what begins, and an
// outer node begins before and ends after an inner one.
type edit struct {
	at, length int
	text       string
	rank       int
}

// innermost is the rank of what replaces text.
const innermost = 1 << 20

// local is the name of package mutant in a file that is changed.
const local = "mutant__"

// mutate returns the text of the file with all its mutants.
func (s *source) mutate() []byte {
	s.imports, s.count = map[string]string{}, map[string]int{}
	for _, i := range s.file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		name := path[strings.LastIndexByte(path, '/')+1:]
		if i.Name != nil {
			name = i.Name.Name
		} else if imported := s.info.Implicits[i]; imported != nil {
			name = imported.Name()
		}
		s.imports[path] = name
	}
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			w := &walker{source: s, function: functionName(f), results: f.Type.Results.NumFields() > 0}
			w.walk(f.Body, 1)
		}
	}
	if len(s.changes) == 0 {
		return s.text
	}
	s.insert(s.file.Name.End(), "; import "+local+" \""+mutantPackage+"\"", 0)
	slices.SortStableFunc(s.edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank))
	})
	var b bytes.Buffer
	done := 0
	for _, e := range s.edits {
		b.Write(s.text[done:e.at])
		b.WriteString(e.text)
		done = e.at + e.length
	}
	b.Write(s.text[done:])
	return b.Bytes()
}

func functionName(f *ast.FuncDecl) string {
	if f.Recv.NumFields() == 0 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	switch i := t.(type) {
	case *ast.IndexExpr:
		t = i.X
	case *ast.IndexListExpr:
		t = i.X
	}
	return t.(*ast.Ident).Name + "." + f.Name.Name
}

func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

// of returns the text of a node.
func (s *source) of(n ast.Node) string { return string(s.text[s.offset(n.Pos()):s.offset(n.End())]) }

func (s *source) insert(p token.Pos, text string, rank int) {
	s.edits = append(s.edits, edit{at: s.offset(p), text: text, rank: rank})
}

// around puts text before and after a node at that depth of the tree.
func (s *source) around(n ast.Node, depth int, before, after string) {
	s.insert(n.Pos(), before, depth)
	s.insert(n.End(), after, -depth)
}

func (s *source) replace(p token.Pos, length int, text string) {
	s.edits = append(s.edits, edit{at: s.offset(p), length: length, text: text, rank: innermost})
}

// walker finds the mutants of one function.
type walker struct {
	*source
	function string
	results  bool
}

// add notes a change and returns its number.
func (w *walker) add(n ast.Node, to string) int {
	c := change{id: w.nextID, file: w.name, function: w.function, line: w.fset.Position(n.Pos()).Line,
		from: short(w.of(n)), to: short(to)}
	k := c.key()
	w.count[k]++
	c.nth = w.count[k]
	w.changes = append(w.changes, c)
	w.nextID++
	return c.id
}

// short returns text in one line.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 90 {
		text = string(r[:60]) + "…" + string(r[len(r)-25:])
	}
	return text
}

func on(id int) string { return fmt.Sprintf("%s.On(%d)", local, id) }

// walk adds the mutants of a node and of those below it.
func (w *walker) walk(n ast.Node, depth int) {
	ast.Inspect(n, func(m ast.Node) bool {
		if m == nil || m == n {
			return m == n
		}
		if w.node(m, depth) {
			w.walk(m, depth+1)
		}
		return false
	})
	switch n := n.(type) {
	case *ast.BlockStmt:
		w.statements(n.List, depth)
	case *ast.CaseClause:
		w.statements(n.Body, depth)
	case *ast.CommClause:
		w.statements(n.Body, depth)
	case *ast.IfStmt:
		w.negate(n.Cond, depth)
	case *ast.ForStmt:
		w.negate(n.Cond, depth)
	}
}

// conditions turns the operands of && and || round.
func (w *walker) conditions(e *ast.BinaryExpr, depth int) {
	if e.Op == token.LAND || e.Op == token.LOR {
		w.negate(e.X, depth)
		w.negate(e.Y, depth)
	}
}

// node adds the mutants of an expression, and reports whether there may be others below it.
func (w *walker) node(n ast.Node, depth int) bool {
	switch n := n.(type) {
	case *ast.ArrayType: // its length is constant
		return false
	case *ast.GenDecl:
		return n.Tok != token.CONST && n.Tok != token.TYPE
	case *ast.FuncLit:
		inner := *w
		inner.results = n.Type.Results.NumFields() > 0
		inner.walk(n.Body, depth+1)
		return false
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok { // keys of arrays are constants
				e = kv.Value
			}
			if w.node(e, depth+1) {
				w.walk(e, depth+2)
			}
		}
		return false
	case ast.Expr:
		return w.expression(n, depth)
	}
	return true
}

func (w *walker) expression(e ast.Expr, depth int) bool {
	tv, ok := w.info.Types[e]
	if !ok || tv.IsType() {
		return !ok
	}
	if tv.Value != nil {
		w.constant(e, tv, depth)
		return false
	}
	t, named := w.typeName(tv.Type, e.Pos())
	switch e := e.(type) {
	case *ast.BinaryExpr:
		w.binary(e, t, named, depth)
		if _, compares := inverse[e.Op]; compares { // by its operator, not by a constant
			for _, operand := range []ast.Expr{e.X, e.Y} {
				if w.info.Types[operand].Value == nil && w.node(operand, depth+1) {
					w.walk(operand, depth+2)
				}
			}
			w.conditions(e, depth+1)
			return false
		}
	case *ast.UnaryExpr:
		if e.Op == token.SUB && named {
			id := w.add(e, w.of(e.X))
			w.replace(e.Pos(), 1, "")
			w.around(e.X, depth+1, fmt.Sprintf("%s.Neg[%s](%d, ", local, t, id), ")")
		}
	case *ast.CallExpr:
		w.minMax(e, t, named)
	}
	return true
}

// constant adds one to a constant, or makes true false.
func (w *walker) constant(e ast.Expr, tv types.TypeAndValue, depth int) {
	switch tv.Value.Kind() {
	case constant.Bool:
		if b, ok := tv.Type.(*types.Basic); ok {
			id := w.add(e, strconv.FormatBool(!constant.BoolVal(tv.Value)))
			if b.Kind() == types.Bool || b.Kind() == types.UntypedBool {
				w.around(e, depth, "("+on(id)+" != (", "))")
			}
		}
	case constant.Int, constant.Float:
		if t, ok := w.typeName(tv.Type, e.Pos()); ok {
			id := w.add(e, w.of(e)+" + 1")
			w.around(e, depth, fmt.Sprintf("%s.Const[%s](%d, ", local, t, id), ")")
		}
	}
}

// boundary is the operator that differs where both sides are equal.
var boundary = map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ,
	token.GEQ: token.GTR}

// inverse is the operator of the negation.
var inverse = map[token.Token]token.Token{
	token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR, token.EQL: token.NEQ,
	token.NEQ:  token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

// arithmetic has the function of package mutant and the other operator.
var arithmetic = map[token.Token]struct {
	function string
	other    token.Token
}{
	token.ADD: {"Add", token.SUB}, token.SUB: {"Sub", token.ADD}, token.MUL: {"Mul", token.QUO},
	token.QUO: {"Div", token.MUL}, token.REM: {"Rem", token.MUL}, token.AND: {"And", token.OR},
	token.OR: {"Or", token.AND}, token.XOR: {"Xor", token.AND}, token.AND_NOT: {"AndNot", token.AND},
	token.SHL: {"Shl", token.SHR}, token.SHR: {"Shr", token.SHL},
}

func (w *walker) binary(e *ast.BinaryExpr, t string, named bool, depth int) {
	with := func(op token.Token) string { return w.of(e.X) + " " + op.String() + " " + w.of(e.Y) }
	switch e.Op {
	case token.EQL, token.NEQ:
		id := w.add(e, with(inverse[e.Op]))
		w.around(e, depth, "("+on(id)+" != (", "))")
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		not, edge := w.add(e, with(inverse[e.Op])), w.add(e, with(boundary[e.Op]))
		w.around(e, depth, fmt.Sprintf("(%s != (%s && (%s) || !%s && (", on(not), on(edge), with(boundary[e.Op]), on(edge)),
			")))")
	case token.LAND, token.LOR:
		id := w.add(e, with(inverse[e.Op]))
		other := "(" + w.of(e.X) + ") " + inverse[e.Op].String() + " (" + w.of(e.Y) + ")"
		w.around(e, depth, fmt.Sprintf("(%s && (%s) || !%s && (", on(id), other, on(id)), "))")
	default:
		if a, ok := arithmetic[e.Op]; ok && named {
			id := w.add(e, with(a.other))
			w.around(e, depth, fmt.Sprintf("%s.%s[%s](%d, ", local, a.function, t, id), ")")
			w.replace(e.OpPos, len(e.Op.String()), ",")
		}
	}
}

func (w *walker) minMax(e *ast.CallExpr, t string, named bool) {
	name, ok := e.Fun.(*ast.Ident)
	if !ok || !named || len(e.Args) != 2 {
		return
	}
	if _, ok := w.info.Uses[name].(*types.Builtin); !ok {
		return
	}
	for _, pair := range [][3]string{{"min", "Min", "max"}, {"max", "Max", "min"}} {
		if name.Name == pair[0] {
			id := w.add(e, pair[2]+strings.TrimPrefix(w.of(e), name.Name))
			w.replace(name.Pos(), len(name.Name), fmt.Sprintf("%s.%s[%s]", local, pair[1], t))
			w.insert(e.Lparen+1, strconv.Itoa(id)+", ", -1000)
		}
	}
}

// negate turns a condition round that is no comparison.
func (w *walker) negate(e ast.Expr, depth int) {
	switch e.(type) {
	case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.UnaryExpr:
		tv := w.info.Types[e]
		if t, ok := tv.Type.(*types.Basic); ok && tv.Value == nil && t.Info()&types.IsBoolean != 0 {
			id := w.add(e, "!"+w.of(e))
			w.around(e, depth, "("+on(id)+" != (", "))")
		}
	}
}

// statements leaves statements out, one at a time, and turns assignments round.
func (w *walker) statements(list []ast.Stmt, depth int) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && w.of(call.Fun) != "panic" {
				w.drop(s, depth)
			}
		case *ast.IncDecStmt:
			w.drop(s, depth)
		case *ast.ReturnStmt:
			if !w.results {
				w.drop(s, depth)
			}
		case *ast.BranchStmt:
			if s.Tok == token.BREAK || s.Tok == token.CONTINUE {
				w.drop(s, depth)
			}
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				w.assignment(s, depth)
			}
		}
	}
}

// assignment leaves an assignment out, or turns its operator round.
func (w *walker) assignment(s *ast.AssignStmt, depth int) {
	other, ok := assignments[s.Tok]
	if !ok || w.isString(s.Lhs[0]) {
		w.drop(s, depth)
		return
	}
	to := w.of(s.Lhs[0]) + " " + other.String() + " " + w.of(s.Rhs[0])
	turned, gone := w.add(s, to), w.add(s, "(nothing)")
	w.around(s, depth, fmt.Sprintf("if %s { %s } else if !%s { ", on(turned), to, on(gone)), " }")
}

func (w *walker) isString(e ast.Expr) bool {
	b, ok := w.info.Types[e].Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// assignments has the other operator of an assignment.
var assignments = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN,
	token.QUO_ASSIGN: token.MUL_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN,
	token.XOR_ASSIGN: token.AND_ASSIGN, token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
}

func (w *walker) drop(s ast.Stmt, depth int) {
	id := w.add(s, "(nothing)")
	w.around(s, depth, "if !"+on(id)+" { ", " }")
}

// typeName returns how a type of numbers is written at a place in the file, if it can be.
func (w *walker) typeName(t types.Type, at token.Pos) (string, bool) {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return "", false
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsInteger|types.IsFloat) == 0 || b.Info()&types.IsUntyped != 0 {
		return "", false
	}
	known := true
	name := types.TypeString(t, func(p *types.Package) string {
		if p == w.pkg {
			return ""
		}
		name, ok := w.imports[p.Path()]
		known = known && ok
		return name
	})
	first, _, _ := strings.Cut(name, ".")
	return name, known && !w.shadowed(first, at)
}

// shadowed reports whether a variable has the name of a type or a package where the function is at.
func (w *walker) shadowed(name string, at token.Pos) bool {
	_, o := w.pkg.Scope().Innermost(at).LookupParent(name, at)
	_, variable := o.(*types.Var)
	return variable
}
