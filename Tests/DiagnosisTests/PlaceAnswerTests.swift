import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Reports

/// The answer at a place, as it follows from a path of the map and the report of a probe.
@Suite struct PlaceAnswerTests {
    private static func path(_ outcome: ProbeOutcome, _ liveness: Liveness? = nil) throws -> GatewayPath {
        var map = BotMap()
        map.apply(.endpointAdded(Samples.home, .local))
        map.apply(.probed(Samples.home, outcome))
        if let liveness { map.apply(.liveness(Samples.home, liveness)) }
        return try #require(map.gateways.first?.paths.first)
    }

    private static func report(_ verdict: GatewayVerdict, hasConnected: Bool) -> GatewayProbeReport {
        let step = GatewayProbeStep(
            kind: .connect,
            endpoint: Samples.home,
            result: "",
            elapsed: .zero,
            succeeded: hasConnected
        )
        return GatewayProbeReport(verdict: verdict, path: nil, steps: [step], elapsed: .seconds(1))
    }

    @Test func aPathSaysWhatItsProbeFound() throws {
        let identity = GatewayIdentity(dialect: .openClaw)
        #expect(
            PlaceAnswer(try Self.path(.gateway(identity), .answering))
                == .gateway(.openClaw, isTLS: false, roundTrip: nil)
        )
        let cases: [(NoAnswer, PlaceAnswer)] = [
            (.refused, .refused), (.unreachable, .unreachable), (.noAnswer(within: .seconds(2)), .silent(.seconds(2))),
            (.tlsFailure, .noTLS), (.closed, .closed), (.noGateway(status: 502), .front(status: 502)),
            (.notAllowed(.port), .notAllowed(.port)),
        ]
        for (reason, expected) in cases { #expect(PlaceAnswer(try Self.path(.nothing(reason))) == expected) }
        let foreign = ForeignAnswer(summary: "an SSH server", bytes: [])
        #expect(PlaceAnswer(try Self.path(.somethingElse(foreign))) == .somethingElse("an SSH server"))
    }

    /// Only the steps of a probe tell a firewall from a program that hangs.
    @Test func aConnectionWithoutAnAnswerHangs() throws {
        let path = try Self.path(.nothing(.noAnswer(within: .seconds(2))))
        let silence = GatewayVerdict.nothing(.noAnswer(within: .seconds(1)))
        #expect(PlaceAnswer(path, Self.report(silence, hasConnected: true)) == .hanging(.seconds(1)))
        #expect(PlaceAnswer(path, Self.report(silence, hasConnected: false)) == .silent(.seconds(1)))
    }

    /// The findings of a later probe count more than what the map knew, but for a gateway that answers.
    @Test func aProbeKnowsMore() throws {
        let found = Self.report(.openClaw(OpenClawIdentification(evidence: .challenge)), hasConnected: true)
        #expect(
            PlaceAnswer(try Self.path(.nothing(.tlsFailure)), found)
                == .gateway(.openClaw, isTLS: false, roundTrip: nil)
        )
        let gone = try Self.path(.gateway(GatewayIdentity(dialect: .optaplus)), .gone)
        #expect(PlaceAnswer(gone, Self.report(.nothing(.refused), hasConnected: false)) == .refused)
    }
}
