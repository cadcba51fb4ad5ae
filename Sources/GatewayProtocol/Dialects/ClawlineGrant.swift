/// The grant of a Clawline provider to a device that it lets in. It holds a secret.
public struct ClawlineGrant: Hashable, Sendable {
    /// The token (a JWT), at most 4,096 bytes.
    public let token: String

    /// The identifier of the user whose device it now is.
    public let userID: String

    public init(token: String, userID: String) {
        self.token = token
        self.userID = userID
    }

    init(_ fields: JSONFields) throws(GatewayMessageError) {
        self.token = try fields.string("token", limit: 4_096)
        self.userID = try fields.string("userId")
    }

    var fields: [String: JSONValue] { ["token": .string(token), "userId": .string(userID)] }
}
