import DNSSD
import Foundation
import GatewayProtocol
import Logging
import ReferenceGateway
import Synchronization
import Testing

@testable import Pairing

/// New pairings with a gateway from which this device was unpaired while the gateway could not be reached, so that the
/// old tokens still have to be withdrawn.
extension PairingCoordinatorTests {
    /// Pairs with a gateway, and consents to everything.
    private func pairConsenting(_ house: House, _ bots: [BotID]? = nil) async throws -> PairingID {
        try await house.coordinator.pair(house.target) {
            $0.isQuestion ? .confirm(PairingConsent(bots: bots)) : nil
        }
    }

    private var unpairedOffline: BinReason { .unpaired(withdrawnThere: false) }

    /// A withdrawal of the old pairing after a new one leaves the new one: the gateway ended the old tokens when it
    /// granted the new ones, and a request to withdraw them would end those.
    @Test func aLateWithdrawalLeavesTheNewPairing() async throws {
        try await with { house in
            let old = try await self.pairConsenting(house)
            try house.store.moveToBin(old, reason: self.unpairedOffline, at: 1)
            let item = try #require(try house.store.bin().first)
            let new = try await self.pairConsenting(house)
            #expect(new != old)
            #expect(
                try house.store.bin().map(\.reason) == [.unpaired(withdrawnThere: true)],
                "the old pairing is settled when the new one is stored"
            )
            #expect(try await house.coordinator.withdraw(item) == .withdrawn)
            #expect(await house.server.state.pairings.count == 2)
            #expect(try house.store.pairings().map(\.id) == [new])
        }
    }

    /// A gateway that has TLS by now is paired with anew, and that replaces its pairing without: two of one name never stand
    /// beside each other. Another gateway that was at its place once is left alone.
    @Test(arguments: [true, false]) func aPairingWithTLSReplacesTheOneWithout(isSame: Bool) async throws {
        try await with { house in
            let old = try await self.pairConsenting(house)
            let home = try #require(PairingSamples.home.homeNetwork)
            try house.store.update(old) { pairing in
                pairing.trust = .sameAddress(home)
                if !isSame { (pairing.name, pairing.fingerprint) = ("Attic", GatewayFingerprint("attic")) }
            }
            let new = try await self.pairConsenting(house)
            #expect(new != old)
            let ids = try house.store.pairings().map(\.id)
            #expect(Set(ids) == (isSame ? [new] : [new, old]))
            #expect(try house.store.pairing(new)?.trust.isPlain == false)
            #expect(try house.store.bin().map(\.reason) == (isSame ? [.forgotten] : []))
        }
    }

    /// The same, if only one bot was unpaired and paired again.
    @Test func aLateWithdrawalOfOneBotLeavesTheNewCredential() async throws {
        try await with { house in
            let id = try await self.pairConsenting(house)
            let second = try #require(try house.store.pairing(id)?.credentials.last)
            try house.store.moveToBin(second.id, of: id, reason: self.unpairedOffline, at: 1)
            let item = try #require(try house.store.bin().first)
            #expect(try await self.pairConsenting(house, .some(second.bots)) == id)
            #expect(try house.store.bin().map(\.reason) == [.unpaired(withdrawnThere: true)])
            #expect(try await house.coordinator.withdraw(item) == .withdrawn)
            #expect(await house.server.state.pairings.count == 2)
            #expect(try house.store.pairing(id)?.bots.count == 2)
        }
    }

    /// Tokens of bots that were not paired again are still withdrawn, and no others.
    @Test func aLateWithdrawalEndsTheRest() async throws {
        try await with { house in
            let old = try await self.pairConsenting(house)
            let bots = try #require(try house.store.pairing(old)?.bots.map(\.id))
            try house.store.moveToBin(old, reason: self.unpairedOffline, at: 1)
            let item = try #require(try house.store.bin().first)
            _ = try await self.pairConsenting(house, .some([bots[0]]))
            #expect(try house.store.bin().map(\.reason) == [self.unpairedOffline])
            #expect(try await house.coordinator.withdraw(item) == .withdrawn)
            #expect(await house.server.state.pairings.map(\.botID) == [bots[0]])
            #expect(try house.store.bin().map(\.reason) == [.unpaired(withdrawnThere: true)])
        }
    }

    /// A pairing that another process has restored from the bin in the meantime is not withdrawn.
    @Test func whatWasRestoredIsNotWithdrawn() async throws {
        try await with { house in
            let id = try await self.pairConsenting(house)
            try house.store.moveToBin(id, reason: self.unpairedOffline, at: 1)
            let item = try #require(try house.store.bin().first)
            try house.store.restore(id)
            _ = try await house.coordinator.withdraw(item)
            #expect(await house.server.state.pairings.count == 2)
            #expect(try house.store.pairings().map(\.id) == [id])
        }
    }

    /// A gateway that has moved is asked to withdraw at its new address, where its certificate proves its identity; at
    /// its old address nothing listens, or somebody else.
    @Test func aGatewayThatHasMovedIsToldWhereItIs() async throws {
        try await with { house in
            let id = try await self.pairConsenting(house)
            let gone = Endpoint(address: house.server.endpoint.address, port: 1)
            try house.store.update(id) { $0.endpoints = [gone] }
            try house.store.moveToBin(id, reason: self.unpairedOffline, at: 1)
            let item = try #require(try house.store.bin().first)
            guard case .onlyHere = try await house.coordinator.withdraw(item) else {
                Issue.record("nothing listens at the old address")
                return
            }
            #expect(try await house.coordinator.withdraw(item, at: [house.server.endpoint]) == .withdrawn)
            #expect(await house.server.state.pairings.isEmpty)
        }
    }

    /// A grant that arrives after the pairing was cancelled is withdrawn, since its tokens are not stored.
    @Test func grantAfterCancellationIsWithdrawn() async throws {
        let pairing = Mutex<Task<PairingID, any Error>?>(nil)
        let handler = HearingLogHandler { text in
            if text.contains("paired device") { pairing.withLock { $0?.cancel() } }
        }
        try await with(logger: Logger(label: "test") { _ in handler }) { house in
            let (start, begin) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for await _ in start {}
                return try await self.pairConsenting(house)
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

    /// A grant that cannot be stored is withdrawn even if the pairing is cancelled at that moment, and the error is
    /// that it could not be stored.
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

    /// An old pairing that was restored beside a new one with the same gateway ends alone when it is unpaired, since
    /// its tokens ended when the new ones were granted; unpairing the new one withdraws its tokens.
    @Test func whatWasRestoredBesideALaterPairingEndsAlone() async throws {
        try await with { house in
            let old = try await self.pairConsenting(house)
            try house.store.moveToBin(old, reason: self.unpairedOffline, at: 1)
            let new = try await self.pairConsenting(house)
            try house.store.restore(old)
            #expect(try await house.coordinator.unpair(old) == .withdrawn)
            #expect(await house.server.state.pairings.count == 2)
            #expect(try house.store.pairings().map(\.id) == [new])
            try house.store.restore(old)
            #expect(try await house.coordinator.unpair(new) == .withdrawn)
            #expect(
                await house.server.state.pairings.isEmpty,
                "the new pairing is withdrawn although the old one was restored"
            )
        }
    }

    /// Another gateway at the address of an unpaired one is not asked to withdraw: it has never granted those tokens,
    /// and the request would end the pairing with it.
    @Test func anotherGatewayAtItsAddressIsNotToldForIt() async throws {
        try await with(tls: false) { house in
            let consent = PairingConsent(plainTrust: .address)
            let old = try await house.coordinator.pair(house.target) { $0.isQuestion ? .confirm(consent) : nil }
            try house.store.update(old) { $0.fingerprint = GatewayFingerprint("another") }
            try house.store.moveToBin(old, reason: self.unpairedOffline, at: 1)
            let new = try await house.coordinator.pair(house.target) { $0.isQuestion ? .confirm(consent) : nil }
            #expect(new != old)
            let item = try #require(try house.store.bin().first)
            #expect(item.reason == self.unpairedOffline, "not withdrawn")
            guard case .onlyHere = try await house.coordinator.withdraw(item) else {
                Issue.record("the other gateway was asked to withdraw")
                return
            }
            #expect(await house.server.state.pairings.count == 2)
            #expect(try house.store.bin().map(\.reason) == [self.unpairedOffline])
        }
    }

    /// The remote URL of a link is shown before the user agrees, since a link can name any URL, and tokens would go
    /// there.
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

    /// Another gateway with the same certificate and address, as behind a front, is not the one of the pairing: bots of
    /// the one are not added to the pairing with the other.
    @Test func anotherGatewayBehindTheSameCertificateIsPairedAnew() async throws {
        let other = try #require(GatewayFingerprint("the other one"))
        try await with { house in
            let id = try await self.pairConsenting(house)
            try house.store.update(id) { $0.fingerprint = other }
            let new = try await self.pairConsenting(house)
            #expect(new != id)
            #expect(Set(try house.store.pairings().map(\.id)) == [id, new])
        }
    }

    /// A gateway that says that it is another one than the paired one is not asked to end the pairing: nothing would
    /// end with the paired one, and everything with this one.
    @Test(arguments: [true, false]) func anotherGatewayIsNotAskedToEndThePairing(tls: Bool) async throws {
        let other = try #require(GatewayFingerprint("the other one"))
        try await with(tls: tls) { house in
            let id = try await house.coordinator.pair(house.target) {
                $0.isQuestion ? .confirm(PairingConsent(plainTrust: .address)) : nil
            }
            try house.store.update(id) { $0.fingerprint = other }
            guard case .onlyHere = try await house.coordinator.unpair(id) else {
                Issue.record("expected a gateway that could not be informed")
                return
            }
            #expect(await house.server.state.pairings.count == 2)
        }
    }

    /// The remote URL of a target is stored in the existing pairing with its gateway.
    @Test func theAddressOutsideIsStoredWithThePairingThatThereIs() async throws {
        try await with { house in
            let id = try await self.pairConsenting(house)
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

/// The decision which pairing belongs to a gateway without TLS, which proves nothing.
@Suite struct SameGatewayTests {
    /// Returns whether an offer counts as the gateway of a pairing that was made with an earlier offer, and is stored
    /// at an endpoint.
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

    /// Without a fingerprint, as in OpenClaw's dialect, only the endpoint shows that it is the same gateway; at another
    /// one it is another gateway.
    @Test func withoutAFingerprintThePlaceTells() throws {
        let offer = try PairingSamples.offer(.openClaw)
        let other = Endpoint(address: offer.endpoint.address, port: 9)
        #expect(try isPaired(offer, as: offer, at: other, lan: true) == false)
        #expect(try isPaired(offer, as: offer, at: offer.endpoint, lan: true))
        #expect(try isPaired(offer, as: offer, at: offer.endpoint, lan: false))
        #expect(try isPaired(offer, as: offer, at: other, lan: false) == false)
    }

    /// A certificate proves a front: without a fingerprint, another port or path is another gateway, and the same ones are
    /// the gateway at any address.
    @Test(arguments: [(4_000, "/", false), (3_000, "/other/", false), (3_000, "/", true)])
    func behindAFrontThePlaceTells(port: Int, path: String, isPaired: Bool) throws {
        let leaf = try PairingSamples.leaf(7)
        let offer = try PairingSamples.offer(.openClaw, leaf: leaf)
        let place = Endpoint(address: .v4(IPv4Address(bits: 9)), port: UInt16(port), resource: path)
        func pairing(_ fingerprint: GatewayFingerprint?, _ dialect: GatewayDialect) -> StoredPairing {
            StoredPairing(
                gatewayID: "endpoint",
                fingerprint: fingerprint,
                name: "Home Gateway",
                dialect: dialect,
                trust: .pinned(leaf),
                endpoints: [place],
                pairedAt: 0
            )
        }
        #expect(offer.isGateway(of: pairing(nil, .openClaw)) == isPaired)
        let told = try PairingSamples.offer(leaf: leaf)
        #expect(told.isGateway(of: pairing(told.fingerprint, .optaplus)))
        #expect(!told.isGateway(of: pairing(GatewayFingerprint("another"), .optaplus)))
        let paired = pairing(nil, .openClaw)
        var same = paired
        same.endpoints = [offer.endpoint]
        #expect(paired.isSameGateway(as: same) == isPaired)
        #expect(paired.mayBeReached(as: same) == isPaired)
    }

    /// A fingerprint identifies the gateway at another address only if the user has consented to any address in the
    /// network.
    @Test func aFingerprintTellsWhereAnyAddressWasConsentedTo() throws {
        let offer = try PairingSamples.offer()
        let other = Endpoint(address: offer.endpoint.address, port: 9)
        #expect(try isPaired(offer, as: offer, at: other, lan: true))
        #expect(try isPaired(offer, as: offer, at: other, lan: false) == false)
        let stranger = try PairingSamples.offer(fingerprint: "another")
        #expect(try isPaired(stranger, as: offer, at: offer.endpoint, lan: true) == false)
    }
}

/// A log handler that passes each message to a closure.
struct HearingLogHandler: LogHandler {
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
