import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// Whose report counts, of several sources that see the same.
@Suite struct BrowseMergeTests {
    private var drive = MergeDrive()

    // MARK: The table

    @Test(arguments: BrowseMergeRules.all) func theRuleHolds(rule: GuideRule<MergeDrive>) {
        rule.check()
    }

    @Test(arguments: [
        ("Overview", BrowseMergeRules.sources),
        ("Whose report the browser has", BrowseMergeRules.precedence),
        ("What each event does", BrowseMergeRules.reports + BrowseMergeRules.handover),
    ])
    func eachLineOfTheGuideHasARule(section: String, rules: [GuideRule<MergeDrive>]) throws {
        let lines = try MergingGuide.firstCells(of: section)
        #expect(Set(lines).count == lines.count, "a rule names its line by the first cell")
        #expect(Set(rules.map(\.line)) == Set(lines))
    }

    @Test func theRanksOfTheGuideAreTrue() throws {
        let lines = try MergingGuide.lines(of: "Overview")
        let ranks = [SourceRank.daemon, SourceRank.engine, SourceRank.oneShot]
        try #require(lines.count == ranks.count)
        for (line, rank) in zip(lines, ranks) { #expect(line.contains("| \(rank) |")) }
    }

    /// A backend declares whether it hears goodbyes. Companions do not unless they declare it.
    @Test func whoHearsGoodbyes() {
        func hears(_ role: SourceTraits.Role, _ capabilities: BackendCapabilities) -> Bool {
            SourceTraits(name: .oneShot, role: role, rank: 1, capabilities: capabilities).hearsGoodbyes
        }
        #expect(hears(.primary, .all) && hears(.standby, .hearsGoodbyes))
        #expect(!hears(.primary, BackendCapabilities.all.subtracting(.hearsGoodbyes)) && !hears(.companion, .all))
        #expect(SourceTraits(name: .oneShot, role: .companion, rank: 1, hearsGoodbyes: true).hearsGoodbyes)
    }

    // MARK: What companions hear

    /// Else it would ask for it for ever.
    @Test mutating func aCompanionThatSeesItLaterGivesWayToo() {
        drive.daemon(.sees("a"))
        _ = drive.takeUpdates()
        drive.query(.sees("a"), .sees("b"))
        #expect(drive.takeUpdates().confirmed == ["a"])
        #expect(drive.rows == ["a 3000 daemon", "b 3000 one-shot"])
    }

    /// Nobody sees it any more once the engine had its time, and the query may ask for it itself.
    @Test mutating func companionsHearWhatIsGoneWithADaemon() {
        drive.daemon(.runs, .sees("a"), .sees("b"), .isAway)
        drive.engine(.sees("b"))
        #expect(drive.takeUpdates().gone.isEmpty)
        drive.pass(.seconds(3))
        #expect(drive.takeUpdates().gone == ["a"])
        #expect(drive.rows == ["b 3000 engine"])
    }

    /// Else it would ask for ever, and warn that the daemon does not list what it does.
    @Test mutating func companionsGiveWayToADaemonThatIsBack() {
        drive.daemon(.runs, .sees("a"), .isAway)
        drive.pass(.seconds(3))
        drive.query(.sees("a", port: 4))
        _ = drive.takeUpdates()
        drive.daemon(.runs)
        drive.pass(.seconds(6))
        #expect(drive.rows == ["a 3000 daemon"] && drive.resolved.map(\.instance.name) == ["a"])
        #expect(drive.takeUpdates().confirmed == ["a"])
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
        _ = drive.takeUpdates()
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
        #expect(drive.takeUpdates().confirmed == ["a", "a"])
        // The row of the other family goes after the daemon's has come: the service stays.
        #expect(drive.takeEvents().prefix(2) == ["+a daemon", "-a withdrawn"])
        drive.query(.sees("a", on: ipv6))
        #expect(drive.takeEvents().isEmpty && drive.takeUpdates().confirmed == ["a"])
        drive.daemon(.loses("a"))
        #expect(drive.takeEvents() == ["-a withdrawn"])
        #expect(drive.takeUpdates().gone == ["a", "a"])
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

    /// Whatever happens, the browser's picture is what the best reports say, nothing is lost that was not there, and in
    /// the end only what is seen is left.
    @Test func anyOrder() {
        var random = SeededGenerator.forFuzzing("BrowseMergeTests.anyOrder")
        for _ in 0..<TestCases.count(2_000) {
            var drive = MergeDrive(reportsFamilies: random.next() % 4 > 0, hasServer: random.next() % 4 == 0)
            for _ in 0..<60 {
                let source = Int(random.next() % UInt64(drive.merge.sources.count))
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
                    if drive.merge.sources.count > MergeDrive.server { drive.server(.loses("s\(name)", on: path)) }
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
