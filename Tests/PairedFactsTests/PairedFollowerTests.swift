import DNSSD
import Foundation
import GatewayProtocol
import Scanning
import Testing

@testable import Pairing

/// A program that keeps no sessions, and shows what is paired meanwhile.
@Suite(.timeLimit(.minutes(1))) struct PairedFollowerTests {
    private let folder: URL
    private let store: PairingStore
    private let constellation = Constellation()
    private let pairing: StoredPairing
    private let credential = CredentialID()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "clawradar-follower-\(UUID())")
        store = try PairingStore(
            StoreLocation(folder: folder.path + "/store", keyFile: folder.path + "/key/sealing.key")
        )
        let bot = try #require(BotID("b"))
        pairing = StoredPairing(
            gatewayID: "fingerprint:home",
            fingerprint: GatewayFingerprint("home"),
            name: "Home",
            dialect: .optaplus,
            trust: .certified(host: "home.example"),
            endpoints: [Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0002)), port: 3_000)],
            pairedAt: 1,
            bots: [StoredBot(id: bot, name: "Jarvis")],
            credentials: [StoredCredential(id: credential, bots: [bot], createdAt: 1, deviceID: "d")]
        )
    }

    /// Waits until the bots of all rows are in states, in any order.
    private func wait(for states: [BotState]) async {
        for await _ in constellation.updates {
            if await constellation.gateways.flatMap(\.bots).map(\.state) == states { return }
        }
    }

    private func following(_ body: (PairedFollower) async throws -> Void) async throws {
        let follower = PairedFollower(constellation)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [store] in await follower.run(store) }
            try await body(follower)
            group.cancelAll()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// A pairing that another process makes or ends is shown as it happens.
    @Test func whatIsPairedMeanwhileIsShown() async throws {
        try await following { follower in
            try store.insert(pairing, secrets: [credential: Secret("t0ken")])
            await wait(for: [.paired])
            #expect(await follower.pairings.pairings.keys.map(\.self) == [pairing.id])
            try store.moveToBin(pairing.id, reason: .forgotten, at: 2)
            await wait(for: [])
            #expect(await follower.pairings.pairings.isEmpty)
        }
    }

    /// A session that a process has is shown at its bot as long as it is held.
    @Test func aSessionOfAnotherProcessIsShown() async throws {
        try store.insert(pairing, secrets: [credential: Secret("t0ken")])
        let lock = try store.lock(credential)
        lock.note(SessionNote(state: PairedState.connected.rawValue, since: 3))
        try await following { _ in
            await wait(for: [.connected])
            lock.release()
            await wait(for: [.paired])
        }
    }

    /// The pairings that a verb has read from the store are shown before it follows anything.
    @Test func reportsAreShownAtOnce() async throws {
        let follower = PairedFollower(constellation)
        await follower.report([pairing])
        #expect(await constellation.gateways.map(\.name) == ["Home"])
        await follower.report([])
        #expect(await constellation.gateways.isEmpty)
    }
}
