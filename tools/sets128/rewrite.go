package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
)

// methods are the methods of Set128 for operators, the shifts with a number of type uint.
var methods = map[token.Token]string{
	token.AND: "And", token.OR: "Or", token.XOR: "Xor", token.AND_NOT: "AndNot", token.ADD: "Add", token.SUB: "Sub",
	token.SHL: "Shl", token.SHR: "Shr",
}

// operators are the operators of assignments.
var operators = map[token.Token]token.Token{
	token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
	token.AND_NOT_ASSIGN: token.AND_NOT, token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB,
	token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}

var (
	exprType = reflect.TypeFor[ast.Expr]()
	nodeType = reflect.TypeFor[ast.Node]()
)

// rewrite changes a node into the copy.
func (g *generator) rewrite(n ast.Node) {
	if assign, ok := n.(*ast.AssignStmt); ok && operators[assign.Tok] != 0 && g.isSet(assign.Lhs[0]) {
		left, op := assign.Lhs[0], operators[assign.Tok]
		assign.Tok, assign.Rhs[0] = token.ASSIGN, g.call(g.expr(left), op, assign.Rhs[0])
		return
	}
	if id, ok := n.(*ast.Ident); ok {
		o := g.info.Uses[id]
		if o == nil {
			o = g.info.Defs[id]
		}
		if g.renamed(o) {
			id.Name += suffix
			delete(g.info.Uses, id) // it has its new name
			delete(g.info.Defs, id)
		}
		return
	}
	v := reflect.ValueOf(n).Elem()
	for i := range v.NumField() {
		g.field(v.Field(i))
	}
}

// field rewrites the nodes of a field.
func (g *generator) field(f reflect.Value) {
	switch {
	case f.Kind() == reflect.Slice:
		for i := range f.Len() {
			g.field(f.Index(i))
		}
	case f.Kind() != reflect.Pointer && f.Kind() != reflect.Interface || f.IsNil():
	case f.Type() == exprType:
		f.Set(reflect.ValueOf(g.expr(f.Interface().(ast.Expr))))
	case f.Type().Implements(nodeType):
		g.rewrite(f.Interface().(ast.Node))
	}
}

// expr returns the copy of an expression.
func (g *generator) expr(e ast.Expr) ast.Expr {
	if value := g.info.Types[e].Value; value != nil && g.isSet(e) {
		return g.literal(value)
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		if e.Op == token.SUB && g.isSet(e.X) {
			return &ast.CallExpr{Fun: &ast.SelectorExpr{X: g.operand(e.X), Sel: ast.NewIdent("Neg")}}
		}
	case *ast.BinaryExpr:
		switch {
		case methods[e.Op] != "" && g.isSet(e):
			return g.call(g.operand(e.X), e.Op, e.Y)
		case (e.Op == token.EQL || e.Op == token.NEQ) && g.isZero(e.Y) && g.isSet(e.X):
			var zero ast.Expr = &ast.CallExpr{Fun: &ast.SelectorExpr{X: g.operand(e.X), Sel: ast.NewIdent("IsZero")}}
			if e.Op == token.NEQ {
				zero = &ast.UnaryExpr{Op: token.NOT, X: zero}
			}
			return zero
		}
	}
	g.rewrite(e)
	return e
}

// call returns the call of the method for an operator.
func (g *generator) call(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
	t := g.info.TypeOf(y)
	y = g.expr(ast.Unparen(y))
	if basic, ok := t.(*types.Basic); op == token.SHL || op == token.SHR {
		if !ok || basic.Kind() != types.Uint {
			y = &ast.CallExpr{Fun: ast.NewIdent("uint"), Args: []ast.Expr{y}}
		}
	}
	return &ast.CallExpr{Fun: &ast.SelectorExpr{X: x, Sel: ast.NewIdent(methods[op])}, Args: []ast.Expr{y}}
}

// operand returns the copy of an expression whose method is called.
func (g *generator) operand(e ast.Expr) ast.Expr {
	e = g.expr(ast.Unparen(e))
	if _, ok := e.(*ast.CompositeLit); ok { // which could not begin the condition of a statement
		e = &ast.ParenExpr{X: e}
	}
	return e
}

// isZero reports whether an expression is the constant 0.
func (g *generator) isZero(e ast.Expr) bool {
	value := g.info.Types[e].Value
	return value != nil && constant.Sign(value) == 0
}

// literal returns a constant set.
func (g *generator) literal(value constant.Value) ast.Expr {
	lit := &ast.CompositeLit{Type: g.setType()}
	if constant.Sign(value) != 0 {
		lit.Elts = []ast.Expr{&ast.KeyValueExpr{Key: ast.NewIdent("Low"),
			Value: &ast.BasicLit{Kind: token.INT, Value: value.ExactString()}}}
	}
	return lit
}
