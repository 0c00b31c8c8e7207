import Foundation
import LocalAuthentication
import StandIn
import Testing

@Suite(.serialized) struct EnvironmentTests {
    private final class Observer: NSObject, LAEnvironmentObserver {
        let heard = Heard()
        func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironmentState) {
            let (old, new) = (oldState.biometry?.isUsable ?? false, environment.state.biometry?.isUsable ?? false)
            heard.add("\(old) \(new)")
        }
    }

    @Test func `the environment tells what the sensor is good for [doc]`() {
        let phone = Phone.start()
        let fine = LAEnvironment.currentUser.state
        #expect(fine.biometry?.biometryType == .faceID)
        #expect(fine.biometry?.isEnrolled == true)
        #expect(fine.biometry?.isLockedOut == false)
        #expect(fine.biometry?.isUsable == true)
        #expect(fine.biometry?.stateHash != nil)
        #expect(fine.userPassword?.isSet == true)
        phone.lockOutBiometry()
        let locked = LAEnvironment.currentUser.state
        #expect(locked.biometry?.isLockedOut == true)
        #expect(locked.biometry?.isUsable == false)
        #expect(locked.biometry?.stateHash == nil)
        Phone.start(PhoneSetup(sensor: .none, passcodeSet: false))
        #expect(LAEnvironment.currentUser.state.biometry == nil)
        #expect(LAEnvironment.currentUser.state.userPassword?.isSet == false)
    }

    @Test func `an observer hears of changes until it is removed, and is not kept alive [doc]`() {
        let phone = Phone.start()
        let observer = Observer()
        LAEnvironment.currentUser.addObserver(observer)
        phone.permission = .denied
        phone.permission = .allowed
        #expect(observer.heard.all == ["true false", "false true"])
        LAEnvironment.currentUser.removeObserver(observer)
        phone.permission = .denied
        #expect(observer.heard.all.count == 2)

        weak var gone: Observer?
        do {
            let other = Observer()
            gone = other
            LAEnvironment.currentUser.addObserver(other)
        }
        #expect(gone == nil)
    }

    @Test @MainActor func `the app object says where the app is, and what is readable [doc]`() {
        let phone = Phone.start()
        #expect(AppFace.isActive && AppFace.isProtectedDataAvailable)
        phone.resignActive()
        #expect(AppFace.isInactive)
        phone.lockScreen()
        #expect(AppFace.isInBackground && !AppFace.isProtectedDataAvailable)
        #expect(Set(AppFace.names).count == 6)
    }
}
