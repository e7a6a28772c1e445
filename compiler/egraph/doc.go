// Package egraph is an e-graph: a set of programs, stored as classes of equal nodes.
//
// It follows egg (Willsey et al. 2021) with deferred rebuilding and the e-matching machine of de Moura and Bjørner (2007):
// hash-consed nodes in an append-only arena, dense ids, a union-find, one analysis (facts about the real value, and exact
// constants), and patterns compiled to Bind, Compare and Lookup. A match is found once: classes carry the time of their last
// change, and what has not changed since a rewrite was last searched is passed over. An *ir.Func goes in through AddFunc;
// extract chooses a program out of the classes.
//
// What runs when is a [Schedule] (Rules, Seq, Repeat, Fixpoint, with or without a [Backoff]), limited by fuel and never by a
// clock, so the same input gives the same graph. [Saturate] is the schedule that most callers want.
//
// A graph that records ([Graph.Record]) explains its equalities by a [Proof], a chain of named rules out of the proof forest
// of Nieuwenhuis and Oliveras (2005). A graph with [Samples] knows the value of each class at sample points, as Ruler's
// characteristic vectors do (Nandi et al. 2021), and names the first rule that unites different values.
//
// The package is mechanism only: it knows no rule, no cost and no machine. Rules are data ([Rewrite]); the meaning of the
// operations reaches it as functions ([Analysis]).
package egraph
