import CrashExplorer
import Thumbturn
import ThumbturnCredentials
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A process of its own that does one thing to a vault, and may be killed on the way.
///
/// `CrashChild COMMAND FOLDER DEVICE …`: the folder of a `CrashScene`, and that of a simulated device.
@main struct CrashChild {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 3 else { exit(2) }
        do {
            let device = try SimulatedDevice(folder: words[2])
            let scene = CrashScene(root: words[1], device: device)
            switch (words[0], words.dropFirst(3).first) {
            case ("transition", let name?): try await transition(name, stoppingAt: Int(words.last ?? ""), in: scene)
            case ("guess", let wall?): await guess(in: scene, at: Int64(wall) ?? 0, Int64(words.last ?? "") ?? 0)
            case ("add", let prefix?): try await add(prefix, count: Int(words.last ?? "") ?? 0, in: scene)
            case ("credentials", let prefix?): try await store(prefix, count: Int(words.last ?? "") ?? 0, in: scene)
            case ("memory", nil): try await Memory(scene).tour()
            case ("abort", nil): try await abortUnlocked(in: scene)
            case ("live", nil): try await live(in: scene)
            #if os(Linux)
            case ("fork", nil): try forkAndSeal()
            case ("connect", nil): _ = socket(AF_INET, 1, 0)
            #endif
            default: exit(2)
            }
        } catch {
            say("error \(error)")
            exit(1)
        }
    }

    /// Does one transition, and kills itself at the given operation of disk and device; else says how many there were.
    private static func transition(_ name: String, stoppingAt stop: Int?, in scene: CrashScene) async throws {
        guard let transition = CrashTransition.all.first(where: { $0.name == name }), let stop else { exit(2) }
        let disk = FaultyDisk()
        var count = -1
        disk.onOperation = { _ in
            guard count >= 0 else { return }
            count += 1
            if count == stop { kill(getpid(), SIGKILL) }
        }
        var scene = scene
        scene.vfs = disk.vfsName
        scene.device.interceptor = { call in
            _ = disk.countForeignOperation("\(call)")
            return .proceed
        }
        try await transition.run(transition.party(in: scene)) { count = 0 }
        say("\(count)")
        // What is closed in an orderly way is no crash any more.
        _exit(0)
    }

    /// Waits for a sign on standard input, then tries a wrong PIN, and says what came of it.
    ///
    /// Its clocks stand still, so that no delay ends because a machine is slow.
    private static func guess(in scene: CrashScene, at wall: Int64, _ boottime: Int64) async {
        let real = scene.device.device
        let boot = real.clock().bootID
        let device = Device(
            kind: real.kind,
            store: real.store,
            prompt: real.prompt,
            anchor: real.anchor,
            clock: { ClockReading(wall: Milliseconds(wall), boottime: Milliseconds(boottime), bootID: boot) },
            installation: real.installation
        )
        _ = readLine()
        do {
            let vault = try await Vault.open(
                in: scene.vaultFolder,
                device: device,
                configuration: scene.configuration
            )
            try await vault.unlock(with: SecretBytes(text: CrashScene.wrongPIN))
            say("opened")
        } catch {
            say("\(error.code.text) \(error.retryAfter?.count ?? 0)")
        }
    }

    /// Adds wallets one by one, and says each once it is committed.
    private static func add(_ prefix: String, count: Int, in scene: CrashScene) async throws {
        let vault = try await scene.open()
        try await vault.unlock(with: SecretBytes(text: CrashScene.firstPIN))
        _ = readLine()
        for number in 0..<count {
            let name = "\(prefix) \(number)"
            try await vault.addWallet(named: WalletName(name), .opaque(SecretBytes(text: "secret of \(name)")))
            say(name)
        }
    }

    /// Stores credentials again and again, each in the place of whatever is there, and says each that is stored.
    private static func store(_ prefix: String, count: Int, in scene: CrashScene) async throws {
        let vault = try await scene.openCredentials()
        _ = readLine()
        for number in 0..<count {
            let text = "\(prefix) \(number)"
            while try await !replace(vault, by: text) {}
            say(text)
        }
    }

    /// Stores credentials in the place of whatever is there; false when somebody else was faster.
    private static func replace(_ vault: CredentialVault<String>, by text: String) async throws(VaultError) -> Bool {
        try await vault.reset()
        do throws(VaultError) {
            try await vault.enableKeychainVault(saving: text)
            return true
        } catch {
            guard error.code == .credentialsAlreadyPlain else { throw error }
            return false
        }
    }

    /// Aborts in the middle of a session, with leave to dump its memory into the scene's folder.
    private static func abortUnlocked(in scene: CrashScene) async throws {
        let vault = try await scene.open()
        try await vault.unlock(with: SecretBytes(text: CrashScene.firstPIN))
        #if canImport(Glibc)
        let coreFiles = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        #else
        let coreFiles = RLIMIT_CORE
        #endif
        var limit = rlimit()
        unsafe getrlimit(coreFiles, &limit)
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(coreFiles, &limit)
        say("unlocked")
        _ = readLine()
        _ = unsafe chdir(scene.root)
        abort()
    }

    #if os(Linux)
    /// Seals, forks, and seals in both processes; says each salt and each nonce.
    ///
    /// Elsewhere Swift has no `fork`.
    private static func forkAndSeal() throws {
        let key = MasterKey.make()
        let (wallet, vault) = (Identifier(high: 0, low: 1), Identifier(high: 0, low: 2))
        func seal() throws {
            for _ in 0..<5 {
                let secret = SecretBytes(text: "a secret of many words")
                let sealed = try secret.withBytes { try key.seal($0, kind: .opaque, wallet: wallet, vault: vault) }
                for drawn in [sealed[34..<66], sealed[66..<78]] { say("\(Array(drawn))") }
            }
        }
        try seal()
        let child = fork()
        guard child >= 0 else { exit(2) }
        try seal()
        if child == 0 { _exit(0) }
        waitpid(child, nil, 0)
    }
    #endif

    /// Makes a vault with all that a vault can have, and opens it in every way.
    private static func live(in scene: CrashScene) async throws {
        try await scene.furnish()
        for way in WayIn.allCases {
            let vault = try await scene.open()
            let authorization = try await way.enter(vault, in: scene)
            let wallets = try await vault.wallets()
            guard let wallet = wallets.first, wallets.count == CrashScene.wallets.count else { exit(2) }
            if let authorization { try await vault.exportWallet(wallet.id, authorization) { _, _ in } }
            await vault.close()
            say("opened by \(way.rawValue)")
        }
    }

    /// Writes a line at once.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe write(1, bytes, bytes.count)
    }
}
