/// The way by which a service instance was seen: one interface and one address family.
///
/// Multicast DNS is spoken per link and family, so that one instance is seen up to interfaces × 2 times, and it is gone
/// only when the last of these paths is gone.
public struct ServicePath: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The interface through which it was seen.
    public let interface: NetworkInterface

    /// The family of the packets that told of it, which is not always the family of the addresses in them.
    public let family: AddressFamily

    public init(interface: NetworkInterface, family: AddressFamily) {
        self.interface = interface
        self.family = family
    }

    public var description: String { "\(interface.name)/\(family.rawValue)" }

    public static func < (lhs: ServicePath, rhs: ServicePath) -> Bool {
        (lhs.interface, lhs.family) < (rhs.interface, rhs.family)
    }
}
