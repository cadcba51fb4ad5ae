internal import DNSMessages

/// An instance that a ``Querier`` has begun, or ceased, to keep.
enum InstanceTurnover: Hashable, Sendable {
    case came(DNSName)
    case went(DNSName)
}
