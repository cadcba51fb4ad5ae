package import DNSSD
internal import HostSystem

/// A key that is shared with a DNS server, by which both sign what they exchange (TSIG, RFC 8945), with HMAC-SHA256.
///
/// Whoever makes the signer has the secret, and a library for the codes: this room links none.
package struct TransactionSigner: Sendable {
    /// The number of seconds by which the clocks of both may differ (RFC 8945 §10).
    static let fudge: UInt16 = 300

    /// The algorithm (RFC 8945 §6).
    private static let algorithm = DomainName(checkedWire: [11] + Array("hmac-sha256".utf8) + [0])

    /// The name of the key, which the server knows as well.
    package let name: DomainName

    private let code: @Sendable ([UInt8]) -> [UInt8]

    /// - Parameters:
    ///   - name: The name of the key.
    ///   - code: Returns the HMAC-SHA256 of bytes under the key.
    package init(name: DomainName, code: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.name = name
        self.code = code
    }

    /// A message with its signature, as it is sent.
    struct Signed: Sendable {
        let id: UInt16
        let bytes: [UInt8]

        /// The message authentication code, which the signature of the response covers as well.
        let code: [UInt8]
    }

    /// Signs a message.
    ///
    /// - Parameter time: The time in seconds since 1970.
    func sign(_ message: DNSMessage, at time: UInt64) -> Signed {
        var bytes = message.encoded().bytes
        var signature = TSIGData(
            algorithm: Self.algorithm,
            timeSigned: time,
            fudge: Self.fudge,
            code: [],
            originalID: message.id
        )
        signature.code = code(bytes + variables(signature))
        Self.count(UInt16(message.additionals.count + 1), in: &bytes)
        bytes += record(signature)
        return Signed(id: message.id, bytes: bytes, code: signature.code)
    }

    /// Reads a response, and verifies that it is the server's.
    ///
    /// - Parameter time: The time in seconds since 1970.
    func verify(
        _ bytes: [UInt8],
        respondsTo request: Signed,
        at time: UInt64
    ) throws(UpdateProblem) -> DNSMessage {
        guard let message = try? DNSMessage(decoding: bytes), message.id == request.id, message.flags.isResponse,
            message.flags.opcode == .update
        else { throw .malformed }
        guard let offset = DNSMessage.offsetOfLastRecord(in: bytes.span), let last = message.additionals.last,
            case .tsig(let signature) = last.data, last.name == name,
            last.dnsClass == .any, !last.isCacheFlush, last.ttl == 0
        else { throw .unsigned(message.flags.responseCode) }
        switch signature.error {
        // What says so cannot be signed: the server does not have the key, or not this one (RFC 8945 §5.2).
        case 16: throw .badSignature
        case 17: throw .badKey
        default: break
        }
        var signed = Array(bytes[..<offset])
        signed[0] = UInt8(truncatingIfNeeded: signature.originalID >> 8)
        signed[1] = UInt8(truncatingIfNeeded: signature.originalID)
        Self.count(UInt16(message.additionals.count - 1), in: &signed)
        let expected = code(Self.counted(request.code) + signed + variables(signature))
        guard RandomSecret.matches(signature.code, expected) else { throw .forged }
        if signature.error == 18 {
            throw .badTime(server: signature.otherData.reduce(0) { $0 << 8 | UInt64($1) }, here: time)
        }
        guard time.distance(to: signature.timeSigned).magnitude <= UInt(signature.fudge) else {
            throw .badTime(server: signature.timeSigned, here: time)
        }
        return message
    }

    /// The signed fields of the signature itself (RFC 8945 §4.3.3).
    private func variables(_ signature: TSIGData) -> [UInt8] {
        let time = stride(from: UInt64(40), through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: signature.timeSigned >> $0)
        }
        let (name, algorithm) = (name.wire.map(ASCIICase.lowered), signature.algorithm.wire.map(ASCIICase.lowered))
        return name + [0, 255, 0, 0, 0, 0] + algorithm + time
            + Self.bytes(signature.fudge) + Self.bytes(signature.error) + Self.counted(signature.otherData)
    }

    /// Returns the record as it follows the message, with its names in full.
    private func record(_ signature: TSIGData) -> ArraySlice<UInt8> {
        let record = DNSRecord(name: name, dnsClass: .any, ttl: 0, data: .tsig(signature))
        return DNSMessage(additionals: [record]).encoded(compression: .none).bytes.dropFirst(12)
    }

    /// Sets the number of additional records of a message.
    private static func count(_ count: UInt16, in bytes: inout [UInt8]) {
        bytes.replaceSubrange(10..<12, with: Self.bytes(count))
    }

    private static func counted(_ bytes: [UInt8]) -> [UInt8] {
        Self.bytes(UInt16(truncatingIfNeeded: bytes.count)) + bytes
    }

    private static func bytes(_ number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
}
