internal import Console
internal import DNSSD
internal import Pairing
internal import Reports
internal import Scanning

/// A change of a gateway as one line for people; every text in it is cleaned.
enum GatewayLine {
    /// The maximum number of bots that are named in a line.
    private static let shownBots = 8

    /// Returns a line such as `14:03:09 + Home  10.0.0.1:3000  optaplus, 2 bots: 🤖 Jarvis, Friday`.
    ///
    /// - Parameters:
    ///   - time: The time of day.
    ///   - hasLooked: Indicates whether the look for gateways is over.
    static func text(_ change: GatewayFeed.Change, time: String, hasLooked: Bool = false) -> String {
        switch change {
        case .found(let row):
            return "\(time) + \(subject(row))  \(description(row, hasLooked: hasLooked && row.isAsked))"
        case .changed(let row, let before, let aspects):
            let words = aspects.sorted().map { text(row, before, $0, hasLooked: hasLooked && row.isAsked) }
            return "\(time) ~ \(subject(row))  \(words.joined(separator: "; "))"
        case .lost(let row):
            return "\(time) - \(subject(row))  \(reason(row))"
        case .joined(let row, let other):
            return "\(time) - \(subject(row))  it is \(DisplayText(other.name, limit: 64))"
        case .problem(let problem):
            return "\(time) ! \(DisplayText("\(problem)"))"
        }
    }

    /// Returns the line about a paired gateway that was looked for and has not answered.
    static func gone(_ row: Gateway, time: String) -> String {
        "\(time) ~ \(subject(row))  \(PairedState.gone.rawValue)"
    }

    /// Returns the reason why a row is gone.
    private static func reason(_ row: Gateway) -> String {
        guard row.isGateway else { return "not advertised any more" }
        return row.liveness?.isAlive == true
            ? "something else answers there now" : "it is not advertised any more, and does not answer"
    }

    private static func subject(_ row: Gateway) -> String {
        let address = row.shownPath.map { "  \($0.endpoint)" } ?? ""
        return "\(DisplayText(row.name, limit: 64))\(address)"
    }

    private static func description(_ row: Gateway, hasLooked: Bool) -> String {
        guard row.isGateway else { return "no gateway: \(OtherRow(row).reason)" }
        let view = GatewayRow(row, hasLooked: hasLooked)
        let time = row.roundTrip == nil ? "" : " in \(view.time)"
        let remarks = view.remarks.map { "  ! \($0)" }.joined()
        return "\(view.dialect)\(time), \(bots(row, hasLooked: hasLooked))\(remarks)"
    }

    private static func bots(_ row: Gateway, hasLooked: Bool) -> String {
        let count = row.bots.count + row.botsLeftOut
        guard count > 0 else { return "no bots known" }
        let named = row.bots.prefix(shownBots).map { GatewayRow.text($0, at: row, hasLooked: hasLooked) }
            .joined(separator: ", ")
        let rest = count > min(row.bots.count, shownBots) ? ", …" : ""
        return "\(count == 1 ? "1 bot" : "\(count) bots"): \(named)\(rest)"
    }

    private static func text(
        _ row: Gateway,
        _ before: Gateway,
        _ aspect: GatewayAspect,
        hasLooked: Bool
    ) -> String {
        switch aspect {
        case .identifier:
            return "now \(row.id)"
        case .name where before.name == row.name:
            return row.alias == nil ? "that is its own name" : "that is the name you gave it"
        case .name:
            return "it was called \(DisplayText(before.name, limit: 64))"
        case .fingerprint:
            return row.fingerprint.map { "fingerprint \(DisplayText("\($0)", limit: 64))" } ?? "no fingerprint"
        case .paths:
            // A row that answers as something else than before is described in full.
            guard row.dialect == before.dialect, row.isGateway == before.isGateway, row.isGateway else {
                return description(row, hasLooked: hasLooked)
            }
            return row.shownPath.map { "now at \($0.endpoint)" } ?? "no address"
        case .services:
            return row.services.isEmpty
                ? "not advertised any more" : "advertised as \(row.services.map(\.description).joined(separator: ", "))"
        case .records:
            return "advertised otherwise"
        case .bots:
            return bots(row, hasLooked: hasLooked)
        case .flags:
            return row.flags.isEmpty ? "no longer in dispute" : row.flags.sorted().map(\.text).joined(separator: "; ")
        case .liveness:
            guard row.livenessText == before.livenessText else {
                return row.livenessText ?? (row.isPaired && hasLooked ? PairedState.gone.rawValue : "not asked yet")
            }
            return row.turns(since: before).map { "\($0.endpoint) \($0.livenessText)" }
                .joined(separator: ", ")
        case .readiness:
            guard row.liveness?.isAlive == true else { return "readiness not known" }
            return row.readiness?.text ?? "readiness not known any more"
        case .latency:
            return row.roundTrip.map(TimeText.milliseconds) ?? "-"
        }
    }
}
