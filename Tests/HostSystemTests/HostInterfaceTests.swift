import DNSSD
import Testing

@testable import HostSystem

/// The conversion of the system's list of addresses into one value for each interface.
@Suite struct HostInterfaceTests {
    private static let connected: InterfaceFlags = [.up, .running, .multicast]

    private func gathered(_ entries: [HostInterface.Entry]) -> [HostInterface] {
        let indices: [String: UInt32] = ["lo": 1, "eth0": 2, "eth1": 3]
        return HostInterface.gathered(entries) { indices[$0, default: 0] }
    }

    /// An interface has all its addresses with their prefixes, and link-local ones with the scope that connecting to
    /// them needs.
    @Test func addressesAreOfTheirInterface() throws {
        let linkLocal: [UInt8] = [0xFE, 0x80] + Array(repeating: 0, count: 13) + [7]
        let mask = Array(repeating: UInt8(0xFF), count: 8) + Array(repeating: 0, count: 8)
        let all = gathered([
            HostInterface.Entry(name: "eth0", flags: Self.connected),
            HostInterface.Entry(
                name: "eth0",
                flags: Self.connected,
                address: [10, 99, 0, 1],
                mask: [255, 255, 240, 0]
            ),
            HostInterface.Entry(name: "eth0", flags: Self.connected, address: linkLocal, mask: mask),
        ])
        let eth0 = NetworkInterface(index: 2, name: "eth0")
        let expected = [
            InterfaceAddress(address: try #require(IPAddress("10.99.0.1")), prefixLength: 20),
            InterfaceAddress(
                address: try #require(IPAddress("fe80::7%eth0", interfaces: [eth0])),
                prefixLength: 64
            ),
        ]
        #expect(all == [HostInterface(interface: eth0, flags: Self.connected, addresses: expected)])
    }

    /// A second address with a label of its own does not result in a second interface, on which everything would be
    /// asked twice.
    @Test func labelsOfAddressesAreNoInterfaces() {
        let mask: [UInt8] = [255, 255, 0, 0]
        let all = gathered([
            HostInterface.Entry(name: "eth0", flags: Self.connected, address: [10, 99, 0, 1], mask: mask),
            HostInterface.Entry(name: "eth0:1", flags: Self.connected, address: [10, 98, 0, 1], mask: mask),
        ])
        #expect(all.map(\.interface.name) == ["eth0"])
        #expect(all.first?.addresses.count == 2)
    }

    /// An interface that has gone since it was listed has no index, and is left out.
    @Test func whatHasGoneIsLeftOut() {
        let all = gathered([
            HostInterface.Entry(name: "gone0", flags: Self.connected, address: [10, 99, 0, 1], mask: [255, 0, 0, 0]),
            HostInterface.Entry(name: "lo", flags: [.up, .running, .loopback]),
        ])
        #expect(all.map(\.interface.name) == ["lo"])
    }

    /// An interface is on a network only if other hosts can be reached through it: not loopback, not an interface that
    /// is down, and none without multicast.
    @Test(
        arguments: [
            ([.up, .running, .multicast], true),
            ([.up, .running, .multicast, .loopback], false),
            ([.up, .multicast], false),
            ([.running, .multicast], false),
            ([.up, .running], false),
        ] as [(InterfaceFlags, Bool)]
    )
    func networksAreWhereOthersCanBe(flags: InterfaceFlags, expected: Bool) {
        let interface = NetworkInterface(index: 2, name: "eth0")
        #expect(HostInterface(interface: interface, flags: flags, addresses: []).isOnNetwork == expected)
    }

    /// The bridge of a LAN is no network of containers, though its name begins as that of Docker's do.
    @Test(arguments: [
        ("docker0", true), ("br-4f1d2c3b5a69", true), ("virbr0", true), ("br-lan", false), ("br-", false),
        ("br-guestnetwork", false), ("br0", false), ("eth0", false),
    ])
    func networksOfContainersAreToldByName(_ name: String, _ expected: Bool) {
        let interface = NetworkInterface(index: 2, name: name)
        #expect(HostInterface(interface: interface, flags: Self.connected, addresses: []).isOfContainers == expected)
    }

    /// The system lists the loopback interface with 127.0.0.1/8, which every host has.
    @Test func theSystemTellsOfLoopback() throws {
        let loopback = try #require(HostInterface.all.first { $0.flags.contains([.up, .loopback]) })
        let address = InterfaceAddress(address: try #require(IPAddress("127.0.0.1")), prefixLength: 8)
        #expect(loopback.interface.index > 0)
        #expect(loopback.addresses.contains(address))
    }

    /// An index is converted into a name and back; an interface that does not exist has neither.
    @Test func indicesAndNamesAreLookedUp() throws {
        let loopback = try #require(HostInterface.all.first { $0.flags.contains([.up, .loopback]) }).interface
        #expect(HostInterface.index(ofName: loopback.name) == loopback.index)
        #expect(HostInterface.name(ofIndex: loopback.index) == loopback.name)
        #expect(HostInterface.index(ofName: "no-interface") == nil)
        #expect(HostInterface.name(ofIndex: .max) == nil)
    }
}
