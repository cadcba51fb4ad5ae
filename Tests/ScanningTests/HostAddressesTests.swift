import DNSSD
import Testing

@testable import HostSystem
@testable import Scanning

/// The names that are looked up by multicast DNS on the link, and the answers that are accepted.
@Suite struct HostAddressesTests {
    /// A host name with one label before `.local` is looked up on the link.
    @Test(arguments: ["studio.local", "Studio.LOCAL", "studio.local.", "küche.local"])
    func aNameOfTheLinkIsLookedUpThere(name: String) {
        #expect(HostAddresses.localName(name) != nil)
    }

    /// Any other name is left to the resolver of the system.
    @Test(arguments: ["studio", "studio.lan", "local", "a.studio.local", "studio.local.example.org", ".local", ""])
    func noOtherNameIs(name: String) {
        #expect(HostAddresses.localName(name) == nil)
    }

    /// An address in an answer is accepted only where an advertised one would be. Other addresses could lead to this
    /// host past its own firewall, to its loopback interface, or to another network.
    @Test(arguments: [
        ("10.0.0.2", true), ("192.168.7.1", true), ("203.0.113.9", true), ("10.0.0.1", false), ("127.0.0.1", false),
        ("8.8.8.8", false), ("169.254.169.254", false), ("224.0.0.251", false), ("0.0.0.0", false),
    ])
    func anAnswerIsTakenAsWhatIsAdvertised(text: String, isTaken: Bool) throws {
        let own = ["10.0.0.1", "203.0.113.1"].compactMap { IPAddress($0) }
        let interface = HostInterface(
            interface: NetworkInterface(index: 2, name: "eth0"),
            flags: [.up, .running, .multicast],
            addresses: own.map { InterfaceAddress(address: $0, prefixLength: 24) }
        )
        let address = try #require(IPAddress(text))
        #expect(HostAddresses.isTaken(address, interfaces: [interface]) == isTaken)
    }
}
