import Crypto
import Foundation
import GRDB
import GatewayProtocol
import SystemPackage
import Testing

@testable import Pairing

@Suite struct SecretsTests {
    /// No file contains a token or the private key unencrypted, so that a copy of the database alone, such as a backup,
    /// reveals none.
    @Test func noSecretIsInClear() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            let key = try #require(store.device.privateKey)
            for bytes in [Array("secret-token".utf8), key.withUnsafeBytes { Array($0) }] {
                for (name, content) in try folder.content() {
                    #expect(content.firstRange(of: bytes) == nil, "\(name)")
                }
            }
        }
    }

    /// A sealed secret is bound to its row: it cannot be opened in another one. Otherwise a manipulated database could
    /// make a token be sent to another gateway.
    @Test func aSealedSecretIsBoundToItsRow() async throws {
        let changes = [
            """
            CREATE TEMP TABLE old AS SELECT id, sealedToken AS sealed FROM credential;
            UPDATE credential SET sealedToken = (SELECT old.sealed FROM old WHERE old.id <> credential.id)
            """,
            "UPDATE credential SET generation = generation + 1",
            "UPDATE credentialBot SET bot = CAST('bot-9' AS BLOB)",
            "DELETE FROM credentialBot",
            "UPDATE credential SET sealedToken = substr(sealedToken, 1, 20)",
            "UPDATE credential SET sealedToken = x''",
            "UPDATE credential SET sealedToken = CAST(sealedToken || x'00' AS BLOB)",
        ]
        for change in changes {
            try await StoreFolder.with { folder in
                let pairing = try StoredPairing.sample()
                try folder.open().insert(pairing, secrets: pairing.sampleSecrets)
                try DatabaseQueue(path: folder.location.database).write { try $0.execute(sql: change) }
                let store = try folder.open()
                #expect(try store.pairings().count == 1)
                for credential in pairing.credentials {
                    #expect(code { _ = try store.secret(of: credential.id, in: pairing.id) } == .tampered, "\(change)")
                }
            }
        }
    }

    /// A credential that is moved to another pairing cannot be opened there.
    @Test func aCredentialIsBoundToItsPairing() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairings = try [StoredPairing.sample(), .sample()]
            for pairing in pairings { try store.insert(pairing, secrets: pairing.sampleSecrets) }
            try store.database.write { db in
                try db.execute(sql: "UPDATE credential SET pairing = ?", arguments: [pairings[0].id.description])
            }
            for credential in pairings[1].credentials {
                #expect(code { _ = try store.secret(of: credential.id, in: pairings[0].id) } == .tampered)
            }
        }
    }

    /// A missing key is reported, and is not replaced by a new one, which could open nothing. Until it is put back,
    /// pairings are shown and changed, but no secret is opened.
    @Test func withoutTheKeyAllIsShownAndNothingOpened() async throws {
        try await StoreFolder.with { folder in
            let pairing = try StoredPairing.sample()
            let device: DeviceIdentity
            do {
                let store = try folder.open()
                device = store.device
                try store.insert(pairing, secrets: pairing.sampleSecrets)
            }
            let away = folder.root.appending("away").string
            try FileManager.default.moveItem(atPath: folder.location.keyFile, toPath: away)

            let store = try folder.open()
            #expect(store.keyProblem?.code == .sealed)
            #expect("\(store.keyProblem as Any)".contains(folder.location.keyFile))
            #expect(try store.pairings() == [pairing])
            #expect(store.device.id == device.id && store.device.publicKey == device.publicKey)
            let id = pairing.credentials[0].id
            #expect(code { _ = try store.secret(of: id, in: pairing.id) } == .sealed)
            #expect(code { _ = try store.device.signature(of: []) } == .sealed)
            #expect(code { try store.replaceSecret(Secret("x"), of: id, in: pairing.id, at: 1) } == .sealed)
            let other = try StoredPairing.sample()
            #expect(code { try store.insert(other, secrets: other.sampleSecrets) } == .sealed)
            // Operations that need no key still work.
            try store.update(pairing.id) { $0.name = "Renamed" }
            try store.moveToBin(pairing.id, reason: .forgotten, at: 1)
            try store.restore(pairing.id)
            #expect(!FileManager.default.fileExists(atPath: folder.location.keyFile))

            try FileManager.default.moveItem(atPath: away, toPath: folder.location.keyFile)
            #expect(try store.secret(of: id, in: pairing.id) == pairing.sampleSecrets[id])
        }
    }

    /// An open store finds a key that the user or another process has put back.
    @Test func aKeyThatIsPutBackIsFound() async throws {
        try await StoreFolder.with { folder in
            _ = try folder.open()
            let away = folder.root.appending("away").string
            try FileManager.default.moveItem(atPath: folder.location.keyFile, toPath: away)
            let store = try folder.open()
            #expect(store.keyProblem?.code == .sealed)
            try FileManager.default.moveItem(atPath: away, toPath: folder.location.keyFile)
            #expect(store.keyProblem == nil)
            #expect(try store.device.signature(of: [1]).count == 64)
        }
    }

    /// A key of another store is reported as such, in contrast to a file that is no key.
    @Test func anotherKeyIsToldApart() async throws {
        try await StoreFolder.with { folder in
            _ = try folder.open()
            try Data(SealingKey().text).write(to: URL(filePath: folder.location.keyFile))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: folder.location.keyFile
            )
            #expect(try folder.open().keyProblem?.code == .wrongKey)
            try Data("not a key".utf8).write(to: URL(filePath: folder.location.keyFile))
            #expect(try folder.open().keyProblem?.code == .sealed)
        }
    }

    /// The key that systemd provides is used and never written to, and no other key is created.
    @Test func theServiceManagersKeyIsUsed() async throws {
        try await StoreFolder.with { folder in
            let credential = folder.root.appending("clawradar-key").string
            let location = StoreLocation(
                folder: folder.location.folder,
                keyFile: folder.location.keyFile,
                keyCredential: credential
            )
            let bytes = Data((0..<32).map { UInt8($0) })
            try bytes.write(to: URL(filePath: credential))
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: credential)
            let pairing = try StoredPairing.sample()
            try PairingStore(location).insert(pairing, secrets: pairing.sampleSecrets)
            #expect(!FileManager.default.fileExists(atPath: folder.location.keyFile))
            #expect(try Data(contentsOf: URL(filePath: credential)) == bytes)
            #expect(try PairingStore(location).keyProblem == nil)
            // Without the file of the service manager the other place is tried, and no key is created.
            try FileManager.default.removeItem(atPath: credential)
            #expect(try PairingStore(location).keyProblem?.code == .sealed)
        }
    }

    /// What could not be read after a change is read again, although nothing else changes.
    @Test(.timeLimit(.minutes(1))) func whatCouldNotBeReadIsReadAgain() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            var changesHere = store.changes.makeAsyncIterator()
            try store.updateDevice(name: "Renamed")
            #expect(await changesHere.next() != nil)
            #expect(await changesHere.next(ifRead: false, orAfter: .milliseconds(1)) != nil)
            // But whatever does change meanwhile is not waited for.
            try store.updateDevice(name: "Renamed again")
            #expect(await changesHere.next(ifRead: false, orAfter: .seconds(3_600)) != nil)
            let unread = Task { [changes = store.changes] in
                var iterator = changes.makeAsyncIterator()
                return await iterator.next(ifRead: false, orAfter: .seconds(3_600)) != nil
            }
            unread.cancel()
            #expect(await !unread.value)
        }
    }

    /// No description and no mirror shows a secret, because logs, dumps and crash reports use them.
    @Test func nothingPublicShowsASecret() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            let key = SealingKey()
            let privateKey = try #require(store.device.privateKey).withUnsafeBytes { Array($0) }
            var shown = "\(store.device) \(store) \(key) \(String(reflecting: store)) \(KeyState.available(key))"
            dump(store.device, to: &shown)
            dump(store, to: &shown)
            dump(key, to: &shown)
            dump(KeyState.available(key), to: &shown)
            let fileKey = try #require(FileManager.default.contents(atPath: folder.location.keyFile))
            let raw = Array(String(decoding: fileKey, as: UTF8.self).prefix(8))
            #expect(!shown.contains(String(raw)))
            #expect(!shown.contains("\(privateKey.prefix(4).map(String.init).joined(separator: ", "))"))
            #expect(!shown.contains(String(decoding: key.text, as: UTF8.self).prefix(8)))
            #expect(shown.contains("<key>") && shown.contains("<secret>"))
        }
    }

    /// The device signs with an Ed25519 key (RFC 8032), which stays the same when the store is opened again.
    @Test func theDeviceSignsWithOneKey() async throws {
        try await StoreFolder.with { folder in
            let device = try folder.open().device
            let signature = try folder.open().device.signature(of: [1, 2, 3])
            let key = try Curve25519.Signing.PublicKey(rawRepresentation: device.publicKey)
            #expect(signature.count == 64)
            #expect(key.isValidSignature(signature, for: [1, 2, 3]))
            #expect(!key.isValidSignature(signature, for: [1, 2]))
        }
    }
}
