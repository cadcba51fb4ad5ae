import DNSSD
import TestSupport
import Testing

@testable import Discovery

@Suite(.timeLimit(.minutes(1))) struct AdvertiserTests {
    private let backend = FakeBackend()
    private let advertiser: Advertiser

    init() throws {
        let advertisement = Advertisement(name: "Home", types: [Samples.type], port: 3_000, txt: Samples.txt("1"))
        advertiser = try Advertiser(advertisement, backend: backend)
    }

    /// Runs the advertiser around `body`.
    private func running(_ body: () async throws -> Void) async rethrows {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await advertiser.run() }
            await backend.started()
            try await body()
            group.cancelAll()
        }
        #expect(!backend.isRunning)
    }

    @Test func everyReaderSeesTheStatesInOrder() async {
        await running {
            var first = advertiser.states.makeAsyncIterator()
            #expect(await first.next(isolation: nil) == .publishing(waitingFor: nil))
            backend.send(.renamed(from: "Home", to: "Home #2"))
            backend.send(.published(name: "Home #2"))
            var second = advertiser.states.makeAsyncIterator()
            #expect(await first.next(isolation: nil) == .renamed(from: "Home", to: "Home #2"))
            #expect(await first.next(isolation: nil) == .published(name: "Home #2"))
            #expect(await second.next(isolation: nil) == .published(name: "Home #2"))
            #expect(advertiser.currentState == .published(name: "Home #2"))
        }
    }

    /// Each reader receives the final state and ends when the run ends. The end of a stream calls back into the
    /// advertiser, which must not hold its lock then.
    @Test func readersEndWithTheRun() async {
        var states = advertiser.states.makeAsyncIterator()
        await running {
            backend.send(.published(name: "Home"))
        }
        #expect(await states.next(isolation: nil) == .publishing(waitingFor: nil))
        #expect(await states.next(isolation: nil) == .published(name: "Home"))
        #expect(await states.next(isolation: nil) == .withdrawn)
        #expect(await states.next(isolation: nil) == nil)
    }

    @Test func failureEndsTheRunAndIsTheLastState() async {
        let states = advertiser.states
        let error = BackendError(.nameConflict, "taken")
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await advertiser.run() }
            await backend.started()
            backend.send(.failed(error))
            backend.finish()
        }
        var last: PublicationState?
        for await state in states { last = state }
        #expect(last == .failed(error))
        #expect(advertiser.currentState == .failed(error))
    }

    @Test func aCancelledReaderIsForgotten() async {
        await running {
            let states = advertiser.states
            let reading = Task {
                for await _ in states {}
            }
            reading.cancel()
            await reading.value
            backend.send(.published(name: "Home"))
            #expect(advertiser.currentState == .published(name: "Home"))
        }
    }

    @Test func anUpdateReachesTheBackend() async throws {
        try await running {
            try advertiser.update(txt: Samples.txt("2"))
            #expect(await backend.nextUpdate() == Samples.txt("2"))
        }
    }

    @Test func anUpdateBeforeTheRunIsWhatIsPublished() async throws {
        try advertiser.update(txt: Samples.txt("2"))
        await running {
            #expect(backend.advertisements.map(\.txt) == [Samples.txt("2")])
        }
    }

    @Test func anUpdateThatCannotBePublishedIsRefused() throws {
        var txt = TXTRecord()
        for number in 0..<40 { try txt.set([UInt8](repeating: 0x61, count: 240), forKey: "k\(number)") }
        let error = #expect(throws: BackendError.self) { try advertiser.update(txt: txt) }
        #expect(error?.code == .invalid)
    }

    @Test func aSecondRunIsAnError() async {
        await running {
            await #expect(throws: AlreadyRunError(type: "Advertiser")) { try await advertiser.run() }
            #expect(backend.isRunning)
        }
        await #expect(throws: AlreadyRunError(type: "Advertiser")) { try await advertiser.run() }
    }
}
