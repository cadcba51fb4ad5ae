/// The flags in which the system describes the capabilities and the state of an interface.
package struct InterfaceFlags: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The interface is switched on. `IFF_UP`.
    package static let up = InterfaceFlags(rawValue: 1 << 0)

    /// The interface is connected, for example by a cable or to an access point or a peer. `IFF_RUNNING`.
    package static let running = InterfaceFlags(rawValue: 1 << 1)

    /// The interface can send to a group of hosts at once. `IFF_MULTICAST`.
    package static let multicast = InterfaceFlags(rawValue: 1 << 2)

    /// The interface only leads back to this host. `IFF_LOOPBACK`.
    package static let loopback = InterfaceFlags(rawValue: 1 << 3)

    /// The interface leads to exactly one other host, as in a tunnel. `IFF_POINTOPOINT`.
    package static let pointToPoint = InterfaceFlags(rawValue: 1 << 4)
}
