import DNSSD
import GatewayProtocol
import Pairing
import Scanning
import Testing

@testable import Commands
@testable import Console

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

    /// What is in the bin is found by the name that the user has given it, by the one that it had, and by all that else means
    /// it while it is paired.
    @Test(arguments: ["Werkstatt", "Studio", "werk", "Loft", "Jarvis", "10.0.0.2", "studio/jarvis"])
    func whatIsInTheBinHasItsNames(text: String) async throws {
        var pairing = try Pairings.pairing("Studio", id: "a", bots: [("b", "Jarvis")])
        pairing.ownName = "Loft"
        try await StoreOfTool.with([pairing]) { tool in
            try tool.open().setAlias(Self.alias(pairing.gatewayID, "Werkstatt"))
            try tool.open().moveToBin(pairing.id, reason: .forgotten, at: 1)
            let result = try await tool.run(["restore", text])
            #expect(result.status == 0 && result.output.contains("“Werkstatt”"), "\(result.transcript)")
        }
    }

    /// A name that the user has given is removed from its gateway by whatever means that.
    @Test(arguments: ["Werkstatt", "Studio", "stud", "Loft", "aaaaaaaa", "10.0.0.2:3000"])
    func anAliasIsRemovedByAnyName(text: String) async throws {
        var pairing = try Pairings.pairing("Studio", id: "a", bots: [("b", "Jarvis")])
        pairing.ownName = "Loft"
        let other = try Pairings.pairing("Bath", id: "b", at: "10.0.0.3")
        try await StoreOfTool.with([pairing, other]) { tool in
            try tool.open().setAlias(Self.alias(pairing.gatewayID, "Werkstatt"))
            let none = try await tool.run(["alias", "Bath", "--remove"])
            #expect(none.status == 1, "\(none.transcript)")
            let result = try await tool.run(["alias", text, "--remove"])
            #expect(result.status == 0 && result.output.contains("Werkstatt is no name"), "\(result.transcript)")
            #expect(try tool.open().aliases().isEmpty)
        }
    }

    /// A gateway is called by what people know of it, and not by how the map keeps its row.
    @Test(arguments: [
        (#"service:Home\032Gateway._openclaw._tcp.local"#, "“Home Gateway” (_openclaw._tcp)"),
        ("endpoint:10.0.0.1:3000", "10.0.0.1:3000"), ("fingerprint:abc", "the gateway with the fingerprint abc"),
    ])
    func aGatewayIsShownInWords(id: String, text: String) {
        #expect(AliasCommand.shown(Self.alias(id, "Attic"), among: []) == text)
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

    /// A host without a port is asked where gateways usually listen, as by `probe`; what the settings name is asked once.
    @Test func aHostIsAskedAtTheUsualPorts() throws {
        let configured = [try ProbeAddress("10.0.0.9:3000"), try ProbeAddress("10.0.0.2:18789")]
        let asked = AliasCommand.addresses(of: "10.0.0.9", besides: configured)
        #expect(asked.prefix(2) == configured[...])
        #expect(Set(asked) == Set(configured + ProbeSubject.host("10.0.0.9").addresses))
        #expect(asked.count == Set(asked).count)
        #expect(AliasCommand.addresses(of: "10.0.0.9:3000", besides: configured) == configured)
        #expect(AliasCommand.addresses(of: "Home Gateway", besides: configured) == configured)
    }
}
