internal import DNSSD

/// An instance that a ``Querier`` has begun, or ceased, to keep.
enum InstanceTurnover: Hashable, Sendable {
    case came(DomainName)
    case went(DomainName)
}
