package import GatewayProtocol

extension ForeignAnswer {
    /// Makes an answer from something that is not a gateway, described by how its first bytes look.
    init(firstBytes: [UInt8]) {
        let summary: String =
            if Self.isSSH(firstBytes) {
                "an SSH server"
            } else if let status = Self.httpStatus(firstBytes), status < 200 {
                // An informational response, which comes before the final one (RFC 9110 §15.2).
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

    /// Indicates whether the peer identifies itself as SSH (RFC 4253 §4.2).
    var isSSH: Bool { Self.isSSH(firstBytes) }

    private static func isSSH(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "SSH-".utf8) }

    /// The status by which a web server says that nothing is here, or nothing works; `nil` for every other answer.
    package var failureStatus: Int? { Self.httpStatus(firstBytes).flatMap { $0 >= 400 ? $0 : nil } }

    /// Indicates whether the peer has agreed to speak WebSocket (RFC 6455 §4.2.2). What it has said after that, if anything,
    /// was no answer of a gateway.
    package var beginsWithUpgrade: Bool { Self.httpStatus(firstBytes) == 101 }

    /// Returns whether these are the first bytes of an HTTP response, or the beginning of them.
    static func isHTTP(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "HTTP/1.".utf8) || (!bytes.isEmpty && "HTTP/1.".utf8.starts(with: bytes))
    }

    /// Returns the status of an HTTP/1 response.
    static func httpStatus(_ bytes: [UInt8]) -> Int? {
        guard bytes.starts(with: "HTTP/1.".utf8), bytes.count >= 12 else { return nil }
        return Int(String(decoding: bytes[9..<12], as: UTF8.self))
    }
}

extension [UInt8] {
    /// Indicates whether the bytes begin a TLS alert or handshake (RFC 8446 §5.1), as when a TLS server answers plain
    /// text.
    var isTLSRecord: Bool { count >= 3 && (self[0] == 0x15 || self[0] == 0x16) && self[1] == 3 }
}
