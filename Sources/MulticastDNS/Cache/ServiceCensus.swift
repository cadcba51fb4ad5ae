internal import DNSSD

/// A count of the service instances on all links together: one that is seen on several counts once.
struct ServiceCensus {
    /// The number of links on which each is seen.
    private var links: [DomainName: Int] = [:]

    /// The number of instances.
    var count: Int { links.count }

    func contains(_ name: DomainName) -> Bool { links[name] != nil }

    /// An instance is seen on one link more.
    mutating func insert(_ name: DomainName) {
        links[name, default: 0] += 1
    }

    /// An instance is seen on one link less.
    mutating func remove(_ name: DomainName) {
        guard let count = links[name] else { return }
        links[name] = count > 1 ? count - 1 : nil
    }

    /// Takes in what came and went on one link, in order.
    mutating func apply(_ turnover: [InstanceTurnover]) {
        for step in turnover {
            switch step {
            case .came(let name): insert(name)
            case .went(let name): remove(name)
            }
        }
    }
}
