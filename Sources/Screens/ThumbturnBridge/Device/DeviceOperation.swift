/// What a host's device is asked, by the numbers of the header.
enum DeviceOperation: UInt32, Sendable, CaseIterable {
    case facts = 1
    case installation = 2
    case capability = 3
    case prompt = 4
    case save = 5
    case read = 6
    case describe = 7
    case delete = 8
    case makeSecret = 9
    case evaluate = 10
    case makeKey = 11
    case publicKey = 12
    case sign = 13
    case anchor = 14
    case anchorMove = 15
    case anchorRemove = 16
    case cancel = 17

    /// Whether it waits for the owner, and ends with its task.
    var prompts: Bool {
        switch self {
        case .prompt, .read: true
        case .facts, .installation, .capability, .save, .describe, .delete, .makeSecret, .evaluate, .makeKey,
            .publicKey, .sign, .anchor, .anchorMove, .anchorRemove, .cancel:
            false
        }
    }
}
