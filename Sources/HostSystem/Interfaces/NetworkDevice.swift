/// A network interface of this host by what drives it, as the kernel describes it at one moment.
package struct NetworkDevice: Hashable, Sendable {
    /// The name of the interface.
    package let name: String

    /// The kind of a virtual interface, such as `wireguard`, `veth`, or `tun`, which is also that of a tap; `nil` for
    /// others. Whoever makes an interface chooses it, and cannot change it afterwards.
    package let kind: String?

    /// Returns the interface with an index; `nil` if there is none, or if the system does not describe it.
    package static func current(_ index: UInt32) -> NetworkDevice? {
        let sequence = UInt32(1)
        var found: NetworkDevice?
        let isWhole = NetlinkSocket.ask(request(for: index, sequence: sequence)) { bytes in
            read(bytes, index: index, sequence: sequence, into: &found)
        }
        return isWhole ? found : nil
    }
}

/// Parsing of the kernel's answer to a request for an interface: one rtnetlink message (rtnetlink(7)).
extension NetworkDevice {
    // From <linux/rtnetlink.h>, <linux/if_link.h> and <linux/if_arp.h>, which Swift's modules leave out.
    private static let newLink: UInt16 = 16  // RTM_NEWLINK
    private static let getLink: UInt16 = 18  // RTM_GETLINK
    private static let nameAttribute: UInt16 = 3  // IFLA_IFNAME
    private static let infoAttribute: UInt16 = 18  // IFLA_LINKINFO
    private static let kindAttribute: UInt16 = 1  // IFLA_INFO_KIND

    /// The length of `struct ifinfomsg`, and the place of the index in it.
    private static let entryLength = 16
    private static let indexOffset = 4

    /// Returns the request for one interface.
    static func request(for index: UInt32, sequence: UInt32) -> [UInt8] {
        var entry = [UInt8](repeating: 0, count: indexOffset) + NetlinkMessage.native(index)
        entry += [UInt8](repeating: 0, count: entryLength - entry.count)
        return NetlinkMessage.request(getLink, body: entry, isForTable: false, sequence: sequence)
    }

    /// Reads the whole messages of one read. Answers to other requests, and about other interfaces, are ignored.
    static func read(
        _ bytes: ArraySlice<UInt8>,
        index: UInt32,
        sequence: UInt32,
        into found: inout NetworkDevice?
    ) -> NetlinkMessage.Progress {
        var device: NetworkDevice?
        let progress = NetlinkMessage.read(bytes, sequence: sequence) { message in
            guard message.type == newLink, NetlinkMessage.uint32(message.body, at: indexOffset) == index else { return }
            device = NetworkDevice(message.body.dropFirst(entryLength))
        }
        guard let device else { return progress }
        found = device
        // The answer is one message, and no end marker follows it.
        return progress == .incomplete ? .complete : progress
    }

    /// Creates one from the attributes of a message; `nil` if these are not whole, or have no name.
    private init?(_ attributes: ArraySlice<UInt8>) {
        var (name, kind): (String?, String?)
        var areWhole = true
        let areAllWhole = NetlinkMessage.readAttributes(attributes) { type, value in
            switch type {
            case Self.nameAttribute: name = Self.text(value)
            case Self.infoAttribute:
                let isInfoWhole = NetlinkMessage.readAttributes(value) { type, value in
                    if type == Self.kindAttribute { kind = Self.text(value) }
                }
                areWhole = areWhole && isInfoWhole
            default: break
            }
        }
        guard areAllWhole, areWhole, let name else { return nil }
        self.init(name: name, kind: kind)
    }

    /// Returns a text that ends with a NUL; `nil` if it is empty or no UTF-8.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = bytes.prefix { $0 != 0 }
        return text.isEmpty ? nil : String(validating: text, as: UTF8.self)
    }
}
