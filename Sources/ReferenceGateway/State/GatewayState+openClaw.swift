/// Requests to be paired, as an OpenClaw gateway keeps them until its operator decides.
extension GatewayState {
    /// The most requests that are remembered.
    private static let maximumRequests = 64

    /// The id of a device's request: the same as long as it asks for the same, or less, in the same role.
    mutating func pairingRequest(
        _ requester: OpenClawRequester,
        using generator: inout some RandomNumberGenerator
    ) -> String {
        let before = requests.firstIndex { $0.requester.deviceID == requester.deviceID }
        if let before {
            let request = requests[before]
            if request.requester.role == requester.role, requester.scopes.isSubset(of: request.requester.scopes) {
                return request.id
            }
            requests.remove(at: before)
        }
        let id = Self.makeUUID(using: &generator)
        requests = requests.suffix(Self.maximumRequests - 1) + [PairingRequest(requester: requester, id: id)]
        return id
    }

    /// A random UUID (RFC 9562 §5.4).
    private static func makeUUID(using generator: inout some RandomNumberGenerator) -> String {
        let high = generator.next() & ~0xF000 | 0x4000
        let low = generator.next() & ~(0b11 << 62) | 0b10 << 62
        let digits = UInt64.hexadecimal(high) + UInt64.hexadecimal(low)
        var parts: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts.joined(separator: "-")
    }
}

extension UInt64 {
    /// Sixteen hexadecimal digits, with the zeroes at the front.
    static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
