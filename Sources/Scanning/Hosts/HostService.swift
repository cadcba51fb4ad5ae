internal import DNSSD

/// A service that a host has said it has.
struct HostService: Hashable, Sendable {
    let instance: ServiceInstance

    /// The port of its SRV record; `nil` when that was not in the answer.
    let port: UInt16?
}
