internal import GatewayProtocol

/// The answer of a web server.
struct HTTPReply: Hashable, Sendable {
    /// The status code.
    let status: Int

    /// The name that the server gives itself.
    let server: String?

    /// The body, at most as long as one frame may be.
    let body: [UInt8]

    /// Indicates whether ``body`` is complete.
    let isWhole: Bool

    /// Indicates whether another request may follow on the same connection.
    let keepsAlive: Bool

    /// The path on which the answer came.
    let path: GatewayProbePath

    /// The first bytes that were received.
    let firstBytes: [UInt8]

    /// Indicates whether it is the answer of a front that reaches nobody behind it (RFC 9110 §15.6.3 to §15.6.5).
    var isOfFrontAlone: Bool { (502...504).contains(status) }

    /// The signature by which a later answer is recognised as the same.
    var signature: HTTPSignature { HTTPSignature(status: status, server: server, body: body) }
}
