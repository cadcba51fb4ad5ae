internal import GatewayProtocol

/// What a web server answered.
struct HTTPReply: Hashable, Sendable {
    /// The status code.
    let status: Int

    /// What the server calls itself.
    let server: String?

    /// The body, at most as long as one frame may be.
    let body: [UInt8]

    /// Whether that is all of it.
    let isWhole: Bool

    /// Whether another question may follow on the same connection.
    let keepsAlive: Bool

    /// The way it came.
    let path: GatewayProbePath

    /// The first bytes that came.
    let firstBytes: [UInt8]

    /// By what it is known again.
    var signature: HTTPSignature { HTTPSignature(status: status, server: server, body: body) }
}
