import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// The chains of a service's export, each as far as it was read; and the records that wait for their upload.
struct LedgerChains: Sendable {
    private struct Name: Hashable, Sendable {
        let device: Identifier
        let epoch: Identifier
    }

    private struct Place: Sendable {
        var chain: AuditChain
        let publicKey: [UInt8]
        /// What its `TRAIL_BEGUN` says of the chain before it.
        var former: AuditPayload.Former?
    }

    /// Records that came together, and whose upload has yet to come.
    private struct Arrival: Sendable {
        let name: Name
        /// The first one's place in the log.
        let index: UInt64
        /// The first one's place in its chain.
        let seq: UInt64
    }

    private var places: [Name: Place] = [:]
    /// In the order of the file.
    private var names: [Name] = []
    /// The chain whose device was the last line.
    private var due: Name?
    private var arrival: Arrival?
    private var forks: [Name: UInt64] = [:]
    private var forkedNames: [Name] = []
    /// Where the records begin that a device wrote after it was revoked, and how many there are.
    private var revoked: [Identifier: (index: UInt64, count: UInt64)] = [:]
    private var revokedDevices: [Identifier] = []
    /// How many uploads were read.
    private(set) var uploads: UInt64 = 0

    /// How many chains there are.
    var count: UInt64 { UInt64(names.count) }

    /// Asks that the records before a line have their upload, and that the line of a device has its record.
    ///
    /// - Parameter index: the next leaf's place.
    func checkNothingWaits(at index: UInt64) throws(LedgerFinding) {
        if let arrival { throw .uploadMissing(arrival.index) }
        if due != nil { throw .deviceIdle(index) }
    }

    /// Reads the line of a device, which begins a chain.
    mutating func begin(_ line: [UInt8], at index: UInt64) throws(LedgerFinding) {
        guard let content = AuditLine.device.content(of: line), let device = try? AuditDevice.read(content) else {
            throw .deviceMalformed(index)
        }
        let name = Name(device: device.deviceId, epoch: device.epoch)
        guard places[name] == nil else { throw .deviceMalformed(index) }
        let chain = AuditChain(deviceId: name.device, epoch: name.epoch, publicKey: device.publicKey)
        places[name] = Place(chain: chain, publicKey: device.publicKey)
        names.append(name)
        due = name
    }

    /// Goes on with a chain.
    mutating func take(_ record: AuditRecord, at index: UInt64) throws(LedgerFinding) {
        let name = Name(device: record.deviceId, epoch: record.epoch)
        if let arrival, arrival.name != name { throw .uploadMissing(arrival.index) }
        if let due, due != name { throw .deviceIdle(index) }
        due = nil
        guard places[name] != nil else { throw .deviceMissing(index) }
        guard forks[name] == nil else { throw .recordForked(index) }
        // In place: a copy of its head would be made for each record.
        do throws(AuditFinding) { try places[name]?.chain.take(record) } catch {
            throw .recordUnchained(index, device: name.device, error)
        }
        if record.kind == .trailBegun, let former = record.payload.former { places[name]?.former = former }
        if arrival == nil { arrival = Arrival(name: name, index: index, seq: record.seq) }
        if let found = revoked[name.device] {
            revoked[name.device] = (found.count == 0 ? index : found.index, found.count + 1)
        }
    }

    /// Reads the line of an upload, which brought the records before it.
    ///
    /// - Parameters:
    ///   - origin: the log's name, which the device signed.
    ///   - index: the next leaf's place.
    mutating func end(_ line: [UInt8], origin: String, at index: UInt64) throws(LedgerFinding) {
        guard let arrival, let place = places[arrival.name] else { throw .uploadIdle(index) }
        guard let content = AuditLine.upload.content(of: line),
            let (upload, signature) = try? AuditUpload.read(signed: content)
        else { throw .uploadMalformed(arrival.index) }
        // Its first records may have been known before.
        guard upload.deviceId == arrival.name.device, upload.epoch == arrival.name.epoch,
            upload.firstSeq <= arrival.seq, upload.lastSeq == place.chain.next - 1,
            upload.count <= AuditUpload.maximumRecords, upload.headHash == place.chain.head
        else { throw .uploadElsewhere(arrival.index) }
        do throws(CryptoError) {
            try P256.verify(
                signature: signature,
                of: upload.message(origin: origin),
                publicKey: place.publicKey
            )
        } catch { throw .uploadUnsigned(arrival.index) }
        self.arrival = nil
        uploads += 1
    }

    /// Takes note of what the service entered.
    mutating func take(_ entry: LedgerEntry, at index: UInt64) {
        switch entry {
        case .deviceRevoked(let device, user: _):
            guard revoked[device] == nil else { return }
            revoked[device] = (index, 0)
            revokedDevices.append(device)
        case .fork(let device, let epoch, seq: _, user: _, bodySha256: _):
            let name = Name(device: device, epoch: epoch)
            guard forks[name] == nil else { return }
            forks[name] = index
            forkedNames.append(name)
        case .deviceEnrolled, .passwordChanged, .rejected, .keyRotated, .restored: break
        }
    }

    /// What is to be told of the chains.
    var remarks: [LedgerRemark] {
        let forks = forkedNames.compactMap { name in
            self.forks[name].map { LedgerRemark.forked(device: name.device, epoch: name.epoch, index: $0) }
        }
        let revoked = revokedDevices.compactMap { device -> LedgerRemark? in
            guard let (index, count) = self.revoked[device], count > 0 else { return nil }
            return .revoked(device: device, index: index, count: count)
        }
        return names.compactMap(ending) + forks + revoked
    }

    /// What a chain says of the end of the one before it, where that is another.
    private func ending(before name: Name) -> LedgerRemark? {
        guard let former = places[name]?.former, let last = former.last else { return nil }
        let chain = places[Name(device: name.device, epoch: former.epoch)]?.chain
        let count = chain?.next ?? 0
        guard count > last.seq else {
            return .cut(device: name.device, epoch: former.epoch, count: count, told: last.seq + 1)
        }
        guard count == last.seq + 1, chain?.head != last.hash else { return nil }
        return .diverged(device: name.device, epoch: former.epoch, seq: last.seq)
    }
}

extension AuditUpload {
    /// The content of an upload's line: its members and, the last of them, the signature.
    static func signed(_ upload: AuditUpload, _ signature: [UInt8]) -> [UInt8] {
        upload.header.dropLast() + Array(beforeSignature.utf8) + TextCode.base64.encode(signature) + Array("\"}".utf8)
    }

    /// Reads the content of an upload's line strictly.
    static func read(signed content: [UInt8]) throws(AuditError) -> (AuditUpload, signature: [UInt8]) {
        // A signature has no quotation mark, so its own is the last but one.
        guard let end = content.dropLast(2).lastIndex(of: UInt8(ascii: "\"")),
            case let start = end + 1 - beforeSignature.utf8.count, start > 0
        else { throw .malformed }
        let upload = try AuditUpload(reading: content[..<start] + [UInt8(ascii: "}")])
        guard let signature = TextCode.base64.decode(Array(content[(end + 1)...].dropLast(2))),
            signed(upload, signature) == content
        else { throw .malformed }
        return (upload, signature)
    }

    private static let beforeSignature = ",\"signature\":\""
}
