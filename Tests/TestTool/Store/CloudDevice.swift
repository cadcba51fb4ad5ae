import CloudDouble
import GatewayProtocol
import Pairing

/// A store with its cloud, for processes that are killed: whatever was reported reaches the cloud and a second device, nothing
/// comes back, and no session ends by a token that was used twice.
struct CloudDevice {
    let store: PairingStore
    let cloud: CloudFile
    let sync: CloudSync

    /// Takes a store, which signs in if it has not, and gets a vault key if it has none.
    ///
    /// - Parameters:
    ///   - vault: The vault key of the other devices; `nil` on the first one.
    ///   - isAnew: Indicates whether to sign in in any case.
    init(_ store: PairingStore, _ cloud: CloudFile, vault: VaultKey? = nil, isAnew: Bool = false) async throws {
        (self.store, self.cloud) = (store, cloud)
        sync = CloudSync(store, server: cloud.server)
        if try isAnew || store.cloudAccount()?.isSignedIn != true {
            let project = try CloudProject("https://abc.example#sb_publishable_x")
            let session = try await cloud.server(project).signIn("me@example.org", password: Secret("a password"))
            let account = CloudAccount(project: project, user: session.user, email: session.email, sealsNames: false)
            try await sync.begin(session, of: account)
        }
        if try store.vaultKey() == nil { try store.keepVaultKey(vault ?? VaultKey()) }
    }

    /// Syncs, and checks that the cloud has what the store has, and so has another device.
    ///
    /// - Parameter other: The place of the other device's store, which is not there yet.
    func check(beside other: StoreLocation) async throws {
        _ = try await sync.run(reads: true)
        guard try !cloud.state().sessions.wasReused else { throw Mismatch(description: "a token was used twice") }
        let live = try store.pairings()
        guard let vault = try store.vaultKey() else { throw Mismatch(description: "the vault key is gone") }
        guard try store.cloudEntries().allSatisfy({ !$0.entry.isWaiting && $0.note == nil }) else {
            throw Mismatch(description: "something waits: \(try store.cloudEntries())")
        }
        var found: Set<[String]> = []
        for row in try cloud.state().table.rows.compactMap({ CloudRow(.object($0)) }) where row.isActive {
            guard case .pairing(let part) = row.opened(with: vault) else {
                throw Mismatch(description: "the row \(row.key) is \(row.opened(with: vault))")
            }
            try check(part, "the cloud")
            for bot in part.pairing.bots { found.insert([part.pairing.id.description, bot.id.text]) }
        }
        let expected = Set(live.flatMap { pairing in pairing.bots.map { [pairing.id.description, $0.id.text] } })
        guard found == expected else {
            throw Mismatch(description: "the cloud has \(found), this device \(expected)")
        }
        let second = try await CloudDevice(try PairingStore(other), cloud, vault: vault)
        _ = try await second.sync.run(reads: true)
        let taken = try second.store.pairings()
        guard Set(taken.map(\.id)) == Set(live.map(\.id)) else {
            throw Mismatch(description: "the other device has \(taken.map(\.name)), this one \(live.map(\.name))")
        }
        for pairing in taken {
            var secrets: [CredentialID: Secret] = [:]
            for credential in pairing.credentials {
                secrets[credential.id] = try second.store.secret(of: credential.id, in: pairing.id)
            }
            try check(CarriedPairing(pairing, secrets: secrets), "the other device")
        }
    }

    /// Checks that a pairing elsewhere is one of this device, with its name and tokens.
    private func check(_ part: CarriedPairing, _ place: String) throws {
        guard let here = try store.pairing(part.pairing.id), here.name == part.pairing.name,
            part.pairing.bots.isEmpty || !part.secrets.isEmpty
        else { throw Mismatch(description: "\(place) has \(part.pairing.name), which this device has not so") }
        for (credential, secret) in part.secrets {
            guard try store.secret(of: credential, in: here.id) == secret else {
                throw Mismatch(description: "\(place) has another token of \(here.name)")
            }
        }
    }
}
