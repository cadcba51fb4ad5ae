import DNSSD
import GatewayProtocol
import GatewaySamples
import Scanning
import TestSupport
import Testing

@testable import Reports

/// The updates that an agent sends tell a view the same as the map itself would have told it.
@Suite struct ConstellationUpdateRecordingTests {
    private static let limits = JSONLimits(maximumBytes: 16_777_216, maximumDepth: 32, maximumValues: 1_000_000)

    /// Returns an update as it arrives elsewhere.
    private func sent(_ update: ConstellationUpdate) throws -> ConstellationUpdate {
        let value = try JSONValue(parsing: update.recording.encoded, limits: Self.limits)
        return try ConstellationUpdate(recording: value)
    }

    /// The lines of a view for programs, and those of one for people, are the same after each update.
    @Test func aFeedReportsTheSameOfUpdatesThatWereSent() throws {
        for seed in 0..<20 {
            var source = AnyEvent(random: SeededGenerator(seed: UInt64(seed)))
            var map = BotMap()
            var (here, there) = (GatewayFeed(), GatewayFeed())
            var (services, sentServices) = (ServiceFeed(), ServiceFeed())
            for revision in 1...150 as ClosedRange<UInt64> {
                let rows = map.apply(try source.next()).map(ConstellationChange.gateway)
                let changes = map.serviceChanges.map(ConstellationChange.service) + rows
                let update =
                    revision % 40 == 0
                    ? ConstellationUpdate.snapshot(snapshot(of: map, revision)) : .changes(changes, revision: revision)
                let copy = try sent(update)
                #expect(copy.revision == revision)
                #expect(copy.recording == update.recording)
                let reports = here.take(update).map { GatewayChangeReport($0, at: Timestamp(milliseconds: 0)).line }
                let others = there.take(copy).map { GatewayChangeReport($0, at: Timestamp(milliseconds: 0)).line }
                guard reports == others else {
                    Issue.record("seed \(seed), revision \(revision): \(others) instead of \(reports)")
                    return
                }
                let ofServices = services.take(update).map(\.change)
                #expect(sentServices.take(copy).map(\.change) == ofServices)
            }
        }
    }

    /// A view of an agent's rows finds a gateway by all of its names, as one that looks for itself.
    @Test func allNamesOfAGatewayAreSent() throws {
        let endpoint = Endpoint(address: try #require(IPAddress("10.0.0.1")), port: 1)
        let fingerprint = try #require(GatewayFingerprint("home"))
        var map = BotMap()
        let identity = GatewayIdentity(fingerprint: fingerprint, name: "Studio", dialect: .optaplus)
        _ = map.apply(.endpointAdded(endpoint, .local))
        _ = map.apply(.probed(endpoint, .gateway(identity)))
        let row = try #require(map.gateways.first)
        _ = map.apply(.aliased([try #require(GatewayAlias(row, name: "Atelier \u{1B}"))]))
        guard case .snapshot(let copy) = try sent(.snapshot(snapshot(of: map, 1))) else {
            Issue.record("expected a snapshot")
            return
        }
        #expect(copy.gateways.map(\.name) == ["Atelier \u{1B}"])
        #expect(copy.gateways.map(\.otherNames) == [["Studio"]])
    }

    private func snapshot(of map: BotMap, _ revision: UInt64) -> ConstellationSnapshot {
        ConstellationSnapshot(
            revision: revision,
            gateways: map.gateways,
            services: map.services,
            backends: [],
            sessions: [],
            missedProblems: []
        )
    }

    @Test func problemsAndConditionsComeBackAsTheyWere() throws {
        let endpoint = Endpoint(address: try #require(IPAddress("10.0.0.1")), port: 1)
        let bot = BotKey(gateway: .candidate(.endpoint(endpoint)), bot: try #require(BotID("1")))
        let problems: [BotMapProblem] = [
            .refusedTransition(bot, from: .pairing, to: .connected), .unprovedClaimant(bot),
            .tooManyGateways(.endpoint(endpoint), limit: 7), .tooManyCandidates(endpoint, limit: 8),
            .tooManyPairings(bot, limit: 9),
        ]
        let conditions = [
            BackendCondition(source: .avahi, status: .starting),
            BackendCondition(
                source: .oneShot,
                status: .running,
                warnings: [BackendWarning(.packetsLost, "some are lost")],
                losses: BackendLosses(packets: 1, entries: 2)
            ),
            BackendCondition(source: .bonjour, status: .unavailable(BackendError(.noDaemon, "none runs"))),
        ]
        let changes = problems.map { ConstellationChange.gateway(.problem($0)) } + conditions.map { .backend($0) }
        #expect(try sent(.changes(changes, revision: 3)) == .changes(changes, revision: 3))
        let all = ConstellationUpdate.snapshot(
            ConstellationSnapshot(
                revision: 4,
                gateways: [],
                services: [],
                backends: conditions,
                sessions: [],
                missedProblems: problems
            )
        )
        #expect(try sent(all) == all)
    }

    @Test(arguments: ShownSession.State.allCases) func sessionsComeBackAsTheyWere(state: ShownSession.State) throws {
        let remedies: [ShownSession.Remedy?] = [
            nil, .connect, .acceptLeaf, .acceptAddress, .acceptNode, .acceptTunnel, .pairAnew, .diagnose,
        ]
        for remedy in remedies {
            var session = ShownSession(
                id: "c",
                pairing: "p",
                gateway: "fingerprint:abc",
                name: "Zoë \u{1B}",
                bots: [ShownSession.Bot(id: try #require(BotID("1")), name: "Jarvis", emoji: "🤖", isArchived: true)],
                state: state,
                reason: "so",
                remedy: remedy,
                path: "10.0.0.1:1",
                isElsewhere: true,
                latency: .microseconds(1_234),
                since: .now - .seconds(60)
            )
            let asked: [String: JSONValue] = [
                "requestId": "1b4e", "displayName": "iPad \u{1B}", "deviceId": "d", "platform": "ios",
                "remoteIp": "10.0.0.9", "role": "operator", "scopes": .array(["operator.read"]), "ts": 1_000,
            ]
            session.requests = remedy == nil ? nil : [try #require(DeviceRequest(json: .object(asked)))]
            let update = ConstellationUpdate.changes(
                [.session(.found(session)), .session(.changed(session)), .session(.lost(session, .notKept))],
                revision: 1
            )
            guard case .changes(let changes, _) = try sent(update), changes.count == 3,
                case .session(.changed(let copy)) = changes[1], case .session(.lost(_, .notKept)) = changes[2]
            else {
                Issue.record("expected three changes of a session")
                return
            }
            let time = Timestamp(milliseconds: 0)
            #expect(SessionReport(copy, at: time).line == SessionReport(session, at: time).line)
            #expect(copy.bots == session.bots && copy.remedy == session.remedy && copy.id == session.id)
            #expect(abs((copy.since - session.since) / .seconds(1)) < 30)
        }
    }

    @Test func anythingElseIsRefused() {
        for text in [
            "{}", "[]", #"{"revision":1}"#, #"{"revision":1,"changes":[{}]}"#, #"{"revision":-1,"changes":[]}"#,
        ] {
            #expect(throws: RecordingProblem.self, "\(text)") {
                try ConstellationUpdate(recording: JSONValue(parsing: Array(text.utf8)))
            }
        }
    }
}
