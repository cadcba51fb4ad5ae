import DNSSD
import Testing

@testable import Discovery

/// What the browser and the companions are told beside the rows: reasons, activity, and each word on the status.
@Suite struct BrowseMergeNewsTests {
    private var drive = MergeDrive()

    // MARK: The browser

    @Test mutating func aLossIsToldWithItsReason() {
        drive.query(.sees("a"))
        _ = drive.takeEvents()
        drive.query(.loses("a", .unanswered))
        #expect(drive.takeEvents() == ["-a unanswered"])
        drive.daemon(.runs, .sees("b"), .isAway)
        _ = drive.takeEvents()
        drive.pass(.seconds(3))
        #expect(drive.takeEvents().contains("-b missingAfterRestart"))
    }

    /// That this host answered for it is first-hand word.
    @Test mutating func whatThisHostAnswersForWasHeardFromIt() {
        drive.daemon(.sees("a"))
        drive.hostOwns("a")
        let sighting = drive.picture[InstancePath(instance: Samples.instance("a"), path: Samples.eth0)]
        #expect(sighting?.isOwn == true)
        #expect(sighting?.heardFrom == sighting?.addresses && sighting?.addresses.isEmpty == false)
    }

    /// A service that could not be resolved has come to its end: the browser need not wait.
    @Test mutating func whatHasFailedIsNotWaitedFor() {
        drive.daemon(.runs, .sees("a", .failed(reason: "no SRV")))
        _ = drive.takeEvents()
        drive.query(.sees("a"))
        #expect(drive.takeEvents() == ["+a one-shot"])
    }

    /// A daemon that is away is resolving nothing any more: else the browse would be busy for ever.
    @Test mutating func whatADaemonThatHasGoneWasResolvingIsNotWaitedFor() {
        drive.daemon(.runs, .sees("a", .resolving), .isAway)
        drive.pass(.seconds(3))
        drive.engine(.runs)
        _ = drive.takeEvents()
        drive.query(.sees("a"))
        #expect(drive.takeEvents() == ["+a one-shot"])
    }

    @Test mutating func aDaemonThatIsAwayIsNotBusy() {
        drive.daemon(.runs, .isAway)
        drive.engine(.runs)
        _ = drive.takeEvents()
        drive.daemon(.turns(.busy))
        #expect(drive.takeEvents().isEmpty && !drive.last.isBusy)
    }

    /// A companion hears no goodbyes for others: its word takes nothing back but its own.
    @Test mutating func aCompanionThatLosesASightingLeavesThatOfADaemonThatIsAway() {
        drive.daemon(.runs, .sees("a", .failed(reason: "no SRV")), .isAway)
        drive.query(.sees("a"))
        #expect(drive.rows == ["a 3000 one-shot"])
        drive.query(.loses("a", .unanswered))
        #expect(drive.rows == ["a failed daemon"])
    }

    // MARK: Companions

    /// Each word counts for them, also one that is no news to the browser: they ask beside a daemon that goes on for long.
    @Test mutating func companionsHearEachWordOnStatusAndActivity() {
        drive.daemon(.runs)
        #expect(drive.last.isStatusNew && drive.last.isRunning)
        drive.daemon(.runs)
        #expect(drive.last.isStatusNew)
        drive.daemon(.turns(.busy))
        #expect(drive.last.isStatusNew && drive.last.isBusy)
        drive.daemon(.turns(.expecting(until: drive.now + .seconds(1))))
        #expect(drive.last.isStatusNew && drive.last.isBusy)
        drive.daemon(.sees("a"))
        #expect(!drive.last.isStatusNew)
        drive.query(.isAway, .turns(.idle))
        #expect(!drive.last.isStatusNew, "their own word is none")
        drive.daemon(.hangs)
        #expect(drive.last.isStatusNew && !drive.last.isRunning)
    }
}
