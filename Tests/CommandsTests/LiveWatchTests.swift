import DNSSD
import GatewaySamples
import Reports
import Scanning
import Synchronization
import TestSupport
import Testing

@testable import Commands
@testable import Console

/// The live table with a clock and a terminal that the test controls.
@Suite(.timeLimit(.minutes(1))) struct LiveWatchTests {
    /// A terminal of 80 × 10 cells that records what is written to it.
    private final class PaperTerminal: Canvas {
        let terminal: Terminal? = Terminal(columns: 80, rows: 10)
        private let texts = AsyncStream.makeStream(of: String.self)

        func write(_ text: String) { texts.continuation.yield(text) }

        /// Returns the next frame; `nil` when there are no more.
        func nextFrame() async -> String? {
            for await text in texts.stream where Self.isFrame(text) {
                // Colours are removed, because they depend on the environment in which the tests run.
                return text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
            }
            return nil
        }

        /// Returns the number of frames that have not been read yet, and the last text that was written. Ends the
        /// recording.
        func rest() async -> (frames: Int, last: String) {
            texts.continuation.finish()
            return await texts.stream.reduce(into: (0, "")) { rest, text in
                rest = (rest.0 + (Self.isFrame(text) ? 1 : 0), text)
            }
        }

        private static func isFrame(_ text: String) -> Bool { text.hasPrefix("\u{1B}[?2026h") }
    }

    /// A source that reports the inputs that the test gives it.
    private struct Source: WatchSource {
        let name = "test"
        let inputs = AsyncStream.makeStream(of: ConstellationUpdate.self)
        let taken = AsyncStream.makeStream(of: Void.self)

        func run(
            _ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void,
            looked: (@Sendable (Timestamp) throws -> Void)?
        ) async throws {
            for await input in inputs.stream {
                try show(input, Timestamp(milliseconds: 1_795_000_000_000))
                taken.continuation.yield()
            }
        }

        /// Reports an input, and returns once the table has taken it in.
        func report(_ input: ConstellationUpdate) async {
            inputs.continuation.yield(input)
            for await _ in taken.stream { return }
        }
    }

    private let clock = TurnedClock()
    private let paper = PaperTerminal()
    private let source = Source()

    /// Runs a watch around `body`, and ends it afterwards.
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

    /// Rule: a new row is marked for ten seconds. When they are over, the table is redrawn without a further event.
    @Test func aMarkIsTakenOffWhenItsTimeIsOver() async throws {
        try await watching {
            await source.report(.services(.found(try Fixture.service())))
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
        #expect(rest.frames == 0 && rest.last.contains("Home"), "the last table stays on the terminal")
    }

    /// Rule: a row that is lost is shown for ten seconds more, marked as lost, and is then removed.
    @Test func aLostRowIsRemovedWithItsMark() async throws {
        try await watching {
            await source.report(.services(.found(try Fixture.service())))
            await source.report(.services(.lost(try Fixture.service(), .withdrawn)))
            await sleepers(2)
            clock.turn(by: .milliseconds(100))
            #expect(await paper.nextFrame()?.contains("-  Home") == true)
            await sleepers(2)
            clock.turn(by: .seconds(10))
            #expect(await paper.nextFrame()?.contains("Nothing found yet.") == true)
        }
    }

    /// Rule: at most ten frames are drawn per second, whatever the number of changes.
    @Test func theFrameRateIsLimited() async throws {
        try await watching {
            for number in 0..<50 {
                await source.report(.services(.found(try Fixture.service(name: "s\(number)", txt: []))))
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
