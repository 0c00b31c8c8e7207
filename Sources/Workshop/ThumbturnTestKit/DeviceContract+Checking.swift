import ThumbturnRules

extension DeviceContract {
    /// Checks one clause on a new device.
    ///
    /// - Throws: `Breach`, or the error of `make`.
    package func check(_ clause: Clause) async throws -> Verdict {
        let hands = ContractHands(clause: clause, subject: try await make(), patience: patience)
        do {
            try await run(clause, hands)
            return .kept
        } catch let missing as ContractHands.CannotSimulate {
            return .undecided(missing.event)
        } catch let refusal as DeviceRefusal {
            throw Breach(clause: clause, description: "\(clause.rawValue): refused with \(refusal)")
        }
    }

    private func run(_ clause: Clause, _ hands: ContractHands) async throws {
        switch clause {
        case .itemsReadBack: try await hands.itemsReadBack()
        case .othersAreRefused: try await hands.othersAreRefused()
        case .attributesReadBack: try await hands.attributesReadBack()
        case .onlyReadingPrompts: try await hands.onlyReadingPrompts()
        case .namesAreUsedOnce: try await hands.namesAreUsedOnce()
        case .absenceIsSaid: try await hands.absenceIsSaid()
        case .deletionIsRepeatable: try await hands.deletionIsRepeatable()
        case .lockedIsNotAbsent: try await hands.lockedIsNotAbsent()
        case .onePromptPerRead: try await hands.onePromptPerRead()
        case .promptsEndExactly: try await hands.promptsEndExactly()
        case .mismatchBeforeCancelShows: try await hands.mismatchBeforeCancelShows()
        case .cancellationEndsPrompt: try await hands.cancellationEndsPrompt()
        case .touchAnswersPrompt: try await hands.touchAnswersPrompt()
        case .changedSetRevokes: try await hands.changedSetRevokes()
        case .nobodyEnrolled: try await hands.nobodyEnrolled()
        case .lockoutRefuses: try await hands.lockoutRefuses()
        case .passcodeIsNoFinger: try await hands.passcodeIsNoFinger()
        case .passcodeBreaksLockout: try await hands.passcodeBreaksLockout()
        case .passcodeTakesItems: try await hands.passcodeTakesItems()
        case .evaluationIsKeyed: try await hands.evaluationIsKeyed()
        case .deviceSecretIsNotRead: try await hands.deviceSecretIsNotRead()
        case .deviceKeySigns: try await hands.deviceKeySigns()
        case .deviceKeyIsNotRead: try await hands.deviceKeyIsNotRead()
        case .deviceKeyEndsOnce: try await hands.deviceKeyEndsOnce()
        case .deviceKeyStaysHere: try await hands.deviceKeyStaysHere()
        case .anchorMovesFromWhereItStands: try await hands.anchorMovesFromWhereItStands()
        case .anchorMovesOnce: try await hands.anchorMovesOnce()
        case .reinstallKeepsItems: try await hands.reinstallKeepsItems()
        case .restoreLosesItems: try await hands.restoreLosesItems()
        case .changesAreTold: try await hands.changesAreTold()
        case .clocksMoveWhileRead: try await hands.clocksMoveWhileRead()
        case .clocksRun: try await hands.clocksRun()
        case .capabilityHasReasons: try await hands.capabilityHasReasons()
        case .promptProvesPresence: try await hands.promptProvesPresence()
        case .passcodeProvesOwner: try await hands.passcodeProvesOwner()
        case .assuranceIsOne: try await hands.assuranceIsOne()
        }
    }
}
