package import GatewayProtocol

/// The link by which devices pair with an OptaPlus gateway that its certificate proves.
package struct GatewayLink: Hashable, Sendable {
    private let host: String
    private let port: UInt16
    private let fingerprint: String

    /// Makes the link.
    ///
    /// - Parameters:
    ///   - host: The name or the address at which devices find the gateway.
    ///   - port: Its port.
    ///   - fingerprint: The SHA-256 of its certificate.
    package init(host: String, port: UInt16, fingerprint: String) {
        self.host = host
        self.port = port
        self.fingerprint = fingerprint
    }

    /// Returns its text.
    ///
    /// - Parameter code: The one-time code for the device; `nil` where none is needed.
    package func text(code: Secret?) -> String {
        let token = code?.revealed.map { "&token=\($0)" } ?? ""
        return "optaplus://pair?host=\(PercentEncoding.encoded(host.utf8))&port=\(port)&fp=\(fingerprint)\(token)"
    }
}
