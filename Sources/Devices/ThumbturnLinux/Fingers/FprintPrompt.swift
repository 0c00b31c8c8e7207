import Glibc
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The fingerprint readers of a Linux system, through fprintd.
///
/// The answer is the word of a service that the superuser runs: no key store is bound to the finger. Whoever controls that
/// service says who the owner is. There is no passcode, and no count of attempts but the vault's.
struct FprintPrompt: OwnerPrompt {
    private let bus: BusConnection
    let fprint: Fprint
    private let assurance: Assurance
    private let progress: @Sendable (FingerProgress) -> Void
    private let dismissal: @Sendable (PromptText) async -> PromptDismissal?
    private let limit: @Sendable () async -> Void
    let lastLook = LastLook()

    /// Takes the readers of a bus.
    ///
    /// - Parameters:
    ///   - assurance: of the items behind it.
    ///   - owner: the user who runs fprintd; 0 but in tests.
    ///   - progress: hears what the reader says while a prompt is up; called on any thread, in order.
    ///   - dismissal: shows the prompt's words for as long as its task is not cancelled, and returns what the user chose;
    ///     nil when there is nothing to choose. The prompt ends once it has returned.
    ///   - limit: returns when a prompt has been up too long. Some readers grow hot: libfprint turns them off for minutes
    ///     after three.
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

    /// Looks at the readers without claiming one, which would take it from the screen lock.
    ///
    /// A reader that another program has claimed without asking for a finger counts as free. A bus that does not answer in time
    /// is not asked again for a while.
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
            // While our own prompt is up, the reader is as good as ever.
            guard await !PromptGate.shared.isTaken, await fprint.isBusy(reader) else { return nil }
            return .temporarilyUnavailable
        } catch {
            if error == .noAnswer { lastLook.fallSilent() }
            lastLook.set = .failure(FprintMeaning(error).refusal)
            return FprintMeaning(error).reason
        }
    }

    /// Waits for a finger; one that is not recognised ends it.
    ///
    /// A second prompt waits for its turn. The end of the task frees the reader at once.
    ///
    /// - Throws: `.notRecognised`; `.cancelledBySystem` also after `limit`; `.cancelledByUser` and `.fallbackChosen` as
    ///   `dismissal` says; `.notEnrolled`, `.hardwareMissing`; `.readerFailed` when the reader is busy, broken, was pulled
    ///   out or may not be used now, or the service went away, is silent or gives an answer of no table. One mismatch ends a
    ///   prompt, so none has come before.
    func prompt(_ text: PromptText, acceptingPasscode: Bool) async throws(DeviceRefusal) {
        guard !text.reason.isEmpty else { throw .unclassified }
        try await PromptGate.shared.pass { () async throws(DeviceRefusal) in
            let refusal: DeviceRefusal?
            do throws(BusFailure) {
                refusal = try await verify(text)
            } catch {
                refusal = FprintMeaning(error).refusal
            }
            // A match that comes as late as this is no answer any more.
            if Task.isCancelled { throw .cancelledBySystem }
            if let refusal { throw refusal }
        }
    }

    /// Claims the reader, asks, and gives it back.
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
            // Without an answer it may have been granted.
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
            // What was said before the reader began is of another verification.
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
        // Else it could still be at the terminal when the app asks for the PIN there.
        await panel.value
        return refusal
    }

    /// Waits for the word that ends a prompt; the end of the task ends the words.
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

    /// What a signal of a reader means; nil when it says nothing of a verification.
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
            // The reader was pulled out, grew hot, or failed: `verify-disconnected`, `verify-unknown-error`.
            default: self = .refused(.readerFailed(afterMismatch: false))
            }
        }
    }
}
