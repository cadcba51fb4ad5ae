import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// The index of the rows of the map by which a pairing finds those of its gateway.
@Suite struct RowIndexTests {
    private static let fingerprints = ["a", "b"].compactMap { GatewayFingerprint($0) }
    private static let leaves = (1...3).compactMap { LeafFingerprint(bytes: Array(repeating: UInt8($0), count: 32)) }

    /// Returns the rows of a map in which some endpoints have answered, each with a random identity.
    private func rows(_ generator: inout SeededGenerator) -> [Gateway] {
        var map = BotMap()
        for number in 0..<Int.random(in: 0...8, using: &generator) {
            let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 | UInt32(number))), port: 1)
            let identity = GatewayIdentity(
                fingerprint: (Self.fingerprints + [nil]).randomElement(using: &generator) ?? nil,
                name: "Home",
                dialect: .openClaw,
                leaf: (Self.leaves + [nil]).randomElement(using: &generator) ?? nil
            )
            _ = map.apply(.endpointAdded(endpoint, .local))
            _ = map.apply(.probed(endpoint, .gateway(identity)))
        }
        return map.gateways
    }

    /// Returns an index after updates and removals, and the rows that are in it then.
    private func changed(_ generator: inout SeededGenerator) -> (RowIndex, [GatewayID: Gateway]) {
        var rows = Dictionary(uniqueKeysWithValues: self.rows(&generator).map { ($0.id, $0) })
        var index = RowIndex(rows.keys.sorted().compactMap { rows[$0] })
        // Some rows change, and some are removed.
        for row in self.rows(&generator) {
            index.update(row)
            rows[row.id] = row
        }
        for id in rows.keys.sorted() where Bool.random(using: &generator) {
            index.remove(id)
            rows[id] = nil
        }
        return (index, rows)
    }

    /// The index keeps nothing of what was changed or removed, so that a network of many names fills no memory.
    @Test func nothingIsLeftOfFormerRows() {
        var generator = SeededGenerator.forFuzzing("rows")
        for _ in 0..<TestCases.count(500) {
            var (index, rows) = changed(&generator)
            #expect(index == RowIndex(Array(rows.values)))
            for id in rows.keys { index.remove(id) }
            #expect(index == RowIndex())
        }
    }

    /// The path at an endpoint is that of a row; one with a known identity, if several rows have one there.
    @Test func aPathIsFoundByItsEndpoint() throws {
        var map = BotMap()
        let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0001)), port: 1)
        let identity = GatewayIdentity(fingerprint: Self.fingerprints[0], name: "Home", dialect: .optaplus)
        _ = map.apply(.endpointAdded(endpoint, .local))
        let unknown = try #require(map.gateways.first)
        _ = map.apply(.probed(endpoint, .gateway(identity)))
        let known = try #require(map.gateways.first)
        #expect(known.id != unknown.id)
        for rows in [[unknown, known], [known, unknown], [known]] {
            #expect(RowIndex(rows).path(at: endpoint) == known.paths.first)
        }
        #expect(RowIndex([unknown]).path(at: endpoint) == unknown.paths.first)
        let elsewhere = Endpoint(address: endpoint.address, port: 2)
        #expect(RowIndex([unknown, known]).path(at: elsewhere) == nil)
    }

    /// The index finds the same rows as a search through all of them, after any updates and removals.
    @Test func itFindsWhatAScanOfAllRowsFinds() throws {
        var generator = SeededGenerator.forFuzzing("rows")
        let pin = try #require(Self.leaves.first)
        for _ in 0..<TestCases.count(500) {
            let (index, rows) = changed(&generator)
            for fingerprint in Self.fingerprints + [nil] {
                let pairing = StoredPairing(
                    gatewayID: "x",
                    fingerprint: fingerprint,
                    name: "Home",
                    dialect: .openClaw,
                    trust: Bool.random(using: &generator) ? .pinned(pin) : .certified(host: "a.example"),
                    endpoints: [],
                    pairedAt: 0
                )
                let rowID = rows.keys.sorted().randomElement(using: &generator)
                let expected = rows.values
                    .filter { PathChoice.concerns($0, showing: RowIndex.leaves(of: $0), pairing, rowID: rowID) }
                    .sorted { $0.id < $1.id }
                #expect(index.rows(concerning: pairing, rowID: rowID) == expected)
            }
        }
    }
}
