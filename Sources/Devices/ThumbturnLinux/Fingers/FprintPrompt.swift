import Glibc
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The fingerprint readers of a Linux system, through fprintd.
///
/// The answer is that of a service run by root: no key store is bound to the finger. An attacker who controls that
/// service can pass for the owner. There is no passcode, and only the vault counts attempts.
struct FprintPrompt: OwnerPrompt {
    private let bus: BusConnection
    let fprint: Fprint
    private let assurance: Assurance
    private let progress: @Sendable (FingerProgress) -> Void
    private let dismissal: @Sendable (PromptText) async -> PromptDismissal?
    private let limit: @Sendable () async -> Void
    let lastLook = LastLook()

    /// Creates a prompt for the readers of a bus.
    ///
    /// - Parameters:
    ///   - assurance: that of the items behind the prompt.
    ///   - owner: the user id that fprintd runs as; 0 except in tests.
    ///   - progress: receives what the reader reports while a prompt is up; called on any thread, in order.
    ///   - dismissal: shows the prompt's text until its task is cancelled, and returns the user's choice; nil when
    ///     there is nothing to choose. The prompt ends once it has returned.
    ///   - limit: returns when a prompt has been up too long. Some readers overheat: libfprint turns them off for
    ///     minutes after three.
    init(
        bus: BusConnection,
        assurance: Assurance,
        ownedBy owner: UInt32 = 0,
        progress: @escaping @Sendable (FingerProgress) -> Void = { _ in },
        dismissal: @escaping @Sendable (PromptText) async -> PromptDismissal? = { _ in nil },
        limit: @escaping @Sendable () async -> Void = {
            try? await Task.sleep(nanoseconds: UInt64(Patience.finger.count) * 1_000_000)
        }
    ) {
        self.bus = bus
        self.fprint = Fprint(bus: bus, owner: owner)
        self.assurance = assurance
        self.progress = progress
        self.dismissal = dismissal
        self.limit = limit
    }

    /// Checks the readers without claiming one, which would take it from the screen lock.
    ///
    /// A reader that another program has claimed without asking for a finger counts as free. A bus that did not answer
    /// in time is not asked again for a while.
    func capability() async -> BiometricCapability {
        let reason = await obstacle()
        return BiometricCapability(
            biometryType: reason == .noHardware ? .none : .touchID,
            reasonIfUnavailable: reason,
            assurance: assurance
        )
    }

    private func obstacle() async -> BiometricCapability.Reason? {
        guard !lastLook.isSilent else { return .temporarilyUnavailable }
        do throws(BusFailure) {
            let readers = try await fprint.readers()
            lastLook.set = try await enrolledSet(of: readers)
            guard !readers.isEmpty else { return .noHardware }
            guard let reader = readers.first(where: { !$0.fingers.isEmpty }) else { return .notEnrolled }
            // While our own prompt is up, the reader is not busy for us.
            guard !PromptGate.shared.isTaken, await fprint.isBusy(reader) else { return nil }
            return .temporarilyUnavailable
        } catch {
            if error == .noAnswer { lastLook.fallSilent() }
            lastLook.set = .failure(FprintMeaning(error).refusal)
            return FprintMeaning(error).reason
        }
    }

    /// Waits for a finger; one that is not recognised ends the prompt.
    ///
    /// A second prompt waits for its turn. Cancelling the task frees the reader at once.
    ///
    /// - Throws: `.notRecognised`; `.cancelledBySystem` also after `limit`; `.cancelledByUser` and `.fallbackChosen` as
    ///   `dismissal` returns; `.notEnrolled`, `.hardwareMissing`; `.readerFailed` when the reader is busy, broken,
    ///   unplugged or not permitted now, or the service left, is silent or gives an unknown answer. One mismatch ends a
    ///   prompt, so none came before.
    func prompt(_ text: PromptText, acceptingPasscode: Bool) async throws(DeviceRefusal) {
        guard !text.reason.isEmpty else { throw .unclassified }
        try await PromptGate.shared.pass { () async throws(DeviceRefusal) in
            let refusal: DeviceRefusal?
            do throws(BusFailure) {
                refusal = try await verify(text)
            } catch {
                refusal = FprintMeaning(error).refusal
            }
            // A match after cancellation no longer counts.
            if Task.isCancelled { throw .cancelledBySystem }
            if let refusal { throw refusal }
        }
    }

