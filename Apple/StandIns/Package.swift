// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Tests only, never shipped. The rooms are compiled unchanged from `House`, a link to the library's own sources, against
// modules that carry the names of Apple's frameworks and behave as the notes in each module say.

let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Where a room lies, below one of the doors.
func folder(of room: String) -> String {
    let house = "\(Context.packageDirectory)/House"
    let doors = (try? FileManager.default.contentsOfDirectory(atPath: house)) ?? []
    let door = doors.first { FileManager.default.fileExists(atPath: "\(house)/\($0)/\(room)") }
    return "House/\(door ?? "")/\(room)"
}

func room(_ name: String, _ dependencies: [Target.Dependency], settings: [SwiftSetting] = strict) -> Target {
    let path = folder(of: name)
    let manifest = "PrivacyInfo.xcprivacy"  // for Apple's store
    let isThere = FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(path)/\(manifest)")
    return .target(
        name: name,
        dependencies: dependencies,
        path: path,
        exclude: isThere ? [manifest] : [],
        swiftSettings: settings
    )
}

/// What every room that keeps something at rest stands on.
let storageRooms: [Target.Dependency] = [
    "ThumbturnRules", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnFiles", "ThumbturnSQLite",
]

/// A room, or its tests, that is compiled as soon as it is there.
func ifThere(_ path: String, _ target: Target) -> [Target] {
    FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(path)") ? [target] : []
}

// `Darwin` itself must not exist here: the other rooms and the standard packages would take it for a Mac.
let withDarwin: [SwiftSetting] = strict + [.unsafeFlags(["-module-alias", "Darwin=DarwinStandIn"])]

