import Foundation
import GatewayProtocol
import Pairing
import SystemPackage
import TestSupport

/// The program that `scripts/crash-store` kills.
///
/// `test-tool store run FOLDER LOG SEED COUNT` performs a number of operations, which are derived from the seed, on a
/// store, and appends `done N` to the log when the store has reported an operation as done. `test-tool store verify
/// FOLDER LOG SEED` checks that the store contains what was reported, that no operation is half done, and that nothing
/// secret is unencrypted. A file after COUNT, `-` for `verify`, is a cloud: the store is synced with it after each operation,
/// and checked beside it.
///
/// The exit status is 0 if there was no error, 1 if the store does not contain what was reported, and 3 if an operation
/// failed and the store has reported that.
enum StoreTool {
    static func run(_ arguments: [String]) async {
        guard arguments.count >= 4, let seed = UInt64(arguments[3]) else { exit(64) }
        let cloud = arguments.count > 5 ? CloudFile(path: arguments[5]) : nil
        let run = CrashRun(root: FilePath(arguments[1]), log: FilePath(arguments[2]), seed: seed, cloud: cloud)
        do {
            switch arguments[0] {
            case "run": try await run.work(operations: arguments.count > 4 ? Int(arguments[4]) ?? 0 : 0)
            case "verify": try await run.verify()
            default: exit(64)
            }
        } catch let error as Mismatch {
            print("MISMATCH: \(error)")
            exit(1)
        } catch {
            print("failed: \((error as? StoreError).map { "\($0.code): \($0)" } ?? "\(error)")")
            exit(3)
        }
    }
}

/// A difference between a store and what it reported.
struct Mismatch: Error, CustomStringConvertible {
    let description: String
}

/// One run of a store, in a folder in which earlier runs may have been killed.
struct CrashRun {
    /// The folder that contains the folders of the database and of the key.
    let root: FilePath

    /// The file that lists the operations reported as done. It is outside of the file system that is made full or
    /// read-only.
    let log: FilePath
    let seed: UInt64

    /// The cloud; `nil` for none.
    let cloud: CloudFile?

    private var location: StoreLocation {
        StoreLocation(
            folder: root.appending("data/clawradar").string,
            keyFile: root.appending("state/clawradar/sealing.key").string
        )
    }

    /// Performs a number of operations on the store.
    func work(operations: Int) async throws {
        let store = try PairingStore(location)
        try check(opened: store)
        var model = try reconciled(store)
        if try reportedDevice() == nil { try report("device \(Self.name(store.device))") }
        var failures = 0
        var last: (any Error)?
        var device: CloudDevice?
        if let cloud { device = try await CloudDevice(store, cloud, isAnew: Bool.random()) }
        for number in 0..<operations {
            let operation = model.next()
            do {
                try store.perform(operation)
            } catch {
                print("failed: \(error.code): \(error)")
                last = error
                failures += 1
                // A failed operation is either done or not, but never half done, and the store can still be used.
                guard failures < 5 else { throw error }
                model = try reconciled(store, from: model)
                continue
            }
            try report("done \(model.count + 1)")
            model.apply(operation)
            _ = try await device?.sync.run(reads: number % 3 == 2)
        }
        if let last { throw last }
    }

    /// Checks that the store contains what was reported.
    func verify() async throws {
        let store = try PairingStore(location)
        try check(opened: store)
        _ = try reconciled(store)
        if let cloud {
            let other = FilePath("\(cloud.path).other")
            try? FileManager.default.removeItem(atPath: other.string)
            try FileManager.default.createDirectory(atPath: other.string, withIntermediateDirectories: true)
            try await CloudDevice(store, cloud).check(
                beside: StoreLocation(
                    folder: other.appending("data/clawradar").string,
                    keyFile: other.appending("state/clawradar/sealing.key").string
                )
            )
            // What has come back from the cloud would be seen here.
            _ = try reconciled(store)
        }
        if let device = try reportedDevice(), device != Self.name(store.device) {
            throw Mismatch(description: "the identity is \(Self.name(store.device)), reported was \(device)")
        }
        try checkFiles()
    }

    private func check(opened store: PairingStore) throws {
        if let path = store.setAside { throw Mismatch(description: "a database was set aside: \(path)") }
        if let problem = store.keyProblem { throw Mismatch(description: "the key: \(problem)") }
        // Signing needs the sealed private key.
        guard try store.device.signature(of: [1]).count == 64 else { throw Mismatch(description: "no signature") }
    }

    // MARK: Model and store

