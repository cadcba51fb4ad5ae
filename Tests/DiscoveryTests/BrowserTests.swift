import CoreMetrics
import DNSSD
import Synchronization
import TestSupport
import Testing

@testable import Discovery

@Suite(.timeLimit(.minutes(1))) struct BrowserTests {
    private let backend = FakeBackend()
    private let browser: Browser

    init() {
        browser = Browser(BrowserConfiguration(types: [Samples.type]), backend: backend)
    }

    /// Runs the browser around `body`.
    private func running(_ body: () async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await browser.run() }
            await backend.started()
            await body()
            group.cancelAll()
        }
        #expect(!backend.isRunning)
    }

    /// A program that shows what is there needs no list of its own, and a slow one gets the present services once.
    @Test func theCurrentServicesComeWhole() async {
        await running {
            var current = browser.currentServices.makeAsyncIterator()
            #expect(await current.next(isolation: nil)?.isEmpty == true)
            backend.send(.status(.running), .sighted(Samples.sighting("b")), .sighted(Samples.sighting("a")))
            backend.send(.sighted(Samples.sighting("c")))
            #expect(await current.next(isolation: nil)?.map(\.instance.name) == ["a", "b", "c"])
            backend.send(.vanished(Samples.instance("a"), Samples.eth0, .withdrawn))
            #expect(await current.next(isolation: nil)?.map(\.instance.name) == ["b", "c"])
            backend.finish()
            #expect(await current.next(isolation: nil) == nil, "it ends with the run")
        }
    }

    /// One instance is looked up with its address, among others and after it was only listed; without an answer, the look ends.
    @Test func oneInstanceIsResolved() async {
        async let service = Samples.instance("b").resolved(within: .seconds(50), by: backend)
        await backend.started()
        backend.send(.status(.running), .sighted(Samples.sighting("a")), .sighted(Samples.sighting("b", .resolving)))
        backend.send(.sighted(Samples.sighting("b", port: 631)))
        #expect(await service?.port == 631)
        #expect(!backend.isRunning)
        #expect(await Samples.instance("b").resolved(within: .zero, by: backend) == nil)
    }

    /// The short forms refuse what is no service type or cannot be published.
    @Test func theShortFormsCheckWhatTheyGet() throws {
        #expect(throws: DNSSDError.self) { try Browser(type: "ipp") }
        #expect(throws: DNSSDError.self) { try Advertiser(name: "Desk", type: "ipp", port: 631) }
        #expect(throws: BackendError.self) { try Advertiser(name: "", type: "_ipp._tcp", port: 631) }
        #expect(try Browser(type: "_ipp._tcp", backend: .embedded).source == .embedded)
    }

    @Test func foundChangedAndLostComeInOrder() async {
        await running {
            var changes = browser.changes.makeAsyncIterator()
            backend.send(.status(.running), .sighted(Samples.sighting("a")))
            #expect(await changes.next(isolation: nil).map(Samples.kind) == "found")
            #expect(browser.services.map(\.instance.name) == ["a"])
            #expect(browser.condition.status == .running)
            backend.send(.sighted(Samples.sighting("a", txt: "2")))
            #expect(await changes.next(isolation: nil).map(Samples.aspects) == [.txt])
            backend.send(.vanished(Samples.instance("a"), Samples.eth0, .withdrawn))
            #expect(await changes.next(isolation: nil).map(Samples.kind) == "lost")
            #expect(browser.services.isEmpty)
        }
    }

    @Test func aReaderThatWaitsIsWoken() async {
        await running {
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var count = 0
                        for await _ in browser.changes {
                            count += 1
                            if count == 100 { break }
                        }
                        return count
                    }
                }
                // Each change concerns a different service, so that none are merged.
                for number in 0..<100 {
                    backend.send(.sighted(Samples.sighting("s\(number)")))
                    await Task.yield()
                }
                for await count in group { #expect(count == 100) }
            }
        }
    }

    @Test func aSlowReaderArrivesAtThePresentPicture() async {
        await running {
            var slow = browser.changes.makeAsyncIterator()
            backend.send(.sighted(Samples.sighting("a")))
            #expect(await slow.next(isolation: nil).map(Samples.kind) == "found")
            for value in 0..<1_000 {
                backend.send(.sighted(Samples.sighting("a", txt: "\(value)")))
                backend.send(.sighted(Samples.sighting("b")))
                backend.send(.vanished(Samples.instance("b"), Samples.eth0, .withdrawn))
            }
            backend.send(.sighted(Samples.sighting("c")))
            let change = await slow.next(isolation: nil)
            #expect(change?.service.txt == Samples.txt("999"))
            #expect(await slow.next(isolation: nil)?.service.instance.name == "c")
        }
    }

    @Test func everyReaderEndsWithTheBrowser() async {
        let reading = Task {
            var names: [String] = []
            for await change in browser.changes { names.append(change.service.instance.name) }
            return names
        }
        await running {
            backend.send(.sighted(Samples.sighting("a")))
        }
        // The reader gets the service and ends, whether it began to read before or after the run.
        #expect(await reading.value == ["a"])
    }

    @Test func aCancelledReaderEnds() async {
        await running {
            for isWaiting in [false, true] {
                let reading = Task {
                    for await _ in browser.changes {}
                }
                if isWaiting { while browser.waitingReaders == 0 { await Task.yield() } }
                reading.cancel()
                await reading.value
                #expect(browser.waitingReaders == 0)
            }
        }
    }

    /// Several tasks of one actor can wait on copies of an iterator, and each gets one change.
    @MainActor
    @Test func copiesOfAnIteratorAllEnd() async {
        await running {
            let original = browser.changes.makeAsyncIterator()
            let first = Task { @MainActor in
                var copy = original
                return await copy.next(isolation: MainActor.shared)
            }
            let second = Task { @MainActor in
                var copy = original
                return await copy.next(isolation: MainActor.shared)
            }
            while browser.waitingReaders < 2 { await Task.yield() }
            backend.send(.sighted(Samples.sighting("a")))
            backend.send(.sighted(Samples.sighting("b")))
            let names = await [first.value, second.value].compactMap { $0?.service.instance.name }
            #expect(names.sorted() == ["a", "b"])
        }
    }

    @Test func manyReadersThatComeAndGoLeaveNothing() async {
        await running {
            await withDiscardingTaskGroup { group in
                for number in 0..<200 {
                    group.addTask {
                        let reading = Task {
                            for await _ in browser.changes where number.isMultiple(of: 3) { break }
                        }
                        await Task.yield()
                        backend.send(.sighted(Samples.sighting("s\(number)")))
                        reading.cancel()
                        await reading.value
                    }
                }
            }
            #expect(browser.waitingReaders == 0)
            #expect(browser.services.count == 200)
        }
    }

    /// A second run is an error that says so, while the first one goes on and after it.
    @Test func aSecondRunIsAnError() async {
        await running {
            await #expect(throws: AlreadyRunError(type: "Browser")) { try await browser.run() }
            #expect(backend.isRunning)
        }
        await #expect(throws: AlreadyRunError(type: "Browser")) { try await browser.run() }
    }

    /// A reader may begin before the run, since a caller that runs and reads the browser in two tasks does not know which
    /// of them starts first. It ends with the run.
    @Test func aReaderMayComeBeforeTheRun() async {
        var changes = browser.changes.makeAsyncIterator()
        await running {
            backend.send(.sighted(Samples.sighting("b")))
            #expect(await changes.next(isolation: nil)?.service.instance.name == "b")
        }
        #expect(await changes.next(isolation: nil) == nil)
    }

    /// An outdated condition is not reported last. If two browses report at the same time, the report that is delivered
    /// first may contain the older condition.
    @Test func aConditionThatIsOverIsNotToldLast() async {
        let hook = StatusHook()
        let browser = withMetricsFactory(hook) {
            Browser(BrowserConfiguration(types: [Samples.type]), backend: backend)
        }
        hook.onUnavailable { [backend] in backend.send(.status(.running)) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await browser.run() }
            await backend.started()
            backend.send(.status(.unavailable(Samples.noDaemon)))
            let conditions = browser.conditions
            #expect(browser.condition.status == .running)
            for await condition in conditions {
                #expect(condition.status == .running)
                break
            }
            group.cancelAll()
        }
    }

    @Test func settleReturnsWhenNothingMoreIsWaitedFor() async {
        await running {
            backend.send(.status(.running), .sighted(Samples.sighting("a")))
            let result = await browser.settle(quiet: .zero, deadline: .now + .seconds(30))
            #expect(result == .settled)
        }
    }

    /// The event that settles the browser wakes the waiting caller at once, since the browser does not poll.
    @Test(.timeLimit(.minutes(1))) func settleIsWokenByWhatItWaitsFor() async {
        await running {
            backend.send(.status(.running), .sighted(Samples.sighting("a", .resolving)))
            async let result = browser.settle(quiet: .zero, deadline: .now + .seconds(3_600))
            while browser.settlers == 0 { await Task.yield() }
            backend.send(.sighted(Samples.sighting("a")))
            #expect(await result == .settled)
            #expect(browser.settlers == 0)
        }
    }

    @Test func settleTellsOfABackendThatStaysAway() async {
        await running {
            backend.send(.status(.unavailable(Samples.noDaemon)))
            let result = await browser.settle(quiet: .zero, availabilityTimeout: .zero, deadline: .now + .seconds(30))
            #expect(result == .unavailable(Samples.noDaemon))
        }
    }

    @Test func settleKeepsTheDeadline() async {
        await running {
            #expect(await browser.settle(quiet: .zero, deadline: .now) == .deadline)
        }
    }

    @Test func settleReturnsWhenItIsCancelled() async {
        await running {
            let settling = Task { await browser.settle(quiet: .zero, deadline: .now + .seconds(3_600)) }
            settling.cancel()
            #expect(await settling.value == .deadline)
        }
    }
}

/// A metrics factory that calls a closure when a browser counts the status `unavailable`, before that condition is
/// reported to readers.
private final class StatusHook: MetricsFactory {
    private final class Handler: CounterHandler {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }

        func increment(by amount: Int64) { body() }
        func reset() {}
    }

    private let action = Mutex<@Sendable () -> Void>({})

    func onUnavailable(_ body: @escaping @Sendable () -> Void) { action.withLock { $0 = body } }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        guard dimensions.contains(where: { $0 == ("status", "unavailable") }) else {
            return NOOPMetricsHandler.instance
        }
        return Handler { self.action.withLock { $0 }() }
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { NOOPMetricsHandler.instance }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
