internal import DNSSD

/// A browsed name, under which services are listed: a type, or a subtype of one, in a domain.
struct BrowsedName {
    /// The type of the instances, without a subtype.
    let type: ServiceType

    /// The domain, escaped.
    let domain: String

    /// The name of the type in the domain, below which every instance is.
    let base: DomainName

    /// The browsed name itself, in an array that is shared by all instances that no other name lists.
    let listing: [DomainName]

    /// The browses for the name, sorted.
    var listeners: [BrowseID] = []

    /// The time at which the name was last asked for.
    var lastAsked: ContinuousClock.Instant?

    /// The state of the question that asks for this name alone.
    var lone = LoneQuestion.notAsked

    /// Returns the instance that a PTR record points to; `nil` if its name is not UTF-8, or not below this type and
    /// domain.
    func instance(_ target: DomainName) -> ServiceInstance? {
        let length = Int(target.wire[0])
        guard length + base.wire.count + 1 == target.wire.count, target.isWithin(base),
            let name = String(validating: target.wire[1...length], as: UTF8.self)
        else { return nil }
        return try? ServiceInstance(name: name, type: type, domain: domain)
    }
}
