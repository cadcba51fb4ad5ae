/// The scopes of operators at an OpenClaw gateway, of which some include others.
package enum OperatorScopes {
    package static let read = "operator.read"
    package static let write = "operator.write"
    package static let admin = "operator.admin"
    package static let pairing = "operator.pairing"

    /// Returns whether the granted scopes include a scope.
    package static func allow(_ scope: String, granted: some Sequence<String>) -> Bool {
        granted.contains { grant in
            grant == scope || (grant == admin && scope.hasPrefix("operator.")) || (grant == write && scope == read)
        }
    }

    /// Returns the first scope that the granted ones do not include; `nil` if there is none.
    package static func missing(_ scopes: [String], granted: [String]) -> String? {
        scopes.first { !allow($0, granted: granted) }
    }
}
