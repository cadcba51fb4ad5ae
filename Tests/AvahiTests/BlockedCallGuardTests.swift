import Synchronization
import TestSupport
import Testing

@testable import Avahi

/// The guard that cuts off calls to a frozen daemon, so that it delays neither the end of a browse nor that of the
/// program, and that keeps the connections to a daemon that answers in time.
@Suite(.timeLimit(.minutes(1))) struct BlockedCallGuardTests {
    /// A daemon whose calls return only when they are cut off or released.
    private final class Daemon: Sendable {
        let clock = TurnedClock()

        private struct State {
            var blockedFor: Duration?
            var cuts = 0
        }

        private let state = Mutex(State())
        private let (ends, end) = AsyncStream.makeStream(of: Void.self)
        private let (begun, begin) = AsyncStream.makeStream(of: Void.self)

        /// The number of cuts that it takes to end a call.
        private let cutsNeeded: Int

        init(cutsNeeded: Int = 1) {
            self.cutsNeeded = cutsNeeded
        }

        var cuts: Int { state.withLock { $0.cuts } }

        func block(for time: Duration?) {
            state.withLock { $0.blockedFor = time }
        }

        func release() {
            end.finish()
        }

        /// Waits until the call has begun.
        func beginning() async {
            for await _ in begun { return }
        }

        /// Makes a guarded call.
        func call(_ callLimit: BlockedCallGuard.CallLimit) async -> String {
            await BlockedCallGuard.run(
                callLimit,
                clock: clock,
                blockedFor: { self.state.withLock { $0.blockedFor } },
                cut: {
                    let cuts = self.state.withLock { state in
                        state.cuts += 1
                        return state.cuts
                    }
                    if cuts == self.cutsNeeded { self.end.finish() }
                },
                {
                    self.begin.yield()
                    // The stream does not belong to the calling task, since cancelling that does not end a call into C.
                    for await _ in self.ends {}
                    return "done"
                }
            )
        }
    }

    @Test func aCallThatTakesTooLongIsCut() async {
        let daemon = Daemon()
        daemon.block(for: .milliseconds(100))
        async let result = daemon.call(.short)
        await daemon.clock.nextSleep()
        #expect(daemon.cuts == 0)
        daemon.clock.turn(by: BlockedCallGuard.limit)
        #expect(await result == "done")
        #expect(daemon.cuts == 1)
    }

    /// A call that has begun only recently is not cut off, even if the guarded call takes long: it may belong to
    /// another session, whose connection would be lost.
    @Test func aCallThatHasOnlyJustBegunGetsItsTime() async {
        let daemon = Daemon()
        daemon.block(for: .milliseconds(99))
        async let result = daemon.call(.short)
        await daemon.clock.nextSleep()
        daemon.clock.turn(by: BlockedCallGuard.limit)
        await daemon.clock.nextSleep()
        #expect(daemon.cuts == 0)
        daemon.block(for: nil)
        daemon.clock.turn(by: BlockedCallGuard.limit)
        await daemon.clock.nextSleep()
        #expect(daemon.cuts == 0)
        daemon.block(for: .milliseconds(100))
        daemon.clock.turn(by: BlockedCallGuard.limit)
        #expect(await result == "done")
        #expect(daemon.cuts == 1)
    }

    @Test func callsThatAreStuckOneAfterTheOtherAreAllCutAndThenNoMore() async {
        let daemon = Daemon(cutsNeeded: 1_000)
        daemon.block(for: .seconds(1))
        async let result = daemon.call(.short)
        for _ in 0..<BlockedCallGuard.attempts {
            await daemon.clock.nextSleep()
            daemon.clock.turn(by: BlockedCallGuard.limit)
        }
        daemon.release()
        #expect(await result == "done")
        while daemon.cuts < BlockedCallGuard.attempts { await Task.yield() }
        #expect(daemon.clock.sleepers == 0)
        #expect(daemon.cuts == BlockedCallGuard.attempts)
    }

    /// A call without a time limit is cut off only after its task was cancelled.
    @Test func patientCallsAreCutOnlyWhenCancelled() async {
        let daemon = Daemon()
        daemon.block(for: .seconds(20))
        let task = Task { await daemon.call(.untilCancelled) }
        await daemon.beginning()
        daemon.clock.turn(by: .seconds(60))
        #expect(daemon.cuts == 0)
        #expect(daemon.clock.sleepers == 0)
        task.cancel()
        await daemon.clock.nextSleep()
        #expect(daemon.cuts == 0)
        daemon.clock.turn(by: BlockedCallGuard.limit)
        #expect(await task.value == "done")
        #expect(daemon.cuts == 1)
    }

    /// The guard ends with its call, so that it does not cut off later calls.
    @Test func aCallThatReturnsLeavesNobodyBehindWhoCuts() async {
        let daemon = Daemon()
        async let result = daemon.call(.short)
        await daemon.clock.nextSleep()
        daemon.release()
        #expect(await result == "done")
        daemon.block(for: .seconds(1))
        while daemon.clock.sleepers > 0 { await Task.yield() }
        daemon.clock.turn(by: .seconds(60))
        #expect(daemon.cuts == 0)
    }
}
