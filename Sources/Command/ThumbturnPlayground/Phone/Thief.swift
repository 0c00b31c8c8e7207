import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnSimulator

/// A thief: has a copy of the vault's file, and tries PINs on it at their real cost, first without the device, then on
/// a copy of the device too.
///
/// He uses the library, since its calls are the cheapest way that there is. The device secret is in no file of the vault; of
/// the device he copies only what a simulated one keeps in a file, and no real one would give.
struct Thief {
    /// The most PINs that he tries at once.
    static let mostTries = 8

    private let place: PhonePlace

    init(_ place: PhonePlace) { self.place = place }

    /// Tries PINs.
    ///
    /// - Parameter pins: with line ends between.
    /// - Returns: an object for each try: where, what it cost, and what it gave.
    func tries(_ pins: HeldSecret?, in language: Language) async -> JSON {
        guard let pins else { return .array([]) }
        var tries: [JSON] = []
        for hasDevice in [false, true] {
            // A folder for each: what one run leaves counts for no other.
            guard let folder = try? Folders.makeTemporary("stolen", in: place.folder) else { continue }
            defer { Folders.remove(folder) }
            guard let vault = await steal(into: folder, withDevice: hasDevice) else { continue }
            for (index, pin) in pins.lines.prefix(Self.mostTries).enumerated() {
                let began = MonotonicClock.microseconds
                var refusal: ErrorCode?
                do throws(VaultError) { try await vault.unlock(with: pin.bytes) } catch { refusal = error.code }
                let cost = Int64(MonotonicClock.microseconds - began) / 1_000
                tries.append([
                    "code": JSON(refusal?.text), "message": JSON(refusal?.message(in: language)),
                    "milliseconds": .integer(cost), "number": JSON(index + 1), "opened": .bool(refusal == nil),
                    "withDevice": .bool(hasDevice),
                ])
            }
            await vault.close()
        }
        return .array(tries)
    }

    private func steal(into folder: String, withDevice: Bool) async -> Vault? {
        do {
            try Self.copy(place.vault, to: folder + "/vault")
            let device: SimulatedDevice
            if withDevice {
                try Self.copy(place.device, to: folder + "/device")
                device = try SimulatedDevice(folder: folder + "/device")
            } else {
                device = SimulatedDevice(clockRuns: true)
            }
            return try await Vault.open(in: folder + "/vault", device: device.device)
        } catch {
            return nil
        }
    }

    private static func copy(_ folder: String, to other: String) throws(Failure) {
        for path in Folders.files(below: folder) {
            let target = other + path.dropFirst(folder.count)
            try Folders.makeParents(of: target)
            try Folders.write(Folders.contents(of: path), to: target)
        }
    }
}

extension HeldSecret {
    /// The lines that are not empty.
    var lines: [HeldSecret] {
        bytes.withBytes { bytes in
            var (lines, start): ([HeldSecret], Int) = ([], 0)
            for index in 0...bytes.byteCount where index == bytes.byteCount || bytes.byte(at: index) == 0x0A {
                if index > start { lines.append(HeldSecret(SecretBytes(copying: bytes.extracting(start..<index)))) }
                start = index + 1
            }
            return lines
        }
    }
}
