/// The answer of an OpenClaw gateway to the question whether it can do its work: it can be alive, and deaf, since a channel
/// has failed for good.
package enum Readiness: Hashable, Sendable {
    /// The maximum number of parts that are named, and of characters of each.
    private static let mostParts = 8
    private static let longestPart = 64

    /// It can.
    case ready

    /// It cannot, since it is still starting.
    case starting

    /// It cannot, since it is about to end.
    case draining

    /// It cannot, since these parts of it fail, such as its channels; none if it does not say which. Untrusted.
    case failing([String])

    /// Indicates whether it can do its work.
    package var isReady: Bool { self == .ready }

    /// Reads the reply to `GET /readyz`; `nil` for any other, such as that of a gateway that tells this only to those who
    /// have authenticated, an old one that does not have this page, or a web server.
    package init?(status: Int, readiness body: [UInt8], limits: JSONLimits = JSONLimits()) {
        guard let json = try? JSONValue(parsing: body, limits: limits) else { return nil }
        switch (status, json["ready"]?.bool) {
        case (200, true): self = .ready
        case (503, false):
            let parts = (json["failing"]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
            self = .failing(parts.prefix(Self.mostParts).map { String($0.prefix(Self.longestPart)) })
        default: return nil
        }
    }

    /// Reads the reply to `GET /startupz`; `nil` for any other, and for that of a gateway that has started, which does not
    /// say whether it is ready.
    package init?(status: Int, startup body: [UInt8], limits: JSONLimits = JSONLimits()) {
        guard status == 503, let json = try? JSONValue(parsing: body, limits: limits), json["ok"]?.bool == false else {
            return nil
        }
        switch json["status"]?.string {
        case "starting": self = .starting
        case "draining": self = .draining
        default: return nil
        }
    }
}
