package native

import "github.com/go-yolk/yolk/compiler/ir"

// The stored types: vectors of 16-bit integers.

// halves reports whether the target converts binary16 in hardware: every x86-64 processor with fused multiply-add has F16C.
func (t Target) halves() bool { return t.FMA }

// unstore widens stored elements to float32, exactly.
func (e *emitter) unstore(t ir.Type, x string) string {
	if t == ir.BFloat16 {
		wide := e.change("zext", t, ir.Uint32, x)
		return e.fromBits(ir.Float32, e.op("shl", ir.Uint32, wide, e.integer(ir.Uint32, 16)))
	}
	if e.t.halves() {
		half := e.value("bitcast %s %s to <%d x half>", e.vector(t), x, e.lanes)
		return e.value("fpext <%d x half> %s to %s", e.lanes, half, e.vector(ir.Float32))
	}
	// The bits moved to float32's places are the value times 2^-112, subnormals included.
	u := ir.Uint32
	wide := e.change("zext", t, u, x)
	abs := e.op("and", u, wide, e.integer(u, 0x7fff))
	moved := e.fromBits(ir.Float32, e.op("shl", u, abs, e.integer(u, 13)))
	bits := e.toBits(ir.Float32, e.op("fmul", ir.Float32, moved, e.number(ir.Float32, 0x1p112)))
	special := e.op("or", u, bits, e.integer(u, 0x7f800000))
	bits = e.choose(u, e.integerCompare("uge", u, abs, e.integer(u, 0x7c00)), special, bits)
	sign := e.op("shl", u, e.op("and", u, wide, e.integer(u, 0x8000)), e.integer(u, 16))
	return e.fromBits(ir.Float32, e.op("or", u, bits, sign))
}

// store rounds float32 to a stored type, as ir.Store does.
func (e *emitter) store(t ir.Type, x string) string {
	u, f := ir.Uint32, ir.Float32
	bits := e.toBits(f, x)
	nan := e.compare("uno", f, x, x)
	shifted := func(v string, by int64) string { return e.op("lshr", u, v, e.integer(u, by)) }
	// nearest drops the lower bits of v, ties to even.
	nearest := func(v string, drop int64) string {
		odd := e.op("and", u, shifted(v, drop), e.integer(u, 1))
		half := e.op("add", u, odd, e.integer(u, 1<<(drop-1)-1))
		return shifted(e.op("add", u, v, half), drop)
	}
	if t == ir.BFloat16 {
		quiet := e.op("or", u, shifted(bits, 16), e.integer(u, 1<<6))
		return e.change("trunc", u, t, e.choose(u, nan, quiet, nearest(bits, 16)))
	}
	if e.t.halves() {
		half := e.value("fptrunc %s %s to <%d x half>", e.vector(f), x, e.lanes)
		return e.value("bitcast <%d x half> %s to %s", e.lanes, half, e.vector(t))
	}
	sign := e.op("and", u, shifted(bits, 16), e.integer(u, 0x8000))
	abs := e.call("fabs", f, x)
	small := e.op("sub", u, e.toBits(f, e.op("fadd", f, abs, e.number(f, 0.5))), e.integer(u, int64(ir.ConstBits(f, 0.5))))
	y := nearest(e.op("sub", u, e.toBits(f, abs), e.integer(u, (127-15)<<23)), 13)
	y = e.choose(u, e.compare("olt", f, abs, e.number(f, 0x1p-14)), small, y)
	y = e.choose(u, e.compare("oge", f, abs, e.number(f, 65520)), e.integer(u, 0x7c00), y) // halfway to 2^16
	quiet := e.op("or", u, e.op("and", u, shifted(bits, 13), e.integer(u, 0x3ff)), e.integer(u, 0x7e00))
	return e.change("trunc", u, t, e.op("or", u, e.choose(u, nan, quiet, y), sign))
}
