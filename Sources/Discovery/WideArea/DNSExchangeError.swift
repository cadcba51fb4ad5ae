/// The reason why an exchange with a DNS server has brought no answer.
package struct DNSExchangeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of error. More may be added.
    package enum Code: String, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, for logs. It stays the same from version to version.
        package var description: String { rawValue }

        /// Nothing came in time.
        case noAnswer
        /// Nothing listens at the port.
        case notListening
        /// The server cannot be reached, or the system lacks a socket.
        case unreachable
        /// The server has ended the connection.
        case connectionLost
        /// So many answers did not match the question that somebody is guessing.
        case forged
        /// Nobody waits for the answer any more.
        case cancelled
    }

    /// The kind of the error.
    package let code: Code

    /// The reason for people, as the end of a sentence about the server.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
