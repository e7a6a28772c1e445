package gosrc

const siblingConstant = 1.5

func sibling(x float32) float32 { return x - siblingConstant }
