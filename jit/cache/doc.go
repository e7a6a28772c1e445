// Package cache keeps what took time to make in a directory of the user's: bytes under keys, across processes.
//
// In go a kind, a text that says everything the bytes depend on, and the bytes; out come the same bytes for the same kind and text, or
// an error that says why not. The package must not know what the bytes are.
//
// # Trust
//
// What is read is going to be executed. So the directory must belong to the user, nobody else may write to it or to what leads to it, and
// neither it nor an entry may be a symbolic link; the directory is opened once and everything happens relative to that. Directories that
// the package makes have mode 0700, files 0600.
//
// # Entries
//
// An entry is one file: a fixed head with the lengths and the SHA-256 of everything behind it, the text, the bytes. It is
// written to a temporary file and renamed, and never changed. A reader checks the sum and compares the text, so that a truncated, damaged or
// renamed file is never believed: it is removed and the bytes are made again. No fsync: after a power failure the sum decides.
//
// # Pruning
//
// Above [Store.Limit] bytes the entries that have not been used for longest are removed. That never hurts a running process: nobody maps an entry;
// what is loaded is a private copy.
//
// # Locks
//
// [Store.Lock] lets one process make what others wait for. A lock only saves work: whoever does not get it in time goes on without. The system
// releases the locks of processes that die, and the files that they leave behind are removed by the next process that writes.
package cache
