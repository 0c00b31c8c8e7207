import Foundation

extension Phone {
    /// Asks who is there and keeps the proof in `context`.
    ///
    /// It blocks as long as the prompt is up.
    func authenticate(
        _ means: Means,
        context: PhoneContext,
        origin: Prompt.Origin,
        reason: String? = nil
    ) throws(Refusal) -> Proof {
        condition.lock()
        defer { condition.unlock() }
        let enrolment = try begin(means, context: context, origin: origin)
        let proof: Proof
        if let enrolment {
            proof = Proof(enrolment: enrolment)
        } else {
            proof = try ask(means, context: context, origin: origin, reason: reason)
        }
        return context.keep(proof, in: heldState)
    }

    /// What stands in the way of a prompt; nil when it can be shown.
    ///
    /// The order tells a denied permission from nobody enrolled, and a lockout from both (4.3).
    func obstacle(to means: Means, in state: PhoneState) -> Refusal? {
        switch means {
        case .passcode, .biometryOrPasscode: state.setup.passcodeSet ? nil : .passcodeNotSet
        case .biometry, .biometryAndPasscode:
            if state.setup.sensor == .none {
                .biometryNotAvailable
            } else if !state.setup.passcodeSet {
                .passcodeNotSet
            } else if state.permission == .denied, state.setup.sensor != .touchID {
                .biometryNotAvailable
            } else if state.enrolment == nil {
                .biometryNotEnrolled
            } else if state.lockedOut {
                .biometryLockout
            } else {
                nil
            }
        }
    }

    private func usesSensor(_ means: Means, _ state: PhoneState) -> Bool {
        means != .passcode && obstacle(to: .biometry, in: state) == nil
    }

    /// Checks what comes before the prompt; returns the enrolled set when a fresh unlock by finger still counts.
    private func begin(_ means: Means, context: PhoneContext, origin: Prompt.Origin) throws(Refusal) -> Int? {
        if context.heldFacts.invalidated { throw .invalidContext }
        if let obstacle = obstacle(to: means, in: heldState) { throw obstacle }
        if context.heldFacts.interactionNotAllowed { throw .notInteractive }
        if heldState.app == .background || heldState.screenLocked { throw .notInteractive }
        guard usesSensor(means, heldState) else { return nil }
        if heldState.setup.sensor == .faceID, heldState.setup.faceIDUsage == nil {
            // iOS ends the process; a test finds it in `kills` [doc].
            heldState.kills.append("NSFaceIDUsageDescription is missing")
            throw .biometryNotAvailable
        }
        if heldState.permission == .notAsked, heldState.setup.sensor != .touchID {
            try askPermission(context)
        }
        if heldState.setup.sensor == .touchID, let unlocked = heldState.lastTouchUnlock,
            means != .biometryAndPasscode, context.heldFacts.reuseDuration > 0,
            Double(heldState.clock.continuous - unlocked) <= min(context.heldFacts.reuseDuration, 300) * 1e9
        {
            return heldState.enrolment
        }
        return nil
    }

    /// The alert of the first use; the script's next answer decides, and agreeing is the habit.
    private func askPermission(_ context: PhoneContext) throws(Refusal) {
        heldState.prompts.append(Prompt(origin: .permission, reason: heldState.setup.faceIDUsage ?? ""))
        let number = show(for: context)
        defer { if heldState.showing?.number == number { heldState.showing = nil } }
        switch try nextAnswer(for: number) {
        case .cancel, .fallback, .mismatch, .wrongPasscode:
            heldState.permission = .denied
            throw .biometryNotAvailable
        case .agrees, .passcode, .watch, .hesitates, .meanwhile:
            heldState.permission = .allowed
        }
    }

    private func show(for context: PhoneContext) -> Int {
        // Another prompt that was up is taken away [field].
        heldState.endPrompt(.systemCancel)
        if let ended = heldState.showing { heldState.endedPrompts[ended.number] = ended.end }
        heldState.promptCount += 1
        heldState.showing = ShownPrompt(number: heldState.promptCount, context: ObjectIdentifier(context))
        condition.broadcast()
        return heldState.promptCount
    }

