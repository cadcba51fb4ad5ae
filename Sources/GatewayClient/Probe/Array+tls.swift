extension [UInt8] {
    /// Indicates whether the bytes begin a TLS alert or handshake (RFC 8446 §5.1), as when TLS is answered to plain
    /// text.
    var isTLSRecord: Bool { count >= 3 && (self[0] == 0x15 || self[0] == 0x16) && self[1] == 3 }
}
