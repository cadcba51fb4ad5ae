import Logging
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

    /// The keys of no further parts.
    private static var none: AsyncStream<[Int]> { AsyncStream { $0.yield([]) } }

    /// The parts that run, by their keys.
    private final class Running: Sendable {
        private let numbers = Mutex<[Int]>([])

        var keys: Set<Int> { Set(numbers.withLock(\.self)) }

        /// Makes a part that runs until it ends. Keys with the same last digit have the same name.
        func part(_ number: Int) -> AgentPart {
            AgentPart("advertiser \(number % 10)") { reporter in
                let hasNamesake = self.numbers.withLock { numbers in
                    defer { numbers.append(number) }
                    return numbers.contains { $0 % 10 == number % 10 }
                }
                #expect(!hasNamesake)
                defer { self.numbers.withLock { $0.removeAll { $0 == number } } }
                reporter.works()
                try await Task.sleep(for: .seconds(3_600))
            }
        }
    }

    /// Parts come and go with the list, the others go on, and one with the name of a former one begins after that has
    /// ended.
    @Test func partsComeAndGoWithTheList() async {
        let keeper = PartKeeper(clock: clock, logger: nil)
        let (lists, list) = AsyncStream.makeStream(of: [Int].self)
        let running = Running()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await keeper.run([], and: lists, make: running.part) }
            for (numbers, names) in [([1, 2], ["1", "2"]), ([2], ["2"]), ([12, 3], ["2", "3"]), ([], [])] {
                list.yield(numbers)
                let expected = Set(names.map { "advertiser \($0)" })
                await wait(for: keeper) { states in
                    Set(states.map(\.name)) == expected && states.allSatisfy { $0.state.word == .running }
                        && running.keys == Set(numbers)
                }
            }
            group.cancelAll()
        }
        #expect(running.keys.isEmpty)
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
            group.addTask { await keeper.run([failing, steady], and: Self.none) { AgentPart("\($0)") { _ in } } }
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

    /// Passes the messages on with their levels.
    private struct Lines: LogHandler {
        let note: AsyncStream<String>.Continuation
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { note.yield("\(event.level): \(event.message)") }
    }

    /// Every start waits for the store, which is no warning; another reason is.
    @Test func waitingForTheStoreIsNoWarning() async {
        let (lines, note) = AsyncStream.makeStream(of: String.self)
        let keeper = PartKeeper(clock: clock, logger: Logger(label: "agent") { _ in Lines(note: note) })
        let part = AgentPart("notices") { reporter in
            reporter.isImpaired(PartReporter.waitsForStore)
            reporter.isImpaired("the disk is full")
            try await Task.sleep(for: .seconds(3_600))
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await keeper.run([part], and: Self.none) { AgentPart("\($0)") { _ in } } }
            var noted = lines.makeAsyncIterator()
            #expect(await noted.next() == "info: notices: it waits for the store of pairings")
            #expect(await noted.next() == "warning: notices: the disk is full")
            group.cancelAll()
        }
    }

    @Test func aPartThatReturnsRunsAgain() async {
        let keeper = PartKeeper(clock: clock, logger: nil)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await keeper.run([AgentPart("store") { _ in }], and: Self.none) { AgentPart("\($0)") { _ in } }
            }
            await wait(for: keeper) { $0.first?.state.word == .waiting }
            #expect(keeper.states.first?.state.reason == "it has ended by itself")
            group.cancelAll()
        }
    }
}
