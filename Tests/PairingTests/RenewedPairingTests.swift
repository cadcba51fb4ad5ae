import DNSSD
import Foundation
import GatewayProtocol
import Logging
import PairingStore
import ReferenceGateway
import Synchronization
import Testing

@testable import Pairing

/// Pairing anew with a gateway that was unpaired while it was away.
extension PairingCoordinatorTests {
    private func pairAgain(_ house: House, _ bots: BotSelection = .all) async throws -> PairingID {
        try await house.coordinator.pair(house.target) {
            $0.isQuestion ? .confirm(PairingConsent(bots: bots)) : nil
        }
    }

    private var unpairedOffline: BinReason { .unpaired(withdrawnThere: false) }

    /// The gateway ended the old tokens when it gave the new ones; to withdraw the old ones would end the new.
    @Test func aLateWithdrawalLeavesTheNewPairing() async throws {
        try await with { house in
            let old = try await self.pairAgain(house)
            try house.store.moveToBin(old, reason: self.unpairedOffline, at: 1)
            let item = try #require(try house.store.bin().first)
            let new = try await self.pairAgain(house)
            #expect(new != old)
            #expect(try house.store.bin().map(\.reason) == [.unpaired(withdrawnThere: true)], "settled as it is stored")
            #expect(try await house.coordinator.withdraw(item) == .withdrawn)
            #expect(await house.server.state.pairings.count == 2)
            #expect(try house.store.pairings().map(\.id) == [new])
        }
    }

    @Test func aLateWithdrawalOfOneBotLeavesTheNewCredential() async throws {
        try await with { house in
            let id = try await self.pairAgain(house)
            let second = try #require(try house.store.pairing(id)?.credentials.last)
            try house.store.moveToBin(second.id, of: id, reason: self.unpairedOffline, at: 1)
            let item = try #require(try house.store.bin().first)
            #expect(try await self.pairAgain(house, .some(second.bots)) == id)
            #expect(try house.store.bin().map(\.reason) == [.unpaired(withdrawnThere: true)])
            #expect(try await house.coordinator.withdraw(item) == .withdrawn)
            #expect(await house.server.state.pairings.count == 2)
            #expect(try house.store.pairing(id)?.bots.count == 2)
        }
    }

    /// What was not paired again is still withdrawn, and nothing beside it.
    @Test func aLateWithdrawalEndsTheRest() async throws {
        try await with { house in
            let old = try await self.pairAgain(house)
            let bots = try #require(try house.store.pairing(old)?.bots.map(\.id))
            try house.store.moveToBin(old, reason: self.unpairedOffline, at: 1)
            let item = try #require(try house.store.bin().first)
            _ = try await self.pairAgain(house, .some([bots[0]]))
            #expect(try house.store.bin().map(\.reason) == [self.unpairedOffline])
            #expect(try await house.coordinator.withdraw(item) == .withdrawn)
            #expect(await house.server.state.pairings.map(\.botID) == [bots[0]])
            #expect(try house.store.bin().map(\.reason) == [.unpaired(withdrawnThere: true)])
        }
    }

    /// Another process took it out of the bin meanwhile: it is not put back.
    @Test func whatWasRestoredIsNotWithdrawn() async throws {
        try await with { house in
            let id = try await self.pairAgain(house)
            try house.store.moveToBin(id, reason: self.unpairedOffline, at: 1)
            let item = try #require(try house.store.bin().first)
            try house.store.restore(id)
            _ = try await house.coordinator.withdraw(item)
            #expect(await house.server.state.pairings.count == 2)
            #expect(try house.store.pairings().map(\.id) == [id])
        }
    }

    /// The certificate proves it there, and at the address that it had there may be another one.
    @Test func aGatewayThatHasMovedIsToldWhereItIs() async throws {
        try await with { house in
            let id = try await self.pairAgain(house)
            let gone = Endpoint(address: house.server.endpoint.address, port: 1)
            try house.store.update(id) { $0.endpoints = [gone] }
            try house.store.moveToBin(id, reason: self.unpairedOffline, at: 1)
            let item = try #require(try house.store.bin().first)
            guard case .onlyHere = try await house.coordinator.withdraw(item) else {
                Issue.record("nobody listens there")
                return
            }
            #expect(try await house.coordinator.withdraw(item, at: [house.server.endpoint]) == .withdrawn)
            #expect(await house.server.state.pairings.isEmpty)
        }
    }