    /// Claims the reader, asks for a finger, and releases the reader.
    ///
    /// - Returns: nil for a match.
    private func verify(_ text: PromptText) async throws(BusFailure) -> DeviceRefusal? {
        let readers = try await fprint.readers(before: BusDeadline(after: Patience.readyingReader))
        guard !readers.isEmpty else { return .hardwareMissing }
        guard let reader = readers.first(where: { !$0.fingers.isEmpty }) else { return .notEnrolled }
        guard !Task.isCancelled else { return .cancelledBySystem }
        do throws(BusFailure) {
            _ = try await bus.call(reader.call("Claim", ""))
        } catch {
            // Without an answer the claim may have been granted.
            if error == .noAnswer { await free(reader) }
            throw error
        }
        guard !Task.isCancelled else {
            await free(reader)
            return .cancelledBySystem
        }
        return try await ask(text, at: reader)
    }

    private func free(_ reader: Fprint.Reader) async {
        var reader = reader
        reader.deadline = BusDeadline(after: Patience.freeingReader)
        for member in ["VerifyStop", "Release"] { _ = try? await bus.call(reader.call(member)) }
    }

    private enum Word: Sendable {
        case signal(BusSignal)
        case gone
        case ended(DeviceRefusal)
    }

    private func ask(_ text: PromptText, at reader: Fprint.Reader) async throws(BusFailure) -> DeviceRefusal? {
        let (words, say) = AsyncStream.makeStream(of: Word.self)
        let ear: BusEar
        do throws(BusFailure) {
            // A signal from before VerifyStart's answer belongs to another verification.
            ear = try await bus.listen(
                to: reader.service,
                from: reader.call("VerifyStart", "any"),
                rules: ["path='\(reader.path)',interface='\(Fprint.Reader.interface)'"]
            ) { signal in
                guard let signal else { return _ = say.yield(.gone) }
                if signal.path == reader.path, signal.interface == Fprint.Reader.interface {
                    say.yield(.signal(signal))
                }
            }.ear
        } catch {
            await free(reader)
            throw error
        }
        progress(.ready)
        let timer = Task {
            await limit()
            say.yield(.ended(.cancelledBySystem))
        }
        let panel = Task {
            switch await dismissal(text) {
            case .cancel?: say.yield(.ended(.cancelledByUser(afterMismatch: false)))
            case .fallback?: say.yield(.ended(.fallbackChosen))
            case nil: break
            }
        }
        let refusal = await answer(in: words)
        timer.cancel()
        panel.cancel()
        async let freed: Void = free(reader)
        await bus.close(ear)
        await freed
        // Otherwise the panel could still use the terminal when the app asks for the PIN there.
        await panel.value
        return refusal
    }

    /// Waits for the event that ends a prompt; cancelling the task ends the stream.
    private func answer(in words: AsyncStream<Word>) async -> DeviceRefusal? {
        for await word in words {
            switch word {
            case .gone: return .readerFailed(afterMismatch: false)
            case .ended(let refusal): return refusal
            case .signal(let signal):
                switch Status(signal) {
                case .match?: return nil
                case .refused(let refusal)?: return refusal
                case .progress(let event)?: progress(event)
                case nil: break
                }
            }
        }
        return .cancelledBySystem
    }

    /// The meaning of a reader's signal; nil when it does not concern a verification.
    private enum Status {
        case match
        case refused(DeviceRefusal)
        case progress(FingerProgress)

        init?(_ signal: BusSignal) {
            guard let word = signal.values.first?.text else { return nil }
            if signal.member == "VerifyFingerSelected" {
                self = .progress(.finger(word))
                return
            }
            guard signal.member == "VerifyStatus", signal.values.count == 2, let isDone = signal.values[1].bool else {
                return nil
            }
            switch (word, isDone) {
            case ("verify-match", true): self = .match
            case ("verify-no-match", _): self = .refused(.notRecognised)
            case ("verify-retry-scan", false): self = .progress(.scanAgain)
            case ("verify-swipe-too-short", false): self = .progress(.swipeTooShort)
            case ("verify-finger-not-centered", false): self = .progress(.notCentred)
            case ("verify-remove-and-retry", false): self = .progress(.liftAndScanAgain)
            // The reader was unplugged, overheated, or failed: `verify-disconnected`, `verify-unknown-error`.
            default: self = .refused(.readerFailed(afterMismatch: false))
            }
        }
    }
}
