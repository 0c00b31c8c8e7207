// expect: cannot find 'explicit_bzero' in scope
import Darwin

func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
    unsafe explicit_bzero(buffer.baseAddress, buffer.count)
}