    /// Its answer is on the way, and nobody would know of the tokens in it.
    @Test func whatIsGrantedAfterItWasGivenUpIsGivenBack() async throws {
        let pairing = Mutex<Task<PairingID, any Error>?>(nil)
        let hears = HearingLogHandler { text in
            if text.contains("paired device") { pairing.withLock { $0?.cancel() } }
        }
        try await with(logger: Logger(label: "test") { _ in hears }) { house in
            let (start, begin) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for await _ in start {}
                return try await self.pairAgain(house)
            }
            pairing.withLock { $0 = task }
            begin.finish()
            let error = await #expect(throws: PairingError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(await house.server.state.pairings.isEmpty)
            let kept = try house.store.pairings()
            #expect(kept.isEmpty)
        }
    }

    /// It could not be stored, which is not to be given up but told; the gateway has its tokens back.
    @Test(.timeLimit(.minutes(1)))
    func whatCannotBeStoredIsGivenBackAlsoWhenItIsCancelled() async throws {
        try await with { house in
            let task = Mutex<Task<PairingID, any Error>?>(nil)
            let (start, begin) = AsyncStream.makeStream(of: Void.self)
            let pairing = Task {
                for await _ in start {}
                return try await house.coordinator.pair(house.target) { state in
                    guard state == .storing else { return state.isQuestion ? .confirm(PairingConsent()) : nil }
                    try? FileManager.default.moveItem(
                        atPath: house.location.database,
                        toPath: house.location.database + ".moved"
                    )
                    task.withLock { $0?.cancel() }
                    return nil
                }
            }
            task.withLock { $0 = pairing }
            begin.finish()
            let error = await #expect(throws: PairingError.self) { try await pairing.value }
            #expect(error?.code == .notStored)
            #expect(await house.server.state.pairings.isEmpty)
        }
    }

    /// Its tokens ended when the gateway gave those of the later one.
    @Test func whatWasRestoredBesideALaterPairingEndsAlone() async throws {
        try await with { house in
            let old = try await self.pairAgain(house)
            try house.store.moveToBin(old, reason: self.unpairedOffline, at: 1)
            let new = try await self.pairAgain(house)
            try house.store.restore(old)
            #expect(try await house.coordinator.unpair(old) == .withdrawn)
            #expect(await house.server.state.pairings.count == 2)
            #expect(try house.store.pairings().map(\.id) == [new])
            try house.store.restore(old)
            #expect(try await house.coordinator.unpair(new) == .withdrawn)
            #expect(await house.server.state.pairings.isEmpty, "the later one is told whatever was restored")
        }
    }

    /// Whoever has its address now knows nothing of it; to tell it there would end the pairing with that one.
    @Test func anotherGatewayAtItsAddressIsNotToldForIt() async throws {
        try await with(tls: false) { house in
            let consent = PairingConsent(plainTrust: .address)
            let old = try await house.coordinator.pair(house.target) { $0.isQuestion ? .confirm(consent) : nil }
            try house.store.update(old) { $0.fingerprint = GatewayFingerprint("another") }
            try house.store.moveToBin(old, reason: self.unpairedOffline, at: 1)
            let new = try await house.coordinator.pair(house.target) { $0.isQuestion ? .confirm(consent) : nil }
            #expect(new != old)
            let item = try #require(try house.store.bin().first)
            #expect(item.reason == self.unpairedOffline, "not told")
            guard case .onlyHere = try await house.coordinator.withdraw(item) else {
                Issue.record("whoever is there now was told")
                return
            }
            #expect(await house.server.state.pairings.count == 2)
            #expect(try house.store.bin().map(\.reason) == [self.unpairedOffline])
        }
    }

    /// A link can name any address for outside of this network, and tokens would go there.
    @Test func theAddressOutsideIsShownBeforeItIsKept() async throws {
        try await with { house in
            let port = house.server.endpoint.port
            let text = "optaplus://pair?host=127.0.0.1&port=\(port)&remote=wss://elsewhere.example/"
            let target = PairingTarget(try PairingLink(parsing: text))
            let shown = Mutex<[String?]>([])
            _ = try await house.coordinator.pair(target) { state in
                guard case .confirming(let offer) = state else { return nil }
                shown.withLock { $0.append(offer.remoteURL?.description) }
                return .confirm(PairingConsent())
            }
            #expect(shown.withLock { $0 } == ["wss://elsewhere.example"])
        }
    }

    @Test func theAddressOutsideIsStoredWithThePairingThatThereIs() async throws {
        try await with { house in
            let id = try await self.pairAgain(house)
            var target = house.target
            target.remoteURL = GatewayURL("wss://studio.example/gateway")
            let again = try await house.coordinator.pair(target) {
                $0.isQuestion ? .confirm(PairingConsent()) : nil
            }
            #expect(again == id)
            #expect(try house.store.pairing(id)?.remoteURL == "wss://studio.example/gateway")
        }
    }
}

/// Gateways without TLS, which prove nothing: which pairing is with which.
@Suite struct SameGatewayTests {
    /// Returns whether what is offered counts as the gateway of a pairing with what was offered before, at that place.
    private func isPaired(
        _ offer: PairingOffer,
        as before: PairingOffer,
        at endpoint: Endpoint,
        lan: Bool
    ) throws -> Bool {
        let home = try #require(PairingSamples.home.homeNetwork)
        let pairing = StoredPairing(
            gatewayID: "endpoint",
            fingerprint: before.fingerprint,
            name: "Home Gateway",
            dialect: before.dialect,
            trust: lan ? .lan(home) : .sameAddress(home),
            endpoints: [endpoint],
            pairedAt: 0
        )
        return offer.isGateway(of: pairing)
    }

    /// Of OpenClaw's gateways none tells a fingerprint: one more of them is another one.
    @Test func withoutAFingerprintThePlaceTells() throws {
        let offer = try PairingSamples.offer(.openClaw)
        let other = Endpoint(address: offer.endpoint.address, port: 9)
        #expect(try isPaired(offer, as: offer, at: other, lan: true) == false)
        #expect(try isPaired(offer, as: offer, at: offer.endpoint, lan: true))
        #expect(try isPaired(offer, as: offer, at: offer.endpoint, lan: false))
        #expect(try isPaired(offer, as: offer, at: other, lan: false) == false)
    }

    @Test func aFingerprintTellsWhereAnyAddressWasConsentedTo() throws {
        let offer = try PairingSamples.offer()
        let other = Endpoint(address: offer.endpoint.address, port: 9)
        #expect(try isPaired(offer, as: offer, at: other, lan: true))
        #expect(try isPaired(offer, as: offer, at: other, lan: false) == false)
        let stranger = try PairingSamples.offer(fingerprint: "another")
        #expect(try isPaired(stranger, as: offer, at: offer.endpoint, lan: true) == false)
    }
}

/// A log handler that hands on what is logged.
private struct HearingLogHandler: LogHandler {
    let hear: @Sendable (String) -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    init(_ hear: @escaping @Sendable (String) -> Void) {
        self.hear = hear
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { hear("\(event.message)") }
}
