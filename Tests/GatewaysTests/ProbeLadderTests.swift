import GatewayProtocol
import Testing

@testable import Gateways

@Suite struct ProbeLadderTests {
    private let ssh = ForeignAnswer(firstBytes: Array("SSH-2.0-x".utf8))
    private let badRequest = ForeignAnswer(firstBytes: Array("HTTP/1.1 400 Bad Request".utf8))
    private let notFound = ForeignAnswer(firstBytes: Array("HTTP/1.1 404 Not Found".utf8))

    private func ladder(_ dialect: GatewayDialect?, _ transports: ProbeTransports = .plainFirst) -> ProbeLadder {
        ProbeLadder(ProbeQuestion.ladder(for: dialect, resource: "/"), transports: transports)
    }

    /// Such a gateway notes each WebSocket that leaves before `connect`; one question on one connection is enough.
    @Test func aKnownOpenClawGatewayIsAskedForItsHealthAlone() {
        var target = GatewayProbeTarget(
            endpoints: [],
            rules: TargetRules(origin: .user),
            hints: [ProbeHint(expected: .openClaw)]
        )
        #expect(target.questions.first == .webSocket(resource: "/"))
        target.isRepeated = true
        #expect(target.questions == [.http(resource: "/healthz")])
        #expect(target.mostConnections == 2)
    }

    @Test func aBridgeIsNeverAskedInHTTP() {
        var ladder = ladder(.bridge)
        #expect(ladder.start() == .ask(.bridgeHealth, isTLS: false))
        #expect(ladder.receive(.silent(.closed, isHTTP: false)) == .ask(.bridgeHealth, isTLS: true))
        #expect(ladder.receive(.noTLS) == .finish(.nothing(.closed)))
    }

    @Test func aWebServerIsAskedAllThatAWebServerCanAnswer() {
        var ladder = ladder(nil)
        #expect(ladder.start() == .ask(.webSocket(resource: "/"), isTLS: false))
        #expect(ladder.receive(.foreign(notFound, isHTTP: true)) == .ask(.http(resource: "/healthz"), isTLS: false))
        #expect(ladder.receive(.foreign(notFound, isHTTP: true)) == .ask(.http(resource: "/version"), isTLS: false))
        #expect(ladder.receive(.foreign(notFound, isHTTP: true)) == .finish(.other(notFound)))
    }

    @Test func aBadRequestMayWantTLS() {
        var ladder = ladder(nil)
        _ = ladder.start()
        #expect(ladder.receive(.foreign(badRequest, isHTTP: true)) == .ask(.webSocket(resource: "/"), isTLS: true))
        #expect(ladder.receive(.noTLS) == .ask(.http(resource: "/healthz"), isTLS: false))
        // Each transport once.
        #expect(ladder.receive(.foreign(badRequest, isHTTP: true)) == .ask(.http(resource: "/version"), isTLS: false))
    }

    @Test func tlsGivesWayOnce() {
        var first = ladder(.openClaw, .tlsFirst)
        #expect(first.start() == .ask(.webSocket(resource: "/"), isTLS: true))
        #expect(first.receive(.noTLS) == .ask(.webSocket(resource: "/"), isTLS: false))
        #expect(first.receive(.silent(.closed, isHTTP: false)) == .ask(.http(resource: "/healthz"), isTLS: false))
        #expect(first.receive(.silent(.closed, isHTTP: false)) == .finish(.nothing(.tlsFailure)))
        var only = ladder(.openClaw, .tlsOnly)
        _ = only.start()
        #expect(only.receive(.noTLS) == .finish(.nothing(.tlsFailure)))
    }

    @Test func whatIsKnownEndsIt() {
        for outcome in [RungOutcome.noConnection(.refused), .noConnection(.unreachable)] {
            var ladder = ladder(nil)
            _ = ladder.start()
            guard case .finish(.nothing) = ladder.receive(outcome) else {
                Issue.record("\(outcome) does not end it")
                continue
            }
        }
        var ladder = ladder(nil)
        _ = ladder.start()
        #expect(ladder.receive(.foreign(ssh, isHTTP: false)) == .finish(.other(ssh)))
    }

    @Test func silenceLeadsFromTheWebToTheBridge() {
        let silence = NoAnswer.noAnswer(within: .seconds(1))
        var ladder = ladder(nil)
        _ = ladder.start()
        #expect(ladder.receive(.silent(silence, isHTTP: false)) == .ask(.bridgeHealth, isTLS: false))
        #expect(ladder.receive(.silent(.closed, isHTTP: false)) == .ask(.bridgeHealth, isTLS: true))
        #expect(ladder.outOfTime(.seconds(2)) == .nothing(silence))
    }

    /// However the answers go, it ends, and asks few questions.
    @Test func alwaysEnds() {
        let outcomes: [RungOutcome] = [
            .foreign(badRequest, isHTTP: true), .foreign(notFound, isHTTP: true), .foreign(ssh, isHTTP: false),
            .silent(.closed, isHTTP: false), .silent(.noAnswer(within: .seconds(1)), isHTTP: true), .noTLS,
            .noConnection(.refused),
        ]
        for dialect in GatewayDialect.allCases.map(Optional.some) + [nil] {
            for transports in [ProbeTransports.plainFirst, .tlsFirst, .plainOnly, .tlsOnly] {
                for seed in 0..<2_401 {
                    var (ladder, seed, count) = (ladder(dialect, transports), seed, 0)
                    var action = ladder.start()
                    while case .ask = action, count < 10 {
                        action = ladder.receive(outcomes[seed % 7])
                        (seed, count) = (seed / 7 + seed % 7 * 343, count + 1)
                    }
                    #expect(count <= 6)
                }
            }
        }
    }
}
