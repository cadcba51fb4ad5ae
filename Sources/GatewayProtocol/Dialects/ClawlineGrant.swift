/// A Clawline provider's grant of access to a device. It holds a secret.
package struct ClawlineGrant: Hashable, Sendable {
    /// The token (a JWT), at most 4,096 bytes.
    package let token: Secret

    /// The identifier of the user to whom the device now belongs.
    package let userID: String

    /// Creates a grant. The lengths of the texts are not checked.
    package init(token: Secret, userID: String) {
        self.token = token
        self.userID = userID
    }

    init(_ fields: JSONFields) throws(GatewayMessageError) {
        self.token = try fields.secret("token", limit: 4_096)
        self.userID = try fields.string("userId")
    }

    var fields: [String: JSONValue] { ["token": .secret(token), "userId": .string(userID)] }
}
