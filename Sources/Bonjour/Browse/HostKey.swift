internal import DNSSD

/// A host on an interface.
struct HostKey: Hashable, Sendable {
    let name: DomainName
    let interface: UInt32
}
