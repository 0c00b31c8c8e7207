import ThumbturnRules

// The laws of system mode (C3, S-06).
extension Passage {
    func systemMode(_ law: Law) {
        let state = after.machine.state
        switch after.machine.mode {
        case .local: law("C3: a screen of system mode beside a PIN", !state.isOfSystemMode)
        case .system: law("C3, S-06: a PIN screen in system mode", !state.isOfLocalMode)
        }
        law(
            "S-06: system mode counts or dates something",
            before.machine.mode == .local || !unlock.contains(where: \.isDurable)
        )
        systemPrompts(law)
        systemEnds(law)
        guard before.machine.state == .closedUntilReopened, !isReopening else { return }
        let mayFollow: [UnlockMachine.State] = [
            .closedUntilReopened, .verifyingStrongFactor(.recovery, resuming: nil),
        ]
        law("S-06: opened again without being closed", mayFollow.contains(state))
    }

    /// A new process, or a vault that has its PIN again.
    private var isReopening: Bool { step == .processDied || step == .rebooted || step == .modeChanged }

    private func systemPrompts(_ law: Law) {
        let shown = unlock.count { $0 == .showSystemPrompt }
        guard case .systemRequest(let moment) = step else {
            law("C3: a system prompt nobody asked for", shown == 0)
            let wasUp = before.machine.state.promptedSlot == .system
            return law("C3: prompting without a request", wasUp || after.machine.state.promptedSlot != .system)
        }
        let isBlocked = moment == .storageUnreadable || moment == .resetPending
        let isReady = before.machine.state == .locked || before.machine.state.isUnlocked
        let isDue = before.machine.mode == .system && before.machine.policy.allowsSystemMode && isReady && !isBlocked
        law("S-06: one prompt for one request, whatever time and failures say", shown == (isDue ? 1 : 0))
        if before.machine.mode == .local {
            law("ERR-TT-113: asked in local mode", unlock == [.refuse(.systemModeOff)] && after.key == before.key)
        }
        if before.machine.state == .closedUntilReopened {
            law("S-06: a second prompt", unlock == [.refuse(.systemPromptEnded)])
        }
    }

    private func systemEnds(_ law: Law) {
        guard case .systemRefused(let refusal) = step, case .promptingSystem(let session) = before.machine.state else {
            return
        }
        let state = after.machine.state
        let records = unlock.tell(.systemFailure)
        law("S-06: a cancel is a failure", !records || !refusal.isCancel || refusal.countsAsFailure)
        law("C16: storage's fault is a failure", !records || refusal != .unavailable)
        if let session {
            law("S-06: a prompt's end takes a session along", state == .unlocked(session))
        } else {
            let isEnd = refusal.saysOwnerIsAbsent
            law("S-06: close and reopen", state == (isEnd ? .closedUntilReopened : .locked))
        }
        let code: ErrorCode =
            switch refusal.meaning {
            case .unavailable, .readerFailed: .storageUnavailable
            case .revoked, .absent, .damaged: .keyMissing
            case .notEnrolled, .hardwareMissing: .passcodeMissing
            case .proofNotAccepted: .proofNotAccepted
            case .cancelledByUser, .cancelledBySystem, .fallbackChosen, .notRecognised, .lockedOut, .weakerThanAsked,
                .wrongAuthorisation, .unclassified:
                .systemPromptEnded
            }
        law("S-06: the code", unlock.last == .refuse(code))
    }
}

extension UnlockMachine.State {
    fileprivate var isOfSystemMode: Bool {
        switch self {
        case .promptingSystem, .closedUntilReopened: true
        case .locked, .promptingBiometrics, .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor, .unlocked:
            false
        }
    }

    fileprivate var isOfLocalMode: Bool {
        switch self {
        case .promptingBiometrics, .biometricsFailed, .requiresStrongFactor: true
        case .verifyingStrongFactor(let slot, _): slot != .recovery
        case .locked, .promptingSystem, .closedUntilReopened, .unlocked: false
        }
    }
}

extension DeviceRefusal {
    /// Whether somebody was asked and the owner did not answer.
    fileprivate var saysOwnerIsAbsent: Bool {
        switch meaning {
        case .cancelledByUser, .fallbackChosen, .notRecognised, .lockedOut, .weakerThanAsked, .wrongAuthorisation,
            .unclassified:
            true
        case .cancelledBySystem, .notEnrolled, .hardwareMissing, .revoked, .absent, .damaged, .readerFailed,
            .unavailable, .proofNotAccepted:
            false
        }
    }
}
