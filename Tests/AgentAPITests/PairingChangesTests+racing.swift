import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Agent
@testable import AgentAPI
@testable import Pairing

/// Changes that a command, which opens the store by itself, and a request to the agent make at the same time.
extension PairingChangesTests {
    /// Of two decisions about one gateway that a command and a request make at once, each with the same trust before its eyes,
    /// the later one overwrites nothing, and says so.
    @Test func noDecisionAboutTrustIsOverwritten() async throws {
        try await withAgent { agent, store in
            let verb = InProcessRadar(try PairingStore(store.location), version: "1")
            for round in 0..<TestCases.count(1_000) {
                let seen = try #require(try store.pairing(pairing.id))
                let changes = try (1...2).map { side in
                    let bytes = [UInt8(side), UInt8(round >> 8), UInt8(round & 0xFF)] + Array(repeating: 0, count: 29)
                    return TrustChange(policy: .pinned(try #require(LeafFingerprint(bytes: bytes))))
                }
                async let ofRequest = Self.isAccepted(changes[0], for: seen, by: agent.radar)
                async let ofCommand = Self.isAccepted(changes[1], for: seen, by: verb)
                let made = try await [ofRequest, ofCommand]
                let stored = try #require(try store.pairing(pairing.id)).trust
                try #require(made == [true, false] || made == [false, true], "\(round): \(made)")
                try #require(stored == changes[made[0] ? 0 : 1].policy, "\(round): overwritten")
            }
        }
    }

    private static func isAccepted(
        _ change: TrustChange,
        for seen: StoredPairing,
        by radar: InProcessRadar
    ) async throws -> Bool {
        try await Self.isDone(unless: .contested) { _ = try await radar.accept(change, for: seen) }
    }

    /// Of a command and a request that end one pairing at once, at least one ends it, the other may find it ended, and it lies
    /// in the bin once.
    @Test func aPairingEndsOnceWhoeverEndsIt() async throws {
        try await withAgent { agent, store in
            let address = try #require(IPAddress("127.0.0.1", interfaces: []))
            try store.update(pairing.id) { $0.endpoints = [Endpoint(address: address, port: 1)] }
            let verb = InProcessRadar(try PairingStore(store.location), version: "1")
            for round in 0..<TestCases.count(1_000) {
                async let ofRequest = Self.isEnded(pairing.id, by: agent.radar)
                async let ofCommand = Self.isEnded(pairing.id, by: verb)
                let made = try await [ofRequest, ofCommand]
                try #require(made.contains(true), "\(round): \(made)")
                try #require(try store.pairing(pairing.id) == nil, "\(round)")
                try #require(try store.bin().count { $0.pairing.id == pairing.id } == 1, "\(round)")
                _ = try await verb.restore(pairing.id)
                try #require(try store.pairing(pairing.id)?.bots == pairing.bots, "\(round)")
            }
        }
    }

    /// Indicates whether a pairing was there to be ended.
    private static func isEnded(_ pairing: PairingID, by radar: InProcessRadar) async throws -> Bool {
        try await Self.isDone(unless: .notFound) { _ = try await radar.unpair(pairing, bots: .all, seenIn: []) }
    }

    /// Does something as often as the store is taken for longer than anybody waits for it: until a disk has written what the
    /// other one does, which takes a slow one a second.
    private static func isDone(unless code: RadarError.Code, _ body: () async throws -> Void) async throws -> Bool {
        while true {
            do {
                try await body()
                return true
            } catch let error as RadarError where error.code == code {
                return false
            } catch let error as RadarError where error.code == .unavailable {
                try Task.checkCancellation()
            }
        }
    }
}
