import DNSSD

@testable import Discovery

/// Examples for the rows of the table *What each event does* about daemons that go away and come back.
extension BrowseMergeRules {
    // MARK: The hand-over

    static let handover: [Rule] = [
        Rule.of(
            "the daemons of all primary sources are not there",
            example("a standby begins", ["works"], of: standby) { $0.daemon(.runs, .isAway) },
            withServer("not while one is there", [], of: standby) {
                $0.server(.runs)
                $0.daemon(.runs, .isAway)
            },
            example("before, it is not heard", []) {
                $0.daemon(.runs)
                $0.engine(.sees("a"))
            },
            example("what the daemon reported counts for 3 s", ["a 3000 daemon"]) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.pass(.seconds(2.9))
            },
            example("it gives way to what the standby resolves", ["a 4 engine"]) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.engine(.runs, .sees("a", port: 4))
            },
            example("without a standby it stays", ["a 3000 daemon"]) {
                $0.merge = BrowseMerge([$0.merge.sources[0].traits])
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.pass(.seconds(60))
            }
        ),
        Rule.of(
            "3 s later",
            example("what nobody else sees is lost", []) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.pass(.seconds(3))
            },
            example("companions that have given way are told", ["confirmed a", "gone a"], of: companions) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.pass(.seconds(3))
            },
            example("others go on with what they see", [], of: companions) {
                $0.query(.sees("a"))
                $0.daemon(.runs, .sees("a", .resolving), .isAway)
                $0.pass(.seconds(3))
            }
        ),
        Rule.of(
            "a daemon is back",
            example("it is resolving what the engine sees", ["a 3000 engine"]) {
                $0.daemon(.isAway)
                $0.engine(.runs, .sees("a"))
                $0.daemon(.runs, .sees("a", .resolving))
            },
            example("after long, what it knew does not count yet", []) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.pass(.seconds(60))
                $0.daemon(.runs)
                $0.pass(.seconds(5.9))
            },
            example("and then does", ["a 3000 daemon"]) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.pass(.seconds(60))
                $0.daemon(.runs)
                $0.pass(.seconds(6))
            },
            example("it tells only what is new to it", ["a 3000 daemon", "b 3000 daemon"]) {
                $0.daemon(.runs, .sees("a"), .sees("b"), .isAway)
                $0.engine(.runs, .sees("a", port: 4))
                $0.daemon(.runs)
                $0.pass(.seconds(6))
            },
            example("one that comes and goes brings nothing back from before", []) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.pass(.seconds(60))
                $0.daemon(.runs)
                $0.pass(.seconds(1))
                $0.daemon(.isAway)
            },
            example("but what it has seen in between", ["b 3000 daemon"]) {
                $0.daemon(.runs, .sees("a"), .isAway)
                $0.pass(.seconds(60))
                $0.daemon(.runs, .sees("b"))
                $0.pass(.seconds(1))
                $0.daemon(.isAway)
            }
        ),
        Rule.of(
            "6 s later",
            example("what only the standby saw is lost", ["a 3000 daemon"]) {
                $0.daemon(.isAway)
                $0.engine(.runs, .sees("a"), .sees("b"))
                $0.daemon(.runs, .sees("a"))
                $0.pass(.seconds(6))
            },
            example("the standby ends", [], of: standby) {
                $0.daemon(.isAway)
                $0.daemon(.runs)
                $0.pass(.seconds(6))
            },
            example("not before", ["works"], of: standby) {
                $0.daemon(.isAway)
                $0.daemon(.runs)
                $0.pass(.seconds(5.9))
            },
            example("what the daemon is still resolving stays", ["a 4 engine"]) {
                $0.daemon(.isAway)
                $0.engine(.runs, .sees("a", port: 4))
                $0.daemon(.runs, .sees("a", .resolving))
                $0.pass(.seconds(60))
            },
            example("until it has", ["a 3000 daemon"]) {
                $0.daemon(.isAway)
                $0.engine(.runs, .sees("a", port: 4))
                $0.daemon(.runs, .sees("a", .resolving))
                $0.pass(.seconds(60))
                $0.daemon(.sees("a"))
            }
        ),
        Rule.of(
            "a daemon is away again within these 6 s",
            example("the standby goes on", ["a 3000 engine"]) {
                $0.daemon(.isAway)
                $0.engine(.runs, .sees("a"))
                $0.daemon(.runs)
                $0.pass(.seconds(2))
                $0.daemon(.isAway)
                $0.pass(.seconds(60))
            }
        ),
        Rule.of(
            "a daemon hangs",
            example("it is not replaced", ["a 3000 daemon"]) {
                $0.daemon(.runs, .sees("a"), .hangs)
                $0.engine(.sees("b"))
                $0.pass(.seconds(60))
            }
        ),
    ].flatMap(\.self)
}
