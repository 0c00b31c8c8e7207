// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// On Apple's systems CryptoKit comes with the system and libsodium as swift-sodium's `Clibsodium` product. On Linux both
// come from Debian, so the manifest must not name a package that has to be fetched.
#if os(macOS)
let remotePackages: [Package.Dependency] = [
    // 0.10.0. It brings prebuilt libraries, whose checksums Scripts/pins.txt has; a tag could be moved to others.
    .package(url: "https://github.com/jedisct1/swift-sodium.git", revision: "e7e799cd1eaa4d0f6d3eab56832e7f4b377f4a4f")
]
let cryptoBackend: [Target.Dependency] = [.product(name: "Clibsodium", package: "swift-sodium")]
let randomSource = cryptoBackend
let isLinux = false
#else
let remotePackages: [Package.Dependency] = []
let cryptoBackend: [Target.Dependency] = ["CArgon2", "COpenSSL", "CSodium"]
let randomSource: [Target.Dependency] = ["CSodium"]
let isLinux = true
#endif
// What Apple's store reads of a room: Scripts/privacy.sh makes it.
let privacyManifest = "PrivacyInfo.xcprivacy"
let unread = isLinux ? [privacyManifest] : []
let privacy: [Resource] = isLinux ? [] : [.copy(privacyManifest)]
func onLinux(_ names: Target.Dependency...) -> [Target.Dependency] { isLinux ? names : [] }

/// What lies below one folder of Sources and of Tests.
func door(_ name: String, _ common: [Target] = [], onLinux: [Target] = [], onMac: [Target] = []) -> [Target] {
    let targets = common + (isLinux ? onLinux : onMac)
    for target in targets where target.path == nil {
        let isOfTests = target.isTest || programsOfTests.contains(target.name)
        target.path = (isOfTests ? "Tests/" : "Sources/") + name + "/" + target.name
    }
    return targets
}

// What tests start, or are made of.
let programsOfTests: Set = [
    "AccountChild", "Crash", "CrashChild", "CrashExplorer", "LedgerModel", "Model", "SRPChild", "SignerChild",
    "StoreChild", "UnlockModel",
]

