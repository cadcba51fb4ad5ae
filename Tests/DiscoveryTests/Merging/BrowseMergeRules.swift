import DNSSD

@testable import Discovery

/// Examples for each row of the guide's tables on sources.
enum BrowseMergeRules {
    typealias Rule = GuideRule<MergeDrive>

    static func rows(of drive: inout MergeDrive) -> [String] { drive.rows }
    static func events(of drive: inout MergeDrive) -> [String] { drive.takeEvents() }
    static func companions(of drive: inout MergeDrive) -> [String] { drive.companions }
    static func standby(of drive: inout MergeDrive) -> [String] { drive.isEngineNeeded ? ["works"] : [] }

    /// Returns an example with a daemon, a standby engine and a one-shot query.
    static func example(
        _ description: String,
        _ expected: [String],
        of outcome: @escaping @Sendable (inout MergeDrive) -> [String] = rows,
        _ happens: @escaping @Sendable (inout MergeDrive) -> Void
    ) -> Rule {
        Rule(description, expected, of: outcome, from: { MergeDrive() }, happens)
    }

    /// Returns an example with a server in addition: a primary source that hears no goodbyes, of a higher rank than the
    /// daemon.
    static func withServer(
        _ description: String,
        _ expected: [String],
        of outcome: @escaping @Sendable (inout MergeDrive) -> [String] = rows,
        _ happens: @escaping @Sendable (inout MergeDrive) -> Void
    ) -> Rule {
        Rule(description, expected, of: outcome, from: { MergeDrive(hasServer: true) }, happens)
    }

    /// Returns an example with a daemon that does not report families.
    static func withoutFamilies(
        _ description: String,
        _ expected: [String],
        of outcome: @escaping @Sendable (inout MergeDrive) -> [String] = rows,
        _ happens: @escaping @Sendable (inout MergeDrive) -> Void
    ) -> Rule {
        Rule(description, expected, of: outcome, from: { MergeDrive(reportsFamilies: false) }, happens)
    }

    static let all = sources + precedence + reports + handover

    // MARK: Overview

    static let sources: [Rule] = [
        Rule.of(
            "avahi-daemon, or the daemon behind libdns_sd",
            example("its status is the browse's", ["running", "unavailable"], of: events) { $0.daemon(.runs, .hangs) },
            example("but while a standby is needed", ["running", "starting"], of: events) { $0.daemon(.runs, .isAway) },
            example("it withdraws what others see", []) {
                $0.query(.sees("a"))
                $0.daemon(.sees("a", .resolving), .loses("a"))
            }
        ),
        Rule.of(
            "our own engine",
            example("its status is the browse's while it is needed", ["starting", "running"], of: events) {
                $0.daemon(.isAway)
                $0.engine(.runs)
            },
            example("and only then", ["running"], of: events) {
                $0.daemon(.runs)
                $0.engine(.hangs)
            },
            example("it withdraws what others see", []) {
                $0.daemon(.isAway)
                $0.query(.sees("a"))
                $0.engine(.runs, .sees("a", .resolving), .loses("a"))
            }
        ),
        Rule.of(
            "the one-shot query",
            example("its status is never the browse's", [], of: events) { $0.query(.runs, .isAway) },
            example("it sees", ["a 3000 one-shot"]) { $0.query(.sees("a")) },
            example("what neither of the others sees", ["a 3000 one-shot"]) {
                $0.daemon(.runs, .isAway)
                $0.query(.sees("a"))
                $0.pass(.seconds(60))
            },
            example("it withdraws its own report", []) { $0.query(.sees("a"), .loses("a")) },
            example("and nothing else", ["a failed daemon"]) {
                $0.daemon(.sees("a", .failed(reason: "no SRV")))
                $0.query(.sees("a"), .loses("a"))
            }
        ),
    ].flatMap(\.self)

    // MARK: Whose report the browser has

    static let precedence: [Rule] = [
        Rule.of(
            "resolved",
            example("by the query, while the daemon is resolving", ["a 3000 one-shot"]) {
                $0.query(.sees("a"))
                $0.daemon(.sees("a", .resolving))
            },
            example("by the query, while the daemon cannot resolve", ["a 3000 one-shot"]) {
                $0.daemon(.sees("a", .failed(reason: "no SRV")))
                $0.query(.sees("a"))
            },
            example("by the daemon before it went, while the engine is resolving", ["a 3000 daemon"]) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.engine(.runs, .sees("a", .resolving))
            }
        ),
        Rule.of(
            "could not be resolved",
            example("by the query, while the daemon is resolving", ["a failed one-shot"]) {
                $0.daemon(.sees("a", .resolving))
                $0.query(.sees("a", .failed(reason: "no SRV")))
            },
            example("by the daemon, while the query is resolving", ["a failed daemon"]) {
                $0.query(.sees("a", .resolving))
                $0.daemon(.sees("a", .failed(reason: "no SRV")))
            }
        ),
        Rule.of(
            "of a source that sees the network now",
            example("the daemon has gone, and the engine sees it elsewhere", ["a 4 engine"]) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.engine(.runs, .sees("a", port: 4))
            },
            example("the daemon is back at once, and tells nothing again", ["a 4 engine", "b 3000 daemon"]) {
                $0.daemon(.runs, .sees("a"), .sees("b"), .isAway)
                $0.engine(.runs, .sees("a", port: 4))
                $0.daemon(.runs)
            }
        ),
        Rule.of(
            "higher rank",
            example("the daemon sees what the engine sees", ["a 4 daemon", "b 3000 engine"]) {
                $0.daemon(.isAway)
                $0.engine(.runs, .sees("a"), .sees("b"))
                $0.daemon(.runs, .sees("a", port: 4))
                $0.engine(.sees("a"), .loses("a"))
            },
            withServer("of two primary sources", ["a 5 server"]) {
                $0.server(.runs, .sees("a", port: 5))
                $0.daemon(.runs, .sees("a"))
            }
        ),
    ].flatMap(\.self)
}
