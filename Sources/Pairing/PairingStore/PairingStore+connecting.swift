package import DNSSD
internal import GRDB
internal import GatewayProtocol

/// The latest session with a gateway: when it was established, and where.
package struct ConnectionNote: Hashable, Sendable {
    /// The time, in milliseconds since 1970.
    package let time: Int

    /// The endpoint; `nil` if it says nothing about where the gateway is on this network, such as that of a tunnel.
    package let endpoint: Endpoint?

    /// The address outside of this network, if it was established there.
    package var url: String?
}

extension PairingStore {
    /// Records the latest sessions of some pairings. Those whose gateways are where they were last are recorded in one
    /// transaction, which reads neither bots nor credentials: sessions come back together, and a pairing can have a
    /// thousand of them.
    package func noteConnected(_ notes: [PairingID: ConnectionNote]) throws(StoreError) {
        let moved = try database.write { db -> [PairingID] in
            var moved: [PairingID] = []
            for (id, note) in notes {
                if let endpoint = note.endpoint, try EndpointRow.fetch(id, db).first != endpoint {
                    moved.append(id)
                } else {
                    try db.execute(
                        sql: """
                            UPDATE pairing SET lastConnected = ?, connectedURL = coalesce(?, connectedURL)
                            WHERE id = ? AND binnedAt IS NULL
                            """,
                        arguments: [note.time, note.url, id.description]
                    )
                }
            }
            return moved
        }
        watch.notifyReaders()
        for id in moved {
            guard let note = notes[id] else { continue }
            do {
                try update(id) { $0.note(note) }
            } catch  where error.code == .notFound {
                // The gateway was unpaired meanwhile.
                continue
            }
        }
    }
}

extension PairingStore {
    /// Returns the identifier of the last message that was received with a credential; `nil` if none was.
    package func lastMessage(of credential: CredentialID) throws(StoreError) -> String? {
        try database.read { db in
            try String.fetchOne(
                db,
                sql: "SELECT lastMessage FROM credential WHERE id = ?",
                arguments: [credential.description]
            )
        }
    }

    /// Records the last messages; `nil` where a history begins anew. Nobody is told: only a new session asks for it.
    package func noteMessages(_ messages: [CredentialID: String?]) throws(StoreError) {
        guard !messages.isEmpty else { return }
        try database.write { db in
            for (credential, message) in messages {
                try db.execute(
                    sql: "UPDATE credential SET lastMessage = ? WHERE id = ?",
                    arguments: [message, credential.description]
                )
            }
        }
    }
}

extension StoredPairing {
    fileprivate mutating func note(_ note: ConnectionNote) {
        lastConnected = note.time
        if let endpoint = note.endpoint, terms.mayHaveVerified(endpoint) { noteVerified(at: endpoint) }
        if let url = note.url { connectedURL = url }
    }
}
