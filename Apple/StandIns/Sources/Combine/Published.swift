/// A property whose object says before each change that it is about to change.
@propertyWrapper public struct Published<Value> {
    fileprivate final class Storage {
        var value: Value
        var publisher: ObservableObjectPublisher?

        init(_ value: Value) {
            self.value = value
        }
    }

    private let storage: Storage

    public init(wrappedValue: Value) {
        storage = Storage(wrappedValue)
    }

    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { preconditionFailure("a published property of no class") }
        set { preconditionFailure("a published property of no class") }
    }

    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrapped: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storage: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Value {
        get { object[keyPath: storage].storage.value }
        set {
            let kept = object[keyPath: storage].storage
            kept.publisher?.send()
            kept.value = newValue
        }
    }
}

/// What `objectWillChange` looks for among an object's properties.
protocol PublishedProperty {
    var publisher: ObservableObjectPublisher? { get nonmutating set }
}

extension Published: PublishedProperty {
    var publisher: ObservableObjectPublisher? {
        get { storage.publisher }
        nonmutating set { storage.publisher = newValue }
    }
}
