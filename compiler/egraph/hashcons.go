package egraph

// hashcons finds the node that is equal to a key. It is an open-addressing table of ids into the arena, so keys are stored
// once and nothing in it is a pointer. Entries are never removed: an entry whose node was rewritten or died since no
// longer matches its old key, and keys with merged operands are never asked for.
type hashcons struct {
	slots []NodeID // id+1, 0 for empty; the length is a power of two
	used  int
}

// find returns the live node of the arena that is equal to key.
func (h *hashcons) find(arena []Node, key Node) (NodeID, bool) {
	if len(h.slots) == 0 {
		return 0, false
	}
	mask := uint64(len(h.slots) - 1)
	for i := key.hash() & mask; h.slots[i] != 0; i = (i + 1) & mask {
		if id := h.slots[i] - 1; arena[id] == key {
			return id, true
		}
	}
	return 0, false
}

// put enters node id of the arena, which find must not know yet.
func (h *hashcons) put(arena []Node, id NodeID) {
	if 4*(h.used+1) > 3*len(h.slots) {
		live := 0
		for i := range arena {
			if arena[i].live() {
				live++
			}
		}
		size := 64
		for size < 4*live {
			size *= 2
		}
		h.slots, h.used = make([]NodeID, size), 0
		for i := range arena {
			if arena[i].live() && NodeID(i) != id {
				h.place(arena, NodeID(i))
			}
		}
	}
	h.place(arena, id)
}

func (h *hashcons) place(arena []Node, id NodeID) {
	mask := uint64(len(h.slots) - 1)
	i := arena[id].hash() & mask
	for h.slots[i] != 0 {
		i = (i + 1) & mask
	}
	h.slots[i] = id + 1
	h.used++
}

// hash mixes all fields by multiplication with odd 64-bit constants (the golden ratio and a prime of xxHash64).
func (n *Node) hash() uint64 {
	h := uint64(n.Op) | uint64(n.Type)<<8 | uint64(n.Imm)<<32
	if n.Pin {
		h |= 1 << 16
	}
	h = h*0x9e3779b97f4a7c15 ^ h>>29
	h = (h ^ uint64(n.Args[0]) ^ uint64(n.Args[1])<<32) * 0xc2b2ae3d27d4eb4f
	h = (h ^ h>>31 ^ uint64(n.Args[2])) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}
