/// A refusal by a Clawline provider, with its reason.
public struct ClawlineRefusal: Error, Hashable, Sendable {
    /// The reason as it was said, such as `pair_denied` or `token_revoked`; at most 256 bytes.
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }

    init(_ fields: JSONFields) throws(GatewayMessageError) {
        self.reason = try fields.optionalString("reason") ?? ""
    }
}
