import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// Whose word counts, of several sources that see the same.
@Suite struct BrowseMergeTests {
    private var drive = MergeDrive()

    // MARK: The table

    /// One line of the table of rules in the guide *Merging sources*: what has happened, and the browser's rows then.
    struct Rule: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let happens: @Sendable (inout MergeDrive) -> Void
        let rows: [String]

        init(_ description: String, _ rows: [String], _ happens: @escaping @Sendable (inout MergeDrive) -> Void) {
            self.testDescription = description
            self.happens = happens
            self.rows = rows
        }
    }

    static let rules: [Rule] = [
        // One at work.
        Rule("the query sees", ["a 3000 one-shot"]) { $0.query(.sees("a")) },
        Rule("the query sees, the daemon is resolving", ["a 3000 one-shot"]) {
            $0.query(.sees("a"))
            $0.daemon(.sees("a", .resolving))
        },
        Rule("the query sees, the daemon cannot resolve", ["a 3000 one-shot"]) {
            $0.daemon(.sees("a", .failed(reason: "no SRV")))
            $0.query(.sees("a"))
        },
        Rule("the daemon has resolved what the query sees", ["a 4 daemon"]) {
            $0.query(.sees("a"))
            $0.daemon(.sees("a", port: 4))
            $0.query(.sees("a", port: 9), .loses("a", .unanswered))
        },
        Rule("the daemon fails later with what it had resolved", ["a failed daemon"]) {
            $0.query(.sees("a"))
            $0.daemon(.sees("a"), .sees("a", .failed(reason: "no SRV")))
            $0.query(.sees("a"))
        },
        Rule("the query loses what the daemon cannot resolve", ["a failed daemon"]) {
            $0.query(.sees("a"))
            $0.daemon(.sees("a", .failed(reason: "no SRV")))
            $0.query(.loses("a", .unanswered))
        },
        Rule("the daemon loses what it has not resolved and the query sees", []) {
            $0.query(.sees("a"))
            $0.daemon(.sees("a", .resolving), .loses("a"))
        },
        Rule("the query sees again what the daemon has lost", ["a 3000 one-shot"]) {
            $0.daemon(.sees("a"), .loses("a"))
            $0.query(.sees("a"))
        },
        // The daemon goes.
        Rule("the daemon has gone, less than three seconds ago", ["a 3000 daemon"]) {
            $0.daemon(.runs, .sees("a"), .isAway)
            $0.pass(.seconds(2.9))
        },
        Rule("the daemon has gone, and nobody else sees it", []) {
            $0.daemon(.runs, .sees("a"), .isAway)
            $0.pass(.seconds(3))
        },
        Rule("the daemon has gone, and the engine sees it elsewhere", ["a 4 engine"]) {
            $0.daemon(.runs, .sees("a"), .isAway)
            $0.engine(.runs, .sees("a", port: 4))
        },
        Rule("the daemon has gone, and the engine is resolving", ["a 3000 daemon"]) {
            $0.daemon(.runs, .sees("a"), .isAway)
            $0.engine(.runs, .sees("a", .resolving))
        },
        Rule("the engine loses what the daemon saw before it went", []) {
            $0.daemon(.runs, .sees("a"), .isAway)
            $0.engine(.runs, .sees("a"), .loses("a"))
        },
        Rule("a daemon that hangs is not replaced", ["a 3000 daemon"]) {
            $0.daemon(.runs, .sees("a"), .hangs)
            $0.engine(.sees("b"))
            $0.pass(.seconds(60))
        },
        // The daemon comes.
        Rule("the daemon is back, and sees what the engine sees", ["a 4 daemon", "b 3000 engine"]) {
            $0.daemon(.isAway)
            $0.engine(.runs, .sees("a"), .sees("b"))
            $0.daemon(.runs, .sees("a", port: 4))
            $0.engine(.sees("a"), .loses("a"))
        },
        Rule("the daemon is back, and is resolving what the engine sees", ["a 3000 engine"]) {
            $0.daemon(.isAway)
            $0.engine(.runs, .sees("a"))
            $0.daemon(.runs, .sees("a", .resolving))
        },
        Rule("the daemon has been back for six seconds", ["a 3000 daemon"]) {
            $0.daemon(.isAway)
            $0.engine(.runs, .sees("a"), .sees("b"))
            $0.daemon(.runs, .sees("a"))
            $0.pass(.seconds(6))
        },
        Rule("the daemon is back at once, and tells nothing again", ["a 4 engine", "b 3000 daemon"]) {
            $0.daemon(.runs, .sees("a"), .sees("b"), .isAway)
            $0.engine(.runs, .sees("a", port: 4))
            $0.daemon(.runs)
        },
        Rule("a moment later: it tells only what is new to it", ["a 3000 daemon", "b 3000 daemon"]) {
            $0.daemon(.runs, .sees("a"), .sees("b"), .isAway)
            $0.engine(.runs, .sees("a", port: 4))
            $0.daemon(.runs)
            $0.pass(.seconds(6))
        },
        Rule("the daemon is back after long, and what it knew does not count yet", []) {
            $0.daemon(.runs, .sees("a"), .isAway)
            $0.pass(.seconds(60))
            $0.daemon(.runs)
            $0.pass(.seconds(5.9))
        },
        Rule("and then does", ["a 3000 daemon"]) {
            $0.daemon(.runs, .sees("a"), .isAway)
            $0.pass(.seconds(60))
            $0.daemon(.runs)
            $0.pass(.seconds(6))
        },
        Rule("what the engine lost and found meanwhile is the daemon's again: it does not repeat it", ["a 3000 daemon"])
        {
            $0.daemon(.runs, .sees("a"), .isAway)
            $0.engine(.runs, .sees("a"), .loses("a"), .sees("a", port: 4))
            $0.daemon(.runs)
            $0.pass(.seconds(6))
        },
        Rule("what the engine lost does not count before", []) {
            $0.daemon(.runs, .sees("a"), .isAway)
            $0.engine(.runs, .sees("a"), .loses("a"))
            $0.daemon(.runs)
            $0.pass(.seconds(2))
        },
        Rule("the daemon loses itself what was set aside", []) {
            $0.daemon(.runs, .sees("a"), .isAway)
            $0.engine(.runs, .sees("a"), .loses("a"))
            $0.daemon(.runs, .loses("a"))
            $0.pass(.seconds(60))
        },
        Rule("the daemon has not come as far when the engine ends", ["a 4 engine"]) {
            $0.daemon(.isAway)
            $0.engine(.runs, .sees("a", port: 4))
            $0.daemon(.runs, .sees("a", .resolving))
            $0.pass(.seconds(60))
        },
        Rule("and then has", ["a 3000 daemon"]) {
            $0.daemon(.isAway)
            $0.engine(.runs, .sees("a", port: 4))
            $0.daemon(.runs, .sees("a", .resolving))
            $0.pass(.seconds(60))
            $0.daemon(.sees("a"))
        },
        Rule("a daemon that comes and goes brings nothing back from before", []) {
            $0.daemon(.runs, .sees("a"), .isAway)
            $0.pass(.seconds(60))
            $0.daemon(.runs)
            $0.pass(.seconds(1))
            $0.daemon(.isAway)
        },
        Rule("but what it has seen in between", ["b 3000 daemon"]) {
            $0.daemon(.runs, .sees("a"), .isAway)
            $0.pass(.seconds(60))
            $0.daemon(.runs, .sees("b"))
            $0.pass(.seconds(1))
            $0.daemon(.isAway)
        },
        Rule("the daemon goes again while the engine is leaving", ["a 3000 engine"]) {
            $0.daemon(.isAway)
            $0.engine(.runs, .sees("a"))
            $0.daemon(.runs)
            $0.pass(.seconds(2))
            $0.daemon(.isAway)
            $0.pass(.seconds(60))
        },
        Rule("an engine that is not needed is not heard", []) {
            $0.daemon(.runs)
            $0.engine(.sees("a"))
        },
        Rule("the query sees what neither sees", ["a 3000 one-shot"]) {
            $0.daemon(.runs, .isAway)
            $0.query(.sees("a"))
            $0.pass(.seconds(60))
        },
    ]

    @Test(arguments: rules) mutating func theBestWordCounts(rule: Rule) {
        rule.happens(&drive)
        #expect(drive.rows == rule.rows, "\(drive.takeEvents())")
    }

    // MARK: What companions hear

    @Test mutating func companionsGiveWayOnce() {
        drive.query(.sees("a"))
        drive.daemon(.sees("a"))
        #expect(drive.takeNews().confirmed == ["a"])
        drive.daemon(.sees("a", port: 4))
        #expect(drive.takeNews().confirmed.isEmpty)
    }

    /// Else it would ask for it for ever.
    @Test mutating func aCompanionThatSeesItLaterGivesWayToo() {
        drive.daemon(.sees("a"))
        _ = drive.takeNews()
        drive.query(.sees("a"), .sees("b"))
        #expect(drive.takeNews().confirmed == ["a"])
        #expect(drive.rows == ["a 3000 daemon", "b 3000 one-shot"])
    }

    @Test mutating func companionsHearWhatIsGone() {
        drive.query(.sees("a"))
        drive.daemon(.sees("a", .resolving), .loses("a"))
        #expect(drive.takeNews().gone == ["a"])
    }

    /// Nobody sees it any more once the engine had its time, and the query may ask for it itself.
    @Test mutating func companionsHearWhatIsGoneWithADaemon() {
        drive.daemon(.runs, .sees("a"), .sees("b"), .isAway)
        drive.engine(.sees("b"))
        #expect(drive.takeNews().gone.isEmpty)
        drive.pass(.seconds(3))
        #expect(drive.takeNews().gone == ["a"])
        #expect(drive.rows == ["b 3000 engine"])
    }

    /// Else it would ask for ever, and warn that the daemon does not list what it does.
    @Test mutating func companionsGiveWayToADaemonThatIsBack() {
        drive.daemon(.runs, .sees("a"), .isAway)
        drive.pass(.seconds(3))
        drive.query(.sees("a", port: 4))
        _ = drive.takeNews()
        drive.daemon(.runs)
        drive.pass(.seconds(6))
        #expect(drive.rows == ["a 3000 daemon"] && drive.resolved.map(\.instance.name) == ["a"])
        #expect(drive.takeNews().confirmed == ["a"])
    }

    @Test mutating func pathsAreApart() {
        drive.query(.sees("a"), .sees("a", on: Samples.eth1))
        drive.daemon(.sees("a"))
        #expect(drive.confirmed == [InstancePath(instance: Samples.instance("a"), path: Samples.eth0)])
        #expect(drive.rows == ["a 3000 daemon", "a 3000 one-shot on \(Samples.eth1)"])
    }

    @Test mutating func companionsHearOfLostPacketsButNotOfEach() {
        let lost = MergeDrive.Step.reports(.losses(BackendLosses(packets: 1)))
        drive.daemon(lost)
        #expect(drive.last.hasLost)
        drive.daemon(lost)
        #expect(!drive.last.hasLost)
        drive.pass(.milliseconds(100))
        drive.daemon(lost)
        #expect(drive.last.hasLost)
        drive.daemon(.reports(.losses(BackendLosses(entries: 1))))
        #expect(!drive.last.hasLost, "no room is no loss")
        drive.query(lost)
        #expect(!drive.last.hasLost, "it knows of its own")
        #expect(drive.takeEvents() == ["1 lost", "1 lost", "1 lost", "0 lost", "1 lost"])
    }

    // MARK: This host's own

    @Test mutating func whatAProgramOfThisHostAnswersForIsItsOwn() {
        drive.hostOwns("a")
        #expect(drive.rows.isEmpty, "nobody sees it")
        drive.daemon(.sees("a"))
        #expect(drive.resolved.map(\.instance.name) == ["a"])
        _ = drive.takeNews()
        drive.hostOwns("a")
        #expect(drive.rows == ["a 3000 daemon own"])
        _ = drive.takeEvents()
        drive.hostOwns("a")
        #expect(drive.takeEvents().isEmpty)
        drive.daemon(.sees("a"))
        #expect(drive.rows == ["a 3000 daemon own"] && drive.resolved.isEmpty, "it need not be asked for again")
        drive.daemon(.sees("a", port: 4))
        #expect(drive.rows == ["a 4 daemon"])
        drive.hostOwns("a")
        #expect(drive.rows == ["a 4 daemon"], "it was asked for where it is no more")
    }

    // MARK: Families that are not told

    /// Else a service would be shown twice, asked for again and again, and the user told that the daemon does not see it.
    @Test mutating func aPathStandsForBothFamilies() {
        drive = MergeDrive(reportsFamilies: false)
        let ipv6 = ServicePath(interface: Samples.eth0.interface, family: .ipv6)
        drive.query(.sees("a"), .sees("a", on: ipv6))
        _ = drive.takeEvents()
        drive.daemon(.sees("a"))
        #expect(drive.rows == ["a 3000 daemon"])
        #expect(drive.takeNews().confirmed == ["a", "a"])
        // The row of the other family goes after the daemon's has come: the service stays.
        #expect(drive.takeEvents().prefix(2) == ["+a daemon", "-a withdrawn"])
        drive.query(.sees("a", on: ipv6))
        #expect(drive.takeEvents().isEmpty && drive.takeNews().confirmed == ["a"])
        drive.daemon(.loses("a"))
        #expect(drive.takeEvents() == ["-a withdrawn"])
        #expect(drive.takeNews().gone == ["a", "a"])
        drive.query(.sees("a", on: ipv6))
        #expect(drive.rows == ["a 3000 one-shot on \(ipv6)"])
    }

    // MARK: Status and activity

    @Test mutating func theStatusIsThatOfWhoWorks() {
        drive.daemon(.isAway)
        #expect(drive.takeEvents() == ["starting"])
        #expect(drive.isEngineNeeded && !drive.last.isRunning)
        drive.engine(.runs)
        #expect(drive.takeEvents() == ["running"] && drive.last.isRunning)
        drive.daemon(.runs)
        #expect(drive.takeEvents().isEmpty && drive.isEngineNeeded)
        drive.pass(.seconds(6))
        #expect(drive.takeEvents().isEmpty && !drive.isEngineNeeded)
        drive.query(.isAway)
        #expect(drive.takeEvents().isEmpty, "that is not the query's to say")
        drive.daemon(.hangs)
        #expect(drive.takeEvents() == ["unavailable"] && !drive.isEngineNeeded)
    }

    /// A backend that no source stands by for comes back by itself when its daemon does.
    @Test mutating func aDaemonAloneIsWaitedFor() {
        drive.merge = BrowseMerge([drive.merge.sources[0].traits])
        drive.daemon(.runs, .sees("a"), .isAway)
        drive.pass(.seconds(60))
        #expect(drive.rows == ["a 3000 daemon"] && drive.merge.deadline == nil)
        #expect(drive.takeEvents() == ["running", "+a daemon", "no daemon"])
    }

    @Test mutating func whatIsBeingResolvedIsWaitedFor() {
        drive.query(.sees("a"))
        _ = drive.takeEvents()
        drive.daemon(.sees("a", .resolving))
        #expect(drive.takeEvents() == ["busy"], "not told of the instance, it is told that there is more to come")
        drive.daemon(.sees("a"))
        #expect(drive.takeEvents() == ["+a daemon", "idle"])
    }

    @Test mutating func theDaemonHasTwoSecondsForItsFirst() {
        drive.query(.sees("a"), .sees("b"))
        #expect(drive.takeEvents() == ["expecting 2 s", "+a one-shot", "+b one-shot"])
        drive = MergeDrive()
        drive.daemon(.turns(.busy))
        drive.query(.sees("a"))
        #expect(drive.takeEvents() == ["busy", "+a one-shot"])
        drive = MergeDrive()
        drive.daemon(.sees("b"))
        drive.query(.sees("a"))
        #expect(drive.takeEvents() == ["+b daemon", "+a one-shot"])
    }

    /// A daemon that is away is about to tell nothing, whatever it was about to tell before.
    @Test mutating func nobodyWaitsForADaemonThatHasGone() {
        drive.daemon(.runs, .sees("a"), .turns(.busy), .isAway)
        drive.engine(.runs, .sees("a"), .turns(.idle))
        #expect(drive.takeEvents() == ["running", "+a daemon", "busy", "starting", "idle", "running", "+a engine"])
    }

    /// The news that it had before it went may never come.
    @Test mutating func aDaemonThatWasBusyIsNotWhenItIsBack() {
        drive.daemon(.runs, .turns(.busy), .isAway)
        drive.daemon(.runs)
        drive.pass(.seconds(10))
        #expect(!drive.last.isBusy && drive.takeEvents().last != "busy")
    }

    @Test mutating func companionsHearWhenNobodyIsBusyAnyMore() {
        drive.daemon(.isAway)
        drive.engine(.runs, .turns(.expecting(until: drive.now + .seconds(60))))
        #expect(drive.last.isBusy)
        drive.daemon(.runs)
        drive.pass(.seconds(6))
        #expect(drive.last.isStatusNew && !drive.last.isBusy)
    }

    /// Its session may still be ending when it is needed again, and a new one has begun.
    @Test mutating func whatAnEarlierRunReportsIsNothing() {
        drive.daemon(.isAway)
        drive.engine(.runs, .sees("a"))
        let run = drive.merge.neededRun(of: MergeDrive.engine)
        drive.daemon(.runs)
        drive.pass(.seconds(6))
        drive.daemon(.isAway)
        drive.take(.sees("b"), from: MergeDrive.engine, run: run)
        #expect(drive.rows.isEmpty)
        drive.engine(.sees("c"))
        #expect(drive.rows == ["c 3000 engine"])
    }

    // MARK: Anything

    /// Whatever happens, the browser's picture is what the best words say, nothing is lost that was not there, and in the end
    /// only what is seen is left.
    @Test func anyOrder() {
        var random = SeededGenerator.forFuzzing("BrowseMergeTests.anyOrder")
        for _ in 0..<TestCases.count(2_000) {
            var drive = MergeDrive(reportsFamilies: random.next() % 4 > 0)
            for _ in 0..<60 {
                let source = Int(random.next() % 3)
                switch random.next() % 12 {
                case 0: drive.take([.runs, .isAway, .hangs][Int(random.next() % 3)], from: source)
                case 1: drive.pass(.milliseconds(Int(random.next() % 4_000)))
                default: drive.take(.reports(Samples.anyEvent(&random, names: 3)), from: source)
                }
            }
            drive.daemon(.runs)
            drive.pass(.seconds(10))
            for path in Samples.paths {
                for name in 0..<3 {
                    drive.daemon(.loses("s\(name)", on: path))
                    drive.query(.loses("s\(name)", on: path))
                }
            }
            #expect(drive.rows.isEmpty, "seed \(random.seed)")
            #expect(drive.merge.instances.isEmpty, "nothing is remembered")
        }
    }

    /// To a service table, the daemon's sighting of what the query sees is no change.
    @Test mutating func anotherWordOnTheSameIsNoNews() {
        var table = ServiceTable()
        drive.query(.sees("a"))
        let found = drive.events.compactMap { table.apply($0) }
        #expect(found.count == 1)
        _ = drive.takeEvents()
        drive.daemon(.sees("a"))
        for event in drive.events { #expect(table.apply(event) == nil) }
        #expect(table.services[Samples.instance("a")]?.sightings.values.map(\.source.rawValue) == ["daemon"])
    }
}
