import HostSystem
import Synchronization
import Testing

@testable import Avahi

/// The loop that runs Avahi's objects: they may be used only on its thread, and nothing may remain when the loop ends.
@Suite(.timeLimit(.minutes(1))) struct PollLoopTests {
    /// An object that ends a stream when it is released.
    private final class Token: Sendable {
        private let gone: AsyncStream<Int>.Continuation

        init(_ gone: AsyncStream<Int>.Continuation) {
            self.gone = gone
        }

        deinit {
            gone.finish()
        }
    }

    @Test func workAndTimerRunOnTheThreadThatPolls() async throws {
        let loop = try PollLoop(name: "test")
        let (stream, report) = AsyncStream.makeStream(of: (String, Bool).self)
        loop.timer.onFire { [weak loop] in report.yield(("timer", loop?.isIsolatingCurrentContext() ?? false)) }
        for number in 0..<100 {
            loop.later { [weak loop] in report.yield(("\(number)", loop?.isIsolatingCurrentContext() ?? false)) }
        }
        loop.later { [weak loop] in loop?.timer.set(after: .milliseconds(1)) }
        var reported: [String] = []
        for await (name, isOnThread) in stream.prefix(101) {
            #expect(isOnThread)
            reported.append(name)
        }
        #expect(reported == (0..<100).map { "\($0)" } + ["timer"])
        #expect(loop.isIsolatingCurrentContext() == false)
    }

    /// The loop continues when poll(2) fails, since actors run on its thread and their callers would otherwise wait for
    /// ever.
    @Test func theLoopOutlivesAFailureToWait() async throws {
        let isFailing = Atomic<Bool>(true)
        let poller = try AvahiPoller { isFailing.load(ordering: .relaxed) }
        let loop = try PollLoop(name: "test", poller: poller)
        let (stream, report) = AsyncStream.makeStream(of: String.self)
        loop.timer.onFire { report.yield("timer") }
        loop.later { [weak loop] in
            loop?.timer.set(after: .microseconds(1))
            report.yield("first")
        }
        var reported = stream.makeAsyncIterator()
        #expect(await reported.next() == "first")
        loop.later { report.yield("second") }
        #expect(await reported.next() == "second")
        isFailing.store(false, ordering: .relaxed)
        #expect(await reported.next() == "timer", "Avahi's own loop continues")
    }

    @Test func aTimerThatIsStoppedDoesNotFire() async throws {
        let loop = try PollLoop(name: "test")
        let (stream, report) = AsyncStream.makeStream(of: String.self)
        loop.timer.onFire { report.yield("timer") }
        loop.later { [weak loop] in
            loop?.timer.set(after: .milliseconds(1))
            loop?.timer.set(after: nil)
            loop?.timer.set(after: .milliseconds(20))
            loop?.timer.onFire { report.yield("the last setting") }
        }
        for await text in stream.prefix(1) { #expect(text == "the last setting") }
    }

    @Test func theThreadGoesWithTheLoopAfterWhatWasPutIn() async throws {
        let (stream, report) = AsyncStream.makeStream(of: Int.self)
        do {
            let loop = try PollLoop(name: "test")
            let token = Token(report)
            loop.timer.onFire { withExtendedLifetime(token) {} }
            for number in 0..<40 { loop.later { report.yield(number) } }
        }
        var numbers: [Int] = []
        for await number in stream { numbers.append(number) }
        #expect(numbers == Array(0..<40))
    }
}
