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

    /// Indicates whether another question may follow on the same connection.
    let keepsAlive: Bool

    /// The way it came.
    let path: GatewayProbePath

    /// The first bytes that came.
    let firstBytes: [UInt8]

    /// The signature by which the answer is recognised another time.
    var signature: HTTPSignature { HTTPSignature(status: status, server: server, body: body) }
}
