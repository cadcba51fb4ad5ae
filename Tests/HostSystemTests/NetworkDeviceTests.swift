import DNSSD
import Testing

@testable import HostSystem

/// The decoding of the kernel's message about an interface.
@Suite struct NetworkDeviceTests {
    /// Returns an RTM_NEWLINK message as Linux sends it, about the interface 5.
    private static func message(_ attributes: [UInt8], index: UInt32 = 5, sequence: UInt32 = 7) -> [UInt8] {
        let entry: [UInt8] = [0, 0, 0, 0] + NetlinkMessage.native(index) + [0, 0, 0, 0, 0, 0, 0, 0]
        let body = entry + attributes
        return NetlinkMessage.native(UInt32(16 + body.count)) + NetlinkMessage.native(UInt16(16))
            + NetlinkMessage.native(UInt16(0)) + NetlinkMessage.native(sequence) + [0, 0, 0, 0] + body
    }

    private static func text(_ type: UInt16, _ text: String) -> [UInt8] {
        NetlinkMessage.attribute(type, Array(text.utf8) + [0])
    }

    private static func info(_ kind: String) -> [UInt8] { NetlinkMessage.attribute(18, text(1, kind)) }

    private func read(_ bytes: [UInt8]) -> (device: NetworkDevice?, progress: NetlinkMessage.Progress) {
        var device: NetworkDevice?
        let progress = NetworkDevice.read(bytes[...], index: 5, sequence: 7, into: &device)
        return (device, progress)
    }

    /// The kind is that which the driver gave; hardware has none.
    @Test func readsNameAndKind() {
        for kind in ["wireguard", "tun"] {
            let (device, progress) = read(Self.message(Self.text(3, "wg0") + Self.info(kind)))
            #expect(device == NetworkDevice(name: "wg0", kind: kind) && progress == .complete)
        }
        #expect(read(Self.message(Self.text(3, "eth0"))).device == NetworkDevice(name: "eth0", kind: nil))
    }

    /// What is cut off, has no name or is about something else says nothing.
    @Test func whatIsNotWholeSaysNothing() {
        let whole = Self.text(3, "wg0") + Self.info("wireguard")
        #expect(read(Self.message(Array(whole.dropLast(4)))).device == nil)
        #expect(read(Self.message(Self.info("wireguard"))).device == nil)
        #expect(read(Self.message(whole, index: 6)).device == nil)
        #expect(read(Self.message(whole, sequence: 8)).device == nil)
        #expect(read([]).progress == .incomplete)
    }

    /// The kernel of this host describes its loopback interface, and no interface that it does not have.
    @Test func theKernelAnswers() throws {
        let loopback = try #require(HostInterface.all.first { $0.flags.contains(.loopback) }).interface
        #expect(NetworkDevice.current(loopback.index)?.name == loopback.name)
        #expect(NetworkDevice.current(0x7FFF_FFF0) == nil)
    }
}
