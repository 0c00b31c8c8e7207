import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules

/// What a host's device answered, read strictly: what has another form is no answer.
enum DeviceAnswer: Sendable {
    case done
    case facts(kind: DeviceKind, [AccessControl: Assurance])
    case installation(Identifier)
    case capability(BiometricCapability)
    case secret(HeldSecret)
    case item(ItemDescription?)
    case bytes([UInt8])
    case position(LedgerPosition?)
    case moved(Bool)

    /// The longest answer.
    static let maximumByteCount = 65_536

    /// Reads an answer; nil if it has not the form of its operation.
    ///
    /// - Parameters:
    ///   - bytes: an object with exactly the operation's members; nothing stands for one without members.
    ///   - secret: what came beside it.
    init?(to operation: DeviceOperation, _ bytes: [UInt8], _ secret: HeldSecret?) {
        guard let members = Members(bytes) else { return nil }
        if operation == .read || operation == .evaluate {
            guard members.are([]), let secret else { return nil }
            if operation == .evaluate, secret.bytes.byteCount != 32 { return nil }
            self = .secret(secret)
            return
        }
        guard secret == nil, let answer = Self(to: operation, members) else { return nil }
        self = answer
    }

    private init?(to operation: DeviceOperation, _ members: Members) {
        switch operation {
        case .facts:
            guard let answer = Self(factsIn: members) else { return nil }
            self = answer
        case .installation:
            let text = members.text("installation")
            guard members.are(["installation"]), let name = text.flatMap({ Identifier(text: $0) }) else { return nil }
            self = .installation(name)
        case .capability:
            guard let capability = BiometricCapability(members) else { return nil }
            self = .capability(capability)
        case .describe:
            guard members.are(["item"]), let item = members["item"] else { return nil }
            if case .null = item {
                self = .item(nil)
            } else {
                guard let description = ItemDescription(item) else { return nil }
                self = .item(description)
            }
        case .makeKey, .publicKey:
            guard members.are(["publicKey"]), let key = members.hexadecimal("publicKey"), key.count == 91 else {
                return nil
            }
            self = .bytes(key)
        case .sign:
            guard members.are(["signature"]), let signature = members.hexadecimal("signature") else { return nil }
            self = .bytes(signature)
        case .anchor:
            guard members.are(["position"]) else { return nil }
            if case .null? = members["position"] {
                self = .position(nil)
            } else {
                guard let position = members.hexadecimal("position").flatMap({ LedgerPosition(bytes: $0) }) else {
                    return nil
                }
                self = .position(position)
            }
        case .anchorMove:
            guard members.are(["moved"]), case .bool(let moved)? = members["moved"] else { return nil }
            self = .moved(moved)
        case .prompt, .save, .delete, .makeSecret, .anchorRemove, .cancel, .read, .evaluate:
            guard members.are([]) else { return nil }
            self = .done
        }
    }

    private init?(factsIn members: Members) {
        let names = AccessControl.allCases.map(\.name)
        guard members.are(["assurance", "kind"]), let strengths = members["assurance"].flatMap(Members.init),
            strengths.are(names), let kind = DeviceKind.allCases.first(where: { $0.name == members.text("kind") })
        else { return nil }
        var assurances: [AccessControl: Assurance] = [:]
        for access in AccessControl.allCases {
            guard let assurance = Assurance(named: strengths.text(access.name)) else { return nil }
            assurances[access] = assurance
        }
        self = .facts(kind: kind, assurances)
    }
}

/// The members of an object.
struct Members {
    private let json: JSON
    private let names: [String]

    init?(_ json: JSON) {
        guard case .object(let members) = json else { return nil }
        (self.json, names) = (json, members.map(\.0))
    }

    /// Reads an object; nothing stands for an empty one.
    init?(_ bytes: [UInt8]) {
        let bytes = bytes.isEmpty ? Array("{}".utf8) : bytes
        guard let json = try? JSON(reading: bytes, byteLimit: DeviceAnswer.maximumByteCount, depthLimit: 2) else {
            return nil
        }
        self.init(json)
    }

    /// Whether there are these members and no others.
    func are(_ expected: [String]) -> Bool { names.count == expected.count && expected.allSatisfy { json[$0] != nil } }

    subscript(_ name: String) -> JSON? { json[name] }

    func text(_ name: String) -> String? {
        guard case .string(let text)? = json[name] else { return nil }
        return text
    }

    func hexadecimal(_ name: String) -> [UInt8]? {
        text(name).flatMap { TextCode.hexadecimal.decode(Array($0.utf8)) }
    }
}

extension AccessControl {
    /// The name in JSON.
    var name: String {
        switch self {
        case .deviceOnly: "deviceOnly"
        case .currentBiometrySet: "currentBiometrySet"
        case .anyBiometryOrPasscode: "anyBiometryOrPasscode"
        }
    }
}

extension Assurance {
    fileprivate init?(named name: String?) {
        guard let assurance = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = assurance
    }
}

extension ItemDescription {
    fileprivate init?(_ json: JSON) {
        guard let members = Members(json), members.are(["access", "staysOnDevice"]),
            let access = AccessControl.allCases.first(where: { $0.name == members.text("access") }),
            case .bool(let staysOnDevice)? = members["staysOnDevice"]
        else { return nil }
        self.init(access: access, staysOnDevice: staysOnDevice)
    }
}

extension BiometricCapability {
    fileprivate init?(_ members: Members) {
        guard members.are(["assurance", "reason", "sensor"]),
            let assurance = Assurance(named: members.text("assurance"))
        else { return nil }
        let sensors: [String: BiometryType] = ["none": .none, "touchID": .touchID, "faceID": .faceID]
        guard let sensor = members.text("sensor").flatMap({ sensors[$0] }) else { return nil }
        if case .null? = members["reason"] {
            self.init(biometryType: sensor, assurance: assurance)
            return
        }
        guard let reason = Reason.allCases.first(where: { $0.name == members.text("reason") }) else { return nil }
        self.init(biometryType: sensor, reasonIfUnavailable: reason, assurance: assurance)
    }
}
