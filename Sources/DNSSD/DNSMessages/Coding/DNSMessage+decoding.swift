extension DNSMessage {
    /// Reads a message.
    ///
    /// Decoding terminates whatever the bytes are, and allocates no more than the returned message needs: at most 255
    /// bytes for a name, and at most one record for every eleven bytes. Bytes after the last record are ignored.
    ///
    /// - Parameter bytes: The whole packet.
    /// - Throws: When anything in the message is malformed. ``DNSReceivedMessage`` reads the rest of such a message.
    package init(decoding bytes: Span<UInt8>) throws(DNSMessageError) {
        let received = try DNSReceivedMessage.read(bytes)
        if let error = received.error { throw error }
        self = received.message
    }

    /// Reads a message; see ``init(decoding:)-(Span<UInt8>)``.
    package init(decoding bytes: [UInt8]) throws(DNSMessageError) {
        try self.init(decoding: bytes.span)
    }
}
