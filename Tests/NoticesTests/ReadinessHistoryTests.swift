import GatewayProtocol
import Reports
import Testing

@testable import Agent

/// The times in which a gateway was not ready, as the history gets them.
@Suite struct ReadinessHistoryTests {
    private var drive = RuleDrive()

    init() {
        drive.set("a", .answering) { $0.readiness = .ready }
        drive.wait(1)
    }

    /// The beginnings (`+`) and ends (`-`), in seconds since the first.
    private var times: [String] {
        var first: Int?
        return drive.actions.compactMap { action, _ in
            let (sign, time): (String, Timestamp)
            switch action {
            case .unreadyBegan(_, let at, _): (sign, time) = ("+", at)
            case .unreadyEnded(_, let at): (sign, time) = ("-", at)
            default: return nil
            }
            first = first ?? time.milliseconds
            return "\(sign)\((time.milliseconds - (first ?? 0)) / 1_000)"
        }
    }

    @Test mutating func oneThatIsNotReadyIsKeptWithItsTrueLength() {
        drive.set("a", .answering) { $0.readiness = .failing(["discord"]) }
        drive.wait(60)
        drive.set("a", .answering) { $0.readiness = .ready }
        drive.wait(30)
        #expect(times == ["+0", "-60"])
    }

    @Test mutating func theReasonNamesThePartsThatFail() {
        drive.set("a", .answering) { $0.readiness = .failing(["discord", "sms"]) }
        drive.wait(60)
        let reasons = drive.actions.compactMap { action, _ -> String? in
            if case .unreadyBegan(_, _, let reason) = action { reason } else { nil }
        }
        #expect(reasons == ["these fail: discord, sms"])
    }

    /// A start, and an answer that is missing, are none.
    @Test mutating func aMomentIsNotKept() {
        drive.set("a", .answering) { $0.readiness = .starting }
        drive.wait(8)
        drive.set("a", .answering) { $0.readiness = .ready }
        drive.wait(30)
        #expect(times == [])
    }

    @Test mutating func anOutageAndTheEndOfWatchingEndIt() {
        drive.set("a", .answering) { $0.readiness = .starting }
        drive.wait(20)
        drive.restart()
        drive.set("a", .answering)
        drive.wait(20)
        #expect(times == ["+0"])
        drive.kill("a")
        #expect(times.count == 2)
        drive.set("a", .answering)
        drive.wait(20)
        drive.drop("a")
        #expect(times.count == 4)
    }
}
