/// A frame of the OptaPlus or OpenClaw protocol: a request, the response to one, or an event.
///
/// Frames are read leniently, since versions add keys: unknown keys are ignored.
package enum GatewayFrame: Hashable, Sendable {
    /// A request, which the other side answers with a response.
    case request(GatewayRequest)

    /// The response to a request.
    case response(GatewayResponse)

    /// An event, which needs no answer.
    case event(GatewayEvent)

    /// Reads a frame from the text of a WebSocket message.
    ///
    /// - Throws: ``GatewayMessageError``.
    package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(GatewayMessageError) {
        try self.init(json: try JSONValue(parsing: bytes, limits: limits))
    }

    /// Reads a frame from JSON.
    ///
    /// - Throws: ``GatewayMessageError`` `missingField`, `wrongType`, `outOfBounds` or `unknownMessage`.
    package init(json: JSONValue) throws(GatewayMessageError) {
        let fields = try JSONFields(json, of: "the frame")
        switch try fields.string("type") {
        case "req": self = .request(try GatewayRequest(fields))
        case "res": self = .response(try GatewayResponse(fields))
        case "event": self = .event(try GatewayEvent(fields))
        default: throw GatewayMessageError(.unknownMessage, "the frame is neither req nor res nor event")
        }
    }

    /// The frame as JSON.
    package var json: JSONValue {
        switch self {
        case .request(let request): request.json
        case .response(let response): response.json
        case .event(let event): event.json
        }
    }

    /// The text of the WebSocket message.
    package var encoded: [UInt8] { json.encoded }
}
