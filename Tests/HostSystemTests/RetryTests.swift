import DNSSD
import Glibc
import HostSystem
import Synchronization
import TestSupport
import Testing

/// Waiting for a thread or a descriptor that the system lacks, which may be temporary.
@Suite(.timeLimit(.minutes(1))) struct RetryTests {
    private let clock = TurnedClock()

    /// A resource is asked for every two seconds until there is one, and a failure that goes on is reported once.
    @Test func aResourceIsAskedForEveryTwoSeconds() async {
        let loops = LoopFactory(failures: 2)
        let (troubles, trouble) = AsyncStream.makeStream(of: SystemError.self)
        let retry = Task { [clock] in
            await clock.retry {
                trouble.yield($0)
            } _: { () throws(SystemError) in
                try loops.make(clock)
            }
        }
        for attempt in 1...2 {
            await clock.nextSleep()
            #expect(clock.waits == [.seconds(2)] && loops.count == attempt)
            clock.turn(by: .seconds(2))
        }
        #expect(await retry.value != nil)
        trouble.finish()
        var errors: [SystemError] = []
        for await error in troubles { errors.append(error) }
        #expect(errors == [LoopFactory.refusal] && loops.count == 3 && clock.sleepers == 0)
    }

    /// A library that is not installed may be at any time, and is looked for once a minute; another failure is another report.
    @Test func aLibraryIsLookedForOnceAMinute() async {
        let failures = [ENOENT, ENOENT, EMFILE].map { SystemError(call: "dlopen", code: $0) }
        let waiting = Mutex(failures[...])
        let (troubles, trouble) = AsyncStream.makeStream(of: SystemError.self)
        let retry = Task { [clock] in
            await clock.retry {
                trouble.yield($0)
            } _: { () throws(SystemError) in
                if let failure = waiting.withLock({ $0.popFirst() }) { throw failure }
            }
        }
        for wait in [60, 60, 2] {
            await clock.nextSleep()
            #expect(clock.waits == [.seconds(wait)])
            clock.turn(by: .seconds(wait))
        }
        #expect(await retry.value != nil)
        trouble.finish()
        var errors: [SystemError] = []
        for await error in troubles { errors.append(error) }
        #expect(errors == [failures[0], failures[2]])
    }

    /// The wait ends at once with the task, and nothing is created then.
    @Test func theWaitEndsWithTheTask() async {
        let loops = LoopFactory(failures: 1)
        let retry = Task { [clock] in
            await clock.retry { _ in
            } _: { () throws(SystemError) in
                try loops.make(clock)
            }
        }
        await clock.nextSleep()
        retry.cancel()
        #expect(await retry.value == nil)
        #expect(loops.count == 1 && clock.sleepers == 0)
    }
}
