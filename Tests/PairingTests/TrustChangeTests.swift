import Foundation
import GatewayProtocol
import Testing

@testable import Pairing

/// The one write by which the trust in a paired gateway is changed, whoever asks for that.
@Suite struct TrustChangeTests {
    /// Runs a closure with a store that has a pairing with a pinned certificate.
    private func with(_ body: (PairingStore, StoredPairing) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "clawradar-trust-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let location = StoreLocation(folder: "\(root.path)/data", keyFile: "\(root.path)/state/sealing.key")
        let pairing = PairingSamples.pairing(try pinned(1))
        let store = try PairingStore(location)
        try store.insert(pairing, secrets: [:])
        try body(store, pairing)
    }

    private func pinned(_ byte: UInt8) throws -> TrustPolicy { .pinned(try PairingSamples.leaf(byte)) }

    /// A decision that somebody else has made since the user was asked stays, and the caller is told.
    @Test func aDecisionMadeMeanwhileStays() throws {
        try with { store, shown in
            #expect(try store.accept(TrustChange(policy: try pinned(2)), for: shown))
            var late = TrustChange(policy: try pinned(3), endpoint: PairingSamples.endpoint(named: "other"))
            late.fingerprint = GatewayFingerprint("other")
            let before = try store.pairing(shown.id)
            #expect(try store.accept(late, for: shown) == false)
            #expect(try store.pairing(shown.id) == before && before?.trust == (try pinned(2)))
        }
    }

    /// Who decides as somebody else has decided meanwhile is right.
    @Test func theSameDecisionIsNoConflict() throws {
        try with { store, shown in
            let change = TrustChange(policy: try pinned(2))
            #expect(try store.accept(change, for: shown))
            #expect(try store.accept(change, for: shown))
            #expect(try store.pairing(shown.id)?.trust == change.policy)
        }
    }

    /// A pairing that was ended meanwhile is not trusted: that is an error of the store.
    @Test func whatWasEndedIsNotTrusted() throws {
        try with { store, shown in
            try store.moveToBin(shown.id, reason: .forgotten, at: 1)
            let change = TrustChange(policy: try pinned(2))
            let error = #expect(throws: StoreError.self) { try store.accept(change, for: shown) }
            #expect(error?.code == .notFound)
        }
    }

    /// A new certificate brings the fingerprint that is told with it, and its place only where that shows it.
    @Test func aCertificateBringsItsFingerprintAndPlace() throws {
        let (leaf, told) = (try PairingSamples.leaf(2), GatewayFingerprint("told"))
        let place = PairingSamples.endpoint
        let shown = ShownCertificates(
            pairing: PairingSamples.pairing(try pinned(1)),
            places: [place],
            answers: [ShownCertificates.Answer(place: place, leaf: leaf, isGateway: true, fingerprint: told)],
            others: []
        )
        let change = shown.change(to: leaf, at: place)
        #expect(change.fingerprint == told && change.isRenewed && change.place == place && change.endpoint == nil)
        #expect(shown.change(to: leaf).place == nil)
        #expect(shown.change(to: try PairingSamples.leaf(3), at: place) == TrustChange(policy: try pinned(3)))
    }
}
