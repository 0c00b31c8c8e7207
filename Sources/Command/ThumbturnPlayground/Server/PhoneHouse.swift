import Glibc
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnHTTP
import ThumbturnJSON

/// Starts the phone, kills it, and carries what is asked of it and what it answers.
final class PhoneHouse: Sendable {
    /// What an answer becomes, whoever asked.
    typealias Way = @Sendable (consuming HTTPResponse) -> Void

    private struct Inhabited {
        var phone: PhoneProcess?
        /// The address of the account service, for a phone whose app has an account.
        var service: String?
        /// Whether that is ending, and its pipes are about to be closed.
        var isGoing = false
        var lastID: Int64 = 0
        var awaited: [Int64: Way] = [:]
        var isEnded = false
    }

    /// The phone's folder, which outlives the phone.
    private let folder: String
    private let program: String
    private let board: Board
    private let inside = Monitor(Inhabited())

    init(_ program: String, folder: String, board: Board) {
        (self.program, self.folder, self.board) = (program, folder, board)
    }

    /// Whether the phone runs.
    var isInhabited: Bool { inside.change { $0.phone != nil } }

    /// Starts the phone, unless it runs.
    func start() throws(Failure) {
        let result = inside.change { inside -> Result<PhoneProcess?, Failure> in
            guard inside.phone == nil, !inside.isEnded else { return .success(nil) }
            do throws(Failure) {
                try Folders.makeParents(of: folder + "/")
                inside.phone = try PhoneProcess(program, on: folder, service: inside.service)
                return .success(inside.phone)
            } catch {
                return .failure(error)
            }
        }
        guard let phone = try result.get() else { return }
        let thread = SystemThread { [self] in listen(to: phone) }
        guard let thread else {
            leave(phone)
            throw Failure(.storageUnavailable, Words("the system allows no more threads", "plus de threads"))
        }
        thread.detach()
    }

    /// Kills the phone, if it runs, and waits until it is gone.
    func kill() {
        inside.change { if !$0.isGoing { $0.phone?.killNow() } }
        waitUntilGone()
    }

    /// Replaces the phone by one that has nothing and does not run yet.
    ///
    /// - Parameter service: the address of the account service, for a phone whose app has an account.
    func renew(service: String?) {
        while !isRenewed(service: service) { kill() }
    }

    /// Does that, unless a phone runs.
    private func isRenewed(service: String?) -> Bool {
        inside.change { inside in
            guard inside.phone == nil else { return false }
            Folders.remove(folder)
            inside.service = service
            return true
        }
    }

    /// Asks the phone; a phone that does not run refuses at once.
    ///
    /// - Parameter secret: what comes beside the line.
    func ask(_ order: PhoneLine.Order, _ secret: HeldSecret? = nil, _ way: @escaping Way) {
        let isSent = inside.change { inside -> Bool in
            guard let phone = inside.phone, !inside.isGoing else { return false }
            inside.lastID += 1
            inside.awaited[inside.lastID] = way
            // Under the lock, so that a secret follows its own line.
            if phone.lines.writeAll(PhoneLine(inside.lastID, order).bytes), let secret {
                _ = secret.bytes.withBytes { phone.secrets.send($0) }
            }
            return true
        }
        if !isSent { way(Self.isAway) }
    }

    /// Ends the phone for good, and removes its folder.
    func end() {
        inside.change { inside in
            inside.isEnded = true
            if !inside.isGoing { inside.phone?.hangUp() }
        }
        if inside.wait(until: MonotonicClock.milliseconds + 2_000, { $0.phone == nil ? true : nil }) == nil { kill() }
        Folders.remove(folder)
    }

    private func waitUntilGone() { _ = inside.wait { $0.phone == nil ? true : nil } }

    /// Reads what the phone tells, until it is gone.
    private func listen(to phone: PhoneProcess) {
        let lines = LineReader(phone.lines)
        while let bytes = lines.next(), let told = PhoneAnswer(reading: bytes) {
            switch told {
            case .state(let state): board.show(state)
            case .answer(let answer, let id, let givesSecret):
                let secret = givesSecret ? HeldSecret(ifAny: phone.secrets.receive()) : nil
                let way = inside.change { $0.awaited.removeValue(forKey: id) }
                way?(Self.response(answer, secret))
            }
        }
        leave(phone)
    }

    /// Makes sure that the phone is gone, and tells everyone who waits for it.
    private func leave(_ phone: PhoneProcess) {
        inside.change { $0.isGoing = true }
        phone.killNow()
        phone.reap()
        let awaited = inside.change(wakingAll: true) { inside in
            (inside.phone, inside.isGoing) = (nil, false)
            defer { inside.awaited = [:] }
            return inside.awaited.values
        }
        board.showEnd()
        for way in awaited { way(Self.isAway) }
    }

    /// The answer as JSON, with the secret in it: the page has no other way.
    private static func response(_ answer: JSON, _ secret: HeldSecret?) -> HTTPResponse {
        guard let secret, case .object(let members) = answer else { return .answer(answer) }
        let text = secret.bytes.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        }
        return .answer(.object(members.filter { $0.0 != "secret" } + [("secret", .string(text))]))
    }

    private static var isAway: HTTPResponse {
        .problem(409, "PHONE_NOT_RUNNING", "the app is not running: start it")
    }
}
