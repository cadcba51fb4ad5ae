import DNSSD
import HostSystem
import Testing

@testable import Scanning

/// The places of this host that are asked though nobody advertises them, and what cannot be asked.
@Suite struct ThisHostPlacesTests {
    private static let own = ["192.168.1.5", "2001:db8::5"].compactMap { IPAddress($0) }

    private static func namespace(
        _ sockets: [String],
        isOwn: Bool = true,
        at addresses: [String] = []
    ) -> HostListeners.Namespace {
        HostListeners.Namespace(
            isOwn: isOwn,
            sockets: sockets.enumerated().compactMap { index, text in
                let colon = text.lastIndex(of: ":") ?? text.endIndex
                guard let address = IPAddress(String(text[..<colon])), let port = UInt16(text[colon...].dropFirst())
                else { return nil }
                return ListeningSocket(Endpoint(address: address, port: port), number: UInt64(index + 1))
            },
            addresses: addresses.compactMap { IPAddress($0) }
        )
    }

    private static func asked(_ places: PlaceList) -> [[String]] {
        places.gateways.map { $0.endpoints.map(\.description) }
    }

    /// A program on loopback is asked there, and one that listens everywhere where other devices would ask it, so that its row
    /// has an address that they can use. Other ports are not touched.
    @Test func usualPortsAreAsked() {
        let listeners = HostListeners(namespaces: [
            Self.namespace(["127.0.0.1:18789", "0.0.0.0:3000", "::1:9099", "0.0.0.0:22", ":::18800"])
        ])
        let places = PlaceList(listeners, own: Self.own)
        #expect(
            Self.asked(places) == [
                ["192.168.1.5:3000"], ["[::1]:9099"], ["127.0.0.1:18789"],
                ["192.168.1.5:18800", "[2001:db8::5]:18800"],
            ]
        )
        #expect(places.gateways.allSatisfy { $0.source == .thisHost && $0.isSought } && places.reasons.isEmpty)
        // Without a network there is nothing but loopback.
        let alone = PlaceList(HostListeners(namespaces: [Self.namespace(["0.0.0.0:3000"])]), own: [])
        #expect(Self.asked(alone) == [["127.0.0.1:3000"]])
    }

    /// A profile on an odd port is found by the name of its program; that of another user is said not to be.
    @Test func programsOfGatewaysAreAskedAtAnyPort() {
        let listeners = HostListeners(
            namespaces: [Self.namespace(["127.0.0.1:41000", "127.0.0.1:41001"])],
            ofPrograms: [2],
            hidden: ["openclaw"]
        )
        let places = PlaceList(listeners, own: Self.own)
        #expect(Self.asked(places) == [["127.0.0.1:41001"]])
        #expect(places.reasons.count == 1 && places.reasons[0].hasPrefix("openclaw runs as another user"))
    }

    /// What is in a container is asked at its address, and at this host's, to which its port may be published; at loopback in
    /// there it cannot be asked, and the user is told. A port at which this host listens itself is asked there alone: as a
    /// rule it is the published one, which would be two rows.
    @Test func otherNamespaces() {
        let inside = Self.namespace(
            ["0.0.0.0:3000", "127.0.0.1:18789", "0.0.0.0:18790"],
            isOwn: false,
            at: ["172.17.0.2", "192.168.1.5"]
        )
        let places = PlaceList(
            HostListeners(namespaces: [Self.namespace(["0.0.0.0:18790"]), inside]),
            own: Self.own
        )
        #expect(
            Self.asked(places) == [
                ["192.168.1.5:18790"], ["172.17.0.2:3000", "192.168.1.5:3000", "[2001:db8::5]:3000"],
            ]
        )
        #expect(places.gateways.map(\.source) == [.thisHost, .namespace])
        #expect(places.reasons.count == 1 && places.reasons[0].contains("127.0.0.1:18789"))
    }

    /// However many programs listen, the number of questions is bounded, and the rest is said.
    @Test func theNumberIsBounded() {
        let ports = (0..<300).map { "127.0.0.1:\(40_000 + $0)" }
        let listeners = HostListeners(namespaces: [Self.namespace(ports)], ofPrograms: Set(1...300))
        let places = PlaceList(listeners, own: [])
        #expect(places.gateways.count == 256 && places.reasons.count == 1)
    }

    /// The kernel cuts names, and scripts are run by an interpreter; a file of that name somewhere else is none.
    @Test(arguments: [
        (["openclaw-gatewa"], "openclaw-gateway"), (["node", "node", "/usr/local/bin/openclaw"], "openclaw"),
        (["MainThread", "node", "/usr/lib/node_modules/openclaw/dist/index.js"], "openclaw"),
        (["reference-gatew", "/x/reference-gateway"], "reference-gateway"), (["node", "node", "server.js"], nil),
        (["vim", "vim", "/home/me/openclaw/notes.txt"], nil), ([], nil),
    ])
    func programsAreKnownByTheirNames(_ words: [String], _ name: String?) {
        #expect(GatewayProgram.name(words) == name)
    }
}
