import DNSSD
import Foundation
import GatewayProtocol
import Reports
import Testing

@testable import Agent
@testable import AgentAPI
@testable import Pairing

/// An agent with a store of its own, and without a network, which answers at a socket.
struct RadarStage: Sendable {
    let agent: Agent
    let store: PairingStore
    let client: AgentClient

    /// Runs a closure while the agent answers.
    static func with(_ body: @escaping @Sendable (RadarStage) async throws -> Void) async throws {
        let folder = "/tmp/clawradar-radar-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try #require(mkdir(folder, 0o700) == 0)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let location = StoreLocation(folder: "\(folder)/data", keyFile: "\(folder)/state/sealing.key")
        var configuration = AgentConfiguration(
            version: "1",
            environment: [:],
            store: { () throws(StoreError) in location }
        )
        configuration.place = AgentPlace(folder: folder)
        let agent = Agent(configuration)
        let client = AgentClient(socket: configuration.place.socket)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (states, state) = AsyncStream.makeStream(of: String?.self)
            group.addTask { try await agent.storePart.run(PartReporter { _ in }) }
            group.addTask { try await AgentServer(agent).part.run(PartReporter { state.yield($0) }) }
            for await trouble in states {
                try #require(trouble == nil)
                break
            }
            defer { group.cancelAll() }
            for await store in agent.storePart.stores {
                guard let store else { continue }
                try await body(RadarStage(agent: agent, store: store, client: client))
                break
            }
        }
    }

    /// Puts a pairing into the store as it is given, wherever it has gone.
    func reset(_ pairing: StoredPairing) throws {
        if try store.pairing(pairing.id) == nil {
            if try store.bin().contains(where: { $0.pairing.id == pairing.id }) {
                try store.restore(pairing.id)
            } else {
                try store.insert(pairing, secrets: [:])
            }
        }
        try store.update(pairing.id) { $0 = pairing }
        try store.updateDevice(name: "Host", emoji: .some(nil))
        for alias in try store.aliases() { try store.removeAlias(alias) }
    }
}

/// Questions to a carrier, one for each way in which an operation can end without a gateway.
enum CarriedOperation: String, CaseIterable, Sendable {
    case connect, connectAwaited, connectNothing, disconnect
    case archive, unarchive, archiveNothing
    case accent, accentOfNothing, noAccent, accentUnknown
    case forget, forgetNothing, restore, restoreNothing
    case unpair, unpairSome, unpairOther
    case trust, trustShown, trustContested, trustContestedAlike, trustUnseen, trustAwaited, trustCertified
    case trustUnseenAllTheSame, trustElsewhere, trustPlaceOfTLS, trustPlaceContested
    case approvals, approvalsOfNothing, approve, reject
    case diagnose, diagnoseNothing
    case device, rename, renameWithoutEmoji
    case alias, aliasOfNobody, removeAlias
    case mute, muteTooLong, unmute, mutes, history, historyOfOne
    case link, linkOfThisHostAlone, linkAwaited, linkNothing, linkWithoutOwner
    case call, callAwaited, callNothing

    /// Returns the pairing as it is before.
    func before(_ pairing: StoredPairing) -> StoredPairing {
        var pairing = pairing
        switch self {
        case .link, .linkWithoutOwner:
            pairing.endpoints = [Endpoint(address: .v4(IPv4Address(bits: 0xC0A8_013C)), port: 18_789)]
        case .connectAwaited, .trustAwaited, .callAwaited, .linkAwaited: pairing.trust = .awaited
        case .trustCertified: pairing.trust = .certified(host: "bot.example.org")
        case .unarchive: pairing.bots[0].isArchived = true
        case .noAccent: pairing.bots[0].accentColor = "#000000"
        default: break
        }
        return pairing
    }

