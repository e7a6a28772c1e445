package jit

import "syscall"

// noexec reports whether the file system of dir refuses to map code.
func noexec(dir string) bool {
	const stNoexec = 8 // ST_NOEXEC, include/linux/statfs.h
	var st syscall.Statfs_t
	return syscall.Statfs(dir, &st) == nil && st.Flags&stNoexec != 0
}
