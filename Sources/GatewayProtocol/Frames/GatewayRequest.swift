/// A `req` frame: a request from one side to the other.
package struct GatewayRequest: Hashable, Sendable {
    /// The identifier that the response will carry, at most 256 bytes.
    package let id: String

    /// The requested method, such as `gateway.discover`, at most 256 bytes.
    package let method: String

    /// The parameters; `nil` when none were sent, as some clients do.
    package let params: JSONValue?

    /// Creates a request. The lengths of the texts are not checked; parameters of `nil` are left out of the frame.
    package init(id: String, method: String, params: JSONValue? = nil) {
        self.id = id
        self.method = method
        self.params = params
    }

    init(_ fields: JSONFields) throws(GatewayMessageError) {
        self.id = try fields.string("id")
        self.method = try fields.string("method")
        self.params = fields["params"]
    }

    /// Returns a `gateway.discover` request, which needs no authentication and whose answer gives no tokens.
    package static func discover(id: String) -> GatewayRequest {
        GatewayRequest(id: id, method: "gateway.discover", params: .object([:]))
    }

    /// The frame as JSON.
    package var json: JSONValue {
        var fields: [String: JSONValue] = ["type": "req", "id": .string(id), "method": .string(method)]
        fields["params"] = params
        return .object(fields)
    }
}
