import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// The choice among the reports of several sources that see the same instance.
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
        #expect(Set(lines).count == lines.count, "rules identify rows by the first cell, which must be unique")
        #expect(Set(rules.map(\.line)) == Set(lines))
    }

    @Test func theRanksOfTheGuideAreTrue() throws {
        let lines = try MergingGuide.lines(of: "Overview")
        let ranks = [SourceRank.daemon, SourceRank.engine, SourceRank.oneShot]
        try #require(lines.count == ranks.count)
        for (line, rank) in zip(lines, ranks) { #expect(line.contains("| \(rank) |")) }
    }

    /// A backend hears goodbyes if its capabilities say so; a companion hears none.
    @Test func goodbyesAreHeardAsDeclared() {
        func hears(_ role: SourceTraits.Role, _ capabilities: BackendCapabilities) -> Bool {
            SourceTraits(name: .oneShot, role: role, rank: 1, capabilities: capabilities).hearsGoodbyes
        }
        #expect(hears(.primary, .all) && hears(.standby, .hearsGoodbyes))
        #expect(!hears(.primary, BackendCapabilities.all.subtracting(.hearsGoodbyes)) && !hears(.companion, .all))
    }

    // MARK: Beside the others

    /// Zones have services of their own: their trouble is none of the browse, and companions hear nothing of them. A scan waits
    /// until they have answered, and still gives the daemon its time.
    @Test func aSourceBesideTheOthersChangesNothingForThem() {
        var drive = MergeDrive(hasZones: true)
        drive.daemon(.runs)
        drive.server(.turns(.busy), .isAway, .sees("z", on: .zone))
        #expect(drive.takeEvents() == ["running", "busy", "+z zone"])
        #expect(drive.companions.isEmpty && !drive.isEngineNeeded)
        drive.query(.sees("a"))
        drive.server(.turns(.idle))
        #expect(drive.takeEvents() == ["+a one-shot", "expecting 2 s"])
        drive.daemon(.sees("a"))
        drive.server(.loses("z", on: .zone))
        #expect(drive.takeEvents() == ["+a daemon", "idle", "-z withdrawn"])
    }

    /// Where nothing else is found, a scan ends once the zones have answered.
    @Test func aSourceBesideTheOthersComesToRest() {
        var drive = MergeDrive(hasZones: true)
        drive.server(.turns(.busy), .sees("z", on: .zone), .turns(.idle))
        #expect(drive.takeEvents() == ["busy", "+z zone", "idle"])
    }

    // MARK: Updates for companions

    /// A companion that reports an instance after an authority has resolved it gives way as well; otherwise it would
    /// keep asking for it.
    @Test mutating func aCompanionThatSeesItLaterGivesWayToo() {
        drive.daemon(.sees("a"))
        _ = drive.takeUpdates()
        drive.query(.sees("a"), .sees("b"))
        #expect(drive.takeUpdates().confirmed == ["a"])
        #expect(drive.rows == ["a 3000 daemon", "b 3000 one-shot"])
    }

    /// An instance that only a daemon that went away had seen is reported to companions as gone once the engine has had
    /// time to catch up, so that they may report it themselves.
    @Test mutating func companionsHearWhatIsGoneWithADaemon() {
        drive.daemon(.runs, .sees("a"), .sees("b"), .isAway)
        drive.engine(.sees("b"))
        #expect(drive.takeUpdates().gone.isEmpty)
        drive.pass(.seconds(3))
        #expect(drive.takeUpdates().gone == ["a"])
        #expect(drive.rows == ["b 3000 engine"])
    }

    /// Companions give way on instances of a daemon that is back; otherwise the query would keep asking for them and
    /// warn that the daemon does not list them.
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
        #expect(!drive.last.hasLost, "entries without room are no lost packets")
        drive.query(lost)
        #expect(!drive.last.hasLost, "a companion knows of its own losses")
        #expect(drive.takeEvents() == ["1 lost", "1 lost", "1 lost", "0 lost", "1 lost"])
    }

    // MARK: Services of this host

    @Test mutating func whatAProgramOfThisHostAnswersForIsItsOwn() {
        drive.hostOwns("a")
        #expect(drive.rows.isEmpty, "no source sees the instance")
        drive.daemon(.sees("a"))
        #expect(drive.resolved.map(\.instance.name) == ["a"])
        _ = drive.takeUpdates()
        drive.hostOwns("a")
        #expect(drive.rows == ["a 3000 daemon own"])
        _ = drive.takeEvents()
        drive.hostOwns("a")
        #expect(drive.takeEvents().isEmpty)
        drive.daemon(.sees("a"))
        #expect(drive.rows == ["a 3000 daemon own"] && drive.resolved.isEmpty, "this host need not be asked again")
        drive.daemon(.sees("a", port: 4))
        #expect(drive.rows == ["a 4 daemon"])
        drive.hostOwns("a")
        #expect(drive.rows == ["a 4 daemon"], "the answer is about the former port")
    }

    // MARK: Sources that do not report families

    /// A path of a source that does not report families represents both families. Otherwise, a service would be shown
    /// twice, the query would keep asking for it, and the user would be warned that the daemon does not see it.
    @Test mutating func aPathStandsForBothFamilies() {
        drive = MergeDrive(reportsFamilies: false)
        let ipv6 = ServicePath(interface: Samples.eth0.interface, family: .ipv6)
        drive.query(.sees("a"), .sees("a", on: ipv6))
        _ = drive.takeEvents()
        drive.daemon(.sees("a"))
        #expect(drive.rows == ["a 3000 daemon"])
        #expect(drive.takeUpdates().confirmed == ["a", "a"])
        // The report on the other family is withdrawn after the daemon's has arrived, so that the service is never
        // lost.
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
        #expect(drive.takeEvents().isEmpty, "the status of a companion is not reported")
        drive.daemon(.hangs)
        #expect(drive.takeEvents() == ["unavailable"] && !drive.isEngineNeeded)
    }

    /// A daemon without a standby keeps its reports while it is away, since no other source can confirm them and it
    /// recovers by itself.
    @Test mutating func aDaemonAloneIsWaitedFor() {
        drive.merge = BrowseMerge([drive.merge.sources[0].traits])
        drive.daemon(.runs, .sees("a"), .isAway)
        drive.pass(.seconds(60))
        #expect(drive.rows == ["a 3000 daemon"] && drive.merge.deadline == nil)
        #expect(drive.takeEvents() == ["running", "+a daemon", "no daemon"])
    }

    /// The browse is busy while an authority is still resolving an instance that the browser has from a companion.
    @Test mutating func whatIsBeingResolvedIsWaitedFor() {
        drive.query(.sees("a"))
        _ = drive.takeEvents()
        drive.daemon(.sees("a", .resolving))
        #expect(drive.takeEvents() == ["busy"], "the authority's report is not shown yet")
        drive.daemon(.sees("a"))
        #expect(drive.takeEvents() == ["+a daemon", "idle"])
    }

    /// The activity of a daemon that has gone away no longer counts, even if it was busy before.
    @Test mutating func nobodyWaitsForADaemonThatHasGone() {
        drive.daemon(.runs, .sees("a"), .turns(.busy), .isAway)
        drive.engine(.runs, .sees("a"), .turns(.idle))
        #expect(drive.takeEvents() == ["running", "+a daemon", "busy", "starting", "idle", "running", "+a engine"])
    }

    /// A daemon that was busy when it went away does not count as busy when it is back, since its pending reports may
    /// never arrive.
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

    /// Reports of an earlier run of the standby are ignored: its session may still be ending when the next run has
    /// already begun.
    @Test mutating func reportsOfEarlierRunsAreIgnored() {
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

    // MARK: Random events

    /// No instance is lost that the browser does not have, and nothing is remembered once all sources have lost all
    /// instances, whatever events happen in whatever order.
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
            #expect(drive.merge.instances.isEmpty, "no instance is remembered")
        }
    }

    /// The service table reports no change when the daemon sees a service that the query has already reported.
    @Test mutating func takeoverByDaemonIsNoChange() {
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
