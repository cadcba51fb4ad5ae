internal import GRDB
internal import GatewayProtocol

/// The rows and times that are to be sent to the cloud. A value.
package struct CloudWork: Hashable, Sendable {
    /// The number of rows that wait.
    package var waiting = 0

    /// When gateways were connected last, where that is all that has changed for an hour, in milliseconds since 1970.
    package var connected: [String: Int] = [:]

    /// Indicates whether there is none.
    package var isEmpty: Bool { self == CloudWork() }
}

/// The pairings that are here beside what is known of the cloud, at one moment.
struct CloudOutbox {
    /// The most rows that are read at once, and noted in all. A server could go on for ever.
    static let mostRows = 32_768

    /// The time by which a row may be from the future, in milliseconds.
    static let tolerance = 24 * 60 * 60 * 1_000

    let owner: CloudOwner
    private let unreadable: Set<String>

    /// The parts of the live pairings, by the rows that they are in.
    var parts: [CloudRow.Key: CloudPart]

    var entries: [CloudRow.Key: CloudEntryRow]

    init(_ db: Database, _ owner: CloudOwner, _ vault: VaultKey) throws {
        let owner = try CloudAccount.fetch(db)?.sealsNames == true ? owner.sealing : owner
        self.owner = owner
        parts = try Self.parts(try PairingParts.fetchAll(db).compactMap(\.live), db, owner, vault)
        entries = Dictionary(try CloudEntryRow.fetchAll(db).map { ($0.key(of: owner.user), $0) }) { first, _ in first }
        unreadable = Set(try PairingParts.fetchUnreadable(db).compactMap(\.pairing))
    }

    private static func parts(
        _ live: [StoredPairing],
        _ db: Database,
        _ owner: CloudOwner,
        _ vault: VaultKey
    ) throws -> [CloudRow.Key: CloudPart] {
        let parts = try AliasRow.fetchAll(db).naming(live).flatMap { $0.cloudParts(for: owner, sealedWith: vault) }
        // Of several pairings with one bot, the newest; one that is only known is none.
        return Dictionary(parts.map { ($0.key, $0) }) { first, second in
            let (isOld, isNew) = (first.pairing.isToBePairedHere, second.pairing.isToBePairedHere)
            return isOld == isNew ? first.time < second.time ? second : first : isOld ? second : first
        }
    }

    /// Reads again what is here for a row, after its pairing was changed.
    mutating func reread(_ key: CloudRow.Key, _ id: PairingID?, _ db: Database, _ vault: VaultKey) throws {
        parts[key] = nil
        guard let live = try id.flatMap({ try PairingParts.fetch($0, db)?.live }) else { return }
        parts.merge(try Self.parts([live], db, owner, vault)) { $1 }
    }

    /// Returns the rows that change, and what is to be sent then.
    func noted(ahead: Int) throws -> (changed: [CloudEntryRow], work: CloudWork) {
        var copy = self
        let changed = try copy.note(ahead: ahead)
        return (changed, copy.work)
    }

    private var work: CloudWork {
        var work = CloudWork()
        for row in entries.values {
            let told = row.connectedAt
            if row.entry.isWaiting {
                work.waiting += 1
            } else if row.entry.isActive, let time = parts[row.key(of: owner.user)]?.connectedAt(after: told),
                time != told
            {
                work.connected[row.gateway] = max(work.connected[row.gateway] ?? time, time)
            }
        }
        return work
    }

    /// Notes what has changed here.
    mutating func note(ahead: Int) throws -> [CloudEntryRow] {
        var changed: [CloudEntryRow] = []
        for key in Set(parts.keys).union(entries.keys) {
            var row = entries[key] ?? CloudEntryRow(key)
            let part = parts[key]
            // What this version cannot read is not gone.
            if part == nil, let id = row.pairing, unreadable.contains(id.description) { continue }
            let former = row
            row.entry.note(part?.digest, at: (part?.time ?? 0) - ahead, by: owner.device)
            guard row != former else { continue }
            row.pairing = part?.pairing.id
            row.name = part.map { $0.pairing.bots.first?.name ?? $0.pairing.name } ?? row.name
            row.note = nil
            entries[key] = row
            changed.append(row)
        }
        return changed
    }
}
