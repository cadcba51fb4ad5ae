import DNSSD
import Testing

@testable import Scanning

/// The times at which endpoints last answered.
@Suite struct AnswerTimesTests {
    private let times = AnswerTimes()
    private let start = ContinuousClock.now

    private func endpoint(_ number: Int) -> Endpoint {
        Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 + UInt32(number))), port: 3_000)
    }

    /// Nothing is kept for nobody.
    @Test func nothingIsKeptBeforeSomebodyWantsIt() {
        times.note(endpoint(1), at: start)
        #expect(times.all.isEmpty)
        times.begin()
        times.note(endpoint(1), at: start)
        times.note(endpoint(1), at: start + .seconds(2))
        times.begin()
        #expect(times.all == [endpoint(1): start + .seconds(2)])
    }

    /// A forger of endpoints that answer cannot make it grow, and old ones make room for new ones.
    @Test func oldTimesMakeRoom() {
        times.begin()
        for number in 0..<AnswerTimes.most { times.note(endpoint(number), at: start) }
        times.note(endpoint(AnswerTimes.most), at: start + .seconds(60))
        #expect(times.all.count == AnswerTimes.most && times.all[endpoint(AnswerTimes.most)] == nil)
        times.note(endpoint(0), at: start + .seconds(60))
        #expect(times.all[endpoint(0)] == start + .seconds(60), "one that is known goes on")
        times.note(endpoint(AnswerTimes.most), at: start + .seconds(130))
        #expect(times.all.count == 2)
    }
}
