import DNSSD

@testable import Discovery

/// Examples for the rows of the table *What each event does*.
extension BrowseMergeRules {
    // MARK: Reports

    static let reports: [Rule] = [
        Rule.of(
            "a primary or standby source resolves an instance",
            example("companions are told", ["confirmed a"], of: companions) {
                $0.query(.sees("a"))
                $0.daemon(.sees("a"), .sees("a", port: 4))
            },
            example("by the engine as well", ["confirmed a"], of: companions) {
                $0.daemon(.isAway)
                $0.engine(.runs, .sees("a"))
            },
            example("their reports are not taken any more", ["a 4 daemon"]) {
                $0.query(.sees("a"))
                $0.daemon(.sees("a", port: 4))
                $0.query(.sees("a", port: 9), .loses("a", .unanswered))
            },
            example("not even where it fails later", ["a failed daemon"]) {
                $0.query(.sees("a"))
                $0.daemon(.sees("a"), .sees("a", .failed(reason: "no SRV")))
                $0.query(.sees("a"))
            },
            example("until it is gone", ["a 3000 one-shot"]) {
                $0.daemon(.sees("a"), .loses("a"))
                $0.query(.sees("a"))
            }
        ),
        Rule.of(
            "a source that hears goodbyes loses an instance",
            example("with the reports of lower ranks", []) {
                $0.query(.sees("a"))
                $0.daemon(.sees("a", .resolving), .loses("a"))
            },
            withServer("not with those of higher ranks", ["a 5 server"]) {
                $0.server(.runs, .sees("a", port: 5))
                $0.daemon(.runs, .sees("a"), .loses("a"))
            },
            example("with what the daemon saw before it went", []) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.engine(.runs, .sees("a"), .loses("a"))
            },
            example("which does not count when the daemon is back", []) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.engine(.runs, .sees("a"), .loses("a"))
                $0.daemon(.runs)
                $0.pass(.seconds(2))
            },
            example("until it would have said otherwise: it does not repeat it", ["a 3000 daemon"]) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.engine(.runs, .sees("a"), .loses("a"), .sees("a", port: 4))
                $0.daemon(.runs)
                $0.pass(.seconds(6))
            },
            example("the daemon loses itself what was set aside", []) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.engine(.runs, .sees("a"), .loses("a"))
                $0.daemon(.runs, .loses("a"))
                $0.pass(.seconds(60))
            },
            example("companions are told to forget it", ["gone a"], of: companions) {
                $0.query(.sees("a"))
                $0.daemon(.sees("a", .resolving), .loses("a"))
            },
            example("also where it had not reported it: they may have been told before", ["gone a"], of: companions) {
                $0.query(.sees("a"))
                $0.daemon(.loses("a"))
            },
            withServer("not where another source knows it", ["confirmed a"], of: companions) {
                $0.server(.runs, .sees("a", port: 5))
                $0.daemon(.runs, .sees("a"), .loses("a"))
            }
        ),
        Rule.of(
            "the same, of a report from before its daemon went",
            example("that report goes, and no other", ["a 4 engine"]) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.engine(.runs, .sees("a", port: 4))
                $0.daemon(.runs, .loses("a"))
            }
        ),
        Rule.of(
            "a source that hears no goodbyes loses an instance",
            example("what the daemon cannot resolve", ["a failed daemon"]) {
                $0.query(.sees("a"))
                $0.daemon(.sees("a", .failed(reason: "no SRV")))
                $0.query(.loses("a", .unanswered))
            },
            withServer("what a source of a lower rank sees", ["a 3000 daemon"]) {
                $0.daemon(.runs, .sees("a"))
                $0.server(.runs, .sees("a", port: 5), .loses("a"))
            },
            withServer("what a companion sees", ["a 3000 one-shot"]) {
                $0.query(.sees("a"))
                $0.server(.runs, .sees("a", .resolving), .loses("a"))
            },
            withServer("which goes on with it", [], of: companions) {
                $0.query(.sees("a"))
                $0.server(.runs, .sees("a", .resolving), .loses("a"))
            },
            withServer("what only a companion sees", [], of: companions) {
                $0.query(.sees("a"))
                $0.server(.runs, .loses("a"))
            },
            withServer("what the daemon saw before it went", ["a 3000 daemon"]) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.server(.runs, .sees("a", port: 5), .loses("a"))
            },
            withServer("where a companion has given way to it, it is told", ["confirmed a", "gone a"], of: companions) {
                $0.query(.sees("a"))
                $0.server(.runs, .sees("a", port: 5), .loses("a"))
            },
            withServer("what only it sees", []) { $0.server(.runs, .sees("a"), .loses("a")) }
        ),
        Rule.of(
            "a program of this host answers for an instance",
            example("it is this host's own", ["a 3000 daemon own"]) {
                $0.daemon(.sees("a"))
                $0.hostOwns("a")
            },
            example("also when it is reported again", ["a 3000 daemon own"]) {
                $0.daemon(.sees("a"))
                $0.hostOwns("a")
                $0.daemon(.sees("a"))
            },
            example("not at another port", ["a 4 daemon"]) {
                $0.daemon(.sees("a"))
                $0.hostOwns("a")
                $0.daemon(.sees("a", port: 4))
                $0.hostOwns("a")
            },
            example("not where nobody sees it", []) { $0.hostOwns("a") }
        ),
        Rule.of(
            "a source that does not tell families resolves an instance",
            withoutFamilies("its path stands for both", ["a 3000 daemon"]) {
                $0.query(.sees("a"), .sees("a", on: MergeDrive.otherFamily))
                $0.daemon(.sees("a"))
                $0.query(.sees("a", on: MergeDrive.otherFamily))
            },
            withoutFamilies("companions give way on both", ["confirmed a", "confirmed a"], of: companions) {
                $0.query(.sees("a"), .sees("a", on: MergeDrive.otherFamily))
                $0.daemon(.sees("a"))
            },
            withoutFamilies("and are told of both", ["gone a", "gone a"]) {
                $0.companions.filter { $0.hasPrefix("gone") }
            } _: {
                $0.daemon(.sees("a"), .loses("a"))
            },
            example("another one's does not", ["a 3000 daemon", "a 3000 one-shot on \(MergeDrive.otherFamily)"]) {
                $0.query(.sees("a"), .sees("a", on: MergeDrive.otherFamily))
                $0.daemon(.sees("a"))
            }
        ),
        Rule.of(
            "a companion sees an instance before all others, and they are idle",
            example("they have 2 s", ["expecting 2 s", "+a one-shot", "+b one-shot"], of: events) {
                $0.query(.sees("a"), .sees("b"))
            },
            example("once in a browse", ["+b one-shot"], of: events) {
                $0.query(.sees("a"), .loses("a"))
                _ = $0.takeEvents()
                $0.pass(.seconds(2))
                $0.query(.sees("b"))
            },
            example("not where they are busy", ["busy", "+a one-shot"], of: events) {
                $0.daemon(.turns(.busy))
                $0.query(.sees("a"))
            },
            example("nor where they have seen another", ["+b daemon", "+a one-shot"], of: events) {
                $0.daemon(.sees("b"))
                $0.query(.sees("a"))
            }
        ),
        Rule.of(
            "a source is still resolving what a companion sees",
            example("the browse is busy until it has", ["busy", "+a daemon", "idle"], of: events) {
                $0.daemon(.sees("b"))
                $0.query(.sees("a"))
                _ = $0.takeEvents()
                $0.daemon(.sees("a", .resolving), .sees("a"))
            },
            example("or cannot", ["+b daemon", "+a one-shot", "busy", "idle"], of: events) {
                $0.daemon(.sees("b"))
                $0.query(.sees("a"))
                $0.daemon(.sees("a", .resolving), .sees("a", .failed(reason: "no SRV")))
            }
        ),
        Rule.of(
            "a primary or standby source loses packets",
            example("companions are told, and not of each", ["lost packets"], of: companions) {
                $0.daemon(.reports(.losses(BackendLosses(packets: 1))), .reports(.losses(BackendLosses(packets: 1))))
            },
            example("100 ms later again", ["lost packets", "lost packets"], of: companions) {
                $0.daemon(.reports(.losses(BackendLosses(packets: 1))))
                $0.pass(.milliseconds(100))
                $0.daemon(.reports(.losses(BackendLosses(packets: 1))))
            },
            example("the browser is told of each", ["1 lost", "2 lost"], of: events) {
                $0.daemon(.reports(.losses(BackendLosses(packets: 1))), .reports(.losses(BackendLosses(packets: 2))))
            }
        ),
    ].flatMap(\.self)
}
