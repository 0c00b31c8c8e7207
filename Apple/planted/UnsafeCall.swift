// expect: expression uses unsafe constructs but is not marked with 'unsafe'
import Darwin

func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
    memset_s(buffer.baseAddress, buffer.count, 0, buffer.count)
}
