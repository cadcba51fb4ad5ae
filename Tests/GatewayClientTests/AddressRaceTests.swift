import DNSSD
import Testing

@testable import GatewayClient

@Suite struct AddressRaceTests {
    private func endpoints(_ addresses: [String]) throws -> [Endpoint] {
        try addresses.map { Endpoint(address: try #require(IPAddress($0)), port: 3_000) }
    }

    private let refused = GatewayConnectionError(.refused, "")
    private let unreachable = GatewayConnectionError(.unreachable, "")

    /// The addresses of both families alternate, beginning with IPv4, and each address is tried once.
    @Test func familiesTakeTurns() throws {
        let race = AddressRace(try endpoints(["fd00::1", "10.0.0.2", "10.0.0.1", "10.0.0.3", "10.0.0.1"]))
        #expect(race.endpoints.map { "\($0.address)" } == ["10.0.0.1", "fd00::1", "10.0.0.2", "10.0.0.3"])
    }

    /// Each address has a head start before the next one is tried.
    @Test func eachHasAHeadStart() throws {
        var race = AddressRace(try endpoints(["10.0.0.1", "10.0.0.2"]))
        #expect(race.start() == .connect(0))
        #expect(race.receive(.headStartOver(0)) == .connect(1))
        #expect(race.receive(.headStartOver(1)) == .wait)
        #expect(race.receive(.connected(0)) == .win(0))
        #expect(race.receive(.connected(1)) == .wait)
    }

    @Test func aFailureStartsTheNextAtOnce() throws {
        var race = AddressRace(try endpoints(["10.0.0.1", "10.0.0.2"]))
        _ = race.start()
        #expect(race.receive(.failed(0, unreachable)) == .connect(1))
        #expect(race.receive(.headStartOver(0)) == .wait)
        #expect(race.receive(.failed(1, refused)) == .giveUp(refused))
    }

    @Test func withoutAddressesThereIsNoRace() {
        var race = AddressRace([])
        guard case .giveUp = race.start() else {
            Issue.record("without addresses the race must be given up")
            return
        }
    }
}
