// expect: no such module 'Glibc'
import Glibc

func wipe(_ bytes: UnsafeMutableRawBufferPointer) { _ = bytes.count }
