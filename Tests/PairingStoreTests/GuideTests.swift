import GatewayProtocol
import Pairing
import TestSupport
import Testing

// From here to the suite: the listings of Sources/Pairing/Pairing.docc/PairingStore, word for word. Change both together.

func show() throws {
    let store = try PairingStore(.standard())
    if let path = store.setAside { print("The store was damaged. It was moved to \(path), and a new one begun.") }
    if let problem = store.keyProblem { print("The tokens cannot be opened: \(problem)") }
    for pairing in try store.pairings() {
        print(pairing.name, pairing.bots.map(\.name))
    }
}

func pair(_ pairing: StoredPairing, token: Secret, in store: PairingStore) throws {
    try store.insert(pairing, secrets: [pairing.credentials[0].id: token])
}

func renew(_ token: Secret, of pairing: StoredPairing, in store: PairingStore, now: Int) throws {
    try store.replaceSecret(token, of: pairing.credentials[0].id, in: pairing.id, at: now)
}

func unpair(_ pairing: StoredPairing, in store: PairingStore, now: Int) throws {
    try store.moveToBin(pairing.id, reason: .unpaired(withdrawnThere: false), at: now)
    try store.purgeBin(before: now - BinnedPairing.retention)
}

func connect(_ credential: StoredCredential, of pairing: StoredPairing, in store: PairingStore) throws {
    do {
        let lock = try store.lock(credential.id)
        defer { lock.release() }
        let token = try store.secret(of: credential.id, in: pairing.id)
        print("connecting with \(token)")  // "connecting with <secret>"
    } catch {
        guard error.code == .locked else { throw error }
        print("Connected already, by \(error.holder?.description ?? "another process")")
    }
}

func follow(_ store: PairingStore) async throws {
    for await _ in store.changes {
        print("\(try store.pairings().count) pairings")
    }
}

/// The listings of the guide compile, and do what the guide says.
@Suite struct GuideTests {
    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "Pairing/PairingStore")
        #expect(listings.count == 5)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }

    @Test func theListingsWork() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            var pairing = try StoredPairing.sample()
            pairing.credentials.removeLast()
            try pair(pairing, token: Secret("a"), in: store)
            try connect(pairing.credentials[0], of: pairing, in: store)
            try renew(Secret("b"), of: pairing, in: store, now: 2)
            #expect(try store.secret(of: pairing.credentials[0].id, in: pairing.id) == Secret("b"))
            try unpair(pairing, in: store, now: 3)
            #expect(try store.bin().map(\.pairing.id) == [pairing.id])
        }
    }
}
