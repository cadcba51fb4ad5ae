import DNSSD
import Foundation
import GatewayProtocol
import HTTPTypes
import Reports
import Scanning
import TestSupport
import Testing

@testable import Agent
@testable import AgentAPI
@testable import Pairing

/// The changes of pairings that an agent makes when it is asked, on a store of its own and without a network.
/// The limit ends what hangs: a thousand decisions take half a minute, and longer where other tests run beside them.
@Suite(.timeLimit(.minutes(20))) struct PairingChangesTests {
    private let bot: BotID
    let pairing: StoredPairing
    private let digits = String(repeating: "ab", count: 32)

    init() throws {
        bot = try #require(BotID("b1"))
        let address = try #require(IPAddress("192.0.2.1", interfaces: []))
        pairing = StoredPairing(
            gatewayID: "endpoint:192.0.2.1:1",
            name: "Home",
            dialect: .openClaw,
            trust: .pinned(try #require(LeafFingerprint(bytes: Array(repeating: 1, count: 32)))),
            endpoints: [Endpoint(address: address, port: 1)],
            pairedAt: 0,
            bots: [StoredBot(id: bot, name: "Jarvis")]
        )
    }

    /// Runs a closure with an agent that has the store open.
    func withAgent(_ body: @escaping @Sendable (Agent, PairingStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("changes-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let location = StoreLocation(folder: "\(folder)/data", keyFile: "\(folder)/state/sealing.key")
        let agent = Agent(
            AgentConfiguration(version: "1", environment: [:], store: { () throws(StoreError) in location })
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await agent.storePart.run(PartReporter { _ in }) }
            for await store in agent.storePart.stores {
                guard let store else { continue }
                try store.insert(pairing, secrets: [:])
                try await body(agent, store)
                break
            }
            group.cancelAll()
        }
    }

    static func ask(_ agent: Agent, _ name: String, _ body: String) async throws -> (status: Int, text: String) {
        let route = try #require(RouteTable.routes.first { $0.path == "/api/v1/\(name)" && $0.method == .post })
        #expect(route.right?.contains(.change) == true)
        do {
            guard
                case .document(let status, let text) = try await route.answer(
                    agent,
                    APIQuery("", body: Array(body.utf8))
                )
            else { throw APIProblem(.internalServerError, "no document") }
            return (status.code, text)
        } catch let problem as APIProblem {
            return (problem.status.code, problem.detail)
        }
    }

    private func expect(_ status: Int, _ agent: Agent, _ name: String, _ body: String) async throws {
        let answer = try await Self.ask(agent, name, body)
        #expect(answer.status == status, "\(name): \(answer.text)")
    }

    @Test func eachChangesThePairingThatItNames() async throws {
        try await withAgent { agent, store in
            let body = #"{"pairing":"\#(pairing.id)"}"#
            func stored() throws -> StoredPairing? { try store.pairing(pairing.id) }
            try await expect(200, agent, "disconnect", body)
            #expect(try stored()?.connectsAutomatically == false)
            try await expect(200, agent, "connect", body)
            #expect(try stored()?.connectsAutomatically == true)

            let ofBot = #"{"pairing":"\#(pairing.id)","bot":"b1","archived":"#
            try await expect(200, agent, "archive", ofBot + "true}")
            #expect(try stored()?.bots.first?.isArchived == true)
            try await expect(200, agent, "archive", ofBot + "false}")
            #expect(try stored()?.bots.first?.isArchived == false)

            // Those that it is trusted by already are no change.
            let pinned = String(repeating: "01", count: 32)
            try await expect(200, agent, "trust", #"{"pairing":"\#(pairing.id)","leaf":"\#(pinned)"}"#)

            try await expect(200, agent, "forget", body)
            #expect(try stored() == nil)
            try await expect(404, agent, "forget", body)
            try await expect(200, agent, "restore", body)
            #expect(try stored() != nil)
        }
    }

    /// A verb, which opens the store by itself, and a route give one document for one operation.
    @Test func verbsAndRoutesGiveTheSame() async throws {
        try await withAgent { agent, store in
            let verb = InProcessRadar(try PairingStore(store.location), version: "1")
            let body = #"{"pairing":"\#(pairing.id)"}"#
            func route(_ name: String, _ body: String) async throws -> String {
                try await Self.ask(agent, name, body).text
            }
            #expect(try await route("disconnect", body) == verb.connect(pairing.id, false).line)
            #expect(try await route("connect", body) == verb.connect(pairing.id, true).line)
            let ofBot = #"{"pairing":"\#(pairing.id)","bot":"b1"}"#
            #expect(try await route("archive", ofBot) == verb.archive(bot, of: pairing.id, true).line)
            let forgotten = try await route("forget", body)
            let restored = try await verb.restore(pairing.id).line
            #expect(try await verb.forget(pairing.id).line == forgotten)
            #expect(try await route("restore", body) == restored)
        }
    }

    /// A request that is not understood in full changes nothing.
    @Test(arguments: [
        ("connect", "", 400), ("connect", "[]", 400), ("connect", "{}", 400), ("connect", #"{"pairing":"x"}"#, 400),
        ("forget", #"{"pairing":"ID","gateway":1}"#, 400), ("unpair", #"{"pairing":"ID","bots":[]}"#, 400),
        ("unpair", #"{"pairing":"ID","bot":"b1","bots":["b1"]}"#, 400),
        ("unpair", #"{"pairing":"ID","bots":["b1","other"]}"#, 404), ("device", #"{"pairing":"ID"}"#, 400),
        ("device", #"{"name":""}"#, 400), ("device", #"{"name":"a\u200bb"}"#, 400),
        ("device", #"{"emoji":"abc"}"#, 400),
        ("unpair", #"{"pairing":"ID","bot":"other"}"#, 404), ("archive", #"{"pairing":"ID"}"#, 400),
        ("archive", #"{"pairing":"ID","bot":"other"}"#, 404), ("accent", #"{"pairing":"ID","bot":"b1"}"#, 400),
        ("accent", #"{"pairing":"ID","bot":"b1","color":"red"}"#, 400), ("trust", #"{"pairing":"ID"}"#, 400),
        ("trust", #"{"pairing":"ID","leaf":"12"}"#, 400),
        ("trust", #"{"pairing":"ID","trust":"address"}"#, 400),
        ("trust", #"{"pairing":"ID","address":"10.0.0.9"}"#, 400),
        ("trust", #"{"pairing":"ID","trust":"address","address":"10.0.0.9:1","shown":"lan"}"#, 400),
        ("trust", #"{"pairing":"ID","trust":"address","address":"10.0.0.9:1","shown":{"kind":"lan"}}"#, 409),
        ("trust", #"{"pairing":"ID","trust":"all","address":"10.0.0.9:1"}"#, 400),
        ("trust", #"{"pairing":"ID","trust":"address","address":"10.0.0.9:1","unseen":true}"#, 400),
        ("trust", #"{"pairing":"ID","unseen":false}"#, 400),
        ("trust", #"{"pairing":"ID","trust":"address","address":"10.0.0.9:1"}"#, 409),
        ("restore", #"{"pairing":"ID"}"#, 404),
        ("approve", #"{"pairing":"ID"}"#, 400), ("approve", #"{"pairing":"ID","request":"a b"}"#, 400),
        ("approve", #"{"pairing":"ID","request":"_b"}"#, 400),
        ("approve", #"{"pairing":"ID","request":"a","user":"me"}"#, 400),
        ("approve", #"{"pairing":"ID","request":"a"}"#, 409), ("reject", #"{"pairing":"ID","request":"a"}"#, 409),
        ("approve", #"{"request":"a"}"#, 404), ("approvals", #"{"pairing":"ID"}"#, 409), ("approvals", "", 404),
        ("approvals", #"{"pairing":"ID","request":"a"}"#, 400), ("approvals", #"{"timeoutMs":1}"#, 400),
        ("call", #"{"pairing":"ID"}"#, 400), ("call", #"{"pairing":"ID","method":"a b"}"#, 400),
        ("call", #"{"pairing":"ID","method":"health","timeoutMs":1}"#, 400),
        ("call", #"{"pairing":"ID","method":"health","params":{},"secret":"a"}"#, 400),
        ("call", #"{"pairing":"00000000000000000000000000000000","method":"health"}"#, 404),
        ("call", #"{"pairing":"ID","method":"health","params":{"limit":5}}"#, 502),
        ("mute", #"{"gateway":"ID"}"#, 400), ("mute", #"{"durationMs":60000}"#, 400),
        ("mute", #"{"gateway":"ID","durationMs":60000,"remove":true}"#, 400),
        ("mute", #"{"gateway":"ID","minutes":1}"#, 400), ("mute", #"{"gateway":"ID","durationMs":-1}"#, 400),
        ("mute", #"{"gateway":"ID","durationMs":60000}"#, 503), ("link", #"{"gateway":"ID"}"#, 400),
    ])
    func whatIsNotUnderstoodChangesNothing(name: String, body: String, status: Int) async throws {
        try await withAgent { agent, store in
            let before = try store.pairings()
            let answer = try await Self.ask(agent, name, body.replacing("ID", with: "\(pairing.id)"))
            #expect(answer.status == status, "\(answer.text)")
            #expect(try store.pairings() == before)
        }
    }

    /// This device is renamed by a request, as by a command, within the same limits.
    @Test func theDeviceIsRenamed() async throws {
        try await withAgent { agent, store in
            let before = store.device
            try await expect(200, agent, "device", "{}")
            #expect(store.device == before)
            try await expect(200, agent, "device", #"{"name":"Studio","emoji":"🎧"}"#)
            #expect(store.device.name == "Studio" && store.device.emoji == "🎧")
            try await expect(200, agent, "device", #"{"emoji":""}"#)
            #expect(store.device.name == "Studio" && store.device.emoji == nil)
        }
    }

    /// Each reason of an operation has its code in the problem, by which whoever asks tells those of one status apart.
    @Test(arguments: RadarError.Code.allCases) func aProblemHasTheCodeOfItsReason(code: RadarError.Code) {
        let problem = APIProblem(RadarError(code, "it is away")).json
        #expect(problem["code"]?.string.flatMap(RadarError.Code.init) == code)
        #expect(problem["detail"] == "it is away")
        #expect(APIProblem(.badRequest, "another").fields["code"] == .null)
    }

    /// Digits that nobody shows are not accepted: the gateway could never prove itself by them.
    @Test func digitsThatNobodyShowsAreRefused() async throws {
        try await withAgent { agent, store in
            let address = try #require(IPAddress("127.0.0.1", interfaces: []))
            try store.update(pairing.id) { $0.endpoints = [Endpoint(address: address, port: 1)] }
            let before = try store.pairings()
            let answer = try await Self.ask(agent, "trust", #"{"pairing":"\#(pairing.id)","leaf":"\#(digits)"}"#)
            #expect(answer.status == 409 && answer.text.contains("nobody shows"), "\(answer)")
            #expect(try store.pairings() == before)
        }
    }

    /// A decision about a trust that is not the one which the user was shown is refused, before any gateway is asked.
    @Test func whatWasShownOtherwiseIsContested() async throws {
        try await withAgent { agent, store in
            let before = try store.pairings()
            for shown in [#"{"kind":"lan"}"#, #"{"kind":"pinned","leafSha256":"\#(digits)"}"#] {
                let body = #"{"pairing":"\#(pairing.id)","leaf":"\#(digits)","shown":\#(shown)}"#
                let answer = try await Self.ask(agent, "trust", body)
                #expect(answer.status == 409 && answer.text.contains("by another process"), "\(answer)")
            }
            #expect(try store.pairings() == before)
            let pinned = String(repeating: "01", count: 32)
            let shown = String(decoding: TrustReport(before[0].trust).json.encoded, as: UTF8.self)
            let body = #"{"pairing":"\#(pairing.id)","leaf":"\#(pinned)","shown":\#(shown)}"#
            #expect(try await Self.ask(agent, "trust", body).status == 200)
        }
    }

    /// A gateway without TLS is trusted at the address at which the user was shown it, while something answers there that
    /// claims to be it, and as far as its network allows that; its earlier places are trusted no more.
    @Test func aPlaceWithoutTLSIsTrustedAsItWasShown() async throws {
        try await withAgent { agent, store in
            let home = try #require(NetworkObservation.ownHost.homeNetwork)
            let elsewhere = HomeNetwork(prefix: home.prefix, prefixLength: 16, router: [], gateway: nil)
            try store.update(pairing.id) { $0.trust = .sameAddress(elsewhere) }
            func ask(_ extent: String, _ address: String) async throws -> Int {
                let body = #"{"pairing":"\#(pairing.id)","trust":"\#(extent)","address":"\#(address)"}"#
                return try await Self.ask(agent, "trust", body).status
            }
            let place = Endpoint(address: .v4(IPv4Address(bits: 127 << 24 | 1)), port: 3_000)
            #expect(try await ask("address", "\(place)") == 404)
            let identity = GatewayIdentity(dialect: .openClaw)
            await agent.constellation.apply([
                .endpointAdded(place, .local), .probed(place, .gateway(identity)), .liveness(place, .answering),
            ])
            #expect(try await ask("address", "127.0.0.1:3001") == 404)
            #expect(try await ask("tunnel", "\(place)") == 503)
            let before = try #require(try store.pairing(pairing.id))
            #expect(before.trust == .sameAddress(elsewhere))
            #expect(try await ask("lan", "\(place)") == 200)
            #expect(try store.pairing(pairing.id)?.trust == .lan(home))
            #expect(try await ask("address", "\(place)") == 200)
            let after = try #require(try store.pairing(pairing.id))
            #expect(after.trust == .sameAddress(home) && after.endpoints == [place])
        }
    }

    /// A gateway that was taken over from another program is asked who it is before it is trusted, even if its user has seen
    /// it, and nothing connects to it before.
    @Test func whatDoesNotSayWhoItIsIsTrustedByNoRequest() async throws {
        try await withAgent { agent, store in
            try store.update(pairing.id) {
                $0.trust = .awaited
                $0.remoteURL = "ws://127.0.0.1:1"
            }
            let before = try store.pairings()
            let place = #","trust":"address","address":"127.0.0.1:1""#
            let wrong = [("trust", #","leaf":"\#(digits)""#, 502), ("trust", place, 502), ("connect", "", 409)]
            for (name, more, status) in wrong {
                let answer = try await Self.ask(agent, name, #"{"pairing":"\#(pairing.id)"\#(more)}"#)
                #expect(answer.status == status, "\(answer)")
            }
            #expect(try store.pairings() == before)
        }
    }

    /// A decision that was not made says why by its status, and one that was made says what this device could not approve.
    @Test func aDecisionSaysWhyItWasNotMade() throws {
        let statuses: [(DecisionProblem.Code, Int)] = [
            (.notWaiting, 404), (.noAccounts, 409), (.beyondOurScopes, 409), (.contested, 409), (.notReached, 502),
            (.unknown, 504),
        ]
        let asked: JSONValue = .object(["requestId": "a", "scopes": .array(["operator.read", "operator.admin"])])
        let request = try #require(DeviceRequest(json: asked))
        for (code, status) in statuses {
            let problem = DecisionProblem(code: code, description: "")
            let error = RadarError(problem, .approved, about: request, at: pairing)
            #expect(APIProblem(error).status.code == status)
        }
        let unknown = DecisionProblem(CallProblem("the connection has ended", mayHaveArrived: true))
        let error = RadarError(unknown, .approved, about: request, at: pairing)
        #expect(error.description.contains("has not answered: the connection has ended."))
        var pairing = pairing
        pairing.credentials = [StoredCredential(bots: [bot], createdAt: 0, deviceID: "d")]
        pairing.credentials[0].scopes = ["operator.pairing", "operator.read"]
        #expect(pairing.scopesLacking(for: request) == ["operator.admin"])
        pairing.credentials[0].scopes = ["operator.admin"]
        #expect(pairing.scopesLacking(for: request).isEmpty)
        pairing.dialect = .clawline
        #expect(pairing.scopesLacking(for: request).isEmpty)
    }

    /// A dialect without requests is asked nothing, which is said.
    @Test func whatHasNoRequestsIsNotCalled() async throws {
        try await withAgent { agent, store in
            try store.update(pairing.id) { $0.dialect = .clawline }
            let answer = try await Self.ask(agent, "call", #"{"pairing":"\#(pairing.id)","method":"health"}"#)
            #expect(answer.status == 409 && answer.text.contains("clawline"), "\(answer)")
        }
    }

    /// That the store cannot be written is no fault of the gateway, which was not told anything.
    @Test func theStatusSaysWhoseFaultItIs() {
        let stored = StoreError(.readOnly, expected: "a store", found: "one that cannot be written")
        #expect(APIProblem(RadarError(PairingError(.notStored, "", storeError: stored))).status == .serviceUnavailable)
        #expect(APIProblem(RadarError(PairingError(.notStored, ""))).status == .notFound)
        #expect(APIProblem(RadarError(PairingError(.unknownBots, ""))).status == .conflict)
        #expect(APIProblem(RadarError(PairingError(.notReached, ""))).status == .badGateway)
    }
}
