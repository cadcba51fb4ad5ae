internal import DNSSD
package import GatewayProtocol

extension Readiness {
    /// The maximum number of characters of a part's name that are shown.
    private static let partLimit = 32

    /// The readiness as one word, which stays the same.
    package var word: String { isReady ? "ready" : "notReady" }

    /// The reason why it is not ready, cleaned for people; `nil` if it is, and if it gives none.
    package var reason: String? {
        switch self {
        case .ready: nil
        case .starting: "starting"
        case .draining: "draining"
        case .failing(let parts):
            parts.isEmpty
                ? nil : parts.map { DisplayText($0, limit: Self.partLimit).text }.joined(separator: ", ")
        }
    }

    /// The readiness in words for people, with the reason; cleaned.
    package var text: String {
        guard !isReady else { return "ready" }
        return reason.map { "not ready: \($0)" } ?? "not ready"
    }
}
