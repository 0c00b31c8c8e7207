import Testing
import ThumbturnJSON

@testable import ThumbturnScreenJSON

@Suite struct ScreenActionTests {
    private func error(of text: String) -> ScreenActionError? {
        do throws(ScreenActionError) {
            _ = try ScreenAction(reading: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            ("", .notJSON), ("{", .notJSON), ("\u{0}", .notJSON), (#"{"a":{"b":{"c":1}}}"#, .notJSON),
            (#"{"name":"lock","name":"lock","screen":"unlock"}"#, .notJSON),
            ("[]", .notObject), ("null", .notObject),
            ("{}", .memberMissing), (#"{"screen":"unlock"}"#, .memberMissing),
            (#"{"name":"lock","screen":1}"#, .memberWrong),
            (#"{"name":"lock","screen":"door"}"#, .unknownScreen),
            (#"{"name":"open","screen":"unlock"}"#, .unknownAction),
            (#"{"name":"enable","screen":"unlock"}"#, .unknownAction),
            (#"{"name":"lock","screen":"unlock","force":true}"#, .memberUnknown),
            (#"{"name":"lock","screen":"unlock","secret":"taken"}"#, .memberUnknown),
            (#"{"name":"submitSecret","screen":"unlock"}"#, .memberMissing),
            (#"{"name":"submitSecret","screen":"unlock","secret":"112233"}"#, .memberWrong),
            (#"{"name":"answerOffer","screen":"unlock","consent":"yes"}"#, .memberWrong),
            (#"{"name":"reset","screen":"unlock"}"#, .memberMissing),
            (#"{"name":"lock","screen":"app"}"#, .unknownAction),
            (#"{"name":"start","screen":"app","secret":"taken"}"#, .memberUnknown),
            (#"{"name":"answer","screen":"onboarding"}"#, .memberMissing),
            (#"{"name":"answer","screen":"onboarding","consent":1}"#, .memberWrong),
            (#"{"name":"erase","screen":"recover"}"#, .memberMissing),
            (#"{"name":"answer","screen":"words","secret":"abandon"}"#, .memberWrong),
            (#"{"name":"answer","screen":"words"}"#, .memberMissing),
            (#"{"name":"show","screen":"words","wallet":"savings"}"#, .memberWrong),
            (#"{"name":"show","screen":"words"}"#, .memberMissing),
            (#"{"name":"later","screen":"backup","path":"/tmp/backup"}"#, .memberUnknown),
            (#"{"name":"refresh","screen":"trail"}"#, .unknownAction),
            (#"{"name":"create","screen":"wallets","wallet":1}"#, .memberWrong),
            (#"{"name":"import","screen":"wallets","wallet":"savings"}"#, .memberMissing),
            (
                #"{"name":"export","screen":"wallets","wallet":"0123456789ABCDEF0123456789ABCDEF"}"#,
                .memberWrong
            ),
            (#"{"name":"rename","screen":"wallets","wallet":"0123456789abcdef0123456789abcdef"}"#, .memberMissing),
            (#"{"name":"create","name":"create","screen":"wallets","wallet":"savings"}"#, .notJSON),
        ] as [(String, ScreenActionError)]
    )
    func `what is no action is refused, and said why`(text: String, expected: ScreenActionError) {
        #expect(error(of: text) == expected)
    }

    @Test func `a text and an action have a longest length`() {
        let long = String(repeating: "a", count: ActionMembers.maximumTextLength + 1)
        #expect(error(of: #"{"name":"keepBoth","screen":"unlock","wallet":"\#(long)"}"#) == .memberWrong)
        #expect(error(of: #"{"name":"keepBoth","screen":"unlock","wallet":"\#(long.dropLast())"}"#) == nil)
        let space = String(repeating: " ", count: ActionForm.maximumByteCount)
        #expect(error(of: #"{"name":"lock","screen":"unlock"}"# + space) == .notJSON)
    }

    @Test func `the members of an action may come in any order`() throws {
        let text = #"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#
        #expect(try ScreenAction(reading: Array(text.utf8)) == .unlock(.submitSecret))
        #expect(ScreenAction.unlock(.submitSecret).takesSecret)
    }

    @Test func `an action says whether a secret comes beside it or beside its answer`() {
        let giving = ScreenSamples.actions.filter(\.givesSecret)
        let exports = [true, false].map { ScreenAction.wallets(.export(wallet: ScreenSamples.wallet, withSecret: $0)) }
        #expect(Set(giving) == Set([.system(.showRecoveryKey), .recoveryKey(.showKey), .words(.showWords)] + exports))
        for action in ScreenSamples.actions { #expect(action.takesSecret == (action.json["secret"] != nil)) }
        #expect(ScreenSamples.bareActions.allSatisfy { !$0.takesSecret })
    }

    @Test func `each error has a code and words of its own`() {
        let all = ScreenActionError.allCases
        #expect(Set(all.map(\.code)).count == all.count)
        #expect(Set(all.map(\.detail)).count == all.count)
    }
}
