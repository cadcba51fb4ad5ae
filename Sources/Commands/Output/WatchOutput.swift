internal import DNSSD

/// One change in JSON.
struct WatchOutput: Encodable, Hashable {
    /// `found`, `changed` or `lost`.
    let event: String

    /// The time at which we were told of it, as ISO 8601 in UTC.
    let at: String

    /// `service`; the news of gateways have other kinds.
    let kind = "service"
    let service: ServiceOutput

    /// The aspects that have changed; only with `changed`.
    let changed: [String]?

    /// The reason why it is gone; only with `lost`.
    let reason: String?

    init(_ change: ServiceChange, at date: Date) {
        self.at = TimeText.iso8601(date)
        self.service = ServiceOutput(change.service)
        switch change {
        case .found:
            (event, changed, reason) = ("found", nil, nil)
        case .changed(_, let aspects):
            (event, changed, reason) = ("changed", aspects.sorted().map(\.rawValue), nil)
        case .lost(_, let why):
            (event, changed, reason) = ("lost", nil, why.rawValue)
        }
    }
}
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
