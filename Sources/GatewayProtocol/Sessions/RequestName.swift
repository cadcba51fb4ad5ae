/// The name by which somebody who decides means a device that waits: the identifier of its request, or the beginning of that.
package struct RequestName: Hashable, Sendable {
    /// The least number of characters that count as the beginning of a longer identifier.
    package static let shortest = 8

    package let text: String

    /// Reads a name; `nil` for a text with which no identifier can begin.
    package init?(_ text: String) {
        guard SessionRefusal.isRequestID(text) else { return nil }
        self.text = text
    }

    /// Indicates whether the beginning of an identifier is enough in a dialect. It is not where devices choose their
    /// identifiers, since another one can ask with the same beginning.
    package static func mayBeCut(in dialect: GatewayDialect) -> Bool { dialect == .openClaw }

    /// Returns those requests that it means: the one with this identifier, else those that begin so, where that is enough.
    package func matches(_ requests: [DeviceRequest], in dialect: GatewayDialect) -> [DeviceRequest] {
        let whole = requests.filter { $0.id == text }
        guard whole.isEmpty, Self.mayBeCut(in: dialect) else { return whole }
        return beginnings(requests)
    }

    /// Returns those requests that begin so.
    package func beginnings(_ requests: [DeviceRequest]) -> [DeviceRequest] {
        text.utf8.count < Self.shortest ? [] : requests.filter { $0.id.hasPrefix(text) }
    }
}
