import DNSSD
import Testing

@testable import HostSystem

/// The one rule for when there is no network to browse or publish on.
@Suite struct MulticastInterfacesTests {
    private let interfaces = MulticastInterfaces(connected: ["eth0": 2], loopback: ["lo": 1])

    /// A host without a link has nobody to hear, whatever its daemon says.
    @Test func aHostWithoutALinkLacksANetwork() throws {
        let lack = try #require(MulticastInterfaces(connected: [:], loopback: ["lo": 1]).lack(of: []))
        #expect(lack.code == .noInterface && lack.message.hasPrefix("no network: "))
        #expect(interfaces.lack(of: []) == nil)
    }

    /// An interface that does not exist yet is named, with those that do.
    @Test func anInterfaceThatIsNotThereIsNamed() throws {
        let lack = try #require(interfaces.lack(of: ["eth7"]))
        #expect(lack.code == .noInterface)
        #expect(lack.message == "eth7 is not up or has no address. Others are reached over: eth0.")
        #expect(interfaces.lack(of: ["eth0", "eth7"]) == nil)
        #expect(interfaces.lack(of: ["lo"]) == nil, "who names this host itself means it")
    }

    /// Only interfaces that are up, connected and have an address reach another host.
    @Test func whatIsDownReachesNobody() throws {
        func interface(_ index: UInt32, _ name: String, _ flags: InterfaceFlags) throws -> HostInterface {
            let address = InterfaceAddress(address: try #require(IPAddress("10.0.0.1")), prefixLength: 24)
            return HostInterface(
                interface: NetworkInterface(index: index, name: name),
                flags: flags,
                addresses: name == "bare" ? [] : [address]
            )
        }
        let all = [
            try interface(1, "lo", [.up, .running, .loopback]), try interface(2, "eth0", [.up, .running, .multicast]),
            try interface(3, "down", [.multicast]), try interface(4, "bare", [.up, .running, .multicast]),
        ]
        #expect(MulticastInterfaces(all) == interfaces)
        #expect(interfaces.indices(of: ["eth0", "down"]) == ["eth0": 2])
    }
}
