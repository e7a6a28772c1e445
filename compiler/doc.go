// Package compiler is the target-independent middle of yolk: an *ir.Func goes in as written, an *ir.Func comes out that
// holds only operations which a machine has, is the cheapest found, and keeps the contract by measurement.
//
// The pipeline is a value, [Stages]: convert (into the e-graph), saturate (identities, ring normal form), extract (the k
// cheapest programs), lower (functions are replaced by approximations, each result saturated and extracted again) and
// certify (candidates are measured from cheap to dear). Every intermediate result stays reachable in [Run], and a run can
// stop after any stage.
//
// [Run.Explain] derives a candidate from the input by named rules; [Config].Check looks for false laws while it saturates.
//
// Rules, costs, licences and the clock are data in [Config]. The package executes nothing, touches no pointer, and knows no
// rule and no machine; the same input gives the same program.
package compiler
