internal import Constellation
internal import DNSSD

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// News of a gateway, or of something else, in JSON.
struct GatewayNewsOutput: Encodable, Hashable {
    /// `found`, `changed`, `lost` or `problem`.
    let event: String

    /// The time at which we were told of it, as ISO 8601 in UTC.
    let at: String

    /// `gateway`, `other` or `problem`; the changes of a service have `service`.
    let kind: String
    let gateway: FoundGatewayOutput?
    let other: OtherOutput?

    /// The aspects that have changed; only with `changed`.
    let changed: [String]?

    /// Only with `lost`: the row that has what it had, if there is one.
    let into: String?

    /// Only with `problem`.
    let problem: String?

    init(_ news: GatewayFeed.News, services: [Service], at date: Date) {
        self.at = TimeText.iso8601(date)
        if case .lost(_, let other) = news { into = other?.id.text } else { into = nil }
        let row: Gateway?
        switch news {
        case .found(let gateway): (event, row, changed, problem) = ("found", gateway, nil, nil)
        case .changed(let gateway, _, let aspects):
            (event, row, changed, problem) = ("changed", gateway, aspects.sorted().map(\.rawValue), nil)
        case .lost(let gateway, _): (event, row, changed, problem) = ("lost", gateway, nil, nil)
        case .problem(let problem):
            (event, row, changed, self.problem) = ("problem", nil, nil, DisplayText("\(problem)").text)
        }
        guard let row else {
            (kind, gateway, other) = ("problem", nil, nil)
            return
        }
        if row.isGateway {
            (kind, gateway, other) = ("gateway", FoundGatewayOutput(row, services: services), nil)
        } else {
            (kind, gateway, other) = ("other", nil, OtherOutput(row, services: services))
        }
    }
}
