// expect: value of optional type 'UnsafeMutableRawPointer\?' must be unwrapped
import Android

// glibc takes null, Bionic says that it does not.
func read(_ number: CInt, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe pread(number, buffer.baseAddress, buffer.count, 0)
}
