import DNSSD
import GatewayProtocol
import Pairing
import TestSupport

/// A pairing as the store should contain it, with its secrets unencrypted.
struct ExpectedPairing: Hashable {
    var pairing: StoredPairing
    var secrets: [CredentialID: Secret]
    var reason: BinReason?
    var binnedAt: Int?
}

/// An operation on the store that a user or a gateway causes.
enum StoreOperation {
    case pair(StoredPairing, [CredentialID: Secret])
    case addCredential(StoredCredential, Secret, [StoredBot], PairingID)
    case replaceSecret(Secret, CredentialID, PairingID, at: Int)
    case update(PairingID, name: String, endpoints: [Endpoint])
    case unpair(PairingID, BinReason, at: Int)
    case restore(PairingID)
    case purge(before: Int)
}

/// The expected content of a store after a number of operations, all of which are derived from a seed.
struct StoreModel: Equatable {
    /// A text that every token contains; no file may contain it unencrypted.
    static let marker = "crash-token-"

    let seed: UInt64

    /// The number of operations that have been applied.
    private(set) var count = 0
    private(set) var pairings: [PairingID: ExpectedPairing] = [:]

    /// The pairings that a purge has found overdue, each with the time of that purge.
    private var overdue: [PairingID: Int] = [:]

    /// The time of the next operation, in milliseconds: one hour per operation.
    private var time: Int { count * 60 * 60 * 1_000 }

    init(seed: UInt64, operations: Int = 0) {
        self.seed = seed
        for _ in 0..<operations { apply(next()) }
    }

    /// Returns the next operation.
    func next() -> StoreOperation {
        // Each operation has a generator of its own, so that it depends only on the seed and its number.
        var generator = SeededGenerator(seed: seed &+ UInt64(count) &* 0x1_0000_0001)
        let live = pairings.values.filter { $0.binnedAt == nil }.map(\.pairing).sorted { $0.id < $1.id }
        let binned = pairings.values.filter { $0.binnedAt != nil }.map(\.pairing).sorted { $0.id < $1.id }
        let credentials = live.flatMap { pairing in pairing.credentials.map { (pairing, $0) } }
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<15:
            if let (pairing, credential) = credentials.randomElement(using: &generator) {
                return .replaceSecret(token(&generator), credential.id, pairing.id, at: count)
            }
        case 15..<30:
            if let pairing = live.randomElement(using: &generator) {
                return .update(pairing.id, name: "Renamed \(count)", endpoints: endpoints(&generator))
            }
        case 30..<40:
            if let pairing = live.randomElement(using: &generator), pairing.credentials.count < 6 {
                let bots = bots(&generator).filter { bot in !pairing.bots.contains { $0.id == bot.id } }
                return .addCredential(credential(bots, &generator), token(&generator), bots, pairing.id)
            }
        case 40..<65:
            if let pairing = live.randomElement(using: &generator) {
                let reasons: [BinReason] = [.unpaired(withdrawnThere: false), .revoked("token_revoked"), .forgotten]
                return .unpair(pairing.id, reasons.randomElement(using: &generator) ?? .forgotten, at: time)
            }
        case 65..<85:
            if let pairing = binned.randomElement(using: &generator) { return .restore(pairing.id) }
        case 85..<90:
            // A pairing that was binned more than 20 operations ago is overdue, and is deleted by a purge at least 24
            // operations after the one that found it overdue.
            return .purge(before: time - 20 * 60 * 60 * 1_000)
        default:
            break
        }
        return pair(&generator)
    }

    /// Applies an operation that the store has done.
    mutating func apply(_ operation: StoreOperation) {
        count += 1
        switch operation {
        case .pair(let pairing, let secrets):
            pairings[pairing.id] = ExpectedPairing(pairing: pairing, secrets: secrets)
        case .addCredential(let credential, let secret, let bots, let id):
            pairings[id]?.pairing.credentials.append(credential)
            pairings[id]?.pairing.bots += bots
            pairings[id]?.secrets[credential.id] = secret
        case .replaceSecret(let secret, let credential, let id, let time):
            pairings[id]?.secrets[credential] = secret
            guard let index = pairings[id]?.pairing.credentials.firstIndex(where: { $0.id == credential }) else {
                return
            }
            pairings[id]?.pairing.credentials[index].generation += 1
            pairings[id]?.pairing.credentials[index].createdAt = time
        case .update(let id, let name, let endpoints):
            pairings[id]?.pairing.name = name
            pairings[id]?.pairing.endpoints = endpoints
        case .unpair(let id, let reason, let time):
            pairings[id]?.reason = reason
            pairings[id]?.binnedAt = time
        case .restore(let id):
            pairings[id]?.reason = nil
            pairings[id]?.binnedAt = nil
            overdue[id] = nil
        case .purge(let time):
            let late = pairings.filter { ($0.value.binnedAt ?? time) < time }
            overdue = late.mapValues { _ in time }.merging(overdue.filter { late[$0.key] != nil }) { $1 }
            pairings = pairings.filter { time - (overdue[$0.key] ?? time) < BinnedPairing.purgeInterval }
        }
    }

    // MARK: Made-up values

    private func pair(_ generator: inout SeededGenerator) -> StoreOperation {
        let bots = bots(&generator)
        let credentials = [credential(bots, &generator), credential([], &generator)]
        var secrets: [CredentialID: Secret] = [:]
        for credential in credentials { secrets[credential.id] = token(&generator) }
        let pairing = StoredPairing(
            id: PairingID(using: &generator),
            gatewayID: "gateway-\(count)",
            name: "Gateway \(count)",
            dialect: .optaplus,
            trust: .certified(host: "gateway-\(count).example"),
            endpoints: endpoints(&generator),
            pairedAt: count,
            bots: bots,
            credentials: credentials
        )
        return .pair(pairing, secrets)
    }

    private func bots(_ generator: inout SeededGenerator) -> [StoredBot] {
        (0..<Int.random(in: 1...8, using: &generator)).compactMap { number in
            BotID("bot-\(count)-\(number)").map { StoredBot(id: $0, name: "Bot \(number)", emoji: "🤖") }
        }
    }

    private func credential(_ bots: [StoredBot], _ generator: inout SeededGenerator) -> StoredCredential {
        StoredCredential(
            id: CredentialID(using: &generator),
            bots: bots.map(\.id),
            createdAt: count,
            deviceID: "device",
            scopes: ["operator.read"]
        )
    }

    private func endpoints(_ generator: inout SeededGenerator) -> [Endpoint] {
        (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            let bits = UInt32.random(in: 0x0A00_0001...0x0AFF_FFFE, using: &generator)
            return Endpoint(address: .v4(IPv4Address(bits: bits)), port: 3000)
        }
    }

    private func token(_ generator: inout SeededGenerator) -> Secret {
        Secret(Self.marker + String(UInt64.random(in: .min ... .max, using: &generator), radix: 16))
    }
}
