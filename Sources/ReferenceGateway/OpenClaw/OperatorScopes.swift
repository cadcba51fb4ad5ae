/// The scopes of operators, of which some include others.
enum OperatorScopes {
    static let read = "operator.read"
    static let write = "operator.write"
    static let admin = "operator.admin"
    static let pairing = "operator.pairing"

    /// Returns whether who was granted some scopes has another.
    static func allow(_ scope: String, granted: some Sequence<String>) -> Bool {
        granted.contains { grant in
            grant == scope || (grant == admin && scope.hasPrefix("operator.")) || (grant == write && scope == read)
        }
    }

    /// Returns the first scope that somebody lacks; `nil` when none.
    static func missing(_ scopes: [String], granted: [String]) -> String? {
        scopes.first { !allow($0, granted: granted) }
    }

    /// Two lists as one, without repetition, in a fixed order.
    static func union(_ lhs: [String], _ rhs: [String]) -> [String] { Set(lhs + rhs).sorted() }
}
