internal import GatewayProtocol

extension ForeignAnswer {
    /// An answer of something that is no gateway, named by how its first bytes look.
    init(firstBytes: [UInt8]) {
        let summary: String =
            if Self.isSSH(firstBytes) {
                "an SSH server"
            } else if let status = Self.httpStatus(firstBytes), status < 200 {
                // RFC 9110 §15.2: what comes before an answer.
                "a web server that does not come to an answer"
            } else if let status = Self.httpStatus(firstBytes) {
                "a web server (HTTP \(status))"
            } else if firstBytes.isTLSRecord {
                "a service that speaks TLS"
            } else {
                "a service that speaks something else"
            }
        self.init(summary: summary, bytes: firstBytes)
    }

    /// Indicates whether the answer says that it is SSH (RFC 4253 §4.2).
    var isSSH: Bool { Self.isSSH(firstBytes) }

    private static func isSSH(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "SSH-".utf8) }

    /// Returns whether these are, as far as they go, the first bytes of a web server.
    static func isHTTP(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "HTTP/1.".utf8) || (!bytes.isEmpty && "HTTP/1.".utf8.starts(with: bytes))
    }

    /// The status of an HTTP/1 response.
    static func httpStatus(_ bytes: [UInt8]) -> Int? {
        guard bytes.starts(with: "HTTP/1.".utf8), bytes.count >= 12 else { return nil }
        return Int(String(decoding: bytes[9..<12], as: UTF8.self))
    }
}

extension [UInt8] {
    /// Indicates whether the bytes begin a TLS alert or handshake (RFC 8446 §5.1), as when TLS is answered to plain
    /// text.
    var isTLSRecord: Bool { count >= 3 && (self[0] == 0x15 || self[0] == 0x16) && self[1] == 3 }
}
