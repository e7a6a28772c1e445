// Package egraph is an e-graph: a set of programs, stored as classes of equal nodes.
//
// It follows egg (Willsey et al. 2021) with deferred rebuilding and the e-matching machine of de Moura and Bjørner (2007):
// hash-consed nodes in an append-only arena, dense ids, a union-find, one analysis (facts about the real value, and exact
// constants), patterns compiled to Bind, Compare and Lookup, and a schedule limited by fuel, never by a clock, so the same
// input gives the same graph. An *ir.Func goes in through AddFunc; extract chooses a program out of the classes.
//
// The package is mechanism only: it knows no rule, no cost and no machine. Rules are data ([Rewrite]); the meaning of the
// operations reaches it as functions ([Analysis]).
package egraph
