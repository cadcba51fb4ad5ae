/// An `event` frame, which a gateway sends of its own accord.
public struct GatewayEvent: Hashable, Sendable {
    /// The name of the event, such as `tick`, at most 256 bytes.
    public let name: String

    /// The data that the event carries.
    public let payload: JSONValue?

    /// The sequence number, where the gateway sends one.
    public let sequence: Int?

    /// Creates an event. The length of the name is not checked; a payload or sequence number of `nil` is left out of
    /// the frame.
    public init(name: String, payload: JSONValue? = nil, sequence: Int? = nil) {
        self.name = name
        self.payload = payload
        self.sequence = sequence
    }

    /// Reads a message of a dialect without frames as an event: its `type` is the name, and the whole message the
    /// payload.
    ///
    /// - Throws: ``GatewayMessageError`` when it is no object, or has no type.
    package init(message: JSONValue) throws(GatewayMessageError) {
        self.init(name: try JSONFields(message, of: "the message").string("type"), payload: message)
    }

    init(_ fields: JSONFields) throws(GatewayMessageError) {
        self.name = try fields.string("event")
        self.payload = fields["payload"]
        self.sequence = try fields.optionalInt("seq")
    }

    /// The frame as JSON.
    public var json: JSONValue {
        var fields: [String: JSONValue] = ["type": "event", "event": .string(name)]
        fields["payload"] = payload
        fields["seq"] = sequence.map { .number(JSONNumber($0)) }
        return .object(fields)
    }
}
