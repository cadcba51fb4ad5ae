import DNSSD
import Discovery
import Testing

@testable import Scanning

/// The requests of a scanner to its backend to reconfirm or to keep services (RFC 6762 §10.4).
@Suite struct ReconfirmationTests {
    private let instance = Samples.instance("A")

    private func found(_ configuration: ScannerConfiguration = ScannerConfiguration()) -> ScanDrive {
        var drive = ScanDrive(configuration)
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        return drive
    }

    /// A ghost in the cache of the backend goes long before its records run out, and is asked for once.
    @Test func whatNeverAnswersIsReconfirmedOnce() {
        var drive = found()
        drive.run(for: .seconds(600))
        #expect(drive.reconfirmed == [instance])
        #expect(drive.protected.isEmpty)
    }

    /// A service that answers is kept, also after a single lost answer; one that stops is reconfirmed once each time
    /// that it stops.
    @Test func whatAnswersIsKeptUntilItStops() {
        var drive = found()
        drive.listenEverywhere(.gateway(SampleGateway()))
        drive.run(for: .seconds(7))
        #expect(drive.protected == [instance])
        drive.listenEverywhere(.silence)
        drive.run(for: .milliseconds(1_500))
        drive.listenEverywhere(.gateway(SampleGateway()))
        drive.run(for: .seconds(10))
        #expect(drive.protected == [instance])
        #expect(drive.reconfirmed.isEmpty)
        drive.listenEverywhere(.silence)
        drive.run(for: .seconds(120))
        #expect(drive.protected.isEmpty)
        #expect(drive.reconfirmed == [instance])
        drive.listenEverywhere(.gateway(SampleGateway()))
        drive.run(for: .seconds(70))
        #expect(drive.protected == [instance])
        drive.listenEverywhere(.silence)
        drive.run(for: .seconds(120))
        #expect(drive.reconfirmed == [instance, instance])
    }

    /// Its records lead to something that answers: they hold, whatever it is.
    @Test func somethingElseThatAnswersIsNoReasonForDoubt() throws {
        var drive = found()
        let job = try #require(drive.probes.first)
        drive.end(job, Samples.answerOfSomethingElse(Samples.endpoint(1), connections: 1))
        #expect(drive.reconfirmed.isEmpty)
        #expect(drive.protected.isEmpty)
    }

    /// Two hundred ghosts are asked for a few at a time, and all of them in the end.
    @Test func ghostsAreReconfirmedAtABoundedRate() {
        var drive = ScanDrive()
        drive.listenEverywhere(.refusal)
        for number in 1...200 as ClosedRange<UInt32> {
            drive.apply(.found(Samples.service("S\(number)", at: [Samples.address(number)])))
        }
        drive.run(for: .milliseconds(2_900))
        #expect((20...60).contains(drive.reconfirmed.count))
        drive.run(for: .seconds(600))
        #expect(Set(drive.reconfirmed).count == 200)
        #expect(drive.reconfirmed.count == 200)
    }

    /// However many services a forger has lead to a gateway that answers, a few of them are kept.
    @Test func fewServicesOfOneGatewayAreKept() {
        var drive = found()
        drive.listenEverywhere(.gateway(SampleGateway()))
        drive.run(for: .seconds(7))
        for number in 1...50 {
            drive.apply(.found(Samples.service("Forged \(number)", at: [Samples.address(1)])))
        }
        drive.run(for: .seconds(7))
        #expect(drive.protected.count == 4)
        #expect(drive.protected.contains(instance))
        drive.apply(.lost(Samples.service("A", at: [Samples.address(1)]), .withdrawn))
        #expect(!drive.protected.contains(instance))
    }

    /// A single look is over before anything could come of it.
    @Test func aSingleLookReconfirmsNothing() {
        var drive = found(ScannerConfiguration(watches: false))
        drive.run(for: .seconds(60))
        #expect(drive.reconfirmed.isEmpty)
    }
}
