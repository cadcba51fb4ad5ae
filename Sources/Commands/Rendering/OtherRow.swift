internal import DNSSD
internal import Reports
internal import Scanning

/// Something that is no gateway, though it is advertised as one or was typed in, as people see it: every text is cleaned.
struct OtherRow: Hashable {
    let name: String
    let address: String
    let type: String

    /// The reason why it is no gateway.
    let reason: String

    static let absent = "-"
}

extension OtherRow {
    init(_ other: Gateway) {
        self.name = DisplayText(other.name, limit: 64).text
        self.address = other.shownPath.map { "\($0.endpoint)" } ?? Self.absent
        let types = Set(other.services.map(\.type)).sorted().map(\.description)
        self.type = types.isEmpty ? Self.absent : types.joined(separator: ", ")
        self.reason = other.reasonForNoGateway
    }
}