let package = Package(
    name: "StandIns",
    targets: [
        .systemLibrary(name: "CArgon2", path: "House/System/CArgon2", pkgConfig: "libargon2"),
        .systemLibrary(name: "COpenSSL", path: "House/System/COpenSSL", pkgConfig: "libcrypto"),
        .systemLibrary(name: "CSodium", path: "House/System/CSodium", pkgConfig: "libsodium"),
        .systemLibrary(name: "CSQLite", path: "House/System/CSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CSystem", path: "House/System/CSystem"),

        .target(name: "StandIn", swiftSettings: strict),
        .target(name: "Security", dependencies: ["StandIn"], swiftSettings: strict),
        .target(name: "LocalAuthentication", dependencies: ["StandIn", "Security"], swiftSettings: strict),
        .target(
            name: "CryptoKit",
            dependencies: ["StandIn", "Security", "LocalAuthentication", "COpenSSL"],
            swiftSettings: strict
        ),
        .target(name: "UIKit", dependencies: ["StandIn"], swiftSettings: strict),
        .target(name: "AppKit", dependencies: ["StandIn", "Security"], swiftSettings: strict),
        .target(name: "Combine", swiftSettings: strict),
        .target(name: "ExpoModulesCore", dependencies: ["UIKit"], swiftSettings: strict),
        .target(name: "SwiftUI", dependencies: ["Combine", "UIKit"], swiftSettings: strict),
        .target(name: "DarwinStandIn", dependencies: ["StandIn"], swiftSettings: strict),

        room("ThumbturnRules", []),
        room("ThumbturnJSON", []),
        room("ThumbturnFiles", ["CSystem"]),
        room("ThumbturnCrypto", ["ThumbturnRules", "CArgon2", "COpenSSL", "CSodium"]),
        room("ThumbturnDevice", ["ThumbturnRules", "ThumbturnCrypto"]),
        room("ThumbturnSimulator", ["ThumbturnRules", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnFiles"]),
        room("ThumbturnSQLite", ["CSQLite", "ThumbturnFiles"]),
        room("ThumbturnAudit", ["ThumbturnRules", "ThumbturnCrypto", "ThumbturnJSON"]),
        room("ThumbturnBase", storageRooms),
        room("Thumbturn", storageRooms + ["ThumbturnAudit", "ThumbturnBase"]),
        room("ThumbturnContracts", ["Thumbturn", "ThumbturnRules", "ThumbturnCrypto", "ThumbturnDevice"]),
        room("ThumbturnCredentials", storageRooms + ["ThumbturnBase", "Combine"]),
        room(
            "ThumbturnAccount",
            [
                "ThumbturnRules", "ThumbturnCrypto", "ThumbturnJSON", "ThumbturnDevice", "ThumbturnAudit", "Thumbturn",
                "ThumbturnContracts",
            ]
        ),
        room(
            "ThumbturnTransport",
            ["ThumbturnAccount", "ThumbturnCrypto", "ThumbturnFiles", "ThumbturnRules", "Security"]
        ),
        .testTarget(
            name: "ThumbturnTransportTests",
            dependencies: [
                "ThumbturnTransport", "ThumbturnAccount", "ThumbturnCrypto", "ThumbturnRules", "ThumbturnTestKit",
                "Security",
            ],
            swiftSettings: strict
        ),
        room(
            "ThumbturnConsole",
            ["ThumbturnRules", "ThumbturnCrypto", "ThumbturnFiles", "ThumbturnJSON", "CSystem"]
        ),
        .target(
            name: "ThumbturnUI",
            dependencies: [
                "Thumbturn", "ThumbturnRules", "ThumbturnCrypto", "ThumbturnDevice", "Combine",
                "SwiftUI", "UIKit", "AppKit",
            ],
            path: "House/Screens/ThumbturnUI",
            resources: [.process("Resources")],
            swiftSettings: strict
        ),
        room(
            "ThumbturnAccountUI",
            [
                "Thumbturn", "ThumbturnAccount", "ThumbturnJSON", "ThumbturnRules", "ThumbturnScreenJSON",
                "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnUI", "SwiftUI", "Combine",
            ]
        ),
        room(
            "ThumbturnAccountPreviews",
            ["ThumbturnAccount", "ThumbturnAccountUI", "ThumbturnPreviews", "ThumbturnRules", "Combine", "SwiftUI"]
        ),
        room("ThumbturnScreenJSON", ["ThumbturnJSON", "ThumbturnRules"]),
        room(
            "ThumbturnHost",
            [
                "Thumbturn", "ThumbturnCredentials", "ThumbturnRules", "ThumbturnCrypto", "ThumbturnDevice",
                "ThumbturnJSON",
                "ThumbturnScreenJSON", "ThumbturnUI",
            ]
        ),
        room(
            "ThumbturnPreviews",
            [
                "Thumbturn", "ThumbturnRules", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnSimulator",
                "ThumbturnUI",
                "Combine", "SwiftUI",
            ]
        ),
        room(
            "ThumbturnTestKit",
            [
                "Thumbturn", "ThumbturnAudit", "ThumbturnBase", "ThumbturnConsole", "ThumbturnContracts",
                "ThumbturnCredentials", "ThumbturnDevice", "ThumbturnCrypto", "ThumbturnJSON", "ThumbturnRules",
                "ThumbturnSimulator", "ThumbturnSQLite", "CSQLite",
            ]
        ),

        // The example app, but for the file that starts it; its core alone is also built by the library's own package.
        .target(
            name: "WalletApp",
            // The check of imports looks for no module, so that it reads the simulator's import too.
            dependencies: ["Thumbturn", "ThumbturnApple", "ThumbturnSimulator", "ThumbturnUI", "Combine", "SwiftUI"],
            path: "Examples",
            exclude: [
                "WalletApp/WalletApp.xcodeproj", "WalletApp/WalletAppTests", "WalletApp/WalletApp/WalletApp.swift",
                "WalletApp/WalletApp/Info.plist", "WalletApp/WalletApp/WalletApp.entitlements",
            ],
            sources: ["OneSource", "WalletApp/WalletApp"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "WalletAppTests",
            dependencies: [
                "WalletApp", "Thumbturn", "ThumbturnSimulator", "ThumbturnTestKit", "ThumbturnUI", "StandIn", "Combine",
                "SwiftUI",
            ],
            swiftSettings: strict
        ),

        // The module of React Native, which its own package manager compiles in an app.
        .target(
            name: "ThumbturnReactNative",
            dependencies: [
                "ExpoModulesCore", "ThumbturnApple", "ThumbturnCrypto", "ThumbturnHost", "ThumbturnUI", "UIKit",
            ],
            path: "ReactNative",
            exclude: ["ThumbturnReactNative.podspec"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThumbturnReactNativeTests",
            dependencies: [
                "ThumbturnReactNative", "ExpoModulesCore", "ThumbturnApple", "Thumbturn", "ThumbturnCrypto",
                "ThumbturnDevice", "ThumbturnHost", "ThumbturnRules", "ThumbturnSimulator", "ThumbturnTestKit",
                "ThumbturnUI", "StandIn", "UIKit",
            ],
            swiftSettings: strict + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]
        ),

        .testTarget(
            name: "ThumbturnUIViewTests",
            dependencies: [
                "ThumbturnPreviews", "ThumbturnUI", "Thumbturn", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnRules",
                "ThumbturnSimulator", "ThumbturnTestKit", "Combine", "SwiftUI", "UIKit",
            ],
            // Of Apple's toolchain, Swift Testing has a part for each of its frameworks.
            swiftSettings: strict + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]
        ),
        .testTarget(
            name: "ThumbturnAccountUIViewTests",
            dependencies: [
                "ThumbturnAccountPreviews", "ThumbturnAccountUI", "ThumbturnAccount", "ThumbturnUI", "Thumbturn",
                "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnRules", "ThumbturnSimulator", "ThumbturnTestKit",
                "Combine", "SwiftUI",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "StandInTests",
            dependencies: ["StandIn", "Security", "LocalAuthentication", "CryptoKit", "UIKit", "DarwinStandIn"],
            swiftSettings: withDarwin
        ),
    ]
        + ifThere(
            "House/Devices/ThumbturnApple",
            room(
                "ThumbturnApple",
                [
                    "ThumbturnRules", "ThumbturnDevice", "ThumbturnCrypto",
                    "Security", "LocalAuthentication", "CryptoKit", "UIKit", "AppKit", "DarwinStandIn",
                ],
                settings: withDarwin
            )
        )
        + ifThere(
            "Tests/ThumbturnAppleTests",
            .testTarget(
                name: "ThumbturnAppleTests",
                dependencies: [
                    "ThumbturnApple", "Thumbturn", "ThumbturnDevice", "ThumbturnRules", "ThumbturnCrypto",
                    "ThumbturnSimulator", "ThumbturnTestKit", "StandIn", "Security", "LocalAuthentication", "CryptoKit",
                ],
                swiftSettings: strict
            )
        ),
    swiftLanguageModes: [.v6]
)
