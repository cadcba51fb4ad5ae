internal import DNSSD

/// An instance on an interface. libdns_sd does not tell families apart.
struct PathKey: Hashable, Sendable {
    let instance: ServiceInstance
    let interface: UInt32
}
