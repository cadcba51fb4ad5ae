internal import DNSSD

/// An instance that a ``Querier`` has begun, or ceased, to follow.
enum InstanceTurnover: Hashable, Sendable {
    case came(DomainName)
    case went(DomainName)
}

extension InstanceCounts {
    /// Counts the instances that came and went on one link, in order.
    mutating func apply(_ turnover: [InstanceTurnover]) {
        for step in turnover {
            switch step {
            case .came(let name): insert(name)
            case .went(let name): remove(name)
            }
        }
    }
}
