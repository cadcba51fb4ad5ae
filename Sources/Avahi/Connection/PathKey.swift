internal import DNSSD

/// A path as Avahi names it: the number of an interface, and a family.
struct PathKey: Hashable, Sendable {
    /// The system's index of the interface.
    let interface: Int32

    /// The family of the packets.
    let family: AddressFamily
}
