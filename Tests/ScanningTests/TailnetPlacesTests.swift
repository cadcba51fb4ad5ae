import DNSSD
import GatewayProtocol
import Testing

@testable import Scanning

/// Which machines of a tailnet are asked, and where; nothing is where the service does not say that there is one.
@Suite struct TailnetPlacesTests {
    private static func peer(
        _ name: String,
        _ last: UInt32 = 1,
        tags: [String] = [],
        isOnline: Bool? = true
    ) -> TailnetPeer {
        TailnetPeer(
            name: name,
            addresses: [
                .v6(IPv6Address(bits: 0xFD7A_115C_A1E0 << 80 | 9)), .v4(IPv4Address(bits: 0x6440_0000 + last)),
            ],
            tags: tags,
            isOnline: isOnline
        )
    }

    private static func service(_ status: String) -> TailnetService {
        TailnetService { request in
            let isStatus = String(decoding: request, as: UTF8.self).hasPrefix("GET /localapi/v0/status HTTP/1.0\r\n")
            return isStatus ? Array("HTTP/1.0 200 OK\r\n\r\n\(status)".utf8) : nil
        }
    }

    /// A machine that is off is not waited for, and one of which it is not known comes last; a large tailnet is not asked as a
    /// whole.
    @Test func onlyMachinesThatAreThereAreAsked() {
        let peers = (0..<190).map { Self.peer("off\($0)", isOnline: false) }
        let chosen = TailnetPeer.chosen(peers + [Self.peer("a", isOnline: nil), Self.peer("c"), Self.peer("b")], [])
        #expect(chosen.map(\.name) == ["b", "c", "a"])
        #expect(TailnetPeer.chosen((0..<40).map { Self.peer("on\($0)") }, []).count == 32)
    }

    /// A list names machines with or without the domain, or by a tag.
    @Test func aListChooses() {
        let peers = [
            Self.peer("studio.tail1.ts.net"), Self.peer("Box.tail1.ts.net"),
            Self.peer("x.tail1.ts.net", tags: ["tag:ai"]),
            Self.peer("", tags: ["tag:web"]),
        ]
        let chosen = TailnetPeer.chosen(peers, ["STUDIO", "box.tail1.ts.net", "tag:ai"])
        #expect(Set(chosen.map(\.name)) == ["studio.tail1.ts.net", "Box.tail1.ts.net", "x.tail1.ts.net"])
    }

    /// A machine is asked by its name, for which it has a certificate, and at the usual ports of one address; never at one to
    /// which no record may lead either.
    @Test func aMachineIsAskedByNameAndAddress() {
        let places = Self.peer("studio.tail1.ts.net").places
        #expect(places.first?.serverName?.description == "studio.tail1.ts.net" && places.first?.port == 443)
        #expect(places.dropFirst().map(\.description) == GatewayDialect.usualPorts.map { "100.64.0.1:\($0)" })
        let forged = TailnetPeer(
            name: "x",
            addresses: [IPAddress("127.0.0.1"), IPAddress("203.0.113.1")].compactMap(\.self),
            tags: [],
            isOnline: true
        )
        #expect(forged.places.isEmpty)
    }

    /// The answer of tailscaled, as it is documented: what is not understood is left out.
    @Test func thePeersAreRead() async throws {
        let status = """
            {"BackendState":"Running","TUN":true,"Self":{"DNSName":"me.tail1.ts.net."},"Peer":{"nodekey:1":{"DNSName":\
            "studio.tail1.ts.net.","TailscaleIPs":["100.64.0.9","x",1],"Tags":["tag:ai"],"Online":true},"nodekey:2":{}}}
            """
        let peers = try #require(await Self.service(status).peers())
        let studio = try #require(peers.first { !$0.name.isEmpty })
        #expect(peers.count == 2 && studio.name == "studio.tail1.ts.net" && studio.tags == ["tag:ai"])
        #expect(studio.addresses.map(\.description) == ["100.64.0.9"] && studio.isOnline == true)
        for stopped in [
            status.replacing("Running", with: "Stopped"), status.replacing("true,\"Self", with: "false,\"Self"), "",
        ] {
            #expect(await Self.service(stopped).peers() == nil)
            let list = await PlaceList.ofTailnet([], Self.service(stopped))
            #expect(list.gateways.isEmpty && list.reasons.count == 1)
        }
    }

    /// A place of a tailnet ranks after one on the LAN, and is no entry of the user's.
    @Test func theTailnetComesAfterTheNetwork() {
        var map = BotMap()
        let lan = Samples.endpoint(1)
        let tailnet = Endpoint(address: .v4(IPv4Address(bits: 0x6440_0001)), port: 3_000)
        for (endpoint, reach, source) in [(tailnet, Reach.remote, PlaceSource.tailnet), (lan, .local, .thisHost)] {
            map.apply(.endpointAdded(endpoint, reach, source: source))
            let identity = GatewayIdentity(fingerprint: nil, dialect: .optaplus, leaf: Samples.leaf(1))
            map.apply(.probed(endpoint, .gateway(identity)))
        }
        #expect(map.gateways.map { $0.paths.map(\.endpoint) } == [[lan, tailnet]])
        #expect(map.gateways.first?.paths.map(\.isManual) == [false, false])
    }
}
