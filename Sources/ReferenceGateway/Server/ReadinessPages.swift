internal import GatewayProtocol
internal import Synchronization

/// The pages by which an OpenClaw gateway says whether it can do its work, `/readyz` and `/startupz`. What they say is
/// played, and its operator may change it at any time.
package final class ReadinessPages: Sendable {
    /// The readiness that a gateway claims.
    package enum Play: Hashable, Sendable, CustomStringConvertible {
        case ready
        case starting
        case draining
        /// These parts of it fail; it does not name them to a client that has not authenticated if there are none.
        case failing([String])
        /// It tells this only to clients that have authenticated: 403.
        case forbidden
        /// It does not have the pages: 404, as before March 2026.
        case missing
        /// It shows its control page at every path.
        case page

        /// The words from which a play is made.
        package static let words = "ready, starting, draining, failing, failing:PART,PART, forbidden, missing, page"

        /// Reads a play; `nil` for any other text.
        package init?(_ text: String) {
            switch text {
            case "ready": self = .ready
            case "starting": self = .starting
            case "draining": self = .draining
            case "failing": self = .failing([])
            case "forbidden": self = .forbidden
            case "missing": self = .missing
            case "page": self = .page
            default:
                guard text.hasPrefix("failing:") else { return nil }
                self = .failing(text.dropFirst(8).split(separator: ",").map(String.init))
            }
        }

        package var description: String {
            switch self {
            case .ready: "ready"
            case .starting: "starting"
            case .draining: "draining"
            case .failing(let parts): parts.isEmpty ? "failing" : "failing:\(parts.joined(separator: ","))"
            case .forbidden: "forbidden"
            case .missing: "missing"
            case .page: "page"
            }
        }
    }

    private let played: Mutex<Play>

    /// Creates pages that say this.
    package init(_ play: Play = .ready) {
        played = Mutex(play)
    }

    /// The present claim.
    package var play: Play {
        get { played.withLock(\.self) }
        set { played.withLock { $0 = newValue } }
    }

    /// Returns the answer to the `GET` of a path; `nil` if it is none of these pages.
    ///
    /// - Parameter isHidden: Indicates whether the client may not know what they say, whatever that is.
    func answer(to path: String, isHidden: Bool = false) -> PageHandler.Page? {
        let isStartup = path == "/startupz"
        guard isStartup || path == "/readyz" else { return nil }
        switch (isHidden ? .forbidden : play, isStartup) {
        case (.ready, false): return Self.readiness(200, true)
        case (.starting, false), (.draining, false): return Self.readiness(503, false)
        case (.failing(let parts), false): return Self.readiness(503, false, parts)
        case (.ready, true), (.failing, true): return Self.startup(200, "started")
        case (.starting, true): return Self.startup(503, "starting")
        case (.draining, true): return Self.startup(503, "draining")
        case (.forbidden, _):
            let error = JSONValue.object(["error": .object(["type": "forbidden", "message": "authenticate first"])])
            return PageHandler.Page(status: 403, error.encoded)
        case (.missing, _): return nil
        case (.page, _):
            return PageHandler.Page(status: 200, type: "text/html", Array("<!doctype html><title>Control</title>".utf8))
        }
    }

    private static func readiness(_ status: Int, _ isReady: Bool, _ failing: [String] = []) -> PageHandler.Page {
        var fields: [String: JSONValue] = ["ready": .bool(isReady)]
        if !failing.isEmpty { fields["failing"] = .array(failing.map { .string($0) }) }
        return PageHandler.Page(status: status, JSONValue.object(fields).encoded)
    }

    private static func startup(_ status: Int, _ word: String) -> PageHandler.Page {
        PageHandler.Page(
            status: status,
            JSONValue.object(["ok": .bool(status == 200), "status": .string(word)]).encoded
        )
    }
}
