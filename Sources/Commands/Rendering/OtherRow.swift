internal import Constellation
internal import DNSSD
internal import GatewayProtocol

/// Something that is no gateway, though it is advertised as one or was typed in, as people see it: every text is cleaned.
struct OtherRow: Hashable {
    let name: String
    let address: String
    let type: String

    /// The reason why it is no gateway.
    let reason: String

    private static let absent = "-"

    /// - Parameters:
    ///   - other: What is known of it.
    ///   - services: The services that lead to it.
    init(_ other: Gateway, services: [Service]) {
        self.name = DisplayText(other.name, limit: 64).text
        self.address = other.shownPath.map { "\($0.endpoint)" } ?? Self.absent
        let types = Set(other.services.map(\.type)).sorted().map(\.description)
        self.type = types.isEmpty ? Self.absent : types.joined(separator: ", ")
        self.reason = Self.reason(other, services)
    }

    private static func reason(_ other: Gateway, _ services: [Service]) -> String {
        // One path that says something tells more than another that does not.
        let answers = other.paths.compactMap(\.outcome)
        for case .somethingElse(let answer) in answers {
            let quote = answer.firstLine.map { ": “\(DisplayText($0.text, limit: 48))”" } ?? ""
            return "\(DisplayText(answer.summary, limit: 80))\(quote)"
        }
        for case .nothing(let reason) in answers { return "\(reason)" }
        let obstacles = services.compactMap(\.resolution.obstacle)
        if other.paths.isEmpty, let obstacle = obstacles.first { return "not resolved: \(DisplayText(obstacle))" }
        return other.paths.first { $0.waiting != nil }?.notAskedText ?? "not asked yet"
    }
}
