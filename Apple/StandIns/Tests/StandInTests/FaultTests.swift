import Foundation
import LocalAuthentication
import Security
import StandIn
import Testing

@Suite(.serialized) struct FaultTests {
    @Test func `a call that is refused does nothing`() {
        let phone = Phone.start()
        phone.fail(.itemAdd, .refuses(-25291))
        #expect(Item().add() == errSecNotAvailable)
        #expect(phone.rows.isEmpty)
        #expect(Item().add() == errSecSuccess)
    }

    @Test func `a call may happen and report an error nevertheless`() {
        let phone = Phone.start()
        phone.fail(.itemAdd, .happensButReports(-26276))
        #expect(Item().add() == errSecInternal)
        #expect(phone.rows.count == 1)
        phone.fail(.itemDelete, .happensButReports(-26276))
        #expect(Item().delete() == errSecInternal)
        #expect(phone.rows.isEmpty)
    }

    @Test func `attributes may be lost without a word [field]`() {
        let phone = Phone.start()
        phone.fail(.itemAdd, .drops(["accc"]))
        #expect(Item().add(control: control(.biometryCurrentSet)) == errSecSuccess)
        #expect(Item().read().status == errSecSuccess)
        #expect(phone.prompts.isEmpty)
        let other = Item(account: "other")
        phone.fail(.itemAdd, .drops(["pdmn"]))
        #expect(other.add(accessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly) == errSecSuccess)
        #expect(other.attributes()?[kSecAttrAccessible as String] as? String == "ak")
    }

    @Test func `an update may lose what it was to change [field]`() {
        let phone = Phone.start()
        Item().add(Data([1]))
        phone.fail(.itemUpdate, .drops(["v_Data"]))
        let changes = [kSecValueData as String: Data([2])] as CFDictionary
        #expect(SecItemUpdate(Item().query as CFDictionary, changes) == errSecSuccess)
        #expect(Item().read().secret == Data([1]))
    }

    @Test func `calls are counted, so that each one of a run can be made to fail`() async {
        func run() async {
            Item().add()
            _ = obstacle()
            _ = await evaluate(LAContext())
            _ = Item().read()
            _ = Item().delete()
        }
        let phone = Phone.start()
        await run()
        #expect(phone.calls == [.itemAdd, .canEvaluate, .evaluate, .itemCopy, .itemDelete])
        for number in phone.calls.indices {
            let other = Phone.start()
            other.fail(nil, .refuses(-34018), skipping: number)
            await run()
            #expect(other.calls.count == 5)
            #expect(other.rows.count == (number == 4 ? 1 : 0))
        }
    }

    @Test func `a fault skips, repeats and is repaired as planned`() {
        let phone = Phone.start()
        Item().add()
        phone.fail(.itemCopy, .refuses(-25291), skipping: 1, times: 2)
        #expect((0..<4).map { _ in Item().read().status } == [0, -25291, -25291, 0])
        phone.fail(.itemCopy, .refuses(-25291), times: 100)
        phone.repair()
        #expect(Item().read().status == 0)
    }

    @Test func `LocalAuthentication fails as planned too`() async {
        let phone = Phone.start()
        phone.fail(.canEvaluate, .refuses(-1000))
        #expect(obstacle() == -1000)
        phone.fail(.evaluate, .refuses(-4))
        #expect(await evaluate(LAContext()) == -4)
        #expect(phone.prompts.isEmpty)
        phone.fail(.evaluate, .happensButReports(-10))
        #expect(await evaluate(LAContext()) == -10)
        #expect(phone.prompts.count == 1)
    }
}
