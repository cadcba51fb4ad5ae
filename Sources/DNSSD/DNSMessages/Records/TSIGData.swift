/// The data of a TSIG record: the signature of a transaction (RFC 8945 §4.2).
package struct TSIGData: Hashable, Sendable {
    /// The algorithm, such as `hmac-sha256`.
    package var algorithm: DomainName

    /// The time at which the message was signed, in seconds since 1970; 48 bits.
    package var timeSigned: UInt64

    /// The number of seconds by which the clocks may differ.
    package var fudge: UInt16

    /// The message authentication code.
    package var code: [UInt8]

    /// The id that the message had when it was signed.
    package var originalID: UInt16

    /// The code of the error in the signature; 0 if there is none.
    package var error: UInt16

    /// Additional data about the error: the server's time if the clocks differ too much.
    package var otherData: [UInt8]

    /// Creates the data of a signature. Nothing is computed or verified.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm, such as `hmac-sha256`.
    ///   - timeSigned: The time of signing in seconds since 1970; only the lower 48 bits are written.
    ///   - fudge: The number of seconds by which the clocks may differ; by default 300.
    ///   - code: The message authentication code, at most 65,535 bytes.
    ///   - originalID: The id that the message had when it was signed.
    ///   - error: The code of the error in the signature.
    ///   - otherData: Additional data about the error.
    package init(
        algorithm: DomainName,
        timeSigned: UInt64,
        fudge: UInt16 = 300,
        code: [UInt8],
        originalID: UInt16,
        error: UInt16 = 0,
        otherData: [UInt8] = []
    ) {
        self.algorithm = algorithm
        self.timeSigned = timeSigned
        self.fudge = fudge
        self.code = code
        self.originalID = originalID
        self.error = error
        self.otherData = otherData
    }
}
