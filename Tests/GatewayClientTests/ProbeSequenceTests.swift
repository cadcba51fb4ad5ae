import DNSSD
import GatewayProtocol
import Testing

@testable import GatewayClient

@Suite struct ProbeSequenceTests {
    private let ssh = ForeignAnswer(firstBytes: Array("SSH-2.0-x".utf8))
    private let badRequest = ForeignAnswer(firstBytes: Array("HTTP/1.1 400 Bad Request".utf8))
    private let notFound = ForeignAnswer(firstBytes: Array("HTTP/1.1 404 Not Found".utf8))

    private func sequence(_ dialect: GatewayDialect?, _ transports: ProbeTransports = .plainFirst) -> ProbeSequence {
        ProbeSequence(ProbeQuestion.sequence(for: dialect, at: GatewayPages()), transports: transports)
    }

    private func target(_ hints: [ProbeHint], pin: LeafFingerprint? = nil) -> GatewayProbeTarget {
        GatewayProbeTarget(endpoints: [], rules: TargetRules(origin: .user), hints: hints, pin: pin)
    }

    // MARK: Hints

    @Test func noHintIsTheWholeSequence() {
        let all: [ProbeQuestion] = [
            .webSocket(resource: "/"), .http(resource: "/healthz"), .http(resource: "/version"), .bridgeHealth,
        ]
        #expect(target([]).questions == all)
        #expect(target([ProbeHint()]).questions == all)
        #expect(ProbeHint(isOfPlace: true) == ProbeHint())
        #expect(target([]).mostConnections == 5)
    }

