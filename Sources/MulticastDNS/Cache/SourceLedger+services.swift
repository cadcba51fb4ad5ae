package import DNSSD

/// For the table of services, which is in another module: what is generic is made for its very types only in its own one,
/// and goes by way of their witness tables otherwise, for each service.
extension SourceLedger where Instance == ServiceInstance, Source == DomainName {
    /// Enters a service that is not entered, by the host that it is on.
    package mutating func insert(_ service: ServiceInstance, on host: DomainName) {
        insert(service, from: host)
    }

    /// Takes a service out.
    package mutating func remove(service: ServiceInstance) {
        remove(service)
    }
}
