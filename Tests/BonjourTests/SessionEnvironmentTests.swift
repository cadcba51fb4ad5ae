import DNSSD
import Glibc
import HostSystem
import TestSupport
import Testing

@testable import Bonjour

/// Sessions with a daemon that hangs. The test advances the clock, which also measures the duration of calls.
@Suite(.timeLimit(.minutes(1))) final class SessionEnvironmentTests {
    /// A session that makes a call to the daemon at the request of the test.
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

        /// Makes a call that returns when the daemon writes a byte.
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

    /// Begins a call to the daemon.
    private func call() async {
        let (loop, session, daemon) = (environment.loop, session, daemon)
        loop.later { session.assumeIsolated { $0.call(daemon.reading) } }
        #expect(await next() == .calls)
    }

    /// A daemon that has not answered for a second is reported once as not answering, and the present state is reported
    /// again when it answers.
    @Test func aDaemonThatDoesNotAnswerIsToldOnce() async {
        await withSession {
            await call()
            // The first check comes after 0.75 s, when the call is not late yet; the next one after 1.5 s.
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
        for await _ in blocks { Issue.record("the daemon was reported again") }
        #expect(await next() == .ended)
    }

    /// A call that returns within a second is not reported.
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
        for await _ in blocks { Issue.record("the daemon was reported although it answered in time") }
        #expect(await next() == .ended)
    }

    /// The end of a browse waits at most 0.1 s for a daemon that hangs; the session ends when its call returns.
    @Test func theEndDoesNotWaitForADaemonThatHangs() async {
        await withSession {
            await call()
            end.finish()
            // The task that watches for late calls is cancelled; the only sleeping task waits for the end of the
            // session.
            while environment.lifetime.isWanted || clock.waits != [SessionEnvironment.endTimeout] { await Task.yield() }
            // The loop takes a call that begins at the origin of its clock to begin a nanosecond later.
            clock.turn(by: SessionEnvironment.endTimeout + .milliseconds(1))
        }
        daemon.send()
        #expect(await next() == .returns)
        #expect(await next() == .ended)
    }

    /// The session has ended when `run` returns, if no call hangs.
    @Test func theEndWaitsForTheSession() async {
        await withSession { end.finish() }
        event.finish()
        #expect(await next() == .ended)
        #expect(clock.sleepers == 0)
    }
}
