#if os(Linux)
import Glibc

// The ways to a network, which the linker finds here before it looks into the C library: none leads anywhere, and who asks is
// heard (INV-107-04).

@_cdecl("socket")
func refusedSocket(_ domain: Int32, _ type: Int32, _ protocol: Int32) -> Int32 { refuse("socket") }

@_cdecl("connect")
func refusedConnection(_ socket: Int32, _ address: UnsafeRawPointer?, _ count: UInt32) -> Int32 { refuse("connect") }

@_cdecl("getaddrinfo")
func refusedAddress(
    _ node: UnsafePointer<CChar>?,
    _ service: UnsafePointer<CChar>?,
    _ hints: UnsafeRawPointer?,
    _ result: UnsafeMutableRawPointer?
) -> Int32 { refuse("getaddrinfo") }

private func refuse(_ call: String) -> Int32 {
    CrashChild.say("asks for the network: \(call)")
    errno = EACCES
    return -1
}
#endif
