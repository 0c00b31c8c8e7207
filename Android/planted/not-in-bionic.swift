// expect: cannot find 'explicit_bzero' in scope
import Android

func wipe(_ bytes: UnsafeMutableRawPointer, count: Int) { unsafe explicit_bzero(bytes, count) }