    private func ask(
        _ means: Means,
        context: PhoneContext,
        origin: Prompt.Origin,
        reason: String?
    ) throws(Refusal) -> Proof {
        let facts = context.heldFacts
        heldState.prompts.append(
            Prompt(
                origin: origin,
                reason: reason ?? facts.reason,
                cancelTitle: facts.cancelTitle,
                fallbackTitle: facts.fallbackTitle
            )
        )
        let number = show(for: context)
        defer { if heldState.showing?.number == number { heldState.showing = nil } }

        // Touch ID gives up after three tries, Face ID after two [doc].
        var tries = heldState.setup.sensor == .touchID ? 3 : 2
        var bySensor = usesSensor(means, heldState)
        var proof = Proof()
        while true {
            switch try nextAnswer(for: number) {
            case .agrees where bySensor:
                proof.enrolment = heldState.enrolment
                heldState.mismatches = 0
                guard means == .biometryAndPasscode else { return proof }
                bySensor = false
            case .agrees, .passcode:
                guard means != .biometry, !(bySensor && means == .biometryAndPasscode) else {
                    // There is no field for a passcode on this prompt.
                    throw .authenticationFailed
                }
                proof.passcode = true
                heldState.mismatches = 0
                return proof
            case .watch:
                guard means == .biometryOrPasscode, origin == .policy else { continue }
                return proof
            case .mismatch:
                guard bySensor else { continue }
                heldState.mismatches += 1
                tries -= 1
                if heldState.lockedOut {
                    guard means == .biometryOrPasscode else { throw .biometryLockout }
                    bySensor = false
                } else if tries == 0 {
                    guard means == .biometryOrPasscode else { throw .authenticationFailed }
                    bySensor = false
                }
            case .wrongPasscode:
                continue
            case .cancel:
                throw .userCancel
            case .fallback:
                guard means == .biometryOrPasscode else { throw .userFallback }
                bySensor = false
            case .hesitates, .meanwhile:
                continue
            }
        }
    }

    /// Waits for what the owner does next, and carries out what happens meanwhile.
    private func nextAnswer(for number: Int) throws(Refusal) -> Answer {
        while true {
            if let end = heldState.endedPrompts.removeValue(forKey: number) { throw end }
            if heldState.showing?.number == number, let end = heldState.showing?.end { throw end }
            let answer = heldState.answers.isEmpty ? heldState.habit : heldState.answers.removeFirst()
            switch answer {
            case .hesitates:
                heldState.hesitating += 1
                condition.broadcast()
                while heldState.answers.isEmpty, heldState.showing?.number == number, heldState.showing?.end == nil {
                    waitForChange()
                }
                heldState.hesitating -= 1
            case .meanwhile(let event):
                condition.unlock()
                event(self)
                condition.lock()
            case .agrees, .mismatch, .passcode, .wrongPasscode, .watch, .cancel, .fallback:
                return answer
            }
        }
    }
}

extension Phone {
    /// Tells whether the policy could be evaluated, without a prompt; `biometry` leaves the passcode out.
    public func canEvaluate(biometry: Bool, context: PhoneContext) -> Int? {
        withState { state in
            switch state.enter(.canEvaluate) {
            case .refuses(let code), .happensButReports(let code): return code
            case .claimsSuccess, .drops, nil: break
            }
            if context.heldFacts.invalidated { return Refusal.invalidContext.rawValue }
            // Known even while biometrics are denied or locked out [doc, field].
            context.heldFacts.knowsSensor = true
            let obstacle = obstacle(to: biometry ? .biometry : .biometryOrPasscode, in: state)
            if self.obstacle(to: .biometry, in: state) == nil {
                context.heldFacts.domainState = state.domainState
            }
            return obstacle?.rawValue
        }
    }

    /// Evaluates a policy; nil on success, or the `LAError` code.
    ///
    /// It blocks as long as the prompt is up.
    public func evaluate(biometry: Bool, reason: String, context: PhoneContext) -> Int? {
        evaluating(context) { () throws(Refusal) in
            _ = try authenticate(
                biometry ? .biometry : .biometryOrPasscode,
                context: context,
                origin: .policy,
                reason: reason
            )
        }
    }

    /// Evaluates an access control; nil on success, or the `LAError` code.
    ///
    /// It blocks as long as the prompt is up.
    public func evaluate(_ control: Control, reason: String, context: PhoneContext) -> Int? {
        evaluating(context) { () throws(Refusal) in
            guard let means = control.means else { return }
            _ = try authenticate(means, context: context, origin: .accessControl, reason: reason)
        }
    }

    private func evaluating(_ context: PhoneContext, _ body: () throws(Refusal) -> Void) -> Int? {
        let effect = withState { $0.enter(.evaluate) }
        if case .refuses(let code) = effect { return code }
        if case .claimsSuccess = effect { return nil }
        do throws(Refusal) {
            try body()
        } catch {
            return error.rawValue
        }
        withState { state in
            context.heldFacts.knowsSensor = true
            if obstacle(to: .biometry, in: state) == nil { context.heldFacts.domainState = state.domainState }
        }
        if case .happensButReports(let code) = effect { return code }
        return nil
    }
}
