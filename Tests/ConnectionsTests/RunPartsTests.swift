import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Pairing

/// The parts of a run of the sessions, each by itself.
@Suite struct RunPartsTests {
    private let start = ContinuousClock.now
    private let one = CredentialID()
    private let two = CredentialID()
    private let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0001)), port: 443)

    /// Of several readings of the store, none counts that was begun before one that was taken already.
    @Test func theLatestReadingCounts() {
        var readings = ReadingOrder()
        let (first, second) = (readings.begin(), readings.begin())
        #expect(readings.take(second) == true)
        #expect(readings.take(first) == false)
        #expect(readings.begun == 2)
        #expect(readings.retry() == true)
        #expect(readings.retry() == false)
        readings.beginRetry()
        #expect(readings.retry() == true)
    }

    /// The latest time and the latest known place are noted, and what could not be stored does not replace what is newer.
    @Test func notesAreOfTheLatest() {
        var notes = PendingNotes()
        let (pairing, other) = (PairingID(), PairingID())
        #expect(notes.begin() == true)
        #expect(notes.begin() == false)
        notes.note(at: 5, endpoint, of: pairing)
        notes.note(at: 3, nil, of: pairing)
        let written = notes.take()
        #expect(written == [pairing: ConnectionNote(time: 5, endpoint: endpoint)] && notes.isEmpty)
        notes.note(at: 7, nil, of: pairing)
        notes.putBack(written.merging([other: ConnectionNote(time: 1, endpoint: nil)]) { known, _ in known })
        #expect(notes.notes[pairing]?.time == 7 && notes.notes[other]?.time == 1)
        notes.end()
        #expect(notes.begin() == true)
    }

    /// A run that takes no job any more makes no progress, and one that has ended holds nobody up.
    @Test func aRunThatTakesNoJobMakesNoProgress() async throws {
        var queues = RunQueues()
        let before = queues.beginPass()
        #expect(before == nil)
        let streams = queues.begin()
        let first = queues.beginPass()
        let (number, end) = try #require(first)
        var jobs = streams.jobs.makeAsyncIterator()
        // It ends with the job, and by nothing else.
        let job = try #require(await jobs.next())
        await job()
        for await _ in end {}
        queues.endPass(number)
        let second = queues.beginPass()
        let (_, other) = try #require(second)
        queues.close()
        for await _ in other {}
        let after = queues.beginPass()
        #expect(after == nil)
    }

    /// The best that any session sees of an endpoint is told, once, and all of it is withdrawn in the end.
    @Test func onlyNewsIsTold() throws {
        var told = ReportedFacts()
        let bot = try #require(BotID("a"))
        let key = BotKey(gateway: .candidate(.endpoint(endpoint)), bot: bot)
        #expect(told.note(.suspect, at: endpoint, by: one) == .some(.suspect))
        #expect(told.note(.answering, at: endpoint, by: two) == .some(.answering))
        #expect(told.note(.answering, at: endpoint, by: one) == nil)
        #expect(told.note(nil, at: endpoint, by: two) == nil)
        #expect(told.set(.connecting, of: key, by: one) == [.stateChanged(key, .connecting)])
        #expect(told.set(.connecting, of: key, by: one).isEmpty)
        #expect(told.withdrawal.contains(.sessionLiveness(endpoint, nil)) && told.withdrawal.count > 1)
        told.forget(key)
        #expect(told.note(nil, at: endpoint, by: one) == .some(nil))
        #expect(told.withdrawal.isEmpty)
    }

    /// Of a bot that two pairings open, the session that says most is told, whichever spoke last; and the end of the older
    /// pairing says nothing about the newer one.
    @Test func theSessionThatSaysMostIsTold() throws {
        var told = ReportedFacts()
        let key = BotKey(gateway: .candidate(.endpoint(endpoint)), bot: try #require(BotID("a")))
        #expect(told.set(.disconnected, of: key, by: one).last == .stateChanged(key, .disconnected))
        #expect(told.set(.connecting, of: key, by: two).last == .stateChanged(key, .connecting))
        #expect(told.set(.connected, of: key, by: two).last == .stateChanged(key, .connected))
        for state in [BotState.disconnected, .refused, .paired, nil] {
            #expect(told.set(state, of: key, by: one).isEmpty)
        }
        #expect(told.isKnown(key))
        #expect(told.set(nil, of: key, by: two).last == .stateChanged(key, .paired))
        #expect(!told.isKnown(key) && told.withdrawal.isEmpty)
    }

    /// A leaf that an endpoint has shown counts more than the stored one; and a pairing that is removed takes along no
    /// pin of a neighbour behind the same front.
    @Test func pinsEndWithTheLastPairingThatDemandsThem() throws {
        var told = ReportedFacts()
        let (leaf, other) = (try leaf(1), try leaf(2))
        let (pairing, neighbour) = (PairingID(), PairingID())
        let next = Endpoint(address: endpoint.address, port: 444)
        #expect(told.store([endpoint: leaf]) == [endpoint])
        #expect(told.pin(leaf, at: endpoint, of: pairing).isEmpty)
        #expect(told.pin(leaf, at: next, of: pairing) == [next])
        #expect(told.pin(leaf, at: next, of: neighbour).isEmpty)
        #expect(told.store([:]).isEmpty)
        #expect(told.forgetPins(of: pairing) == [endpoint])
        #expect(told.pin(at: endpoint) == nil && told.pin(at: next) == leaf)
        #expect(told.pin(other, at: next, of: pairing) == [next])
        #expect(told.forgetPins(of: neighbour).isEmpty)
        #expect(told.store([next: leaf]).isEmpty)
        #expect(told.forgetPins(of: pairing) == [next])
        #expect(told.pin(at: next) == leaf)
    }

    private func leaf(_ byte: UInt8) throws -> LeafFingerprint {
        try #require(LeafFingerprint(bytes: Array(repeating: byte, count: 32)))
    }

    /// One look at the clock is scheduled, the earliest, and none while what is due is handled.
    @Test func oneLookAtTheClockIsScheduled() {
        var schedule = SessionSchedule()
        schedule.set(start + .seconds(2), isWaiting: true, of: one)
        schedule.set(start + .seconds(1), isWaiting: false, of: two)
        #expect(schedule.next == start + .seconds(1) && schedule.waiting == [one])
        #expect(schedule.look(at: start + .seconds(2)) == true)
        #expect(schedule.look(at: start + .seconds(3)) == false)
        #expect(schedule.look(at: start + .seconds(1)) == true)
        #expect(schedule.beginLook(at: start + .seconds(2)) == false)
        #expect(schedule.beginLook(at: start + .seconds(1)) == true)
        #expect(schedule.beginHandling(until: start + .seconds(1)) == [two])
        #expect(schedule.look(at: start) == false)
        schedule.endHandling()
        schedule.remove(one)
        #expect(schedule.waiting.isEmpty && schedule.deadlines.keys.map(\.self) == [two])
        #expect(schedule.look(at: start) == true)
        schedule.end()
        #expect(schedule.beginLook(at: start) == false)
    }

    /// Reports that nobody takes any more are kept for the end.
    @Test func lateReportsAreKept() async {
        var queues = RunQueues()
        queues.tell(.pin(nil, endpoint))
        #expect(!queues.isOpen && queues.lateReports.isEmpty)
        let streams = queues.begin()
        queues.tell(.pin(nil, endpoint))
        let reader = Task { for await _ in streams.reports {} }
        reader.cancel()
        await reader.value
        queues.tell(.events([]))
        #expect(queues.isOpen && queues.lateReports.count == 1)
        queues.close()
        queues.end()
        #expect(!queues.isOpen && queues.hasEnded)
    }
}
