internal import Advertising
internal import Console
internal import DNSSD
internal import GatewayProtocol

/// The state of a gateway's advertising, in words; every text in it is cleaned.
struct GatewayPublicationText: PublicationWording, Hashable {
    /// The hint after the reason why a gateway is not advertised, if `--force` can overrule that reason.
    private static let insistence = " (--force insists)"

    /// The domain in which it is published, if it is not that of the LAN.
    private let zone: DomainName?

    /// The reported facts of the gateway while it is published; `nil` while it is not.
    private var facts: AdvertisedFacts?

    init(zone: DomainName? = nil) {
        self.zone = zone
    }

    /// Returns the text for a state; `nil` when there is nothing to say.
    mutating func item(_ state: AdvertisingState) -> PublicationText.Item? {
        switch state {
        case .asking, .ended, .failed:
            return nil
        case .withheld(let reason):
            let wasPublished = facts != nil
            facts = nil
            var text = "\(reason)"
            switch reason {
            case .notReachable, .noNetwork: text += Self.insistence
            default: break
            }
            return .warning("the gateway is \(wasPublished ? "withdrawn" : "not advertised"): \(text). Checking on.")
        case .advertising(let current, let advertisement, .published(let name)):
            let isNew = facts == nil
            facts = current
            let what = "\"\(DisplayText(name))\" \(Self.summary(current))"
            let place =
                "as \(advertisement.types.map(\.description).joined(separator: ", ")) on port \(advertisement.port)"
                + (zone.map { " in \($0.shown)" } ?? "")
            return .result(isNew ? "published \(what) \(place) (Ctrl-C withdraws it)" : "updated \(what)")
        case .advertising(_, let advertisement, let publication):
            return PublicationText(advertisement, zone: zone).item(publication)
        }
    }

    /// Returns a summary of the facts that the gateway reported about itself.
    private static func summary(_ facts: AdvertisedFacts) -> String {
        var parts = [facts.dialect.rawValue]
        if let bots = facts.bots { parts.append(bots == 1 ? "1 bot" : "\(bots) bots") }
        if facts.leaf != nil { parts.append("TLS") }
        return "(\(parts.joined(separator: ", ")))"
    }
}

extension GatewayAdvertiser: ReportingAdvertiser {
    var shownStates: AsyncStream<AdvertisingState> { details }

    var failure: BackendError? {
        if case .failed(let error) = currentState { error } else { nil }
    }
}