    /// Returns the model that matches the store: that of the reported operations, or of one more, whose report was
    /// lost.
    private func reconciled(_ store: PairingStore) throws -> StoreModel {
        let lines = try lines()
        let reported = lines.compactMap { $0.hasPrefix("done ") ? Int($0.dropFirst(5)) : nil }.last ?? 0
        return try reconciled(store, from: StoreModel(seed: seed, operations: reported))
    }

    private func reconciled(_ store: PairingStore, from model: StoreModel) throws -> StoreModel {
        let found = try store.content()
        if found == model.pairings { return model }
        var next = model
        next.apply(model.next())
        if found == next.pairings { return next }
        throw Mismatch(description: "after \(model.count) operations: \(Self.difference(found, model.pairings))")
    }

    private static func difference(
        _ found: [PairingID: ExpectedPairing],
        _ expected: [PairingID: ExpectedPairing]
    ) -> String {
        let ids = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }.sorted()
        return ids.map { "\($0): found \(found[$0] as Any), reported \(expected[$0] as Any)" }.joined(separator: "\n")
    }

    // MARK: Files

    /// Checks that no file contains a token unencrypted, that only the key file contains the key, and that no temporary
    /// file is left.
    private func checkFiles() throws {
        let key = Array(FileManager.default.contents(atPath: location.keyFile) ?? Data()).prefix(64)
        guard key.count == 64 else { throw Mismatch(description: "no key") }
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.string)
        for name in names {
            let path = root.appending(name).string
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            let mode = attributes[.posixPermissions] as? Int ?? 0
            guard mode == (isFolder ? 0o700 : 0o600) else {
                throw Mismatch(description: "\(name) has the mode \(String(mode, radix: 8))")
            }
            guard !isFolder else { continue }
            let known = [
                "pairings.sqlite", "pairings.sqlite-journal", "pairings.sqlite.new", "pairings.sqlite.new-journal",
                "opening.lock", "sealing.key", "cloud.lock",
            ]
            guard known.contains(FilePath(name).lastComponent?.string ?? "") else {
                throw Mismatch(description: "a leftover: \(name)")
            }
            let content = Array(FileManager.default.contents(atPath: path) ?? Data())
            let markers = [StoreModel.marker, CloudFile.marker]
            guard markers.allSatisfy({ content.firstRange(of: Array($0.utf8)) == nil }) else {
                throw Mismatch(description: "\(name) has a token in clear")
            }
            guard path == location.keyFile || content.firstRange(of: key) == nil else {
                throw Mismatch(description: "\(name) has the key")
            }
        }
    }

    // MARK: Log

    private func lines() throws -> [Substring] {
        guard let data = FileManager.default.contents(atPath: log.string) else { return [] }
        // A last line without a line feed was cut off by a kill, so that it was not reported.
        return String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    private func reportedDevice() throws -> String? {
        try lines().last { $0.hasPrefix("device ") }.map { String($0.dropFirst(7)) }
    }

    private func report(_ line: String) throws {
        let descriptor = try FileDescriptor.open(
            log,
            .writeOnly,
            options: [.create, .append],
            permissions: .ownerReadWrite
        )
        try descriptor.closeAfter { _ = try descriptor.writeAll("\(line)\n".utf8) }
    }

    private static func name(_ device: DeviceIdentity) -> String {
        "\(device.id) \(device.publicKey.map { String($0, radix: 16) }.joined())"
    }
}

extension PairingStore {
    /// Returns everything that is stored, with the secrets opened.
    fileprivate func content() throws -> [PairingID: ExpectedPairing] {
        let live = try pairings().map { ExpectedPairing(pairing: $0, secrets: [:]) }
        let binned = try bin().map {
            ExpectedPairing(pairing: $0.pairing, secrets: [:], reason: $0.reason, binnedAt: $0.time)
        }
        var result: [PairingID: ExpectedPairing] = [:]
        for var expected in live + binned {
            for credential in expected.pairing.credentials {
                expected.secrets[credential.id] = try secret(of: credential.id, in: expected.pairing.id)
            }
            result[expected.pairing.id] = expected
        }
        return result
    }

    fileprivate func perform(_ operation: StoreOperation) throws(StoreError) {
        switch operation {
        case .pair(let pairing, let secrets): try insert(pairing, secrets: secrets)
        case .addCredential(let credential, let secret, let bots, let id):
            try insert(credential, secret: secret, bots: bots, into: id)
        case .replaceSecret(let secret, let credential, let id, let time):
            try replaceSecret(secret, of: credential, in: id, at: time)
        case .update(let id, let name, let endpoints):
            try update(id) { pairing in
                pairing.name = name
                pairing.endpoints = endpoints
            }
        case .unpair(let id, let reason, let time): try moveToBin(id, reason: reason, at: time)
        case .restore(let id): try restore(id)
        case .purge(let time): try purgeBin(before: time)
        }
    }
}
