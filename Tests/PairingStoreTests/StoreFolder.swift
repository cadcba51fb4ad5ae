import DNSSD
import Foundation
import GatewayProtocol
import SystemPackage
import Testing

@testable import Pairing

/// A temporary folder for a store, with the locations of its database and its key.
struct StoreFolder {
    let root: FilePath
    let location: StoreLocation

    /// Runs a closure with such a folder, and removes it afterwards.
    static func with<Result>(_ body: (StoreFolder) async throws -> Result) async throws -> Result {
        let url = FileManager.default.temporaryDirectory.appending(path: "clawradar-store-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        let root = FilePath(url.path)
        return try await body(
            StoreFolder(
                root: root,
                location: StoreLocation(
                    folder: root.appending("data/clawradar").string,
                    keyFile: root.appending("state/clawradar/sealing.key").string
                )
            )
        )
    }

    func open() throws -> PairingStore { try PairingStore(location) }

    /// Returns the bytes of all files in the folder, by their paths.
    func content() throws -> [String: [UInt8]] {
        var result: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: root.string) {
            let path = root.appending(name).string
            if let data = FileManager.default.contents(atPath: path) { result[name] = Array(data) }
        }
        return result
    }

    static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}

extension StoredPairing {
    /// Returns a pairing with two bots, and one credential for each.
    static func sample(
        _ name: String = "Home",
        trust: TrustPolicy = .certified(host: "gateway.example"),
        pairedAt: Int = 1_000
    ) throws -> StoredPairing {
        let bots = [try #require(BotID("bot-1")), try #require(BotID("bot-2"))]
        return StoredPairing(
            gatewayID: "gateway-1",
            fingerprint: GatewayFingerprint(bytes: [0xFF, 0x00, 0x80]),
            name: name,
            dialect: .openClaw,
            trust: trust,
            endpoints: [
                Endpoint(address: try #require(IPAddress("10.0.0.1")), port: 3000, resource: "/ws"),
                Endpoint(
                    address: try #require(
                        IPAddress("fe80::1%lo", interfaces: [NetworkInterface(index: 1, name: "lo")])
                    ),
                    port: 65_535,
                    resource: "/ws"
                ),
            ],
            resource: "/ws",
            remoteURL: "wss://gateway.example/ws",
            connectsAutomatically: false,
            pairedAt: pairedAt,
            lastConnected: 2_000,
            bots: [
                StoredBot(id: bots[0], name: "Jarvis", emoji: "🤖"),
                StoredBot(id: bots[1], name: "Friday", isArchived: true),
            ],
            credentials: bots.map {
                StoredCredential(bots: [$0], createdAt: 1_000, deviceID: "device", scopes: ["operator.read", "x"])
            }
        )
    }

    /// The secrets of the credentials, in their order: `secret-token-0`, `secret-token-1`.
    var sampleSecrets: [CredentialID: Secret] {
        Dictionary(uniqueKeysWithValues: credentials.enumerated().map { ($1.id, Secret("secret-token-\($0)")) })
    }
}

/// Returns the code of the error that a closure throws, and records an issue if it throws none.
func code(_ body: () throws -> Void) -> ErrorCode<StoreError>? {
    do {
        try body()
        Issue.record("no error was thrown")
        return nil
    } catch {
        return (error as? StoreError)?.code
    }
}
