import Synchronization
import TestSupport
import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(1))) struct PartKeeperTests {
    private let clock = TurnedClock()

    /// Waits for states that meet a condition.
    private func wait(for keeper: PartKeeper, _ condition: ([AgentPartState]) -> Bool) async {
        for await states in keeper.changes where condition(states) { return }
    }

    @Test func aPartThatFailsRunsAgainWhileTheOthersGoOn() async {
        let keeper = PartKeeper(clock: clock, logger: nil)
        let count = Mutex(0)
        let failing = AgentPart("scanner") { reporter in
            let run = count.withLock { count in
                count += 1
                return count
            }
            guard run == 3 else { throw PartEnd(description: "failure \(run)") }
            reporter.works()
            try await Task.sleep(for: .seconds(3_600))
        }
        let steady = AgentPart("sessions") { reporter in
            reporter.isImpaired("no store")
            try await Task.sleep(for: .seconds(3_600))
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await keeper.run([failing, steady]) }
            await wait(for: keeper) { $0.first?.state.reason == "failure 1" }
            await clock.nextSleep()
            clock.turn(by: .seconds(1))
            await wait(for: keeper) { $0.first?.state.reason == "failure 2" }
            await clock.nextSleep()
            #expect(clock.waits == [.seconds(2)])
            clock.turn(by: .seconds(2))
            await wait(for: keeper) { $0.first?.state.word == .running }
            #expect(keeper.states.map(\.ends) == [2, 0])
            #expect(keeper.states.last?.state.reason == "no store")
            group.cancelAll()
        }
        #expect(keeper.states.map(\.state.word) == [.stopped, .stopped])
    }

    @Test func aPartThatReturnsRunsAgain() async {
        let keeper = PartKeeper(clock: clock, logger: nil)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await keeper.run([AgentPart("store") { _ in }]) }
            await wait(for: keeper) { $0.first?.state.word == .waiting }
            #expect(keeper.states.first?.state.reason == "it has ended by itself")
            group.cancelAll()
        }
    }
}
