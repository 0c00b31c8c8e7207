/// What sends values over time; only its types are needed here.
public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
}

/// Says that something is about to change.
public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never

    private var subscribers: [Int: () -> Void] = [:]
    private var count = 0

    public init() {}

    /// Tells everybody who wants to know.
    public func send() {
        for subscriber in subscribers.values { subscriber() }
    }

    /// Calls `receiveValue` before each change, until what it returns is let go.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        count += 1
        let number = count
        subscribers[number] = { receiveValue(()) }
        return AnyCancellable { [weak self] in self?.subscribers[number] = nil }
    }
}

/// Ends a subscription when it is let go.
public final class AnyCancellable {
    private let end: () -> Void

    public init(_ cancel: @escaping () -> Void) {
        end = cancel
    }

    deinit { end() }
}

/// An object that says when it is about to change.
public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// The publisher that every `@Published` property of the object uses; an object without one never publishes.
    public var objectWillChange: ObservableObjectPublisher {
        var publisher: ObservableObjectPublisher?
        var mirror: Mirror? = Mirror(reflecting: self)
        while let current = mirror {
            for child in current.children {
                guard let published = child.value as? any PublishedProperty else { continue }
                let shared = publisher ?? published.publisher ?? ObservableObjectPublisher()
                published.publisher = shared
                publisher = shared
            }
            mirror = current.superclassMirror
        }
        return publisher ?? ObservableObjectPublisher()
    }
}
