import DNSSD
import Testing

@testable import Discovery

/// Reports to the browser and to companions besides sightings: reasons of losses, activity and status.
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

    /// A service that a program of this host has answered for counts as this host's own, and as heard from its
    /// addresses.
    @Test mutating func whatThisHostAnswersForWasHeardFromIt() {
        drive.daemon(.sees("a"))
        drive.hostOwns("a")
        let sighting = drive.picture[InstancePath(instance: Samples.instance("a"), path: Samples.eth0)]
        #expect(sighting?.isOwn == true)
        #expect(sighting?.heardFrom == sighting?.addresses && sighting?.addresses.isEmpty == false)
    }

    /// An instance that the daemon could not resolve does not make the browse busy, since its resolution has ended.
    @Test mutating func whatHasFailedIsNotWaitedFor() {
        drive.daemon(.runs, .sees("a", .failed(reason: "no SRV")))
        _ = drive.takeEvents()
        drive.query(.sees("a"))
        #expect(drive.takeEvents() == ["+a one-shot"])
    }

    /// An instance that a daemon was resolving when it went away does not make the browse busy, which it would
    /// otherwise be for ever.
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

    /// A companion that loses an instance withdraws only its own report, not that of a daemon that is away, since
    /// companions hear no goodbyes for others.
    @Test mutating func aCompanionThatLosesASightingLeavesThatOfADaemonThatIsAway() {
        drive.daemon(.runs, .sees("a", .failed(reason: "no SRV")), .isAway)
        drive.query(.sees("a"))
        #expect(drive.rows == ["a 3000 one-shot"])
        drive.query(.loses("a", .unanswered))
        #expect(drive.rows == ["a failed daemon"])
    }

    // MARK: Companions

    /// Companions receive every report of status and activity, even if it changes nothing for the browser, since they
    /// schedule their questions by it. Their own reports are not passed to them.
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
        #expect(!drive.last.isStatusNew, "companions do not receive their own reports")
        drive.daemon(.hangs)
        #expect(drive.last.isStatusNew && !drive.last.isRunning)
    }
}