    /// Hints determine which questions are asked first; questions of other hints are not left out.
    @Test func hintsOrderTheStepsAndRemoveNone() {
        let forged = target([ProbeHint(expected: .bridge), ProbeHint(expected: .optaplus)])
        #expect(forged.questions == [.bridgeHealth, .webSocket(resource: "/"), .http(resource: "/healthz")])
        let other = target([ProbeHint(expected: .clawline), ProbeHint(expected: .openClaw)])
        #expect(
            other.questions == [.http(resource: "/version"), .webSocket(resource: "/"), .http(resource: "/healthz")]
        )
        #expect(other.mostConnections == 4)
    }

    /// A port is asked for the dialect whose usual port it is, and what does not answer as that for every other: a gateway
    /// of one dialect at the usual port of another was shown as the other, or not at all.
    @Test(arguments: GatewayDialect.allCases)
    func aPortIsAskedForItsDialectFirstAndForAllOthers(dialect: GatewayDialect) {
        let expected = GatewayProbeTarget.expected(ofPort: dialect.usualPort)
        var target = target([ProbeHint(expected: expected, isOfPlace: true)])
        let own = ProbeQuestion.sequence(for: expected, at: GatewayPages())
        #expect(Array(target.questions.prefix(own.count)) == own)
        #expect(Set(target.questions).isSuperset(of: ProbeQuestion.sequence(for: nil, at: GatewayPages())))
        // A known gateway is still asked one question alone.
        target.isRepeated = true
        #expect(target.questions.count == (expected == nil ? 4 : 1))
        // A service that is advertised there adds its questions before those of the others.
        let advertised = self.target([ProbeHint(expected: .bridge, isOfPlace: true), ProbeHint(expected: .optaplus)])
        let first: [ProbeQuestion] = [.bridgeHealth, .webSocket(resource: "/"), .http(resource: "/healthz")]
        #expect(advertised.questions == first + [.http(resource: "/version")])
    }

    /// A gateway of one dialect that hangs up on the question for another is known as what it is.
    @Test func whoHangsUpOnAHelloAtThatPortIsAskedForTheOthers() {
        let hint = ProbeHint(expected: GatewayProbeTarget.expected(ofPort: 9_099), isOfPlace: true)
        var sequence = ProbeSequence(target([hint]).questions, transports: .plainFirst)
        #expect(sequence.start() == .ask(.openAgentsHello(resource: "/"), isTLS: false))
        #expect(sequence.receive(.probable(.openAgents)) == .ask(.webSocket(resource: "/"), isTLS: false))
        let openClaw = GatewayVerdict.openClaw(OpenClawIdentification(evidence: .challenge))
        #expect(sequence.receive(.identified(openClaw)) == .finish(openClaw))
    }

    /// A gateway of one dialect at the usual port of a bridge is found, whatever it does with the bridge's line; a bridge is
    /// asked nothing else.
    @Test(arguments: [
        ProbeStepOutcome.silent(.noAnswer(within: .seconds(1)), isHTTP: false),
        .foreign(ForeignAnswer(firstBytes: Array("HTTP/1.1 404 Not Found".utf8)), isHTTP: true),
    ])
    func aGatewayAtThePortOfABridgeIsFound(outcome: ProbeStepOutcome) {
        let hint = ProbeHint(expected: GatewayProbeTarget.expected(ofPort: 18_790), isOfPlace: true)
        var sequence = ProbeSequence(target([hint]).questions, transports: .plainFirst)
        #expect(sequence.start() == .ask(.bridgeHealth, isTLS: false))
        var bridge = sequence
        #expect(bridge.receive(.identified(.bridge)) == .finish(.bridge))
        #expect(sequence.receive(outcome) == .ask(.webSocket(resource: "/"), isTLS: false))
    }

    /// A gateway at a path is asked at and below that path alone, since everything else there may be somebody else's.
    @Test(arguments: [
        ("/", "/", "/healthz", "/version"), ("/attic/", "/attic/", "/attic/healthz", "/attic/version"),
        ("/a/b", "/a/b", "/a/b/healthz", "/a/b/version"), ("/ws?x=1", "/ws?x=1", "/ws/healthz", "/ws/version"),
    ])
    func allQuestionsAreAtThePathOfTheEndpoint(path: String, webSocket: String, health: String, version: String) {
        let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0001)), port: 443, resource: path)
        var target = GatewayProbeTarget(endpoints: [endpoint], rules: TargetRules(origin: .user))
        #expect(
            target.questions == [
                .webSocket(resource: webSocket), .http(resource: health), .http(resource: version), .bridgeHealth,
            ]
        )
        target.hints = [ProbeHint(expected: .openAgents)]
        #expect(target.questions == [.openAgentsHello(resource: webSocket)])
    }

    /// The number of hints is limited.
    @Test func hintsAreBounded() {
        let late = Array(repeating: ProbeHint(expected: .optaplus), count: 32) + [ProbeHint(expected: .bridge)]
        #expect(!target(late).questions.contains(.bridgeHealth))
    }

    /// Only one transport is used if all hints agree on it, or if a certificate is pinned.
    @Test func oneTransportAloneOnlyWhereAllSaySo() throws {
        let plain = ProbeHint(transports: .plainOnly)
        #expect(target([plain, plain]).transports == .plainOnly)
        #expect(target([plain, ProbeHint(transports: .tlsFirst)]).transports == .plainFirst)
        #expect(target([ProbeHint(transports: .tlsOnly), plain]).transports == .tlsFirst)
        #expect(target([ProbeHint(transports: .tlsFirst), ProbeHint()]).transports == .tlsFirst)
        let pin = try #require(LeafFingerprint(String(repeating: "ab", count: 32)))
        #expect(target([plain], pin: pin).transports == .tlsOnly)
    }

    /// A forged bridge record at the endpoint of a gateway costs one question, and does not hide the gateway.
    @Test(arguments: [
        ProbeStepOutcome.silent(.noAnswer(within: .seconds(1)), isHTTP: false), .silent(.closed, isHTTP: false),
        .foreign(ForeignAnswer(firstBytes: Array("HTTP/1.1 400 Bad Request".utf8)), isHTTP: true),
        .foreign(ForeignAnswer(firstBytes: Array("what?".utf8)), isHTTP: false),
    ])
    func aForgedBridgeHidesNoGateway(outcome: ProbeStepOutcome) {
        var sequence = ProbeSequence(
            target([ProbeHint(expected: .bridge), ProbeHint(expected: .optaplus)]).questions,
            transports: .plainOnly
        )
        #expect(sequence.start() == .ask(.bridgeHealth, isTLS: false))
        #expect(sequence.receive(outcome) == .ask(.webSocket(resource: "/"), isTLS: false))
    }

    /// A forged gateway record at the endpoint of a bridge does not hide the bridge, which complains about the HTTP
    /// request.
    @Test func aForgedGatewayHidesNoBridge() {
        var sequence = ProbeSequence(
            target([ProbeHint(expected: .openClaw), ProbeHint(expected: .bridge)]).questions,
            transports: .plainFirst
        )
        _ = sequence.start()
        let complaint = ForeignAnswer(firstBytes: Array(#"{"type":"error"}"#.utf8))
        #expect(sequence.receive(.foreign(complaint, isHTTP: false)) == .ask(.bridgeHealth, isTLS: false))
    }

    /// A bridge with TLS of which nothing is known is found: it hangs up on upgrades with TLS and without, and its line
    /// is repeated with TLS once the one without has met with an alert.
    @Test func aBridgeWithTLSIsFoundWhereNothingIsKnownOfIt() {
        let alert = ForeignAnswer(firstBytes: [0x15, 3, 1, 0, 2, 2, 0x46])
        var sequence = ProbeSequence(target([]).questions, transports: .plainFirst)
        #expect(sequence.start() == .ask(.webSocket(resource: "/"), isTLS: false))
        #expect(sequence.receive(.silent(.closed, isHTTP: false)) == .ask(.webSocket(resource: "/"), isTLS: true))
        #expect(sequence.receive(.silent(.closed, isHTTP: false)) == .ask(.bridgeHealth, isTLS: false))
        #expect(sequence.receive(.foreign(alert, isHTTP: false)) == .ask(.bridgeHealth, isTLS: true))
        #expect(sequence.receive(.identified(.bridge)) == .finish(.bridge))
        var plain = ProbeSequence([.bridgeHealth], transports: .plainOnly)
        _ = plain.start()
        #expect(plain.receive(.foreign(alert, isHTTP: false)) == .finish(.other(alert)))
    }

    /// A peer that hangs up on a hello is only probably OpenAgents: others do so as well, and another question may
    /// identify one of them.
    @Test func whoHangsUpOnAHelloIsOpenAgentsUnlessItSaysMore() {
        let questions = target([ProbeHint(expected: .openAgents), ProbeHint(expected: .optaplus)]).questions
        var gateway = ProbeSequence(questions, transports: .plainFirst)
        #expect(gateway.start() == .ask(.openAgentsHello(resource: "/"), isTLS: false))
        #expect(gateway.receive(.probable(.openAgents)) == .ask(.webSocket(resource: "/"), isTLS: false))
        #expect(gateway.receive(.identified(.bridge)) == .finish(.bridge))
        var openAgents = ProbeSequence(questions, transports: .plainFirst)
        _ = openAgents.start()
        _ = openAgents.receive(.probable(.openAgents))
        _ = openAgents.receive(.foreign(notFound, isHTTP: true))
        #expect(openAgents.receive(.foreign(notFound, isHTTP: true)) == .finish(.openAgents))
    }

    /// A peer that upgraded and was then too slow is not reported as a web server because of its answers on other
    /// pages.
    @Test func aSlowPeerThatUpgradedIsNoWebServer() {
        let silence = NoAnswer.noAnswer(within: .seconds(1))
        var slow = sequence(.optaplus)
        _ = slow.start()
        #expect(slow.receive(.silent(silence, isHTTP: true)) == .ask(.http(resource: "/healthz"), isTLS: false))
        #expect(slow.receive(.foreign(notFound, isHTTP: true)) == .finish(.nothing(silence)))
        var health = sequence(.optaplus)
        _ = health.start()
        _ = health.receive(.silent(silence, isHTTP: true))
        let live = GatewayVerdict.openClaw(OpenClawIdentification(evidence: .health))
        #expect(health.receive(.identified(live)) == .finish(live))
    }

    // MARK: Answers

    /// A known OpenClaw gateway is only asked for its health, because it logs every WebSocket that is closed before
    /// `connect`. One question over one connection is enough.
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

    /// A bridge is only asked in its own protocol, with and without TLS.
    @Test func aBridgeIsNeverAskedInHTTP() {
        var sequence = sequence(.bridge)
        #expect(sequence.start() == .ask(.bridgeHealth, isTLS: false))
        #expect(sequence.receive(.silent(.closed, isHTTP: false)) == .ask(.bridgeHealth, isTLS: true))
        #expect(sequence.receive(.noTLS) == .finish(.nothing(.closed)))
    }

    /// A web server is asked every question that is sent over HTTP, and no other.
    @Test func aWebServerIsAskedAllThatAWebServerCanAnswer() {
        var sequence = sequence(nil)
        #expect(sequence.start() == .ask(.webSocket(resource: "/"), isTLS: false))
        #expect(sequence.receive(.foreign(notFound, isHTTP: true)) == .ask(.http(resource: "/healthz"), isTLS: false))
        #expect(sequence.receive(.foreign(notFound, isHTTP: true)) == .ask(.http(resource: "/version"), isTLS: false))
        #expect(sequence.receive(.foreign(notFound, isHTTP: true)) == .finish(.other(notFound)))
    }

    /// The status 400 may mean that the server wants TLS, which is then tried once.
    @Test func aBadRequestMayWantTLS() {
        var sequence = sequence(nil)
        _ = sequence.start()
        #expect(sequence.receive(.foreign(badRequest, isHTTP: true)) == .ask(.webSocket(resource: "/"), isTLS: true))
        #expect(sequence.receive(.noTLS) == .ask(.http(resource: "/healthz"), isTLS: false))
        // Each transport is tried only once.
        #expect(sequence.receive(.foreign(badRequest, isHTTP: true)) == .ask(.http(resource: "/version"), isTLS: false))
    }

    /// A peer that hangs up and has no TLS is asked as a bridge before the remaining HTTP questions: each question
    /// takes two round trips, and there are five seconds for all of them.
    @Test func whoHangsUpAndKnowsNoTLSIsAskedForABridgeFirst() {
        var sequence = sequence(nil)
        #expect(sequence.start() == .ask(.webSocket(resource: "/"), isTLS: false))
        #expect(sequence.receive(.silent(.closed, isHTTP: false)) == .ask(.webSocket(resource: "/"), isTLS: true))
        #expect(sequence.receive(.noTLS) == .ask(.bridgeHealth, isTLS: false))
        #expect(sequence.receive(.silent(.closed, isHTTP: false)) == .ask(.http(resource: "/healthz"), isTLS: false))
    }

    /// After a failed handshake, plain text is tried once, unless only TLS is allowed.
    @Test func tlsGivesWayOnce() {
        var first = sequence(.openClaw, .tlsFirst)
        #expect(first.start() == .ask(.webSocket(resource: "/"), isTLS: true))
        #expect(first.receive(.noTLS) == .ask(.webSocket(resource: "/"), isTLS: false))
        #expect(first.receive(.silent(.closed, isHTTP: false)) == .ask(.http(resource: "/healthz"), isTLS: false))
        #expect(first.receive(.silent(.closed, isHTTP: false)) == .finish(.nothing(.tlsFailure)))
        var only = sequence(.openClaw, .tlsOnly)
        _ = only.start()
        #expect(only.receive(.noTLS) == .finish(.nothing(.tlsFailure)))
    }

    @Test func conclusiveOutcomesEndTheProbe() {
        for outcome in [ProbeStepOutcome.noConnection(.refused), .noConnection(.unreachable)] {
            var sequence = sequence(nil)
            _ = sequence.start()
            guard case .finish(.nothing) = sequence.receive(outcome) else {
                Issue.record("\(outcome) must end the probe")
                continue
            }
        }
        var sequence = sequence(nil)
        _ = sequence.start()
        #expect(sequence.receive(.foreign(ssh, isHTTP: false)) == .finish(.other(ssh)))
        var full = self.sequence(nil)
        _ = full.start()
        #expect(full.receive(.noConnection(.noSocket)) == .finish(.nothing(.noSocket)))
    }

    /// A peer that is silent after an upgrade request is next asked as a bridge.
    @Test func silenceLeadsFromTheWebToTheBridge() {
        let silence = NoAnswer.noAnswer(within: .seconds(1))
        var sequence = sequence(nil)
        _ = sequence.start()
        #expect(sequence.receive(.silent(silence, isHTTP: false)) == .ask(.bridgeHealth, isTLS: false))
        #expect(sequence.receive(.silent(.closed, isHTTP: false)) == .ask(.bridgeHealth, isTLS: true))
        #expect(sequence.outOfTime(.seconds(2)) == .nothing(silence))
    }

    /// For any sequence of outcomes, the probe ends and opens no more connections than its target announces.
    @Test func alwaysEnds() {
        let outcomes: [ProbeStepOutcome] = [
            .foreign(badRequest, isHTTP: true), .foreign(notFound, isHTTP: true), .silent(.closed, isHTTP: false),
            .silent(.noAnswer(within: .seconds(1)), isHTTP: true), .noTLS, .noConnection(.refused),
            .probable(.openAgents),
        ]
        let dialects = GatewayDialect.allCases.map(Optional.some) + [nil]
        let all =
            dialects.map { [ProbeHint(expected: $0)] } + dialects.map { [ProbeHint(expected: $0, isOfPlace: true)] }
            + [dialects.map { ProbeHint(expected: $0) }]
        for hints in all {
            let target = target(hints)
            for transports in [ProbeTransports.plainFirst, .tlsFirst, .plainOnly, .tlsOnly] {
                for seed in 0..<2_401 {
                    var (seed, count) = (seed, 0)
                    var sequence = ProbeSequence(target.questions, transports: transports)
                    var action = sequence.start()
                    while case .ask = action, count < 20 {
                        action = sequence.receive(outcomes[seed % 7])
                        (seed, count) = (seed / 7 + seed % 7 * 343, count + 1)
                    }
                    #expect(count <= target.mostConnections)
                }
            }
        }
    }
}
