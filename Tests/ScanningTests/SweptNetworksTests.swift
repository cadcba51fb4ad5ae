import DNSSD
import Testing

@testable import HostSystem
@testable import Scanning

/// Which hosts a look around asks: those of this host's own networks, a bounded number, and never this host's own address or
/// one that is no host.
@Suite struct SweptNetworksTests {
    private static func interface(_ addresses: [(String, Int)]) -> HostInterface {
        HostInterface(
            interface: NetworkInterface(index: 2, name: "eth0"),
            flags: [.up, .running, .multicast],
            addresses: addresses.compactMap { text, length in
                IPAddress(text).map { InterfaceAddress(address: $0, prefixLength: length) }
            }
        )
    }

    private static func hosts(
        _ networks: SweptNetworks,
        on addresses: [(String, Int)],
        neighbours: Set<String> = []
    ) -> (hosts: [String], reasons: [String]) {
        let found = networks.hosts([interface(addresses)]) { neighbours.contains($0.description) }
        return (found.hosts.map(\.description), found.reasons)
    }

    /// All others of the network are asked, known neighbours first.
    @Test func theOwnNetworkIsAsked() {
        let (hosts, reasons) = Self.hosts(
            .own,
            on: [("192.168.1.5", 29), ("fe80::1", 64)],
            neighbours: ["192.168.1.4"]
        )
        #expect(hosts == ["192.168.1.4", "192.168.1.1", "192.168.1.2", "192.168.1.3", "192.168.1.6"])
        #expect(reasons.isEmpty)
        #expect(Self.hosts(.own, on: [("10.0.0.1", 32), ("169.254.1.1", 16)]).hosts.isEmpty)
        #expect(Self.hosts(.own, on: [("10.0.0.1", 31)]).hosts == ["10.0.0.0"])
    }

    /// A large network is not asked as a whole; a part of it that is typed is.
    @Test func aLargeNetworkIsNamedInPart() throws {
        let large = [("10.1.2.3", 16)]
        let (hosts, reasons) = Self.hosts(.own, on: large)
        #expect(hosts.isEmpty && reasons.count == 1 && reasons[0].contains("--sweep 10.1.2.3/24"))
        let part = Self.hosts(try #require(SweptNetworks("10.1.9.77/24")), on: large)
        #expect(part.hosts.count == 254 && part.hosts.first == "10.1.9.1" && part.reasons.isEmpty)
    }

    /// Strangers are the others in a public network, which is asked only if it is typed.
    @Test func aPublicNetworkIsNamed() throws {
        let addresses = [("203.0.113.9", 24), ("10.0.0.1", 30)]
        let (hosts, reasons) = Self.hosts(.own, on: addresses)
        #expect(hosts == ["10.0.0.2"])
        #expect(reasons.count == 1 && reasons[0].hasPrefix("203.0.113.0/24 is a public network; "))
        #expect(Self.hosts(try #require(SweptNetworks("203.0.113.0/28")), on: addresses).hosts.count == 13)
        #expect(Self.hosts(.own, on: [("203.0.113.9", 32)]).reasons.isEmpty)
    }

    /// What is not this host's network is not asked, whatever is typed.
    @Test func aForeignNetworkIsRefused() throws {
        let (hosts, reasons) = Self.hosts(try #require(SweptNetworks("10.2.0.0/24")), on: [("10.1.2.3", 16)])
        #expect(hosts.isEmpty && reasons.count == 1)
        #expect(Self.hosts(try #require(SweptNetworks("10.1.0.0/22")), on: [("10.1.2.3", 24)]).hosts.isEmpty)
    }

    /// The number of hosts has a bound over all networks.
    @Test func theNumberIsBounded() {
        let (hosts, reasons) = Self.hosts(.own, on: [("10.0.0.1", 22), ("10.0.4.1", 22)])
        #expect(hosts.count == 1_024 && reasons.count == 1)
    }

    @Test(arguments: ["10.0.0.0/21", "10.0.0.0/33", "10.0.0.0", "fd00::/64", "x/24", "10.0.0.0/24/1", "", "/24"])
    func othersAreNoNetworks(_ text: String) { #expect(SweptNetworks(text) == nil) }
}
