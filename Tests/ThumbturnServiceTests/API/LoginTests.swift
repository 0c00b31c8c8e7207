import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("A login") struct LoginTests {
    @Test(arguments: Backing.allCases, SRPGroup.allCases)
    func `an account is registered, and its password proved, in each group`(backing: Backing, group: SRPGroup) throws {
        let client = try ServiceRoom(backing).client()
        let user = User(group: group, envelope: [1, 2, 3])
        let registered = try client.register(user)
        #expect(registered.status == 201)
        #expect(registered.json["account"]?.text == user.name)
        let login = try client.login(user)
        #expect(login.reply.json["policyEpoch"]?.number == 0)
        #expect(login.reply.json["passwordChangedAt"]?.text == client.clock.now.text)
        #expect(login.reply.json["expiresAt"]?.text == (client.clock.now + .minutes(15)).text)
        #expect(login.reply.json["keyEnvelope"]?.text == [UInt8](arrayLiteral: 1, 2, 3).base64)
        let account = try client.send(.get, "/v1/account", token: login.token)
        #expect(account.status == 200)
        #expect(account.json["account"]?.text == user.name)
        #expect(account.json["userId"]?.text == login.reply.json["userId"]?.text)
        #expect(account.json["devices"]?.elements?.isEmpty == true)
    }
}
