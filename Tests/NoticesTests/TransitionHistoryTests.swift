import Reports
import Testing

@testable import Agent

/// The events that the history has of a gateway beside its outages, and the ways over which it answered before these.
@Suite struct TransitionHistoryTests {
    private var drive = RuleDrive()

    init() {
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: true] }
        drive.wait(20)
    }

    /// The events that have happened, with the seconds since then.
    private var happened: [String] {
        drive.actions.compactMap { action, _ in
            guard case .happened(_, let kind, let way, let at) = action else { return nil }
            let age = (drive.time.milliseconds - at.milliseconds) / 1_000
            return "\(kind.rawValue)\(way.map { " \($0.rawValue)" } ?? "") \(age)"
        }
    }

    @Test mutating func aWayIsLostAndBackAtItsTime() {
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: false] }
        drive.wait(30)
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: true] }
        drive.wait(20)
        #expect(happened == ["way-lost tailnet 50", "way-back tailnet 20"])
    }

    /// Whatever may be told: the history is complete.
    @Test mutating func aMuteKeepsNothingFromTheHistory() {
        drive.muted = ["a"]
        drive.set("a", .answering) {
            $0.ways = [.lanIPv4: true, .tailnet: false]
            $0.troubles = [.moved]
        }
        drive.wait(30)
        #expect(drive.told.isEmpty && happened == ["way-lost tailnet 30", "moved 30"])
        drive.muted = []
        drive.wait(10)
        #expect(drive.told == ["way-lost a", "moved a"] && happened.count == 2)
    }

    /// A trouble or a lost way that lasts over a restart has happened once.
    @Test mutating func theNextRunOfTheAgentHasItOnce() {
        drive.set("a", .answering) {
            $0.ways = [.lanIPv4: true, .tailnet: false]
            $0.troubles = [.refused]
        }
        drive.wait(30)
        drive.restart()
        drive.set("a", .answering)
        drive.wait(60)
        #expect(happened == ["way-lost tailnet 90", "refused 90"])
        drive.set("a", .answering) {
            $0.ways = [.lanIPv4: true, .tailnet: true]
            $0.troubles = []
        }
        drive.wait(400)
        drive.set("a", .answering) { $0.troubles = [.refused] }
        drive.wait(10)
        #expect(happened == ["way-lost tailnet 500", "refused 500", "way-back tailnet 410", "refused 10"])
    }

    @Test mutating func aRevocationIsInTheHistory() {
        let subject = Notice.Subject(key: "a", name: "a")
        drive.revoked = [Revocation(id: "p 1", subject, at: drive.time, isWhole: true)]
        drive.muted = ["a"]
        drive.drop("a")
        drive.wait(20)
        #expect(happened == ["revoked 20"])
    }

    @Test mutating func anOutageHasTheWaysBeforeIt() {
        drive.set("a", .answering) { $0.ways = [.lanIPv4: false, .lanIPv6: true, .tailnet: true] }
        drive.wait(1)
        drive.set("a", .silent) { $0.ways = [.lanIPv4: false, .lanIPv6: false, .tailnet: true] }
        drive.wait(5)
        drive.set("a", .gone) { $0.ways = [.lanIPv4: false, .lanIPv6: false, .tailnet: false] }
        let ways = drive.actions.compactMap { if case .outageBegan(_, _, _, let ways) = $0.0 { ways } else { nil } }
        #expect(ways == [[.lanIPv6, .tailnet]])
    }
}
