internal import Crypto

/// The features by which an HTTP answer is recognised.
///
/// An old OpenClaw gateway answers `GET /healthz` with 404 or a page, which also shows that it is alive: the answer
/// only has to be the same as before.
package struct HTTPSignature: Hashable, Sendable {
    /// The number of bytes of the body that count: a page may change over time further down.
    package static let bodyBytes = 1_024

    /// The status code.
    package let status: Int

    /// The name that the server gives itself: the header `Server`, at most 256 bytes of it; `nil` without one.
    package let server: String?

    /// The SHA-256 of the first ``bodyBytes`` of the body.
    package let digest: [UInt8]

    /// Creates the signature of an answer.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - server: The header `Server`.
    ///   - body: The body, or its beginning.
    package init(status: Int, server: String?, body: some Collection<UInt8>) {
        self.status = status
        self.server = server.map { String(decoding: $0.utf8.prefix(256), as: UTF8.self) }
        self.digest = Array(SHA256.hash(data: Array(body.prefix(Self.bodyBytes))))
    }
}
