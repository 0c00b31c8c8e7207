@_exported public import Foundation
@_exported public import UIKit

// Of ExpoModulesCore, the names that ReactNative/ios uses, with the signatures of expo-modules-core 57 (read at the named
// commit of github.com/expo/expo, packages/expo-modules-core/ios). `_` is ours: what a test does in JavaScript's place.
// Views with names need 2.3.0 of 2025-04-04, the first of SDK 53 (CHANGELOG.md).

/// Core/AppContext.swift, 28df92a7: what one JavaScript context has.
public final class AppContext: @unchecked Sendable {
    private let lock = NSLock()
    private var sent: [(name: String, body: [String: Any?])] = []

    public init() {}

    /// Every event that came, in order.
    public var _events: [(name: String, body: [String: Any?])] { lock.withLock { sent } }

    fileprivate func send(_ name: String, _ body: [String: Any?]) { lock.withLock { sent.append((name, body)) } }
}

/// Core/Modules/Module.swift, 659fb1af.
open class BaseModule {
    public private(set) weak var appContext: AppContext?

    public required init(appContext: AppContext) { self.appContext = appContext }

    /// May be called on any thread: the event is scheduled on JavaScript's (Core/Events/LegacyEventEmitterCompat.swift,
    /// 1a3fd833).
    public func sendEvent(_ eventName: String, _ body: [String: Any?] = [:]) { appContext?.send(eventName, body) }
}

/// Core/Protocols/AnyModule.swift, 0ab6fe40.
public protocol AnyModule: AnyObject {
    init(appContext: AppContext)

    @ModuleDefinitionBuilder func definition() -> ModuleDefinition
}

/// Core/Modules/Module.swift, 659fb1af.
public typealias Module = AnyModule & BaseModule

/// Core/Modules/ModuleDefinitionBuilder.swift, 3de469c3.
@resultBuilder public struct ModuleDefinitionBuilder {
    public static func buildBlock(_ definitions: any AnyDefinition...) -> ModuleDefinition {
        ModuleDefinition(definitions)
    }
}

public protocol AnyDefinition {}

/// Core/Modules/ModuleDefinition.swift, 0ade8e3f.
public final class ModuleDefinition {
    public let _definitions: [any AnyDefinition]

    init(_ definitions: [any AnyDefinition]) { _definitions = definitions }
}

/// Core/Arguments/AnyArgument.swift, 23520504.
public protocol AnyArgument {}
extension String: AnyArgument {}
extension Double: AnyArgument {}
/// A `Uint8Array`, both ways (Core/DynamicTypes/DynamicDataType.swift, 17d5db7c; JSI/EXJSIConversions.mm, 06ebec22).
extension Data: AnyArgument {}
extension Optional: AnyArgument where Wrapped: AnyArgument {}

/// Core/Arguments/Either.swift, 08894da1.
open class Either<FirstType, SecondType>: AnyArgument {
    fileprivate let value: Any?

    public required init(_ value: Any?) { self.value = value }

    public func get() -> FirstType? { value as? FirstType }
    public func get() -> SecondType? { value as? SecondType }
}

/// The same.
open class EitherOfThree<FirstType, SecondType, ThirdType>: Either<FirstType, SecondType> {
    public func get() -> ThirdType? { value as? ThirdType }
}

// What a definition has.

public struct _Named: AnyDefinition {
    public let name: String
}

public struct _Listener: AnyDefinition {
    public let closure: () -> Void
}

/// Core/Modules/ModuleDefinition.swift, 0ade8e3f.
public struct EventsDefinition: AnyDefinition, AnyViewDefinitionElement {
    public let _names: [String]
}

/// Core/Functions/SyncFunctionDefinition.swift, 00f88b18: called on JavaScript's thread.
public final class SyncFunctionDefinition<Args, FirstArgType, ReturnType>: AnyDefinition {
    public let _name: String
    public let _body: (Args) throws -> ReturnType

    init(_ name: String, _ body: @escaping (Args) throws -> ReturnType) { (_name, _body) = (name, body) }
}

/// Core/Functions/ConcurrentFunctionDefinition.swift, 2847efdf: called in a task of its own, on no actor; what it returns
/// settles the promise, once.
public final class ConcurrentFunctionDefinition<Args, FirstArgType, ReturnType>: AnyDefinition {
    public let _name: String
    public let _body: (Args) async throws -> ReturnType

    init(_ name: String, _ body: @escaping (Args) async throws -> ReturnType) { (_name, _body) = (name, body) }
}

/// Api/Factories/ModuleFactories.swift, 352fd074.
public func Name(_ name: String) -> any AnyDefinition { _Named(name: name) }

/// Api/Factories/ObjectFactories.swift, 1457aa6d.
public func Events(_ names: String...) -> EventsDefinition { EventsDefinition(_names: names) }

/// Api/Factories/EventListenersFactories.swift, 60b23735. It is not called at every reload (issues 33655, 48933).
public func OnDestroy(@_implicitSelfCapture _ closure: @escaping () -> Void) -> any AnyDefinition {
    _Listener(closure: closure)
}

/// Api/Factories/SyncFunctionFactories.swift, 0c735f64.
public func Function<R>(
    _ name: String,
    @_implicitSelfCapture _ closure: @escaping () throws -> R
) -> SyncFunctionDefinition<(), Void, R> {
    SyncFunctionDefinition(name, closure)
}

/// The same.
public func Function<R, A0: AnyArgument>(
    _ name: String,
    @_implicitSelfCapture _ closure: @escaping (A0) throws -> R
) -> SyncFunctionDefinition<(A0), A0, R> {
    SyncFunctionDefinition(name, closure)
}

/// Api/Factories/ConcurrentFunctionFactories.swift, 4e62e1a0.
public func AsyncFunction<R, A0: AnyArgument>(
    _ name: String,
    @_implicitSelfCapture _ closure: @escaping (A0) async throws -> R
) -> ConcurrentFunctionDefinition<(A0), A0, R> {
    ConcurrentFunctionDefinition(name) { try await closure($0) }
}

/// The same.
public func AsyncFunction<R, A0: AnyArgument, A1: AnyArgument>(
    _ name: String,
    @_implicitSelfCapture _ closure: @escaping (A0, A1) async throws -> R
) -> ConcurrentFunctionDefinition<(A0, A1), A0, R> {
    ConcurrentFunctionDefinition(name) { try await closure($0.0, $0.1) }
}

/// The same.
public func AsyncFunction<R, A0: AnyArgument, A1: AnyArgument, A2: AnyArgument>(
    _ name: String,
    @_implicitSelfCapture _ closure: @escaping (A0, A1, A2) async throws -> R
) -> ConcurrentFunctionDefinition<(A0, A1, A2), A0, R> {
    ConcurrentFunctionDefinition(name) { try await closure($0.0, $0.1, $0.2) }
}
