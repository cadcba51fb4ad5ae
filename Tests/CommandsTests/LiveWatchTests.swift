import DNSSD
import GatewayReports
import GatewaySamples
import Synchronization
import TestSupport
import Testing

@testable import Commands

/// The live table at work, with a clock that the test turns and a terminal that it reads.
@Suite(.timeLimit(.minutes(1))) struct LiveWatchTests {
    /// A terminal of 80 × 10 cells, and what was written to it.
    private final class PaperTerminal: Canvas {
        let terminal: Terminal? = Terminal(columns: 80, rows: 10)
        private let texts = AsyncStream.makeStream(of: String.self)

        func write(_ text: String) { texts.continuation.yield(text) }

        /// The next picture.
        func nextFrame() async -> String? {
            for await text in texts.stream where Self.isFrame(text) {
                // Whoever runs the tests may want colours.
                return text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
            }
            return nil
        }

        /// The number of pictures that were shown since, and what was written last.
        func rest() async -> (frames: Int, last: String) {
            texts.continuation.finish()
            return await texts.stream.reduce(into: (0, "")) { rest, text in
                rest = (rest.0 + (Self.isFrame(text) ? 1 : 0), text)
            }
        }

        private static func isFrame(_ text: String) -> Bool { text.hasPrefix("\u{1B}[?2026h") }
    }

    /// A source that tells what the test has it tell.
    private struct Source: WatchSource {
        let name = "test"
        let inputs = AsyncStream.makeStream(of: WatchInput.self)
        let told = AsyncStream.makeStream(of: Void.self)

        func run(_ show: @escaping @Sendable (WatchInput, Timestamp) throws -> Void) async throws {
            for await input in inputs.stream {
                try show(input, Timestamp(milliseconds: 1_795_000_000_000))
                told.continuation.yield()
            }
        }

        /// Tells something, and returns once it is in the table.
        func tell(_ input: WatchInput) async {
            inputs.continuation.yield(input)
            for await _ in told.stream { return }
        }
    }

    private let clock = TurnedClock()
    private let paper = PaperTerminal()
    private let source = Source()

    /// Runs a watch around `body`, and ends it.
    private func watching(_ body: () async throws -> Void) async throws {
        let watch = LiveWatch(source: source, table: ServiceTableModel(), output: paper, clock: clock)
        let run = Task { try await watch.run() }
        #expect(await paper.nextFrame()?.contains("Nothing found yet.") == true)
        try await body()
        source.inputs.continuation.finish()
        try await run.value
    }

    private func sleepers(_ count: Int) async {
        while clock.sleepers != count { await Task.yield() }
    }

    /// Rule: what is new is marked for ten seconds, and the picture is drawn anew when they are over, by itself.
    @Test func aMarkIsTakenOffWhenItsTimeIsOver() async throws {
        try await watching {
            await source.tell(.service(.found(try Fixture.service())))
            await sleepers(2)
            clock.turn(by: .milliseconds(100))
            #expect(await paper.nextFrame()?.contains("+  Home") == true)
            await sleepers(2)
            #expect(clock.waits == [.milliseconds(100), .milliseconds(9_900)])
            clock.turn(by: .milliseconds(9_899))
            await sleepers(1)
            clock.turn(by: .milliseconds(1))
            let frame = try #require(await paper.nextFrame())
            #expect(frame.contains("   Home") && !frame.contains("+  Home"))
        }
        let rest = await paper.rest()
        #expect(rest.frames == 0 && rest.last.contains("Home"), "what was there last stays")
    }

    /// Rule: what has left is shown for as long, and then no more.
    @Test func whatHasLeftGoesWithItsMark() async throws {
        try await watching {
            await source.tell(.service(.found(try Fixture.service())))
            await source.tell(.service(.lost(try Fixture.service(), .withdrawn)))
            await sleepers(2)
            clock.turn(by: .milliseconds(100))
            #expect(await paper.nextFrame()?.contains("-  Home") == true)
            await sleepers(2)
            clock.turn(by: .seconds(10))
            #expect(await paper.nextFrame()?.contains("Nothing found yet.") == true)
        }
    }

    /// Rule: there are ten pictures a second at the most, however much is new.
    @Test func whatComesTogetherIsOnePicture() async throws {
        try await watching {
            for number in 0..<50 {
                await source.tell(.service(.found(try Fixture.service(name: "s\(number)", txt: []))))
            }
            await sleepers(2)
            clock.turn(by: .milliseconds(99))
            #expect(clock.waits.first == .milliseconds(1))
            clock.turn(by: .milliseconds(1))
            #expect(await paper.nextFrame()?.contains("50 services") == true)
            await sleepers(2)
            clock.turn(by: .milliseconds(100))
            await sleepers(1)
        }
        #expect(await paper.rest().frames == 0)
    }
}
