import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// One entry of a user with several addresses, such as `localhost:18789`: one thing, whichever of them answers.
@Suite struct ManualEntryTests {
    private var map = BotMap()
    private let first = Samples.endpoint(1)
    private let second = Samples.endpoint(2)

    private func entered() -> [BotMapEvent] {
        [.endpointAdded(first, .local, entry: "localhost"), .endpointAdded(second, .local, entry: "localhost")]
    }

    /// An address that does not answer is shown in the row of the gateway that answers at the other one, and has no row
    /// of its own, whatever is heard first.
    @Test(
        arguments: [
            ProbeOutcome.nothing(.refused), .somethingElse(ForeignAnswer(summary: "a web server", bytes: [])),
        ],
        [true, false]
    )
    mutating func aDeadAddressHasNoRowOfItsOwn(outcome: ProbeOutcome, isFirst: Bool) {
        let answers: [BotMapEvent] = [.probed(first, outcome), .probed(second, Samples.answer(nil))]
        map.apply(all: entered() + (isFirst ? answers : answers.reversed()))
        #expect(map.gateways.map(\.classification) == [.gateway])
        #expect(map.gateways.first?.paths.map(\.endpoint) == [second, first])
        #expect(map.inconsistencies() == [])
    }

    /// While none of its addresses answers, they are one row as well, in whatever order they were entered.
    @Test(arguments: [true, false]) mutating func withoutAnAnswerItIsOneRow(isReversed: Bool) {
        map.apply(all: isReversed ? entered().reversed() : entered())
        map.apply(all: [.probed(first, .nothing(.refused)), .probed(second, .nothing(.refused))])
        #expect(map.gateways.map(\.id) == [.candidate(.endpoint(first))])
        #expect(map.gateways.first?.paths.map(\.endpoint) == [first, second])
        #expect(map.gateways.map(\.classification) == [.other])
    }

    /// An address at which another gateway answers is that gateway's.
    @Test mutating func twoGatewaysOfOneEntryAreTwoRows() {
        map.apply(all: entered())
        map.apply(all: [.probed(first, Samples.answer("one")), .probed(second, Samples.answer("two"))])
        #expect(map.gateways.map { $0.paths.map(\.endpoint) } == [[first], [second]])
    }

    /// When the gateway ends, or an address is removed, nothing is shown twice, and nothing is missing.
    @Test mutating func itEndsAsItBegan() {
        map.apply(all: entered())
        map.apply(all: [
            .probed(first, .nothing(.refused)), .probed(second, Samples.answer(nil)),
            .probed(second, .somethingElse(ForeignAnswer(summary: "a web server", bytes: []))),
        ])
        #expect(map.gateways.map { $0.paths.map(\.endpoint) } == [[first, second]])
        map.apply(.endpointRemoved(first))
        #expect(map.gateways.map { $0.paths.map(\.endpoint) } == [[second]])
        map.apply(.endpointRemoved(second))
        #expect(map.gateways.isEmpty)
        #expect(map.inconsistencies() == [])
    }

    /// Addresses that are entered one by one are things of their own.
    @Test mutating func entriesWithOneAddressStayApart() {
        map.apply(all: [.endpointAdded(first, .local), .endpointAdded(second, .local)])
        map.apply(all: [.probed(first, .nothing(.refused)), .probed(second, Samples.answer(nil))])
        #expect(map.gateways.count == 2)
    }
}
