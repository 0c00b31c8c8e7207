// Stand-in for the Security framework: what the adapters use, with Apple's signatures. A name without a comment means what
// Apple's documentation says.
//
// How one source compiles here and against Apple's SDK:
// - Linux's Foundation has no Core Foundation types but bridges its own classes, so CFString is NSString here,
//   CFDictionary NSDictionary, and so on. `kSecClass as String`, `query as CFDictionary` with `query: [String: Any]`,
//   and `result as? Data`, `as? [String: Any]`, `as? [[String: Any]]` work in both worlds.
// - `&result` with `var result: CFTypeRef?`, `&error` with `var error: Unmanaged<CFError>?`, and pointers to
//   `NSError?` need `unsafe` here as there.
// - Values of a query may be String, Data, Bool, Int, Date, a `kSec…` constant, a SecAccessControl or an LAContext.
//   Anything else is refused with -50, since Apple's bridging would put it into a box.
// - A thrown LAError is caught by `catch let error as LAError`, here as there. An NSError that was written through a
//   pointer does not become an LAError by a cast here: use its `code`.
// - `error as NSError` works in both. A SecAccessControl out of a dictionary: `value as! SecAccessControl` there, since
//   `as?` is refused by the compiler for Core Foundation types. Compare with `CFEqual`.
// - Enumerations of Apple's (LAError.Code, LABiometryType, LAPolicy) are open: `switch` with plain `default` works.
public import Foundation

public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public typealias CFArray = NSArray
public typealias CFData = NSData
public typealias CFTypeRef = AnyObject
public typealias CFError = NSError
public typealias CFIndex = Int
public typealias CFOptionFlags = UInt
public typealias CFErrorDomain = CFString
public typealias OSStatus = Int32

/// Only nil is ever given.
public final class CFAllocator: Sendable {}

public func CFErrorGetCode(_ error: CFError!) -> CFIndex { error.code }
public func CFErrorGetDomain(_ error: CFError!) -> CFErrorDomain! { error.domain as NSString }

/// Whether two values are equal.
public func CFEqual(_ left: CFTypeRef!, _ right: CFTypeRef!) -> Bool {
    if let left = left as? SecAccessControl, let right = right as? SecAccessControl {
        return left.control == right.control
    }
    guard let left = left as? NSObject, let right = right as? NSObject else { return left === right }
    return left.isEqual(right)
}