    /// Asks a carrier about a pairing, and about what there is not.
    func ask(
        _ radar: any Radar,
        about pairing: StoredPairing,
        else nothing: CarriedNothing
    ) async throws(RadarError) -> any JSONReport {
        let id = pairing.id
        let bot = pairing.bots[0].id
        let otherwise = TrustReport(.certified(host: "bot.example.org"))
        return switch self {
        case .connect, .connectAwaited: try await radar.connect(id, true)
        case .connectNothing: try await radar.connect(nothing.pairing, true)
        case .disconnect: try await radar.connect(id, false)
        case .archive: try await radar.archive(bot, of: id, true)
        case .unarchive: try await radar.archive(bot, of: id, false)
        case .archiveNothing: try await radar.archive(nothing.bot, of: id, true)
        case .accent: try await radar.accent(bot, of: id, "FF8800")
        case .accentOfNothing: try await radar.accent(nothing.bot, of: id, "#ff8800")
        case .noAccent: try await radar.accent(bot, of: id, nil)
        case .accentUnknown: try await radar.accent(bot, of: id, "orange")
        case .forget: try await radar.forget(id)
        case .forgetNothing: try await radar.forget(nothing.pairing)
        case .restore: try await radar.restore(id)
        case .restoreNothing: try await radar.restore(nothing.pairing)
        case .unpair: try await radar.unpair(id, bots: .all, seenIn: [])
        case .unpairSome: try await radar.unpair(id, bots: .some([bot]), seenIn: [])
        case .unpairOther: try await radar.unpair(id, bots: .some([nothing.bot]), seenIn: [])
        case .trust: try await radar.trust(.leaf(nothing.pinned), in: id, shown: nil)
        case .trustShown: try await radar.trust(.leaf(nothing.pinned), in: id, shown: TrustReport(pairing.trust))
        case .trustContested:
            try await radar.trust(.leaf(nothing.leaf), in: id, shown: otherwise)
        case .trustContestedAlike:
            try await radar.trust(.leaf(nothing.pinned), in: id, shown: otherwise)
        case .trustUnseen, .trustAwaited, .trustCertified:
            try await radar.trust(.leaf(nothing.leaf), in: id, shown: nil)
        case .trustUnseenAllTheSame: try await radar.trust(.leaf(nothing.leaf, unseen: true), in: id, shown: nil)
        case .trustElsewhere:
            try await radar.trust(.leaf(nothing.leaf, at: pairing.endpoints[0], unseen: true), in: id, shown: nil)
        case .trustPlaceOfTLS:
            try await radar.trust(.place(.address, "127.0.0.1:1"), in: id, shown: nil)
        case .trustPlaceContested:
            try await radar.trust(.place(.address, "127.0.0.1"), in: id, shown: TrustReport(.pinned(nothing.leaf)))
        case .approvals: try await radar.approvals(at: nil, within: .seconds(5))
        case .approvalsOfNothing: try await radar.approvals(at: nothing.pairing, within: .seconds(5))
        case .approve: try await radar.decide(nothing.request, .approved, to: nil, at: id, within: .seconds(5))
        case .reject: try await radar.decide(nothing.request, .rejected, to: nil, at: nil, within: .seconds(5))
        case .diagnose: try await radar.diagnose("\(id)", typed: "ho", within: .milliseconds(200))
        case .diagnoseNothing: try await radar.diagnose("\(nothing.pairing)", typed: nil, within: .milliseconds(200))
        case .device: try await radar.device(name: nil, emoji: nil)
        case .rename: try await radar.device(name: "Studio", emoji: "🎧")
        case .renameWithoutEmoji: try await radar.device(name: nil, emoji: .some(nil))
        case .alias: try await radar.alias(GatewayAlias(pairing, name: "Attic"))
        case .call, .callAwaited:
            try await radar.call("health", .object(["limit": 5]), at: id, within: .seconds(5))
        case .callNothing: try await radar.call("health", .object([:]), at: nothing.pairing, within: .seconds(5))
        case .mute: try await radar.mute("\(id)", for: 3_600_000)
        case .muteTooLong: try await radar.mute("\(id)", for: 91 * 86_400_000)
        case .unmute: try await radar.mute("\(id)", for: nil)
        case .mutes: try await radar.mutes()
        case .history: try await radar.history(since: .now, of: nil)
        case .historyOfOne: try await radar.history(since: .now, of: "fp:a&b=%")
        case .link, .linkOfThisHostAlone, .linkAwaited: try await radar.link(to: id, opening: .limited)
        case .linkNothing: try await radar.link(to: nothing.pairing, opening: .limited)
        case .linkWithoutOwner: try await radar.link(to: id, opening: .full)
        case .removeAlias: try await radar.removeAlias(nothing.alias)
        case .aliasOfNobody: try await radar.alias(nothing.alias)
        }
    }
}

/// Identifiers of nothing, and a pairing that there is.
struct CarriedNothing: Sendable {
    let pairing: PairingID
    let bot: BotID
    let leaf: LeafFingerprint
    let request: RequestName

    /// The alias of a gateway that no agent has found, without certificate and fingerprint.
    let alias: GatewayAlias

    /// A pairing with a gateway at whose place nobody answers, and the certificate by which it is known.
    let present: StoredPairing
    let pinned: LeafFingerprint

    init() throws {
        pairing = try #require(PairingID(String(repeating: "f", count: 32)))
        bot = try #require(BotID("other"))
        leaf = try #require(LeafFingerprint(bytes: Array(repeating: 2, count: 32)))
        request = try #require(RequestName("0f3c8a52"))
        pinned = try #require(LeafFingerprint(bytes: Array(repeating: 1, count: 32)))
        alias = GatewayAlias(gatewayID: "endpoint:192.0.2.9:9", fingerprint: nil, leaf: nil, name: "Attic")
        present = StoredPairing(
            gatewayID: "endpoint:127.0.0.1:1",
            name: "Home \u{202E}“Gateway”",
            dialect: .openClaw,
            trust: .pinned(pinned),
            endpoints: [Endpoint(address: try #require(IPAddress("127.0.0.1", interfaces: [])), port: 1)],
            pairedAt: 0,
            bots: [StoredBot(id: try #require(BotID("b1")), name: "Jarvis", emoji: "🤖")]
        )
    }
}