let library = door(
    "Library",
    [
        .target(name: "ThumbturnRules", swiftSettings: strict),
        .testTarget(
            name: "ThumbturnRulesTests",
            dependencies: ["ThumbturnRules", "LedgerModel", "UnlockModel", "WriteStrings"],
            swiftSettings: strict
        ),
        .target(name: "ThumbturnJSON", swiftSettings: strict),
        .testTarget(
            name: "ThumbturnJSONTests",
            dependencies: ["ThumbturnJSON", "ThumbturnTestKit"],
            swiftSettings: strict
        ),
        .target(
            name: "ThumbturnFiles",
            dependencies: ["CSystem"],
            exclude: unread,
            resources: privacy,
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnFilesTests",
            dependencies: ["ThumbturnFiles", "ThumbturnTestKit"],
            swiftSettings: strict
        ),
        .target(name: "ThumbturnCrypto", dependencies: ["ThumbturnRules"] + cryptoBackend, swiftSettings: strict),
        .testTarget(
            name: "ThumbturnCryptoTests",
            dependencies: ["ThumbturnCrypto", "ThumbturnTestKit"] + onLinux("COpenSSL"),
            swiftSettings: strict
        ),
        .target(name: "ThumbturnSQLite", dependencies: ["CSQLite", "ThumbturnFiles"], swiftSettings: strict),
        .testTarget(
            name: "ThumbturnSQLiteTests",
            dependencies: ["ThumbturnSQLite", "ThumbturnFiles", "ThumbturnTestKit", "CSQLite"],
            swiftSettings: strict
        ),
        .target(name: "ThumbturnDevice", dependencies: ["ThumbturnRules", "ThumbturnCrypto"], swiftSettings: strict),
        .testTarget(
            name: "ThumbturnDeviceTests",
            dependencies: ["ThumbturnDevice", "ThumbturnSimulator", "ThumbturnTestKit"],
            swiftSettings: strict
        ),
        .target(
            name: "ThumbturnAudit",
            dependencies: ["ThumbturnRules", "ThumbturnCrypto", "ThumbturnJSON"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnAuditTests",
            dependencies: [
                "ThumbturnAudit", "ThumbturnRules", "ThumbturnCrypto", "ThumbturnJSON", "ThumbturnTestKit",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ThumbturnBase",
            dependencies: [
                "ThumbturnRules", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnFiles", "ThumbturnSQLite",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Thumbturn",
            dependencies: [
                "ThumbturnRules", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnFiles", "ThumbturnSQLite",
                "ThumbturnBase", "ThumbturnAudit",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnTests",
            dependencies: [
                "CrashExplorer", "Thumbturn", "ThumbturnAudit", "ThumbturnContracts", "ThumbturnBase",
                "ThumbturnSimulator", "ThumbturnTestKit",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ThumbturnContracts",
            dependencies: ["Thumbturn", "ThumbturnRules", "ThumbturnCrypto", "ThumbturnDevice"],
            swiftSettings: strict
        ),
        .target(
            name: "ThumbturnCredentials",
            dependencies: [
                "ThumbturnRules", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnFiles", "ThumbturnSQLite",
                "ThumbturnBase",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnCredentialsTests",
            dependencies: [
                "CrashExplorer", "ThumbturnCredentials", "Thumbturn", "ThumbturnSimulator", "ThumbturnSQLite",
                "ThumbturnTestKit",
            ],
            swiftSettings: strict
        ),
    ],
    onLinux: [
        .executableTarget(
            name: "SRPChild",
            dependencies: ["ThumbturnCrypto"],
            swiftSettings: strict
        )
    ]
)

let devices = door(
    "Devices",
    [
        .target(
            name: "ThumbturnSimulator",
            dependencies: ["ThumbturnRules", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnFiles"],
            exclude: unread,
            resources: privacy,
            swiftSettings: strict
        )
    ],
    onLinux: [
        .target(
            name: "ThumbturnLinux",
            dependencies: [
                "ThumbturnRules", "ThumbturnDevice", "ThumbturnCrypto", "ThumbturnFiles", "CSDBus", "CTSS2",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnLinuxTests",
            dependencies: [
                "ThumbturnLinux", "ThumbturnCommand", "Thumbturn", "ThumbturnConsole", "ThumbturnDevice",
                "ThumbturnCrypto",
                "ThumbturnRules", "ThumbturnSimulator", "ThumbturnTestKit", "CSDBus",
            ],
            swiftSettings: strict
        ),
    ],
    onMac: [
        .target(
            name: "ThumbturnApple",
            dependencies: ["ThumbturnRules", "ThumbturnDevice", "ThumbturnCrypto"],
            resources: privacy,
            swiftSettings: strict
        )
    ]
)

// Only Apple's tools compile a string catalogue; elsewhere there are no views to read it.
let screens = door(
    "Screens",
    [
        .target(
            name: "ThumbturnUI",
            dependencies: ["Thumbturn", "ThumbturnRules", "ThumbturnCrypto", "ThumbturnDevice"],
            exclude: isLinux ? ["Resources"] : [],
            resources: isLinux ? [] : [.process("Resources")],
            swiftSettings: strict
        ),
        .target(
            name: "ThumbturnAccountUI",
            dependencies: [
                "Thumbturn", "ThumbturnAccount", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnJSON",
                "ThumbturnRules", "ThumbturnScreenJSON", "ThumbturnUI",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ThumbturnScreenJSON",
            dependencies: ["ThumbturnJSON", "ThumbturnRules"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnScreenJSONTests",
            dependencies: ["ThumbturnScreenJSON", "ThumbturnJSON", "ThumbturnRules", "ThumbturnTestKit"],
            swiftSettings: strict
        ),
        .target(
            name: "ThumbturnHost",
            dependencies: [
                "Thumbturn", "ThumbturnCredentials", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnJSON",
                "ThumbturnRules", "ThumbturnScreenJSON", "ThumbturnUI",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnHostTests",
            dependencies: [
                "ThumbturnHost", "Thumbturn", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnJSON", "ThumbturnRules",
                "ThumbturnScreenJSON", "ThumbturnSimulator", "ThumbturnTestKit", "ThumbturnUI",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ThumbturnAccountPreviews",
            dependencies: ["ThumbturnAccount", "ThumbturnAccountUI", "ThumbturnPreviews", "ThumbturnRules"],
            swiftSettings: strict
        ),
        .target(
            name: "ThumbturnPreviews",
            dependencies: [
                "Thumbturn", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnRules", "ThumbturnSimulator",
                "ThumbturnUI",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnUITests",
            dependencies: [
                "ThumbturnPreviews", "ThumbturnUI", "WriteStrings", "Thumbturn", "ThumbturnCrypto", "ThumbturnDevice",
                "ThumbturnRules",
                "ThumbturnSimulator", "ThumbturnTestKit",
            ],
            swiftSettings: strict
        ),
    ],
    onLinux: [
        .target(
            name: "ThumbturnBridge",
            dependencies: [
                "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnFiles", "ThumbturnHost", "ThumbturnJSON",
                "ThumbturnRules", "CBridge",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnBridgeTests",
            dependencies: [
                "ThumbturnBridge", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnFiles", "ThumbturnHost",
                "ThumbturnJSON",
                "ThumbturnRules", "ThumbturnSimulator", "ThumbturnTestKit", "CBridge",
            ],
            swiftSettings: strict
        ),
    ]
)

let account = door(
    "Account",
    [
        .target(
            name: "ThumbturnAccount",
            dependencies: [
                "ThumbturnRules", "ThumbturnCrypto", "ThumbturnJSON", "ThumbturnDevice", "ThumbturnAudit",
                "Thumbturn", "ThumbturnContracts",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ThumbturnTransport",
            dependencies: ["ThumbturnAccount", "ThumbturnCrypto", "ThumbturnFiles", "ThumbturnRules"]
                + onLinux("CCurl"),
            swiftSettings: strict
        ),
    ],
    onLinux: [
        .testTarget(
            name: "ThumbturnTransportTests",
            dependencies: [
                "ThumbturnTransport", "ThumbturnAccount", "ThumbturnCrypto", "ThumbturnHTTP", "ThumbturnRules",
                "ThumbturnTestKit", "CTLS",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "AccountChild",
            dependencies: [
                "Thumbturn", "ThumbturnAccount", "ThumbturnCrypto", "ThumbturnSimulator", "ThumbturnTestKit",
                "ThumbturnTransport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnAccountTests",
            dependencies: [
                "AccountChild", "Thumbturn", "ThumbturnAccount", "ThumbturnCommand", "ThumbturnConsole",
                "ThumbturnDaemon",
                "ThumbturnAudit", "ThumbturnDevice", "ThumbturnService", "ThumbturnCrypto", "ThumbturnHTTP",
                "ThumbturnJSON",
                "ThumbturnRules", "ThumbturnSQLite", "ThumbturnSimulator", "ThumbturnTestKit", "ThumbturnTransport",
                "ThumbturnAccountUI", "ThumbturnScreenJSON", "ThumbturnUI",
            ],
            swiftSettings: strict
        ),
    ]
)

// The service, which is built on Linux alone.
let service = door(
    "Service",
    onLinux: [
        .target(
            name: "ThumbturnHTTP",
            dependencies: ["ThumbturnFiles", "ThumbturnJSON", "CTLS"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnHTTPTests",
            dependencies: ["ThumbturnHTTP", "ThumbturnFiles", "ThumbturnJSON", "ThumbturnTestKit", "CTLS"],
            swiftSettings: strict
        ),
        .target(
            name: "ThumbturnService",
            dependencies: [
                "ThumbturnRules", "ThumbturnCrypto", "ThumbturnAudit", "ThumbturnFiles", "ThumbturnHTTP",
                "ThumbturnJSON",
                "ThumbturnSQLite",
                "CPKCS11", "CPostgres",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "StoreChild",
            dependencies: ["ThumbturnService", "ThumbturnCrypto"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "SignerChild",
            dependencies: ["ThumbturnService", "ThumbturnCrypto"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnServiceTests",
            dependencies: [
                "ThumbturnService", "ThumbturnAudit", "ThumbturnCrypto", "ThumbturnFiles", "ThumbturnHTTP",
                "ThumbturnJSON", "ThumbturnRules",
                "ThumbturnSQLite", "ThumbturnTestKit", "COpenSSL", "CPKCS11", "CPostgres", "SignerChild",
                "StoreChild",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ThumbturnDaemon",
            dependencies: [
                "ThumbturnAudit", "ThumbturnConsole", "ThumbturnCrypto", "ThumbturnFiles", "ThumbturnHTTP",
                "ThumbturnJSON",
                "ThumbturnRules",
                "ThumbturnService", "ThumbturnSQLite", "CVersion",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnDaemonTests",
            dependencies: [
                "ThumbturnDaemon", "ThumbturnConsole", "ThumbturnCrypto", "ThumbturnRules", "ThumbturnTestKit",
            ],
            swiftSettings: strict
        ),
    ]
)

let command = door(
    "Command",
    [
        .target(
            name: "ThumbturnConsole",
            dependencies: ["ThumbturnRules", "ThumbturnCrypto", "ThumbturnFiles", "ThumbturnJSON", "CSystem"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnConsoleTests",
            dependencies: ["ThumbturnConsole", "ThumbturnCrypto", "ThumbturnRules"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ThumbturnCommand",
            dependencies: [
                "Thumbturn", "ThumbturnAccount", "ThumbturnAudit", "ThumbturnTransport", "ThumbturnConsole",
                "ThumbturnCredentials", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnFiles", "ThumbturnJSON",
                "ThumbturnRules", "ThumbturnSimulator", "CVersion",
            ] + onLinux("ThumbturnLinux", "CHugePages"),
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnCommandTests",
            dependencies: [
                "ThumbturnCommand", "Thumbturn", "ThumbturnConsole", "ThumbturnCrypto", "ThumbturnDevice",
                "ThumbturnAudit", "ThumbturnFiles", "ThumbturnRules", "ThumbturnSimulator", "ThumbturnSQLite",
                "ThumbturnTestKit", "CSystem",
            ] + onLinux("ThumbturnLinux", "ThumbturnDaemon"),
            swiftSettings: strict
        ),
    ],
    onLinux: [
        .executableTarget(
            name: "ThumbturnPlayground",
            dependencies: [
                "Thumbturn", "ThumbturnAccount", "ThumbturnAccountUI", "ThumbturnAudit", "ThumbturnConsole",
                "ThumbturnCredentials", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnFiles", "ThumbturnHTTP",
                "ThumbturnHost", "ThumbturnJSON", "ThumbturnRules", "ThumbturnScreenJSON", "ThumbturnSimulator",
                "ThumbturnTransport", "ThumbturnUI", "CPage",
            ],
            exclude: ["Page"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnPlaygroundTests",
            dependencies: [
                "ThumbturnPlayground", "ThumbturnAccountUI", "ThumbturnCommand", "ThumbturnConsole", "ThumbturnCrypto",
                "ThumbturnDaemon", "ThumbturnHTTP", "ThumbturnJSON", "ThumbturnRules", "ThumbturnScreenJSON",
                "ThumbturnSimulator", "ThumbturnTestKit",
            ],
            swiftSettings: strict
        ),
    ]
)

// The bench ships in neither program, and starts both. On a Mac the example is built into an app that is signed:
// Examples/WalletApp.
let workshop = door(
    "Workshop",
    [
        .target(
            name: "ThumbturnTestKit",
            dependencies: [
                "Thumbturn", "ThumbturnAudit", "ThumbturnBase", "ThumbturnConsole", "ThumbturnContracts",
                "ThumbturnCredentials", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnJSON", "ThumbturnRules",
                "ThumbturnSimulator", "ThumbturnSQLite", "CSQLite",
            ],
            swiftSettings: strict
        ),
        .executableTarget(name: "WriteStrings", dependencies: ["ThumbturnRules"], swiftSettings: strict),
        .target(
            name: "CrashExplorer",
            dependencies: [
                "Thumbturn", "ThumbturnAccount", "ThumbturnAudit", "ThumbturnCredentials", "ThumbturnDevice",
                "ThumbturnCrypto", "ThumbturnRules", "ThumbturnSimulator", "ThumbturnTestKit", "CSQLite",
            ] + randomSource,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "CrashChild",
            dependencies: [
                "CrashExplorer", "ThumbturnTestKit", "ThumbturnCredentials", "ThumbturnSimulator", "ThumbturnUI",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Crash",
            dependencies: ["CrashExplorer", "ThumbturnTestKit"],
            swiftSettings: strict
        ),
        .target(
            name: "LedgerModel",
            dependencies: ["ThumbturnRules"],
            swiftSettings: strict
        ),
        .target(
            name: "UnlockModel",
            dependencies: ["ThumbturnRules"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Model",
            dependencies: ["LedgerModel", "UnlockModel"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Thumbturn", "ThumbturnAudit", "ThumbturnConsole", "ThumbturnCrypto", "ThumbturnDevice",
                "ThumbturnHTTP", "ThumbturnJSON", "ThumbturnRules", "ThumbturnSimulator",
            ] + onLinux("ThumbturnBridge", "CBridge"),
            path: "Fuzz",
            swiftSettings: strict
        ),
    ],
    onLinux: [
        .executableTarget(
            name: "ThumbturnBench",
            dependencies: [
                "Thumbturn", "ThumbturnAccount", "ThumbturnAudit", "ThumbturnConsole", "ThumbturnCrypto",
                "ThumbturnDevice", "ThumbturnFiles", "ThumbturnHTTP",
                "ThumbturnJSON", "ThumbturnLinux", "ThumbturnRules", "ThumbturnService", "ThumbturnSimulator",
                "ThumbturnTransport", "CArgon2", "COpenSSL", "CSDBus", "CSodium", "CSQLite", "CTLS", "CTSS2",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "OneSource",
            dependencies: ["Thumbturn", "ThumbturnSimulator"],
            path: "Examples/OneSource",
            swiftSettings: strict
        ),
        .testTarget(
            name: "OneSourceTests",
            dependencies: ["OneSource", "Thumbturn", "ThumbturnSimulator", "ThumbturnTestKit"],
            swiftSettings: strict
        ),
    ]
)

// `CLazy` loads a library when it is first used.
let system = door(
    "System",
    [
        .systemLibrary(name: "CSystem"),
        .target(name: "CVersion"),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: isLinux ? "sqlite3" : nil,
            providers: isLinux ? [.apt(["libsqlite3-dev"])] : nil
        ),
    ],
    onLinux: [
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CPKCS11", providers: [.apt(["libp11-kit-dev"])]),
        .target(name: "CBridge"),
        .target(name: "CLazy"),
        .target(name: "CPage"),
        .target(name: "CHugePages"),
        .target(name: "CCurl", dependencies: ["CLazy"]),
        .target(name: "CSDBus", dependencies: ["CLazy"]),
        .target(name: "CTSS2", dependencies: ["CLazy"]),
    ]
)

let systemProducts: [Product] =
    isLinux
    ? [
        .library(name: "ThumbturnBridge", type: .dynamic, targets: ["ThumbturnBridge"]),
        .library(name: "ThumbturnLinux", targets: ["ThumbturnLinux"]),
        .executable(name: "thumbturnd", targets: ["ThumbturnDaemon"]),
        .executable(name: "thumbturn-playground", targets: ["ThumbturnPlayground"]),
        .executable(name: "thumbturn-bench", targets: ["ThumbturnBench"]),
    ] : [.library(name: "ThumbturnApple", targets: ["ThumbturnApple"])]

let package = Package(
    name: "Thumbturn",
    defaultLocalization: "en",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .library(name: "Thumbturn", targets: ["Thumbturn"]),
        .library(name: "ThumbturnAccount", targets: ["ThumbturnAccount", "ThumbturnTransport"]),
        .library(name: "ThumbturnContracts", targets: ["ThumbturnContracts"]),
        .library(name: "ThumbturnCredentials", targets: ["ThumbturnCredentials"]),
        .library(name: "ThumbturnRules", targets: ["ThumbturnRules"]),
        .library(name: "ThumbturnUI", targets: ["ThumbturnUI"]),
        .library(name: "ThumbturnHost", targets: ["ThumbturnHost"]),
        .library(name: "ThumbturnAccountUI", targets: ["ThumbturnAccountUI"]),
        .library(name: "ThumbturnAccountPreviews", targets: ["ThumbturnAccountPreviews"]),
        .library(name: "ThumbturnPreviews", targets: ["ThumbturnPreviews"]),
        .library(name: "ThumbturnSimulator", targets: ["ThumbturnSimulator"]),
        .executable(name: "thumbturn", targets: ["ThumbturnCommand"]),
    ]
        + systemProducts,
    dependencies: remotePackages,
    targets: library + devices + screens + account + service + command + workshop + system,
    swiftLanguageModes: [.v6]
)

// Android's adapter runs in a Java machine, on stand-ins of the framework: Android/test.sh names the machine's folder.
if let java = Context.environment["THUMBTURN_JAVA"], isLinux {
    let headers = [CSetting.unsafeFlags(["-I\(java)/include", "-I\(java)/include/linux"])]
    package.targets += [
        .target(
            name: "AndroidMachine",
            path: "Tests/Devices/AndroidMachine",
            cSettings: headers
        ),
        .testTarget(
            name: "ThumbturnAndroidTests",
            dependencies: [
                "AndroidMachine", "Thumbturn", "ThumbturnBridge", "ThumbturnCrypto", "ThumbturnDevice",
                "ThumbturnJSON", "ThumbturnRules", "ThumbturnSimulator", "ThumbturnTestKit",
            ],
            path: "Tests/Devices/ThumbturnAndroidTests",
            swiftSettings: strict,
            // The glue, which Java loads, looks for the bridge's functions here.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]
        ),
    ]
}

#if os(macOS)
// The products run on macOS 12. Tests, and what only they use, call what came with macOS 15: they are in the package where
// THUMBTURN_TESTS=1 is set, which raises the floor of all of it. `Fuzz` stands on Glibc.
let isTested = Context.environment["THUMBTURN_TESTS"] == "1"
if isTested { package.platforms = [.iOS(.v15), .macOS(.v15)] }
package.targets.removeAll { target in
    let isOfTests = target.isTest || target.name == "ThumbturnTestKit" || target.path?.hasPrefix("Tests/") == true
    return target.name == "Fuzz" || (isOfTests && !isTested)
}
#endif

// `make quick` builds the tests that it runs, and no others; THUMBTURN_QUICK may name others, with commas between.
if let quick = Context.environment["THUMBTURN_QUICK"] {
    let named = quick == "1" ? "ThumbturnRulesTests,ThumbturnCryptoTests,ThumbturnTests" : quick
    let kept = named.split(separator: ",").map(String.init)
    package.targets.removeAll { $0.type == .test && !kept.contains($0.name) }
}

// A build of named programs has their targets, and what those stand on: SwiftPM builds one product at a time, or all there are.
if let programs = Context.environment["THUMBTURN_PROGRAMS"] {
    let named = programs.split(separator: ",").map(String.init)
    package.products.removeAll { !named.contains($0.name) }
    // A program for tests alone is called as its target.
    var kept = Set(package.products.flatMap { ($0 as? Product.Executable)?.targets ?? [] } + named)
    var found = kept
    while !found.isEmpty {
        let needed = package.targets.filter { found.contains($0.name) }.flatMap(\.dependencies).compactMap {
            dependency in
            if case .byNameItem(let name, _) = dependency { name } else { nil }
        }
        found = Set(needed).subtracting(kept)
        kept.formUnion(found)
    }
    package.targets.removeAll { !kept.contains($0.name) }
}

// How much of the bridge the tests see: Android/coverage.sh.
if Context.environment["THUMBTURN_COVERAGE"] != nil {
    for target in package.targets where target.name == "ThumbturnBridge" {
        target.swiftSettings = strict + [.unsafeFlags(["-profile-generate", "-profile-coverage-mapping"])]
        target.linkerSettings = [.unsafeFlags(["-profile-generate"])]
    }
}

// A sanitizer watches what we ship, and what tests are made with. The tests themselves are compiled without, which is half of a
// build: where they have been compiled before, they are not again.
if let sanitizer = Context.environment["THUMBTURN_SANITIZER"] {
    for target in package.targets where target.type == .regular || target.type == .executable {
        target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-fsanitize=\(sanitizer)"])]
        target.swiftSettings =
            (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=\(sanitizer)", "-gline-tables-only"])]
        // The default linker warns of every symbol that a sanitizer keeps to itself, lld does not.
        target.linkerSettings =
            (target.linkerSettings ?? []) + [
                .unsafeFlags(["-sanitize=\(sanitizer)"]), .unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux])),
            ]
    }
}
