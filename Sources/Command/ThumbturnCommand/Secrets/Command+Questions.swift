import Thumbturn
import ThumbturnConsole

extension Command {
    /// The lines it reads without a terminal, including optional ones.
    var questions: Questions {
        switch self {
        case .initialize, .disableSystemAuthentication, .register: Questions(.newPIN)
        case .listWallets(let source), .checkWallets(let source), .showWallet(_, let source),
            .exportWallet(_, _, let source, _), .exportWallets(_, let source, _):
            Questions(source.question)
        case .unlock(withRecoveryKey: false), .createWallet, .renameWallet, .backUp, .enableBiometrics,
            .disableBiometrics, .enableSystemAuthentication, .removeRecoveryKey, .setPolicy, .exportTrail:
            Questions(.pin)
        case .unlock(withRecoveryKey: true): Questions(.recoveryKey, .newPIN)
        case .restore(let path): Questions(.recoveryKey, .newPIN).leavingStandardInput(path == Command.pipe)
        case .verifyBackup(let path): Questions(.recoveryKey).leavingStandardInput(path == Command.pipe)
        case .acceptOlderCopy(withRecoveryKey: false): Questions(.pin, .olderCopy)
        case .acceptOlderCopy(withRecoveryKey: true): Questions(.recoveryKey, .newPIN, .olderCopy)
        case .reset: Questions(.reset)
        case .checkRecoveryKey: Questions(.pin, .recoveryKey)
        // The key to type back is not known before it is printed.
        case .createRecoveryKey, .rekey: Questions(.pin, then: .moreLines)
        case .importWallets: Questions(.pin, then: .moreLines).taking(standardInputAfter: 1)
        case .importWallet(_, _, from: .rest): Questions(.pin, then: .rest(.opaque)).taking(standardInputAfter: 1)
        case .importWallet(_, _, from: .file): Questions(.pin)
        // A mnemonic may span several lines.
        case .importWallet(_, .mnemonic, from: .line):
            Questions(.pin, then: .rest(.mnemonic)).taking(standardInputAfter: 1)
        case .importWallet(_, let kind, from: .line):
            Questions(.pin, .secret(of: kind)).taking(standardInputAfter: 1)
        case .deleteWallet: Questions(.pin, .walletName)
        case .changePIN, .changePassword: Questions(.pin, .newPIN)
        case .logIn, .devices, .moveAccount: Questions(.pin)
        case .closeAccount: Questions(.pin, .accountName)
        // Either the vault's PIN and the file's, or the file's and a new one.
        case .migrateLegacy: Questions(.formerPIN, .newPIN)
        case .setCredential(_, _, from: .rest): Questions(then: .rest(.credential)).taking(standardInputAfter: 0)
        case .setCredential(_, _, from: .file): Questions()
        case .setCredential(_, _, from: .line): Questions(.credential).taking(standardInputAfter: 0)
        case .migrateFromDevice, .leaveLegacy, .status, .showTrail, .pushTrail, .verifyTrail, .showPolicy,
            .recoveryStatus, .contact, .biometricsStatus,
            .getCredential, .listCredentials,
            .upgradeCredential,
            .downgradeCredential, .removeCredential, .doctor, .demo, .playground, .simulate, .completion, .man, .help,
            .version:
            Questions()
        }
    }
}

extension Questions {
    /// Returns the same questions, with `count` asked at the terminal if standard input carries what follows them.
    fileprivate func taking(standardInputAfter count: Int) -> Questions {
        var questions = self
        questions.askedFirst = count
        return questions
    }

    fileprivate func leavingStandardInput(_ leaves: Bool) -> Questions {
        var questions = self
        questions.leavesStandardInput = leaves
        return questions
    }
}
