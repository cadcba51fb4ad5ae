internal import GatewayProtocol

/// What a web server answered.
struct HTTPReply: Hashable, Sendable {
    /// The status code.
    let status: Int

    /// The body, at most as long as one frame may be.
    let body: [UInt8]

    /// The way it came.
    let path: GatewayProbePath

    /// The first bytes that came.
    let firstBytes: [UInt8]
}
