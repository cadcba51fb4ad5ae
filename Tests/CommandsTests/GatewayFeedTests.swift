import DNSSD
import GatewayProtocol
import GatewaySamples
import Reports
import Scanning
import Testing

@testable import Commands

@Suite struct GatewayFeedTests {
    /// A map, and a feed that turns its changes into lines.
    private struct FeedDrive {
        var map = BotMap()
        var feed = GatewayFeed()

        mutating func apply(_ event: BotMapEvent) -> [String] {
            map.apply(event).flatMap { feed.take(.change($0, revision: 0)) }
                .map { GatewayLine.text($0, time: "12:00:00") }
        }
    }

    /// A row is reported once a probe has shown what it is, and not when its service is found.
    @Test func aRowIsReportedOnceItWasProbed() throws {
        var drive = FeedDrive()
        #expect(drive.apply(.serviceFound(try Fixture.service())) == [])
        #expect(
            drive.apply(.probed(Rows.endpoint(), Rows.gateway()))
                == ["12:00:00 + Home  10.0.0.2:3000  optaplus, 2 bots: 🤖 Jarvis, 🤖 Friday"]
        )
    }

    @Test func anUnreportedRowIsNotReportedAsLost() throws {
        var drive = FeedDrive()
        let service = try Fixture.service()
        _ = drive.apply(.serviceFound(service))
        #expect(drive.apply(.serviceLost(service.instance)) == [])
    }

    /// A row that has joined another one is not lost in JSON: programs take no live gateway for one that is gone.
    @Test func aRowThatHasJoinedIsNotLostInJSON() throws {
        var map = BotMap()
        for last in [UInt8(2), 3] { map.apply(.endpointAdded(Rows.endpoint(last), .local)) }
        let (row, other) = (try #require(map.gateways.first), try #require(map.gateways.last))
        let joined = GatewayChangeReport(.joined(row, into: other), at: .now).fields
        #expect(joined["event"] == "joined" && joined["into"] == .string("\(other.id)"))
        #expect(joined["formerEvent"] == "lost")
        let lost = GatewayChangeReport(.lost(row), at: .now).fields
        #expect(lost["event"] == "lost" && lost["into"] == nil)
    }

    @Test func latencyIsNotReported() throws {
        var drive = FeedDrive()
        for event in try Rows.mixed() { _ = drive.apply(event) }
        #expect(drive.apply(.liveness(Rows.endpoint(), .answering, roundTrip: .milliseconds(7))) == [])
    }

    @Test func theFasterOfTwoPathsIsNotReported() {
        var drive = FeedDrive()
        // Two paths belong to one gateway only if both present the same certificate.
        let leaf = LeafFingerprint(bytes: Array(repeating: 1, count: 32))
        let identity = GatewayIdentity(fingerprint: GatewayFingerprint("f"), dialect: .optaplus, leaf: leaf)
        for last in [UInt8(2), 3] {
            _ = drive.apply(.endpointAdded(Rows.endpoint(last), .local))
            _ = drive.apply(.probed(Rows.endpoint(last), .gateway(identity)))
            _ = drive.apply(.liveness(Rows.endpoint(last), .answering, roundTrip: .milliseconds(Int(last))))
        }
        #expect(drive.map.gateways.count == 1)
        let first = drive.map.gateways.first?.paths.first?.endpoint
        #expect(drive.apply(.liveness(Rows.endpoint(2), .answering, roundTrip: .milliseconds(9))) == [])
        #expect(drive.map.gateways.first?.paths.first?.endpoint == first, "the path that answered first stays first")
        // In contrast to the order of its paths, the loss of one of them is reported.
        #expect(drive.apply(.liveness(Rows.endpoint(3), .suspect)).first?.contains("10.0.0.3:3000 suspect") == true)
    }

    @Test func livenessAndDepartureAreTold() throws {
        var drive = FeedDrive()
        for event in try Rows.mixed() { _ = drive.apply(event) }
        #expect(
            drive.apply(.liveness(Rows.endpoint(), .suspect)) == ["12:00:00 ~ Home  10.0.0.2:3000  suspect"]
        )
        _ = drive.apply(.liveness(Rows.endpoint(), .gone))
        let instance = try Fixture.service().instance
        #expect(
            drive.apply(.serviceLost(instance))
                == ["12:00:00 - Home  10.0.0.2:3000  it is not advertised any more, and does not answer"]
        )
    }

    /// A gateway that floods is suspect for that reason. While it floods, another answer to a liveness check changes
    /// nothing; once it has stopped, it is answering again.
    @Test func whatFloodsIsSuspectForThatReason() throws {
        var drive = FeedDrive()
        for event in try Rows.mixed() { _ = drive.apply(event) }
        #expect(
            drive.apply(.flooding(Rows.endpoint(), true)) == ["12:00:00 ~ Home  10.0.0.2:3000  suspect: floods"]
        )
        #expect(drive.apply(.liveness(Rows.endpoint(), .answering, roundTrip: .milliseconds(9))) == [])
        #expect(drive.apply(.liveness(Rows.endpoint(), .gone)) == ["12:00:00 ~ Home  10.0.0.2:3000  gone"])
        #expect(drive.apply(.liveness(Rows.endpoint(), .answering)).count == 1)
        #expect(drive.apply(.flooding(Rows.endpoint(), false)) == ["12:00:00 ~ Home  10.0.0.2:3000  answering"])
    }

    /// A snapshot reports the rows that a slow reader has missed, once, and as lost those that are missing in it.
    @Test func aSnapshotBringsWhatWasMissed() throws {
        let rows = Rows.map(try Rows.mixed()).gateways
        var feed = GatewayFeed()
        #expect(feed.take(rows: rows).count == 3, "the service that is not resolved was never asked")
        #expect(feed.take(rows: rows).isEmpty)
        #expect(feed.take(rows: []).count == 3)
    }
}
