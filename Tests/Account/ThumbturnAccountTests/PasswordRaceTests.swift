import Foundation
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount

/// Two devices of one account, and a password that changes while the network fails at each request in each way.
///
/// The judge asks the service and both vaults: one password counts, it opens both, each vault's key is in the envelope, and no
/// wallet is lost.
@Suite("Two devices, and a password that changes", WithWeakArgon2()) struct PasswordRaceTests {
    /// Of the requests at which both lose something, every third; all of them where THUMBTURN_EVERY_RACE is set.
    private static let step = ProcessInfo.processInfo.environment["THUMBTURN_EVERY_RACE"] == nil ? 3 : 1

    @Test(.holds("F-107-05", "F-107-09"), arguments: Loss.allCases)
    func `one device changes the password, the other logs in, and a loss at any request loses nothing`(
        loss: Loss
    ) async throws {
        var number = 1
        while true {
            let stage = try await RaceStage()
            stage.lose(loss, at: number)
            let code = await stage.change(on: stage.first)
            await stage.arrive(on: stage.second)
            let reached = stage.requests
            try await stage.judge(codes: [code], "\(loss) at \(number)")
            guard number <= reached else { break }
            number += 1
        }
        #expect(number > 10)
        print("password race: \(loss): \(number) situations, each request once")
    }

    @Test(.holds("F-107-05", "F-107-09"), arguments: 0...8)
    func `both change it at once, and one of them wins, in whatever order their requests come`(
        first: Int
    ) async throws {
        var second = 0
        while true {
            let stage = try await RaceStage()
            let codes = await stage.race(until: first, second)
            try await stage.judge(codes: codes, "to request \(first) and \(second)")
            #expect(codes.filter { $0 == nil }.count == 1, "\(codes), to request \(first) and \(second)")
            guard await stage.second.line.isStopped else { break }
            second += 1
        }
        #expect(second >= 2)
        print("password race: first device to request \(first): \(second + 1) situations")
    }

    @Test(.holds("F-107-05", "F-107-09"), arguments: Loss.allCases)
    func `both change it at once, and a loss at every third request loses nothing`(loss: Loss) async throws {
        var situations = 0
        // The one stands before its change, and the other comes first: wholly, or but for what follows its own change.
        for second in [3, 4, 100] {
            var number = 1
            while true {
                let stage = try await RaceStage()
                stage.lose(loss, at: number)
                let codes = await stage.race(until: 3, second)
                let reached = stage.requests
                try await stage.judge(codes: codes, "\(loss) at \(number), to request 3 and \(second)")
                situations += 1
                guard number <= reached else { break }
                number += Self.step
            }
        }
        #expect(situations >= 10)
        print("password race: \(loss), both: \(situations) situations")
    }
}
