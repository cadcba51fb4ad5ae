import GatewayProtocol
import TestSupport
import Testing

@testable import Pairing

/// Three stores beside one table, which pair, unpair, rename and sync in any order, with answers that get lost and requests that
/// come twice: all end with the same pairings and the same tokens. ``CloudMergeTests`` does it a thousand times without stores.
@Suite struct CloudDevicesTests {
    private static let user = "3e0c5b6a-0000-4000-8000-000000000001"

    /// The table, with the two statements as they are sent.
    private struct Table {
        var rows: [CloudRow.Key: CloudRow] = [:]
        /// Their keys, as they were written.
        var order: [CloudRow.Key] = []

        mutating func run(_ row: CloudRow, replaces: Bool) {
            guard rows[row.key].map({ replaces && row.isNewer(than: $0) }) ?? !replaces else { return }
            order.removeAll { $0 == row.key }
            order.append(row.key)
            rows[row.key] = row
        }
    }

    private struct Device {
        let store: PairingStore
        let owner: CloudOwner
        /// The time by which its clock is ahead, in milliseconds.
        let skew: Int

        func pull(_ table: Table, _ vault: VaultKey, at now: Int) throws {
            let rows = table.order.compactMap { table.rows[$0] }
            _ = try store.takeFromCloud(rows, owner, vault, marker: nil, at: now + skew, ahead: skew)
        }

        func push(_ table: inout Table, _ vault: VaultKey, _ random: inout SeededGenerator, isFaulty: Bool) throws {
            _ = try store.noteForCloud(owner, vault, ahead: skew)
            let rows = try store.cloudRowsToSend(owner, vault, atMost: 100)
            let fault = isFaulty ? Int.random(in: 0..<6, using: &random) : 5
            // It does not arrive, or twice, or nobody hears of it.
            for _ in 0..<(fault == 0 ? 0 : fault == 1 ? 2 : 1) {
                for replaces in [false, true] {
                    for row in rows { table.run(row, replaces: replaces) }
                }
            }
            if ![0, 2].contains(fault) { try store.confirmCloudRows(rows) }
        }

        /// Its content: the newest token of each bot, with the names.
        func content() throws -> [String: String] {
            var content: [String: String] = [:]
            for pairing in try store.pairings() {
                for part in pairing.cloudParts(for: owner, sealedWith: VaultKey()) {
                    let token = try part.pairing.credentials.first.map { try store.secret(of: $0.id, in: pairing.id) }
                    let bot = part.pairing.bots.first
                    content["\(part.key.gateway) \(part.key.bot)"] =
                        "\(token?.revealed ?? "") \(pairing.name) \(bot?.name ?? "")"
                }
            }
            return content
        }
    }

    private struct World {
        let vault = VaultKey()
        var random: SeededGenerator
        var devices: [Device] = []
        var table = Table()
        var now = 1_700_000_000_000
        var tokens = 0
        /// The newest token of each gateway, while nobody who knew it has ended it; and those that were ended.
        var newest: [Int: String] = [:]
        var ended: Set<String> = []

        init(seed: UInt64, _ folders: [StoreFolder]) throws {
            random = SeededGenerator(seed: seed)
            for (number, folder) in folders.enumerated() {
                let store = try folder.open()
                let project = try #require(CloudProject(url: "https://abc.example", key: "sb_publishable_x"))
                let account = CloudAccount(project: project, user: user, email: "me", sealsNames: false)
                try store.signIn(account, token: Secret("refresh"))
                let owner = CloudOwner(user: user, device: "device-\(number)")
                let skew = Int.random(in: -3_600_000...3_600_000, using: &random)
                devices.append(Device(store: store, owner: owner, skew: skew))
            }
        }

        /// Has a user do something on a device.
        mutating func act(_ device: Device) throws {
            let gateway = Int.random(in: 0..<2, using: &random)
            let present = try device.store.pairings().first { $0.trust == .certified(host: "gateway-\(gateway)") }
            guard let present else { return try pair(gateway, on: device) }
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let token = try device.content().first { $0.key.hasPrefix("host:gateway-\(gateway) ") }?.value
                try device.store.moveToBin(present.id, reason: .forgotten, at: now + device.skew)
                let first = token?.split(separator: " ").first.map(String.init)
                guard let first, newest[gateway] == first else { return }
                newest[gateway] = nil
                ended.insert(first)
            case 1:
                let name = "Name \(Int.random(in: 0..<100, using: &random))"
                try device.store.update(present.id) { $0.name = name }
            default:
                try device.store.moveToBin(present.id, reason: .forgotten, at: now + device.skew)
                try pair(gateway, on: device)
            }
        }

        private mutating func pair(_ gateway: Int, on device: Device) throws {
            tokens += 1
            let time = now + device.skew
            let bots = [try #require(BotID("bot-1")), try #require(BotID("bot-2"))]
            let credential = StoredCredential(bots: bots, createdAt: time, deviceID: "d")
            let pairing = StoredPairing(
                gatewayID: "gateway-\(gateway)",
                fingerprint: nil,
                name: "Gateway \(gateway)",
                dialect: .optaplus,
                trust: .certified(host: "gateway-\(gateway)"),
                endpoints: [],
                pairedAt: time,
                bots: bots.map { StoredBot(id: $0, name: $0.text) },
                credentials: [credential]
            )
            try device.store.insert(pairing, secrets: [credential.id: Secret("token-\(tokens)")])
            newest[gateway] = "token-\(tokens)"
        }

        mutating func sync(_ device: Device, isFaulty: Bool) throws {
            try device.pull(table, vault, at: now)
            try device.push(&table, vault, &random, isFaulty: isFaulty)
        }

        mutating func run() throws {
            for _ in 0..<Int.random(in: 6..<20, using: &random) {
                now += Int.random(in: 1..<4_000_000, using: &random)
                let device = devices[Int.random(in: 0..<3, using: &random)]
                if Bool.random(using: &random) { try act(device) } else { try sync(device, isFaulty: true) }
            }
            for _ in 0..<3 { for device in devices { try sync(device, isFaulty: false) } }
        }
    }

    @Test(arguments: 0..<UInt64(12)) func allEndWithTheSameTokens(seed: UInt64) async throws {
        try await StoreFolder.with { first in
            try await StoreFolder.with { second in
                try await StoreFolder.with { third in
                    var world = try World(seed: seed, [first, second, third])
                    try world.run()
                    let contents = try world.devices.map { try $0.content() }
                    #expect(contents[1] == contents[0] && contents[2] == contents[0])
                    let tokens = Set(contents[0].values.compactMap { $0.split(separator: " ").first.map(String.init) })
                    #expect(tokens == Set(world.newest.values))
                    #expect(tokens.isDisjoint(with: world.ended))
                    for device in world.devices {
                        #expect(try device.store.noteForCloud(device.owner, world.vault, ahead: device.skew).isEmpty)
                        #expect(try device.store.cloudEntries().allSatisfy { $0.note == nil })
                    }
                }
            }
        }
    }
}
