package egraph

import (
	"iter"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Class returns the nodes of c's class, canonical and in the order of Node.Compare. A class with a constant shows only
// the constant. The slice belongs to the graph and is good until the next Rebuild. It panics if the graph is dirty.
func (g *Graph) Class(c ClassID) []Node {
	g.mustBeClean("Class")
	c = g.Find(c)
	if int(c) < g.indexed {
		return g.index.class(c)
	}
	return g.nodes[c : c+1 : c+1]
}

// Type returns the type of c's values.
func (g *Graph) Type(c ClassID) ir.Type { return g.nodes[c].Type }

// Fact returns what is known about the real value of c.
func (g *Graph) Fact(c ClassID) ir.Fact { return g.classes[g.Find(c)].fact }

// Const returns the constant that c is equal to.
func (g *Graph) Const(c ClassID) (Constant, bool) {
	i := g.classes[g.Find(c)].constant
	if i == 0 {
		return Constant{}, false
	}
	return g.pool.constants[i-1], true
}

// Value returns the constant of a Const or Real node.
func (g *Graph) Value(n Node) Constant { return g.pool.constants[n.Imm] }

// Uses returns how many nodes have c as an operand, nodes of constant classes apart. It panics if the graph is dirty or
// has grown since Rebuild.
func (g *Graph) Uses(c ClassID) int {
	g.mustBeIndexed("Uses")
	return int(g.index.uses[g.Find(c)])
}

// Classes runs through the representatives in order of their ids. It panics if the graph is dirty or has grown since
// Rebuild.
func (g *Graph) Classes() iter.Seq[ClassID] {
	g.mustBeIndexed("Classes")
	return func(yield func(ClassID) bool) {
		for _, c := range g.index.roots {
			if !yield(c) {
				return
			}
		}
	}
}

// NumNodes returns the number of different nodes, those that a constant hides included. It is the size that fuel limits.
func (g *Graph) NumNodes() int { return g.live }

// Room reports whether n more nodes fit under the limit of the run that calls the pass. If they do not, the pass leaves out
// what it wanted to add, and the run ends with NodeLimit. Outside of a run there is no limit.
func (g *Graph) Room(n int) bool {
	if g.limit == 0 || g.live+n <= g.limit {
		return true
	}
	g.refused = true
	return false
}

// NumIDs returns a bound on ids: every ClassID so far is smaller.
func (g *Graph) NumIDs() int { return len(g.nodes) }

// NumClasses returns the number of classes. It panics if the graph is dirty or has grown since Rebuild.
func (g *Graph) NumClasses() int {
	g.mustBeIndexed("NumClasses")
	return len(g.index.roots)
}

func (g *Graph) mustBeClean(what string) {
	if !g.clean {
		panic("egraph: " + what + " of a dirty graph: call Rebuild first")
	}
}

func (g *Graph) mustBeIndexed(what string) {
	g.mustBeClean(what)
	if g.indexed != len(g.nodes) {
		panic("egraph: " + what + " of a graph that has grown: call Rebuild first")
	}
}
