internal import GatewayProtocol

/// A secret that a peer sent, for tests that check which secrets an impostor receives.
struct ReceivedSecret: Hashable, Sendable {
    /// The keys whose values are secrets, in any dialect.
    private static let keys: Set<String> = ["token", "deviceToken", "bootstrapToken", "password", "pairingToken"]

    /// The path of its key in the message, such as `params.auth.token`.
    let field: String
    let text: String

    /// Finds the secrets in a message, whether or not the message is understood.
    static func find(in message: [UInt8]) -> [ReceivedSecret] {
        guard let json = try? JSONValue(parsing: message) else { return [] }
        var found: [ReceivedSecret] = []
        collect(json, at: "", into: &found)
        return found
    }

    private static func collect(_ json: JSONValue, at path: String, into found: inout [ReceivedSecret]) {
        switch json {
        case .object(let fields):
            for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
                let field = path.isEmpty ? key : "\(path).\(key)"
                if keys.contains(key), let text = value.string {
                    found.append(ReceivedSecret(field: field, text: text))
                } else {
                    collect(value, at: field, into: &found)
                }
            }
        case .array(let values):
            for value in values { collect(value, at: path, into: &found) }
        case .null, .bool, .number, .string, .secret:
            break
        }
    }
}
