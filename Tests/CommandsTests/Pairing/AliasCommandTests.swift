import Constellation
import DNSSD
import GatewayProtocol
import PairingStore
import Testing

@testable import Commands

/// The gateway that `alias` names: the one that is meant, and none where a name means several.
@Suite struct AliasCommandTests {
    private static func alias(_ id: String, _ name: String) -> GatewayAlias {
        GatewayAlias(gatewayID: id, fingerprint: nil, leaf: nil, name: name)
    }

    private static let rows = Rows.map([
        .endpointAdded(Rows.endpoint(), .local), .probed(Rows.endpoint(), Rows.gateway()),
    ]).gateways

    /// A name that was given to one gateway, that another one is paired under, and that a third one has on the network.
    @Test func aNameOfSeveralIsRefused() throws {
        let (alias, pairing) = (Self.alias("endpoint:10.0.0.9:1", "Home"), try Pairings.pairing("Home", id: "a"))
        for (known, paired, rows) in [
            ([alias], [pairing], []), ([alias], [], Self.rows), ([], [pairing], Self.rows),
        ] as [([GatewayAlias], [StoredPairing], [Gateway])] {
            #expect(throws: CommandFailure.self) {
                try AliasCommand.meant("Home", "New", known: known, pairings: paired, rows: rows)
            }
        }
    }

    /// One gateway that is named, paired and there is one.
    @Test func oneGatewayIsMeantHoweverItIsKnown() throws {
        let row = try #require(Self.rows.first)
        let alias = try #require(GatewayAlias(row, name: "Home"))
        let pairing = try Pairings.pairing("Home", id: "a", fingerprint: "abc123")
        let meant = try AliasCommand.meant("Home", "New", known: [alias], pairings: [pairing], rows: Self.rows)
        #expect(meant?.name == "New" && meant?.gatewayID == row.id.description)
        #expect(try AliasCommand.meant("Nothing", "New", known: [alias], pairings: [pairing], rows: Self.rows) == nil)
    }
}
