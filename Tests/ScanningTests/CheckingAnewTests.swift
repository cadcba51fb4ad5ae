import DNSSD
import Testing

@testable import Scanning

/// The questions that a scanner asks when somebody wants to know now who answers.
@Suite struct CheckingAnewTests {
    private func answering(_ count: Int) throws -> ScanDrive {
        var drive = ScanDrive()
        for number in 1...UInt32(count) {
            let service = Samples.service("G\(number)", at: [Samples.address(number)], host: try Self.host(number))
            drive.listen(.gateway(SampleGateway("\(number)")), at: Samples.endpoint(number))
            drive.apply(.found(service))
        }
        drive.run(for: .seconds(7))
        return drive
    }

    private static func host(_ number: UInt32) throws -> DomainName {
        try DomainName(labels: ["h\(number)".utf8, "local".utf8])
    }

    /// Checks anew, and returns the endpoints from which an answer is due.
    private func check(_ drive: inout ScanDrive) -> Set<Endpoint> {
        let asked = drive.state.checkAnew(now: drive.now)
        drive.step()
        return asked
    }

    @Test func allAreAskedAtOnceWhateverThePace() throws {
        var drive = try answering(30)
        let asked = check(&drive)
        #expect(asked.count == 30)
        #expect(!drive.state.hasAnswers(from: asked))
        drive.run(for: .milliseconds(50))
        #expect(drive.state.hasAnswers(from: asked))
    }

    @Test func oneThatHasStoppedIsKnownToDoubtNotLaterThanItsSecondMiss() throws {
        var drive = try answering(2)
        drive.listen(.silence, at: [Samples.endpoint(1)])
        let asked = check(&drive)
        #expect(asked.count == 2)
        drive.run(for: .milliseconds(500))
        #expect(!drive.state.hasAnswers(from: asked))
        drive.run(for: .seconds(3))
        #expect(drive.state.hasAnswers(from: asked))
        #expect(drive.liveness(Samples.endpoint(1)) == .suspect)
        #expect(drive.liveness(Samples.endpoint(2)) == .answering)
    }

    /// The bound of checks of one endpoint holds for this wish, too: the last answer counts then.
    @Test func whatWasAskedTooOftenIsNotAskedAgain() throws {
        var drive = try answering(1)
        var counts: [Int] = []
        for _ in 0..<60 {
            counts.append(check(&drive).count)
            drive.run(for: .milliseconds(20))
        }
        #expect(counts.first == 1)
        #expect(counts.last == 0)
        #expect(counts.reduce(0, +) < EndpointQuestion.mostChecks)
    }
}
