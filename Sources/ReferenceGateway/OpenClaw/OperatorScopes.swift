/// The scopes of operators, of which some include others.
enum OperatorScopes {
    static let read = "operator.read"
    static let write = "operator.write"
    static let admin = "operator.admin"
    static let pairing = "operator.pairing"

    /// The maximum number of scopes of a request or a device, and the maximum size of each in bytes. Released gateways
    /// name no bounds.
    static let bounds = (count: 32, bytes: 128)

    /// Returns whether some scopes are within the bounds.
    static func fit(_ scopes: [String]) -> Bool {
        scopes.count <= bounds.count && scopes.allSatisfy { $0.utf8.count <= bounds.bytes }
    }

    /// Returns whether the granted scopes include a scope.
    static func allow(_ scope: String, granted: some Sequence<String>) -> Bool {
        granted.contains { grant in
            grant == scope || (grant == admin && scope.hasPrefix("operator.")) || (grant == write && scope == read)
        }
    }

    /// Returns the first scope that the granted ones do not include; `nil` if there is none.
    static func missing(_ scopes: [String], granted: [String]) -> String? {
        scopes.first { !allow($0, granted: granted) }
    }

    /// Returns two lists as one, without duplicates, in a fixed order.
    static func union(_ lhs: [String], _ rhs: [String]) -> [String] { Set(lhs + rhs).sorted() }
}
