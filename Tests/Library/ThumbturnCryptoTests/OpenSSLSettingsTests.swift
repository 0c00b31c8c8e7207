#if canImport(COpenSSL)
import Foundation
import Testing

@testable import ThumbturnCrypto

/// What a program says of the system's settings of OpenSSL, which are read once in its life: so each test is a process.
struct OpenSSLSettingsTests {
    @Test func `a program that leaves the settings out asks nobody but OpenSSL's own provider`() async {
        await #expect(processExitsWith: .success) {
            let file = NSTemporaryDirectory() + "thumbturn-settings-" + UUID().uuidString
            // These ask for algorithms of a provider that is not there.
            let settings = "openssl_conf=a\n[a]\nalg_section=b\n[b]\ndefault_properties=provider=none\n"
            try Data(settings.utf8).write(to: URL(fileURLWithPath: file))
            defer { unsafe unlink(file) }
            unsafe setenv("OPENSSL_CONF", file, 1)
            OpenSSLSettings.leaveOut()
            #expect(SHA256.digest([]).prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
        }
    }
}
#endif
