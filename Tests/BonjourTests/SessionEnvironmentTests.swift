import DNSSD
import EventLoops
import Glibc
import TestSupport
import Testing

@testable import Bonjour

/// Sessions beside a daemon that hangs, with a clock that the test turns: it times the calls as well.
@Suite(.timeLimit(.minutes(1))) final class SessionEnvironmentTests {
    /// A session that makes a call to the daemon when it is told to.
    private actor FakeSession: LibrarySession {
        enum Event { case begun, calls, returns, reported, ended }

        private let loop: SocketLoop
        private let events: AsyncStream<Event>.Continuation

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(on loop: SocketLoop, _ events: AsyncStream<Event>.Continuation) {
            self.loop = loop
            self.events = events
        }

        func begin() { events.yield(.begun) }
        func reportAgain() { events.yield(.reported) }
        func end() { events.yield(.ended) }

        /// A call that returns when the daemon writes a byte.
        func call(_ daemon: CInt) {
            loop.blocking {
                events.yield(.calls)
                var byte: UInt8 = 0
                _ = read(daemon, &byte, 1)
            }
            events.yield(.returns)
        }
    }

    private final class Pipe: Sendable {
        let reading: CInt
        let writing: CInt

        init() throws {
            var ends: [CInt] = [-1, -1]
            try #require(pipe(&ends) == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        deinit {
            close(reading)
            close(writing)
        }

        func send() { _ = write(writing, [1], 1) }
    }

    private let clock = TurnedClock()
    private let environment: SessionEnvironment
    private let session: FakeSession
    private let daemon: Pipe
    private let (events, event) = AsyncStream.makeStream(of: FakeSession.Event.self)
    private let (blocks, block) = AsyncStream.makeStream(of: Void.self)
    private let (ends, end) = AsyncStream.makeStream(of: Never.self)

    init() throws {
        let loop = try SocketLoop(name: "test", clock: clock, callClock: clock)
        environment = SessionEnvironment(
            loop: loop,
            clock: clock,
            pool: ReferencePool(),
            publications: Publications(),
            protected: ProtectedInstances()
        )
        session = FakeSession(on: loop, event)
        daemon = try Pipe()
    }

    private func next() async -> FakeSession.Event? {
        for await event in events { return event }
        return nil
    }

    /// Runs the session until ``end`` is finished.
    private func withSession(_ body: () async -> Void) async {
        await withDiscardingTaskGroup { group in
            group.addTask { [environment, session, block, ends] in
                await environment.run(session) {
                    block.yield()
                } body: {
                    for await _ in ends {}
                }
            }
            #expect(await next() == .begun)
            await clock.nextSleep()
            await body()
        }
    }

    /// Has a call to the daemon begin.
    private func call() async {
        let (loop, session, daemon) = (environment.loop, session, daemon)
        loop.later { session.assumeIsolated { $0.call(daemon.reading) } }
        #expect(await next() == .calls)
    }

    /// Rule: a daemon that does not answer for a second is told as not answering, once, and the present state is told again
    /// when it does.
    @Test func aDaemonThatDoesNotAnswerIsToldOnce() async {
        await withSession {
            await call()
            // The first look comes at 0.75 s, which is not late; the next one after 1.5 s.
            clock.turn(by: .milliseconds(750))
            await clock.nextSleep()
            clock.turn(by: .milliseconds(750))
            for await _ in blocks { break }
            for _ in 0..<3 {
                await clock.nextSleep()
                clock.turn(by: .milliseconds(250))
            }
            await clock.nextSleep()
            daemon.send()
            #expect(await next() == .returns)
            clock.turn(by: .milliseconds(250))
            #expect(await next() == .reported)
            end.finish()
        }
        block.finish()
        for await _ in blocks { Issue.record("told once more") }
        #expect(await next() == .ended)
    }

    /// Rule: a call that returns within a second is no trouble.
    @Test func aCallInTimeIsNotTold() async {
        await withSession {
            await call()
            clock.turn(by: .milliseconds(750))
            await clock.nextSleep()
            daemon.send()
            #expect(await next() == .returns)
            clock.turn(by: .milliseconds(750))
            await clock.nextSleep()
            end.finish()
        }
        block.finish()
        for await _ in blocks { Issue.record("the daemon answers") }
        #expect(await next() == .ended)
    }

    /// Rule: whoever ends a browse does not wait for a daemon that hangs for more than 0.1 s; what the session holds is let go
    /// when the call returns.
    @Test func theEndDoesNotWaitForADaemonThatHangs() async {
        await withSession {
            await call()
            end.finish()
            // The watch is cancelled; the one that sleeps now waits for the end.
            while environment.lifetime.isWanted || clock.waits != [SessionEnvironment.endTimeout] { await Task.yield() }
            // The call began a nanosecond after the clock did.
            clock.turn(by: SessionEnvironment.endTimeout + .milliseconds(1))
        }
        daemon.send()
        #expect(await next() == .returns)
        #expect(await next() == .ended)
    }

    /// Rule: where no call hangs, the session has ended when its end is told.
    @Test func theEndWaitsForTheSession() async {
        await withSession { end.finish() }
        event.finish()
        #expect(await next() == .ended)
        #expect(clock.sleepers == 0)
    }
}
