import DNSSD
import Discovery
import Testing

@testable import Scanning

/// The requests of a scanner to its backend to reconfirm or to protect services (RFC 6762 §10.4).
@Suite struct ReconfirmationTests {
    private let instance = Samples.instance("A")

    private func found(_ configuration: ScannerConfiguration = ScannerConfiguration()) -> ScanDrive {
        var drive = ScanDrive(configuration)
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)])))
        return drive
    }

    /// A service in the cache of the backend whose gateway never answers is reconfirmed, so that it goes long before
    /// the TTL of its records has passed; and only once.
    @Test func whatNeverAnswersIsReconfirmedOnce() {
        var drive = found()
        drive.run(for: .seconds(600))
        #expect(drive.reconfirmed == [instance])
        #expect(drive.protected.isEmpty)
    }

    /// A service that answers is protected, even after a single missed answer; one that stops answering is reconfirmed,
    /// once each time that it stops.
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

    /// A service that leads to something other than a gateway is not reconfirmed: something answers there, so its
    /// records are right.
    @Test func somethingElseThatAnswersIsNoReasonForDoubt() throws {
        var drive = found()
        let job = try #require(drive.probes.first)
        drive.end(job, Samples.answerOfSomethingElse(Samples.endpoint(1), connections: 1))
        #expect(drive.reconfirmed.isEmpty)
        #expect(drive.protected.isEmpty)
    }

    /// Two hundred services at which nothing answers are reconfirmed at a limited rate, and each of them once in the
    /// end.
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

    /// At most four services that lead to one gateway are protected, however many a forger adds, so that it cannot use
    /// up the room for protected services.
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

    /// A single scan reconfirms nothing, since it is over before that could have an effect.
    @Test func aSingleLookReconfirmsNothing() {
        var drive = found(ScannerConfiguration(watches: false))
        drive.run(for: .seconds(60))
        #expect(drive.reconfirmed.isEmpty)
    }
}
