import DNSSD
import Foundation
import GRDB
import GatewayProtocol
import SystemPackage
import Testing

@testable import Pairing

@Suite struct OpeningTests {
    /// The first opening creates the identity of this device and a key. Later openings find them again, and only the
    /// name and the emoji of the device can change.
    @Test func theFirstOpeningMakesIdentityAndKey() async throws {
        try await StoreFolder.with { folder in
            let device = try folder.open().device
            // The identifier is a random UUID (RFC 9562 §5.4).
            #expect(
                device.id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil
            )
            #expect(!device.name.isEmpty && device.emoji == nil && device.platform == DeviceIdentity.thisPlatform)
            #expect(device.publicKey.count == 32)
            let store = try folder.open()
            #expect(store.device == device)
            try store.updateDevice(name: "Workshop", emoji: "🔧")
            #expect(try folder.open().device.name == "Workshop")
            try store.updateDevice(emoji: .some(nil))
            let changed = try folder.open().device
            #expect(changed.name == "Workshop" && changed.emoji == nil)
            #expect(changed.id == device.id && changed.publicKey == device.publicKey)
        }
    }

    /// Only the owner can read any of the files and folders, at any time, including the journal, which exists only
    /// during a write.
    @Test func filesAreForTheOwnerAlone() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            let lock = try store.lock(pairing.credentials[0].id)
            let names = try store.database.write { db in
                try db.execute(sql: "UPDATE pairing SET name = 'x'")
                return try FileManager.default.subpathsOfDirectory(atPath: folder.root.string)
            }
            #expect(names.contains("data/clawradar/pairings.sqlite-journal"))
            var isFolder: ObjCBool = false
            try store.database.write { db in
                try db.execute(sql: "UPDATE pairing SET name = 'y'")
                for name in names {
                    let path = folder.root.appending(name).string
                    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                    #expect(try StoreFolder.mode(path) == (isFolder.boolValue ? 0o700 : 0o600), "\(name)")
                }
            }
            lock.release()
        }
    }

    /// A folder or database that other users can read, and one that is a symbolic link, is refused.
    @Test func placesThatAreOpenToOthersAreRefused() async throws {
        try await StoreFolder.with { folder in
            _ = try folder.open()
            let paths = [folder.location.folder, folder.location.database]
            for path in paths {
                let mode = try #require(try StoreFolder.mode(path))
                try FileManager.default.setAttributes([.posixPermissions: mode | 0o044], ofItemAtPath: path)
                #expect(code { _ = try folder.open() } == .unsafeLocation)
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            }
            let away = folder.root.appending("away").string
            try FileManager.default.moveItem(atPath: folder.location.database, toPath: away)
            try FileManager.default.createSymbolicLink(
                atPath: folder.location.database,
                withDestinationPath: away
            )
            #expect(code { _ = try folder.open() } == .unsafeLocation)
        }
    }

    /// A store of a later version is refused and left unchanged, because this version could destroy data that it does
    /// not know.
    @Test func aStoreOfALaterVersionIsRefusedUntouched() async throws {
        try await StoreFolder.with { folder in
            let pairing = try StoredPairing.sample()
            try folder.open().insert(pairing, secrets: pairing.sampleSecrets)
            try DatabaseQueue(path: folder.location.database).write { db in
                try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('9 from later')")
                try db.execute(sql: "CREATE TABLE later (x)")
            }
            let before = try folder.content()
            #expect(code { _ = try folder.open() } == .newerVersion)
            #expect(try folder.content() == before)
        }
    }

    /// A store of the previous version is migrated without losses. It is made here by reverting the changes of the
    /// schema since then.
    @Test func aStoreOfAnEarlierVersionIsBroughtToThisOne() async throws {
        try await StoreFolder.with { folder in
            let pairings = try [StoredPairing.sample(), .sample("Other", pairedAt: 2_000)]
            let first = try folder.open()
            for pairing in pairings { try first.insert(pairing, secrets: pairing.sampleSecrets) }
            try first.moveToBin(pairings[1].id, reason: .forgotten, at: 7)
            try folder.revertToUnboundTokens(pairings.map(\.sampleSecrets).reduce(into: [:]) { $0.merge($1) { $1 } })
            try DatabaseQueue(path: folder.location.database).write { db in
                for table in ["pairing", "credential"] {
                    try db.execute(sql: "ALTER TABLE \(table) DROP COLUMN overdueSince")
                }
                try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '2 overdue'")
            }
            let store = try folder.open()
            // Where a certificate for a name is the proof, the endpoints have that name since.
            let name = ServerName("gateway.example")
            var named = pairings
            for index in named.indices {
                named[index].endpoints = pairings[index].endpoints.map { place in
                    Endpoint(address: place.address, port: place.port, resource: place.resource, serverName: name)
                }
            }
            #expect(try store.pairings() == [named[0]])
            #expect(try store.bin().map(\.pairing) == [named[1]])
            for pairing in pairings {
                for (id, secret) in pairing.sampleSecrets {
                    #expect(try store.secret(of: id, in: pairing.id) == secret)
                }
            }
            try store.purgeBin(before: 8)
            try store.purgeBin(before: 8 + BinnedPairing.purgeInterval)
            #expect(try store.bin().isEmpty)
        }
    }

    /// A database that SQLite takes for whole stays in its place, even if it has values that cannot be read as what they
    /// were: here in the table that is read first.
    @Test func aDatabaseWithUnreadableValuesIsKept() async throws {
        try await StoreFolder.with { folder in
            _ = try folder.open()
            try DatabaseQueue(path: folder.location.database).write { db in
                try db.execute(
                    sql: """
                        DROP TABLE grdb_migrations;
                        CREATE TABLE grdb_migrations (identifier TEXT);
                        INSERT INTO grdb_migrations VALUES (NULL)
                        """
                )
            }
            let before = try folder.content()
            #expect(code { _ = try folder.open() } == .unreadable)
            #expect(try folder.content() == before)
        }
    }

    enum Damage: CaseIterable {
        case header, page, cut, garbage, empty

        func applied(to bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            switch self {
            case .header: bytes.replaceSubrange(0..<16, with: Array("not a database!!".utf8))
            case .page: for index in 4_100..<(bytes.count) where index % 4_096 < 64 { bytes[index] = 0xFF }
            case .empty: bytes = []
            case .cut: bytes.removeLast(bytes.count / 2)
            case .garbage: bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            }
            return bytes
        }
    }

    /// A damaged database is moved aside and never deleted, because it may be the only copy of the user's pairings. A
    /// new one is begun.
    @Test(arguments: Damage.allCases)
    func aDamagedDatabaseIsSetAside(damage: Damage) async throws {
        try await StoreFolder.with { folder in
            let pairing = try StoredPairing.sample()
            try folder.open().insert(pairing, secrets: pairing.sampleSecrets)
            let key = try #require(FileManager.default.contents(atPath: folder.location.keyFile))
            let database = URL(filePath: folder.location.database)
            let damaged = damage.applied(to: Array(try Data(contentsOf: database)))
            // The handle keeps the file and its permissions; `Data` would create another file.
            let handle = try FileHandle(forWritingTo: database)
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(damaged))
            try handle.close()

            let store = try folder.open()
            let path = try #require(store.setAside)
            #expect(FilePath(path).removingLastComponent().string == folder.location.folder)
            #expect(FileManager.default.contents(atPath: path).map { Array($0) } == damaged)
            #expect(try StoreFolder.mode(path) == 0o600)
            #expect(try store.pairings().isEmpty && store.keyProblem == nil)
            // The key is kept: it is needed for the old database if that is repaired.
            #expect(FileManager.default.contents(atPath: folder.location.keyFile) == key)
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            let next = try folder.open()
            #expect(next.setAside == nil)
            #expect(try next.pairings() == [pairing])
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    /// A program that cannot inform the user can open the store without setting a damaged database aside, and leaves
    /// that to another one. A shell that completes names is such a program.
    @Test func settingADamagedDatabaseAsideIsOptional() async throws {
        try await StoreFolder.with { folder in
            _ = try folder.open()
            let handle = try FileHandle(forWritingTo: URL(filePath: folder.location.database))
            try handle.write(contentsOf: Data("not a database!!".utf8))
            try handle.close()
            let before = try folder.content()
            #expect(code { _ = try PairingStore(folder.location, setsDamagedAside: false) } == .damaged)
            #expect(try folder.content() == before)
            #expect(try folder.open().setAside != nil)
        }
    }

    /// The journal of a damaged database is removed, so that SQLite does not roll it back into the new database.
    @Test func noJournalStaysBesideANewDatabase() async throws {
        try await StoreFolder.with { folder in
            _ = try folder.open()
            let database = URL(filePath: folder.location.database)
            let handle = try FileHandle(forWritingTo: database)
            try handle.write(contentsOf: Data("not a database!!".utf8))
            try handle.close()
            let journal = folder.location.database + "-journal"
            try Data("a journal".utf8).write(to: URL(filePath: journal))
            let store = try folder.open()
            #expect(store.setAside != nil)
            #expect(!FileManager.default.fileExists(atPath: journal))
        }
    }

    /// A store does not write to a database that was moved away: it would report changes as done that no other process
    /// sees.
    @Test func aDatabaseThatWasMovedIsNotWrittenTo() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            try FileManager.default.moveItem(
                atPath: folder.location.database,
                toPath: folder.location.database + ".damaged"
            )
            #expect(code { try store.update(pairing.id) { $0.name = "x" } } == .replaced)
        }
    }

    /// A store does not read from a database that was moved away or replaced: tokens and trust in it are no longer
    /// valid.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func aDatabaseThatWasMovedIsNotReadFrom(isReplaced: Bool) async throws {
        try await StoreFolder.with { folder in
            let store = try PairingStore(folder.location, pollInterval: .milliseconds(5))
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            var changes = store.changes.makeAsyncIterator()
            let away = folder.location.database + ".damaged"
            try FileManager.default.moveItem(atPath: folder.location.database, toPath: away)
            let other = isReplaced ? try folder.open() : nil
            while await changes.next() != nil {}
            #expect(code { _ = try store.pairings() } == .replaced)
            #expect(code { _ = try store.secret(of: pairing.credentials[0].id, in: pairing.id) } == .replaced)
            #expect(code { _ = try store.bin() } == .replaced)
            #expect(try other?.pairings().isEmpty != false)
        }
    }

    /// An opening after a crash during the first one continues it, and keeps the key. The crash left a key without a
    /// database, or beside one that had not got its name yet.
    @Test func anOpeningThatWasCutOffGoesOn() async throws {
        try await StoreFolder.with { folder in
            _ = try folder.open()
            let key = try #require(FileManager.default.contents(atPath: folder.location.keyFile))
            for content in [nil, Data()] {
                try FileManager.default.removeItem(atPath: folder.location.database)
                if let content {
                    let path = folder.location.database + ".new"
                    let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
                    try #require(FileManager.default.createFile(atPath: path, contents: content, attributes: mode))
                }
                let store = try folder.open()
                #expect(store.keyProblem == nil && store.setAside == nil)
                #expect(!FileManager.default.fileExists(atPath: folder.location.database + ".new"))
                #expect(FileManager.default.contents(atPath: folder.location.keyFile) == key)
            }
        }
    }

    /// The journal of a database that is gone is not rolled back into the new one.
    @Test func noJournalIsTakenForThatOfANewDatabase() async throws {
        try await StoreFolder.with { folder in
            let pairing = try StoredPairing.sample()
            let journal = folder.location.database + "-journal"
            do {
                let store = try folder.open()
                try store.insert(pairing, secrets: pairing.sampleSecrets)
                try store.database.write { db in
                    try db.execute(sql: "UPDATE pairing SET name = 'x'")
                    try FileManager.default.copyItem(atPath: journal, toPath: journal + ".kept")
                }
            }
            try FileManager.default.removeItem(atPath: folder.location.database)
            try FileManager.default.moveItem(atPath: journal + ".kept", toPath: journal)
            let store = try folder.open()
            #expect(store.setAside == nil)
            #expect(try store.pairings().isEmpty)
            #expect(!FileManager.default.fileExists(atPath: journal))
        }
    }

    /// A folder of the key that others can enter is said; the key in it is used, since its file is checked on its own.
    @Test func aKeyFolderThatOthersCanEnterIsSaid() async throws {
        try await StoreFolder.with { folder in
            #expect(try folder.open().keyFolderProblem == nil)
            let path = FilePath(folder.location.keyFile).removingLastComponent().string
            try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: path)
            let store = try folder.open()
            #expect(store.keyProblem == nil)
            #expect(store.keyFolderProblem?.code == .unsafeLocation && store.keyFolderProblem?.path == path)
        }
    }

    /// No lock file stays: neither that of the opening nor that of a session.
    @Test func noLockFileStays() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let locks = FilePath(folder.location.folder).appending("locks").string
            #expect(try FileManager.default.contentsOfDirectory(atPath: locks).isEmpty)
            let lock = try store.lock(CredentialID())
            #expect(try FileManager.default.contentsOfDirectory(atPath: locks).count == 1)
            lock.release()
            #expect(try FileManager.default.contentsOfDirectory(atPath: locks).isEmpty)
        }
    }

    /// A temporary file that a killed process left behind is removed, because it may contain the key.
    @Test func leftoversAreRemoved() async throws {
        try await StoreFolder.with { folder in
            _ = try folder.open()
            let key = FilePath(folder.location.keyFile)
            let leftover = key.removingLastComponent().appending(".sealing.key.99999999.0123456789abcdef.tmp").string
            try #require(FileManager.default.createFile(atPath: leftover, contents: Data("x".utf8)))
            _ = try folder.open()
            #expect(!FileManager.default.fileExists(atPath: leftover))
        }
    }
}
