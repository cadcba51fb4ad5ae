internal import GatewayProtocol

extension OperatorScopes {
    /// The maximum number of scopes of a request or a device, and the maximum size of each in bytes. Released gateways
    /// name no bounds.
    static let bounds = (count: 32, bytes: 128)

    /// Returns whether some scopes are within the bounds.
    static func fit(_ scopes: [String]) -> Bool {
        scopes.count <= bounds.count && scopes.allSatisfy { $0.utf8.count <= bounds.bytes }
    }

    /// Returns two lists as one, without duplicates, in a fixed order.
    static func union(_ lhs: [String], _ rhs: [String]) -> [String] { Set(lhs + rhs).sorted() }
}
