internal import DNSMessages
internal import DNSSD

/// A name that services are listed under: a type, or a subtype of one, in a domain.
struct BrowsedName {
    /// The type without its subtype: what the instances are of.
    let type: ServiceType

    /// The domain, escaped.
    let domain: String

    /// The type and the domain: what every instance stands below.
    let base: DomainName

    /// Its own name, in an array for all the instances that nothing else lists: they share it.
    let listing: [DomainName]

    /// The browses that want to know, sorted.
    var listeners: [BrowseID] = []

    /// The time at which it was last asked for.
    var lastAsked: ContinuousClock.Instant?

    /// The instance that a PTR record points to; `nil` when none can have that name: it is not UTF-8, or is not below
    /// this type and domain.
    func instance(_ target: DomainName) -> ServiceInstance? {
        let length = Int(target.wire[0])
        guard length + base.wire.count + 1 == target.wire.count, target.isWithin(base),
            let name = String(validating: target.wire[1...length], as: UTF8.self)
        else { return nil }
        return try? ServiceInstance(name: name, type: type, domain: domain)
    }
}
