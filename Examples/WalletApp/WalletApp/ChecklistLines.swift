// Made by Scripts/checklist.sh from docs/device-checklist.md.
// swift-format-ignore-file

extension ChecklistLine {
    /// Every line of the page but those of Linux, as it is walked.
    static let all = [
        ChecklistLine(
            id: "H1",
            section: "The hour",
            before: "Before: a passcode, one face or finger, nothing else turned on. Choose a team in the project, run. Use a PIN that is not yours.",
            steps: [],
            todo: "First start: a PIN, biometrics, one wallet",
            expected: "event vaultCreated, event biometricEnabled; start, apple, boot …"
        ),
        ChecklistLine(
            id: "H2",
            section: "The hour",
            before: "",
            steps: ["D6"],
            todo: "Face ID: lock, unlock, refuse the permission; the PIN; allow it in Settings; unlock",
            expected: "sensor permissionDenied, then sensor ready without a new start; then event biometricSuccess"
        ),
        ChecklistLine(
            id: "H3",
            section: "The hour",
            before: "",
            steps: ["D4", "D5"],
            todo: "Lock and unlock by face or finger, ten times",
            expected: "event biometricSuccess … took N ms each; N includes the prompt, from promptingBiometrics to unlocked"
        ),
        ChecklistLine(
            id: "H4",
            section: "The hour",
            before: "",
            steps: ["D8", "D11"],
            todo: "At the prompt: home; the fallback button; a call",
            expected: "cancelled or fallbackChosen, no event biometricFailure"
        ),
        ChecklistLine(
            id: "H5",
            section: "The hour",
            before: "",
            steps: ["D10"],
            todo: "Unlock the phone by finger, within two seconds the vault",
            expected: "promptingBiometrics all the same"
        ),
        ChecklistLine(
            id: "H6",
            section: "The hour",
            before: "",
            steps: ["D7"],
            todo: "A stranger fails until the system gives up, and until it locks biometrics out; the PIN; the phone's passcode; a finger",
            expected: "event biometricFailure once each; lockedOut; event passwordFallback; event biometricSuccess"
        ),
        ChecklistLine(
            id: "H7",
            section: "The hour",
            before: "",
            steps: ["D26", "D37", "D38"],
            todo: "Home for five seconds; for a minute",
            expected: "device enteredBackground, and no locked; then device suspending and locked. The app switcher shows the cover"
        ),
        ChecklistLine(
            id: "H8",
            section: "The hour",
            before: "",
            steps: ["D22"],
            todo: "Set the clock back a day, return to the app; set it right",
            expected: "requiresStrongFactor with clockIncoherent; the PIN"
        ),
        ChecklistLine(
            id: "H9",
            section: "The hour",
            before: "",
            steps: ["D1", "D15"],
            todo: "Lock; enrol another; open the app",
            expected: "no promptingBiometrics; biometrics revoked(… biometricsChanged); after the PIN disabled"
        ),
        ChecklistLine(
            id: "H10",
            section: "The hour",
            before: "",
            steps: ["D12"],
            todo: "Enable again; turn all off; open the app; enrol again; open it",
            expected: "sensor notEnrolled; then revoked"
        ),
        ChecklistLine(
            id: "H11",
            section: "The hour",
            before: "",
            steps: ["D14"],
            todo: "Enable again; turn the passcode off and on; open the app",
            expected: "the PIN opens each time; revoked"
        ),
        ChecklistLine(
            id: "H12",
            section: "The hour",
            before: "",
            steps: ["D2", "D25"],
            todo: "Enable again; reboot; unlock the phone; open the app",
            expected: "another boot (fff…: unnamed); requiresStrongFactor with rebooted; no promptingBiometrics"
        ),
        ChecklistLine(
            id: "H13",
            section: "The hour",
            before: "",
            steps: ["D3"],
            todo: "Download the container; delete the app; install it; put the folder WalletApp back without its app folder; open it",
            expected: "biometrics revoked(… reinstalled); the PIN opens"
        ),
        ChecklistLine(
            id: "H14",
            section: "The hour",
            before: "",
            steps: [],
            todo: "Download the container",
            expected: "write the answers down"
        ),
        ChecklistLine(
            id: "D1",
            section: "The four that PD-107 asks for (P-107-07)",
            before: "",
            steps: ["D1"],
            todo: "Lock. Add a finger, or an alternative appearance. Open the app",
            expected: "No prompt. Biometrics revoked because they changed; the PIN opens; off until enabled"
        ),
        ChecklistLine(
            id: "D2",
            section: "The four that PD-107 asks for (P-107-07)",
            before: "",
            steps: ["D2"],
            todo: "Reboot. Unlock the phone. Open the app",
            expected: "The PIN, no prompt"
        ),
        ChecklistLine(
            id: "D3",
            section: "The four that PD-107 asks for (P-107-07)",
            before: "",
            steps: ["D3"],
            todo: "Delete the app, keep a copy of its folder, install again, put the folder back",
            expected: "Biometrics revoked by a reinstall; the PIN opens"
        ),
        ChecklistLine(
            id: "D4",
            section: "The four that PD-107 asks for (P-107-07)",
            before: "",
            steps: ["D4"],
            todo: "Unlock by face or finger ten times, on the oldest device: unlockDuration in the audit events, less the prompt's time",
            expected: "Under 1 s each; write down the median"
        ),
        ChecklistLine(
            id: "D8",
            section: "The prompt",
            before: "",
            steps: ["D8"],
            todo: "During the prompt: go home; take a call; lock the phone",
            expected: "Cancelled, nothing counted, still locked"
        ),
        ChecklistLine(
            id: "D9",
            section: "The prompt",
            before: "",
            steps: ["D9"],
            todo: "During the prompt, leave the lock screen so that its task ends",
            expected: "The prompt goes at once"
        ),
        ChecklistLine(
            id: "D13",
            section: "The store",
            before: "",
            steps: ["D13"],
            todo: "Reset Face ID, back out, enrol again",
            expected: "Revoked"
        ),
        ChecklistLine(
            id: "D15",
            section: "The store",
            before: "",
            steps: ["D15"],
            todo: "As D1; log the promptless look's first two codes, and the enclave key's after a prompt that passed",
            expected: "-25300, -26275 or -25293, then the same or -25300; the enclave refuses the key"
        ),
        ChecklistLine(
            id: "D16",
            section: "The store",
            before: "",
            steps: ["D16"],
            todo: "Lock biometrics out, look without a prompt; deny the permission, look. Write down both codes",
            expected: "The item is described (-25308, or -25293 with -8 or -6); still enabled, the PIN opens; after passcode or permission a finger opens"
        ),
        ChecklistLine(
            id: "D35",
            section: "The store",
            before: "",
            steps: ["D35"],
            todo: "As D1, where a system's look answers -25293 permanently",
            expected: "Still enabled, the PIN opens, nothing deleted; a prompt that passes ends in \"changed\""
        ),
        ChecklistLine(
            id: "D36",
            section: "The store",
            before: "",
            steps: ["D36"],
            todo: "In a debug build, replace the biometric item's record by 01 00 01 02 (a simulator's)",
            expected: "No prompt, only the PIN opens; the row stays"
        ),
        ChecklistLine(
            id: "D17",
            section: "The store",
            before: "",
            steps: ["D17"],
            todo: "Reboot, don't unlock; iOS starts the app in the background (a silent push)",
            expected: "Nothing made or deleted; \"unavailable\" until the first unlock"
        ),
        ChecklistLine(
            id: "D18",
            section: "The store",
            before: "",
            steps: ["D18"],
            todo: "Restore an encrypted backup to another phone",
            expected: "Key missing; wallets listed as locked; the recovery key opens and makes a new PIN"
        ),
        ChecklistLine(
            id: "D19",
            section: "The store",
            before: "",
            steps: ["D19"],
            todo: "Erase the phone and restore its own backup",
            expected: "As D18: rows return, the enclave's keys do not"
        ),
        ChecklistLine(
            id: "D41",
            section: "The store",
            before: "",
            steps: ["D41"],
            todo: "Back a phone up; change the PIN; restore to the same phone without erasing it, if the system allows; give the former PIN",
            expected: "Write down whether it opens: we can't prevent it"
        ),
        ChecklistLine(
            id: "D20",
            section: "The store",
            before: "",
            steps: ["D20"],
            todo: "On a Mac: look for the items in Keychain Access",
            expected: "None in the login keychain"
        ),
        ChecklistLine(
            id: "D21",
            section: "The store",
            before: "",
            steps: ["D21"],
            todo: "Share the vault with an extension (app group, access group); a wrong PIN in each at once",
            expected: "Two failures"
        ),
        ChecklistLine(
            id: "D22",
            section: "Time and life cycle",
            before: "",
            steps: ["D22"],
            todo: "Set the clock back a day, forward a day",
            expected: "The PIN; a running wait gets no shorter"
        ),
        ChecklistLine(
            id: "D23",
            section: "Time and life cycle",
            before: "",
            steps: ["D23"],
            todo: "Three days, unlocked once a day with biometrics; log wall clock minus continuous clock",
            expected: "Drift below two seconds and 100 ppm (8.6 s a day); more costs a PIN each day"
        ),
        ChecklistLine(
            id: "D24",
            section: "Time and life cycle",
            before: "",
            steps: ["D24"],
            todo: "Sleep through the idle limit",
            expected: "The PIN"
        ),
        ChecklistLine(
            id: "D25",
            section: "Time and life cycle",
            before: "",
            steps: ["D25"],
            todo: "Can kern.bootsessionuuid be read in the app's sandbox?",
            expected: "Yes; else a set clock between two launches costs a PIN"
        ),
        ChecklistLine(
            id: "D26",
            section: "Time and life cycle",
            before: "",
            steps: ["D26"],
            todo: "Open a wallet, go home, look at the app switcher; again during the prompt",
            expected: "The cover, never a secret"
        ),
        ChecklistLine(
            id: "D27",
            section: "Time and life cycle",
            before: "",
            steps: ["D27"],
            todo: "Policy that locks in the background: go home, look for the master key with a debugger",
            expected: "Gone"
        ),
        ChecklistLine(
            id: "D37",
            section: "Time and life cycle",
            before: "",
            steps: ["D37"],
            todo: "Default policy: unlock, home, wait a minute; look for the master key with a debugger; open the app. Log each event's time",
            expected: "Suspended after some 30 s, locked before: no key, the lock screen"
        ),
        ChecklistLine(
            id: "D38",
            section: "Time and life cycle",
            before: "",
            steps: ["D38"],
            todo: "As D37, but open the app after five seconds; phone locked at once; Low Power Mode; background refresh off",
            expected: "Open; all others locked"
        ),
        ChecklistLine(
            id: "D39",
            section: "Time and life cycle",
            before: "",
            steps: ["D39"],
            todo: "As D37, in a debug build whose listener never asks for the event after suspending",
            expected: "The system ends the app: when? Or was it suspended?"
        ),
        ChecklistLine(
            id: "D40",
            section: "Time and life cycle",
            before: "",
            steps: ["D40"],
            todo: "On a Mac, the app in front and behind another, with and without sandbox: Sleep; close the lid; screen off; lock it; switch user",
            expected: "Locked on each return; before sleep within the second"
        ),
        ChecklistLine(
            id: "D28",
            section: "Time and life cycle",
            before: "",
            steps: ["D28"],
            todo: "iOS 18, macOS 15: add a finger with the app beside Settings (iPad)",
            expected: "Revoked without a return to the foreground"
        ),
        ChecklistLine(
            id: "D34",
            section: "Time and life cycle",
            before: "",
            steps: ["D34"],
            todo: "Words in a sheet from what vaultLock guards, until the vault locks in front; again in a full-screen cover, and in a sheet from outside of vaultLock",
            expected: "No words above the lock screen; which of the three went by itself?"
        ),
        ChecklistLine(
            id: "D42",
            section: "The screens",
            before: "Stand-ins lay nothing out and draw nothing. In both languages; where an app shows a recovery key, words and a sheet, also there.",
            steps: ["D42"],
            todo: "Largest text size and bold text, light and dark; go through every screen; the smallest phone",
            expected: "Nothing cut off or on top of another; each button can be scrolled to"
        ),
        ChecklistLine(
            id: "D43",
            section: "The screens",
            before: "",
            steps: ["D43"],
            todo: "Turn the phone while a PIN, a password and a recovery key are half typed; on an iPad change the size of the window",
            expected: "What was typed stays or is gone, never shown; one lock screen"
        ),
        ChecklistLine(
            id: "D44",
            section: "The screens",
            before: "",
            steps: ["D44"],
            todo: "With a sheet, an alert, a full-screen cover, and a keyboard: home, the app switcher; Face ID's prompt above a sheet",
            expected: "The cover above all. Is the keyboard in the picture?"
        ),
        ChecklistLine(
            id: "D45",
            section: "The screens",
            before: "",
            steps: ["D45"],
            todo: "Recovery key or words on the screen: start a recording, stop it; share the screen; mirror it; take a screenshot",
            expected: "Hidden at once, back at the end; the screenshot is said below the secret"
        ),
        ChecklistLine(
            id: "D46",
            section: "The screens",
            before: "",
            steps: ["D46"],
            todo: "A password instead of the PIN: type it, leave the screen; choose a new one",
            expected: "Nobody offers to save it, or one of its own. Write down what the keyboard offers"
        ),
        ChecklistLine(
            id: "D47",
            section: "The screens",
            before: "",
            steps: ["D47"],
            todo: "VoiceOver: PIN, password, recovery key typed back",
            expected: "No digit or letter that stands there is said; the field is \"filled in\""
        ),
        ChecklistLine(
            id: "D48",
            section: "The screens",
            before: "",
            steps: ["D48"],
            todo: "An extension with a HostEvents(of: .appExtension): open it, leave its app, come back; close it",
            expected: "Cover, and a lock as the policy says, each time; how soon after the last"
        ),
        ChecklistLine(
            id: "D49",
            section: "The screens",
            before: "",
            steps: ["D49"],
            todo: "D26, D27 and D34 in a UIKit app with VaultLockViewController",
            expected: "As there"
        ),
        ChecklistLine(
            id: "D50",
            section: "The screens",
            before: "",
            steps: ["D50"],
            todo: "A Mac with an Apple Watch that approves, system authentication on: approve with the watch; then by finger and password",
            expected: "The watch is named as what does not open it; nothing counted; the others open"
        ),
        ChecklistLine(
            id: "D55",
            section: "The screens",
            before: "",
            steps: ["D55"],
            todo: "Archive the app; its privacy report; start the archive on the oldest system",
            expected: "Three rooms with their reasons; it starts"
        ),
        ChecklistLine(
            id: "D30",
            section: "Moving a former app's wallet",
            before: "Before: the former app, of the same team, with one mnemonic in a generic password under biometryAny, then under biometryCurrentSet; over it the app with FormerWallet of Move from KeychainAccess-style code. Log each status.",
            steps: ["D30"],
            todo: "With mayErase false, open the app, give the former PIN, choose a PIN; set it to true, unlock, start again",
            expected: "Found without a prompt; one prompt moves it, one more erases it; then not found"
        ),
        ChecklistLine(
            id: "D31",
            section: "Moving a former app's wallet",
            before: "",
            steps: ["D31"],
            todo: "As D30, but add a finger or face before",
            expected: "biometryAny: as D30; biometryCurrentSet: not found, a new vault is offered"
        ),
        ChecklistLine(
            id: "D32",
            section: "Moving a former app's wallet",
            before: "",
            steps: ["D32"],
            todo: "As D30, but turn every finger or face off before; enrol again. On Face ID, also reset it",
            expected: "Nothing erased or made meanwhile; is the item found again? Codes other than -25308 and -25300 show as \"later\""
        ),
        ChecklistLine(
            id: "D33",
            section: "Moving a former app's wallet",
            before: "",
            steps: ["D33"],
            todo: "As D30, but iOS starts the app while the phone is locked; once with a wrong accessGroup",
            expected: "\"Later\" until the unlock; a wrong group shows as a new vault: try a release over the former one"
        ),
        ChecklistLine(
            id: "D51",
            section: "An account",
            before: "An app with an account's vault, and a thumbturnd with TLS on another machine.",
            steps: ["D51"],
            todo: "Register, start again, unlock with the password, then after a reboot",
            expected: "It opens; the service lists one device. With an enclave, a backup restored on another phone signs nothing; a login there lists another device"
        ),
        ChecklistLine(
            id: "D52",
            section: "An account",
            before: "",
            steps: ["D52"],
            todo: "A wrong pin, then the right one; a private authority's certificate, without and with that authority",
            expected: "ERR-TT-502, ERR-TT-515, each time then it works. No refused request reached the service"
        ),
        ChecklistLine(
            id: "D53",
            section: "An account",
            before: "",
            steps: ["D53"],
            todo: "Change the password on another device, come back to the app",
            expected: "ERR-107-080 for the finger; the new password opens. In airplane mode the finger goes on until the next contact"
        ),
        ChecklistLine(
            id: "D54",
            section: "An account",
            before: "",
            steps: ["D54"],
            todo: "Offline, set the date eight days on, come back to the app; set it right, online",
            expected: "The finger is refused; can be enabled after a login"
        ),
        ChecklistLine(
            id: "D29",
            section: "The simulator",
            before: "",
            steps: ["D29"],
            todo: "Run in a simulator with the default policy",
            expected: "No vault: too low an assurance. With .allowing(.simulated) one; the Features menu answers the prompt, every status says simulated"
        ),
        ChecklistLine(
            id: "D70",
            section: "React Native",
            before: "Before: Examples/ReactNativeWallet on a Mac with Xcode, CocoaPods and Node, THUMBTURN_REPOSITORY as the package's README has it; npm install, npm run prebuild, npm run ios. Once as it is (Hermes, New Architecture), once with \"newArchEnabled\": false; a debug and a release build. Android's steps are R10 to R13.",
            steps: ["D70"],
            todo: "The commands above, with no other step; then npx expo-modules-autolinking search. If the app does not link, USE_FRAMEWORKS=dynamic before pod install: write down which it needs",
            expected: "It builds and starts; the module Thumbturn is listed once"
        ),
        ChecklistLine(
            id: "D71",
            section: "React Native",
            before: "",
            steps: ["D71"],
            todo: "After prebuild look at Info.plist, the entitlements and the project; run prebuild again; build with a team",
            expected: "Both keys with the Team ID in the app's own Info.plist, two keychain groups, the app's first, iOS 15.1; the second run changes nothing"
        ),
        ChecklistLine(
            id: "D72",
            section: "React Native",
            before: "",
            steps: ["D72"],
            todo: "Add expo-secure-store and expo-build-properties (minSdkVersion 24), each before and after the plugin; take the plugin out, prebuild --clean",
            expected: "Merged rules, or a code that says what to do; nothing left"
        ),
        ChecklistLine(
            id: "D73",
            section: "React Native",
            before: "",
            steps: ["D73"],
            todo: "Start without the module (Expo Go, or before pod install)",
            expected: "One sentence, no crash"
        ),
        ChecklistLine(
            id: "D74",
            section: "React Native",
            before: "",
            steps: ["D74"],
            todo: "D5, D6, D8, D11 and D26 in this app",
            expected: "As there; one prompt for two quick taps"
        ),
        ChecklistLine(
            id: "D75",
            section: "React Native",
            before: "",
            steps: ["D75"],
            todo: "Lock; tap Unlock; film tap, prompt, wallets with 60 pictures a second. Ten times, release build, oldest phone",
            expected: "Less than 1 s without the prompt; write down the median"
        ),
        ChecklistLine(
            id: "D76",
            section: "React Native",
            before: "",
            steps: ["D76"],
            todo: "Reload in the middle of a prompt (r in Metro), and with a half typed PIN; edit a component (fast refresh)",
            expected: "The prompt ends, nothing counted, the field is empty, an open vault stays open"
        ),
        ChecklistLine(
            id: "D77",
            section: "React Native",
            before: "",
            steps: ["D77"],
            todo: "Type the PIN on the app's field: which keyboard, what does it offer? Paste into it, copy from it; a hardware keyboard; dictation",
            expected: "Digits, no suggestion, no paste, no copy; the rest as D46"
        ),
        ChecklistLine(
            id: "D78",
            section: "React Native",
            before: "",
            steps: ["D78"],
            todo: "VoiceOver and the largest text on every screen; Voice Control",
            expected: "As D42 and D47; each button is said with its label, a refusal when it appears"
        ),
        ChecklistLine(
            id: "D79",
            section: "React Native",
            before: "",
            steps: ["D79"],
            todo: "A heap snapshot of Hermes after ten unlocks with <SecretField>, and one export into <SecretText>; search it for the PIN and for a word. Again with a string",
            expected: "Nothing; then it is there"
        ),
        ChecklistLine(
            id: "D80",
            section: "React Native",
            before: "",
            steps: ["D80"],
            todo: "Export a wallet into <SecretText>; record the screen meanwhile; leave the app and return; again, and reload. OwnerSecret.getBytes and withDerivedKey in a debug build",
            expected: "The words, numbered; a sentence in their place; nothing after the return, nothing after the reload; each a Uint8Array of the right length, no string"
        ),
    ]
}
