/// The bounds of a request that a user makes.
package enum GatewayCall {
    /// The most bytes of its parameters.
    package static let mostBytes = 262_144

    /// Reads the name of a method; `nil` if it is none.
    package static func method(_ text: String) -> String? {
        let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F }
        return (1...128).contains(text.utf8.count) && isPlain ? text : nil
    }

    /// Returns the sentence that a dialect has no requests, without a full stop.
    package static func noRequests(of dialect: GatewayDialect) -> String {
        "expected a gateway that answers requests, found one of the dialect \(dialect.rawValue), which has none"
    }
}
