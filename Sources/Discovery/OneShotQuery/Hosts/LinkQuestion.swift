internal import DNSSD
internal import HostSystem

/// A question to all hosts of the link, sent from a port of our own (RFC 6762 §6.7). A value: no clock, no I/O.
protocol LinkQuestion: Sendable {
    associatedtype Answer: Sendable

    /// The time to wait for more once there is an answer; `nil` for all the time that the look-up has.
    static var timeAfterFirstAnswer: Duration? { get }

    /// The id that an answer has to repeat, which proves that its sender has seen the question.
    var id: UInt16 { get }

    /// The packets that ask the question.
    var packets: [[UInt8]] { get }

    /// The answers so far.
    var answers: [Answer] { get }

    /// Handles an answer to the question.
    mutating func receive(_ message: DNSMessage, on link: Link)
}

extension LinkQuestion {
    /// Handles a packet that came to the port.
    ///
    /// - Parameter link: The link on which the question was asked.
    mutating func receive(_ bytes: [UInt8], from source: SocketAddress, on link: Link) {
        // A responder answers from its port, and from this link (RFC 6762 §11).
        guard source.port == MulticastGroup.port, link.isOnLink(source.address),
            let message = try? DNSReceivedMessage(decoding: bytes).message, message.id == id, message.flags.isResponse
        else { return }
        receive(message, on: link)
    }
}
