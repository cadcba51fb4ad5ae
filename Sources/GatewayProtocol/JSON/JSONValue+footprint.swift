extension JSONValue {
    /// The bytes of a value, and of a key, in addition to those of its text.
    private static let overhead = 32
    private static let keyOverhead = 64

    /// The approximate number of bytes of memory that it takes up: those of its texts, and some for each value.
    package var footprint: Int {
        switch self {
        case .null, .bool, .number: Self.overhead
        case .string(let text): Self.overhead + text.utf8.count
        case .secret(let secret): Self.overhead + secret.count
        case .array(let values): values.reduce(Self.overhead) { $0 + $1.footprint }
        case .object(let fields):
            fields.reduce(Self.overhead) { $0 + Self.keyOverhead + $1.key.utf8.count + $1.value.footprint }
        }
    }
}

extension GatewayEvent {
    /// The approximate number of bytes of memory that it takes up.
    package var footprint: Int { name.utf8.count + (payload?.footprint ?? 0) }
}

extension GatewayFrame {
    /// The approximate number of bytes of memory that it takes up.
    package var footprint: Int {
        switch self {
        case .event(let event): event.footprint
        case .request(let request): request.method.utf8.count + (request.params?.footprint ?? 0)
        case .response(let response): (try? response.outcome.get()?.footprint) ?? 0
        }
    }
}
