import DNSSD
import Foundation
import GatewayClient
import GatewayProtocol
import Logging
import Reports
import Scanning
import Synchronization
import Testing

@testable import Agent
@testable import Commands
@testable import Console
@testable import Pairing
@testable import ReferenceGateway

/// An admin decides about devices that wait at a reference gateway, which is as strict as released ones.
@Suite(.timeLimit(.minutes(1))) struct ApprovalDeskTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// The time that the gateway has to answer.
    private static let limit = Duration.seconds(20)

    /// A gateway, and the device that is an admin there.
    private struct Office: Sendable {
        let server: GatewayServer
        let folder: URL
        let sessions: MomentarySessions

        var pairing: StoredPairing { sessions.pairings[0] }

        /// Opens the store of another device.
        func store(_ name: String) throws -> PairingStore { try ApprovalDeskTests.store(name, in: folder) }

        /// Decides about a device that waits.
        func decide(
            _ name: RequestName,
            _ decision: DeviceDecision,
            to account: ClawlineAccount? = nil
        ) async throws -> DecisionReport {
            try await sessions.run {
                try await $0.decide(name, decision, to: account, at: nil, within: ApprovalDeskTests.limit)
            }
        }

        /// The identifiers of the requests that wait at the gateway.
        var waiting: [String] {
            get async {
                let request = GatewayRequest(id: "1", method: "devices", params: .object([:]))
                guard case .success(let payload) = await server.operate(request)?.outcome else { return [] }
                return payload?["pending"]?.array?.compactMap { $0["requestId"]?.string } ?? []
            }
        }
    }

    private static func store(_ name: String, in folder: URL) throws -> PairingStore {
        let root = folder.appending(path: name)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        return try PairingStore(StoreLocation(folder: "\(root.path)/data", keyFile: "\(root.path)/state/sealing.key"))
    }

    /// Pairs a device, which waits until it is approved, however that happens.
    ///
    /// - Parameter asked: Is called with the identifier of the request each time the device has asked.
    @discardableResult
    private static func pair(
        _ store: PairingStore,
        with server: GatewayServer,
        as rights: DeviceRights,
        asked: @escaping @Sendable (String) async -> Void
    ) async throws -> StoredPairing {
        let coordinator = PairingCoordinator(
            store: store,
            constellation: Constellation(),
            configuration: PairingConfiguration(
                version: "1",
                approvalPace: ApprovalPace(first: .milliseconds(1) ... .milliseconds(2))
            )
        )
        var target = PairingTarget(place: .endpoints([server.endpoint]))
        target.rights = rights
        let id = try await coordinator.pair(target) { state in
            switch state {
            case .confirming: return .confirm(PairingConsent())
            case .secretNeeded: return .secret(SecretAnswer(.sharedToken, Secret("shared-token")))
            case .approvalNeeded(let approval):
                await asked(approval.requestID ?? "")
                return nil
            default: return nil
            }
        }
        return try #require(try store.pairing(id))
    }

    /// Runs a gateway, and a device that its operator has made an admin, while a closure runs.
    private func with(
        _ rights: DeviceRights = .admin,
        era: OpenClawEra = .july2026,
        scopes: [String]? = nil,
        _ body: @escaping @Sendable (Office) async throws -> Void
    ) async throws {
        let certificate = try GatewayCertificate.make(commonName: "clawradar")
        let bot = BotDescription(id: try #require(BotID("bot-1")), name: "Jarvis")
        var state = GatewayState(
            fingerprint: try #require(GatewayFingerprint(certificate.fingerprint.description)),
            name: "Home",
            bots: [bot]
        )
        state.openClaw.settings = OpenClawSettings(authentication: .token(Secret("shared-token")))
        state.openClaw.settings.era = era
        let configuration = GatewayServerConfiguration(
            endpoint: Endpoint(address: try #require(IPAddress("127.0.0.1")), port: 0),
            dialect: .openClaw,
            certificate: certificate
        )
        let folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-desk-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await GatewayServer.withServer(state, configuration, logger: Self.logger) { server in
            let store = try Self.store("admin", in: folder)
            let pairing = try await Self.pair(store, with: server, as: rights) { id in
                let params: JSONValue = .object(["id": .string(id)])
                _ = await server.operate(GatewayRequest(id: "1", method: "approve", params: params))
            }
            #expect(pairing.credentials.map(\.scopes) == [["operator.admin", "operator.read"]])
            if let scopes {
                // Its operator has taken back a part of what was granted.
                let device = store.deviceDescription.openClawID
                let made = Mutex<Secret?>(nil)
                await server.change { state in
                    var generator = SystemRandomNumberGenerator()
                    let grant = state.openClaw.devices
                        .rotate(device, role: "operator", scopes: scopes, at: 0, using: &generator)
                    made.withLock { $0 = grant?.token?.secret }
                }
                _ = try store.replaceSecret(
                    try #require(made.withLock { $0 }),
                    of: pairing.credentials[0].id,
                    in: pairing.id,
                    scopes: scopes,
                    at: 0
                )
            }
            let stored = try #require(try store.pairing(pairing.id))
            let sessions = MomentarySessions(store: store, pairings: [stored])
            try await body(Office(server: server, folder: folder, sessions: sessions))
        }
    }

    /// A device that waits is listed, approved by the beginning of its identifier, and then connects, even while another
    /// process of the admin, such as the agent, has the session; whichever scope a release wants for that.
    @Test(arguments: [OpenClawEra.april2026, .july2026, .august2026])
    func aDeviceThatWaitsIsApprovedFromAnotherDevice(era: OpenClawEra) async throws {
        try await with(era: era) { office in
            let lock = try office.sessions.store.lock(office.pairing.credentials[0].id)
            defer { lock.release() }
            let newcomer = try office.store("newcomer")
            let (requests, request) = AsyncStream.makeStream(of: String.self)
            try await withThrowingTaskGroup(of: StoredPairing.self) { group in
                group.addTask {
                    try await Self.pair(newcomer, with: office.server, as: .member) { request.yield($0) }
                }
                var asked = requests.makeAsyncIterator()
                let id = try #require(await asked.next())
                let answers = try await office.sessions
                    .run { try await $0.approvals(at: nil, within: Self.limit) }.answers
                #expect(answers.compactMap(\.trouble) == [])
                let listed = try #require(answers.first?.requests.first?.request)
                #expect(answers.flatMap(\.requests).count == 1)
                #expect(listed.id == id && listed.name == newcomer.device.name)
                #expect(listed.roles == ["operator"] && listed.scopes == ["operator.read"])
                let name = try #require(RequestName(String(id.prefix(8))))
                let decided = try await office.decide(name, .approved)
                #expect(decided.report.request == listed && decided.report.pairing == "\(office.pairing.id)")
                let pairing = try #require(try await group.next())
                #expect(pairing.credentials.map(\.scopes) == [["operator.read"]])
                // The same request cannot be decided twice.
                let failure = await #expect(throws: RadarError.self) { try await office.decide(name, .approved) }
                #expect(failure?.code == .notFound && failure?.description.contains("no device waits as") == true)
            }
        }
    }

    /// Any request is answered, and a refusal keeps the code of the gateway.
    @Test func aRequestIsAnsweredAsTheGatewayAnswersIt() async throws {
        try await with { office in
            @Sendable func ask(_ method: String) async throws -> CallReport {
                try await office.sessions.run {
                    try await $0.call(method, .object([:]), at: office.pairing.id, within: Self.limit)
                }
            }
            #expect(try await ask("device.pair.list").outcome.get()?["pending"]?.array != nil)
            guard case .failure(let failure) = try await ask("no.such.method").outcome else {
                Issue.record("it was answered")
                return
            }
            #expect(!failure.code.isEmpty)
        }
    }

    /// A request that goes beyond the admin's own scopes is not approved, which is said before anything is sent, with
    /// the reason and who can approve it; it can be rejected. Its scopes are from when less was asked for.
    @Test func anApprovalBeyondOurScopesIsRefusedHere() async throws {
        try await with(era: .april2026, scopes: ["operator.read", "operator.pairing"]) { office in
            let other = try office.store("other").deviceDescription
            let request = SessionRequest(
                dialect: .openClaw,
                device: other,
                credential: .sharedToken(Secret("shared-token")),
                scopes: ["operator.read", "operator.write"],
                time: 0,
                gate: { _, _ in }
            )
            let refusal = await #expect(throws: SessionRefusal.self) {
                try await GatewayConversation.withSession(
                    request,
                    to: [office.server.endpoint],
                    transport: .tls(pin: nil)
                ) { _, _ in }
            }
            let id = try #require(refusal?.requestID)
            let name = try #require(RequestName(id))
            let failure = await #expect(throws: RadarError.self) { try await office.decide(name, .approved) }
            #expect(failure?.code == .conflict)
            let reason = "needs the approval of a device with operator.write at \(office.pairing.label), which"
            #expect(failure?.description.contains(reason) == true)
            #expect(failure?.description.hasSuffix("openclaw devices approve \(id)") == true)
            #expect(await office.waiting == [id])
            // Its devices belong to no accounts.
            var generator = SystemRandomNumberGenerator()
            let account = ClawlineAccount(using: &generator)
            let mistake = await #expect(throws: RadarError.self) {
                try await office.decide(name, .rejected, to: account)
            }
            #expect(mistake?.code == .inapplicable && mistake?.description.hasSuffix("leave --user out.") == true)
            let decided = try await office.decide(name, .rejected)
            #expect(decided.decision == .rejected && decided.report.request.id == id)
            #expect(await office.waiting.isEmpty)
        }
    }

    /// An owner gets setup codes, with which another device asks to be paired.
    @Test(arguments: [MadeSetupCode.Access.limited, .full]) func anOwnerMakesSetupCodes(
        access: MadeSetupCode.Access
    ) async throws {
        try await with(.owner) { office in
            let url = "wss://\(office.server.endpoint)"
            let store = office.sessions.store
            // To where only this host reaches it there is no link.
            try store.update(office.pairing.id) { $0.remoteURL = url }
            let codes = SetupCodes(store: store, pairing: try #require(try store.pairing(office.pairing.id)))
            let (link, known) = try await codes.link(opening: access)
            let before = try #require(known)
            let text = try #require(link.code?.setupCode, "\(link.trouble ?? "")")
            #expect(link.code?.access == access && link.link == "oc-pair://\(text)")
            let code = try SetupCode(parsing: Secret(text))
            #expect(code.urls.map(\.description) == [try #require(GatewayURL(url)).description])
            let request = SessionRequest(
                dialect: .openClaw,
                device: try office.store("other").deviceDescription,
                credential: .bootstrapToken(code.bootstrapToken),
                scopes: ["operator.read"],
                time: 0,
                gate: { _, _ in }
            )
            let refusal = await #expect(throws: SessionRefusal.self) {
                try await GatewayConversation.withSession(
                    request,
                    to: [office.server.endpoint],
                    transport: .tls(pin: nil)
                ) { _, _ in }
            }
            #expect(await office.waiting == [refusal?.requestID])
            // Whoever has made the code is told that a device has come, and how it is approved.
            let expiry = Timestamp(milliseconds: Timestamp.now.milliseconds + 20_000)
            let use = await codes.newcomer(since: before, until: expiry)
            let device = try office.store("other").deviceDescription
            guard case .came(let found) = use else {
                Issue.record("\(use)")
                return
            }
            #expect(found.id == device.openClawID && found.requestID == refusal?.requestID)
            let told = use.text(until: expiry, isAdmin: true)
            #expect(told.contains("(device \(found.id.prefix(8)))"), "\(told)")
            #expect(told.hasSuffix("waits for an approval: clawradar approve \(refusal?.requestID ?? "-")"), "\(told)")
            // A device that was there before is none that has come.
            let late = await codes.newcomer(
                since: try #require(try await codes.link(opening: access).before),
                until: Timestamp(milliseconds: Timestamp.now.milliseconds - 1_500)
            )
            #expect(late == .expired)
        }
    }

    /// The code is a secret from the moment at which it is read.
    @Test func aCodeIsReadAsASecret() throws {
        let bytes = Array(#"{"setupCode":"abc","access":"limited"}"#.utf8)
        let answer = try JSONValue(parsing: bytes, limits: JSONLimits(hidesSecrets: true))
        #expect(answer["setupCode"] == .secret(Secret("abc")) && !"\(answer)".contains("abc"))
    }

    /// A code that opens more than was asked for is not passed on.
    @Test func aCodeOpensNoMoreThanWasAskedFor() throws {
        let code = Base64.url.encode(Array(#"{"url":"wss://192.0.2.1:1","bootstrapToken":"abc"}"#.utf8))
        func made(_ access: String, _ wanted: MadeSetupCode.Access) throws -> MadeSetupCode.Access {
            let answer: JSONValue = .object(["setupCode": .string(code), "access": .string(access)])
            return try MadeSetupCode(answer, wanted: wanted).access
        }
        #expect(try made("full", .full) == .full && made("limited", .full) == .limited)
        #expect(try made("limited", .limited) == .limited)
        for (access, wanted) in [
            ("full", MadeSetupCode.Access.limited), ("node", .limited), ("node", .full), ("", .full),
        ] {
            #expect(throws: CallProblem.self) { try made(access, wanted) }
        }
        #expect(throws: CallProblem.self) {
            try MadeSetupCode(.object(["setupCode": "?", "access": "limited"]), wanted: .limited)
        }
    }

    /// Both lists are asked for at once, and that of the nodes, which some gateways do not answer, has a short time of its own:
    /// one after the other they took twice the time that was given.
    @Test(arguments: [(6.0, 2.0), (0.5, 0.5)]) func bothListsTakeTheTimeOfOne(time: Double, nodes: Double) async throws
    {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let lists = try await GatewayDesk.lists(within: .seconds(time)) { method, limit in
            guard method == "device.pair.list" else {
                #expect(method == "node.pair.list" && limit == .seconds(nodes))
                ask.yield()
                throw GatewayConnectionError(.timedOut, "expected an answer, found none")
            }
            #expect(limit == .seconds(time))
            // It is answered only once the other one was asked.
            for await _ in asked { break }
            return GatewayResponse(id: "1", outcome: .success(.object(["pending": .array([])])))
        }
        #expect(lists.devices?["pending"] == .array([]) && lists.nodes == nil)
    }

    /// What has no time left is not asked, and says so, instead of that it may have been done.
    @Test func withoutTimeNothingIsAsked() async throws {
        let trouble = await #expect(throws: CallProblem.self) {
            _ = try await GatewayDesk.lists(within: .zero) { _, _ in throw CancellationError() }
        }
        #expect(trouble?.mayHaveArrived == false && trouble?.description.contains("nothing was asked") == true)
    }

    /// A gateway that does not answer is reported with the reason, and one that was disconnected is left alone.
    @Test func whatCannotBeAskedIsSaid() async throws {
        try await with { office in
            let pairing = office.pairing
            try office.sessions.store.update(pairing.id) { $0.connectsAutomatically = false }
            let report = try await office.sessions.run { try await $0.approvals(at: nil, within: Self.limit) }
            let trouble = report.answers.first?.trouble
            #expect(trouble?.contains("clawradar connect \(pairing.shortID)") == true)
            #expect(try ApprovalsReport(report.json) == report)
        }
    }
}

extension PairingStore {
    /// The description of this device for gateways.
    fileprivate var deviceDescription: DeviceDescription {
        let device = device
        return DeviceDescription(
            id: device.id,
            name: device.name,
            platform: device.platform,
            version: CommandLineTool.version,
            publicKey: device.publicKey,
            sign: { try device.signature(of: $0) }
        )
    }
}
