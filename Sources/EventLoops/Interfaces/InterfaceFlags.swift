/// The flags by which the system says what an interface can do, and whether it can do it now.
package struct InterfaceFlags: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Its owner has switched it on. `IFF_UP`.
    package static let up = InterfaceFlags(rawValue: 1 << 0)

    /// It is connected: there is a cable, a station, a peer. `IFF_RUNNING`.
    package static let running = InterfaceFlags(rawValue: 1 << 1)

    /// It can reach a group of hosts at once. `IFF_MULTICAST`.
    package static let multicast = InterfaceFlags(rawValue: 1 << 2)

    /// Only this host itself is heard on it. `IFF_LOOPBACK`.
    package static let loopback = InterfaceFlags(rawValue: 1 << 3)

    /// One other host is at its end, as in a tunnel. `IFF_POINTOPOINT`.
    package static let pointToPoint = InterfaceFlags(rawValue: 1 << 4)
}
