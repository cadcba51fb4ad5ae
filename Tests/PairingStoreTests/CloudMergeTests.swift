import TestSupport
import Testing

@testable import Pairing

/// Devices that pair, unpair and rename offline and at once, with answers that get lost, requests that come twice or much
/// later, and clocks that are an hour off: all end with the same, and nothing that was newest is lost or comes back.
@Suite struct CloudMergeTests {
    private struct Content: Hashable {
        var token: Int
        var name: Int

        var digest: CloudDigest {
            CloudDigest(token: [UInt8(truncatingIfNeeded: token), UInt8(token >> 8)], rest: [UInt8(name)])
        }
    }

    private struct Row: Hashable {
        var version: CloudVersion
        var content: Content?
        var updatedAt: Int
    }

    private enum Statement {
        case insert(Int, CloudVersion, Content?)
        case update(Int, CloudVersion, Content?)
    }

    /// The table, with the two statements as they are sent.
    private struct Table {
        var rows: [Int: Row] = [:]
        var time = 0
        /// Tells whether a statement has put an older row in place of a newer one.
        var wentBack = false

        mutating func run(_ statement: Statement) {
            let before = rows
            defer {
                wentBack =
                    wentBack || before.contains { key, old in rows[key].map { $0.version < old.version } ?? true }
            }
            time += 1
            switch statement {
            case .insert(let key, let version, let content):
                if rows[key] == nil { rows[key] = Row(version: version, content: content, updatedAt: time) }
            case .update(let key, let version, let content):
                guard let found = rows[key]?.version else { return }
                let isTie = found.pairedAt == version.pairedAt && found.isActive
                guard
                    found.pairedAt < version.pairedAt
                        || isTie && (!version.isActive || found.device < version.device)
                else { return }
                rows[key] = Row(version: version, content: content, updatedAt: time)
            }
        }
    }

    private struct Device {
        let name: String
        /// The time by which its clock is ahead, in milliseconds.
        let skew: Int
        var local: [Int: (content: Content, madeAt: Int)] = [:]
        var entries: [Int: CloudEntry] = [:]
        var marker = 0

        mutating func note() {
            for key in Set(local.keys).union(entries.keys) {
                let made = local[key]
                entries[key, default: CloudEntry()].note(made?.content.digest, at: (made?.madeAt ?? 0) - skew, by: name)
            }
        }

        mutating func pull(_ table: Table) {
            note()
            for (key, row) in table.rows.sorted(by: { $0.value.updatedAt < $1.value.updatedAt })
            where row.updatedAt > marker {
                marker = row.updatedAt
                guard entries[key, default: CloudEntry()].receive(row.version) == .newer else { continue }
                local[key] = row.content.map { ($0, row.version.pairedAt / 1_000 + skew) }
                entries[key]?.take(row.version, having: row.content?.digest)
            }
        }

        /// The statements for what waits.
        var waiting: [(key: Int, version: CloudVersion, Content?)] {
            entries.compactMap { key, entry in
                entry.isWaiting ? entry.version.map { (key, $0, local[key]?.content) } : nil
            }
            .sorted { $0.key < $1.key }
        }
    }

    private struct World {
        var random: SeededGenerator
        var table = Table()
        var devices: [Device]
        /// Requests that arrive much later, or a second time.
        var late: [Statement] = []
        var now = 1_700_000_000_000
        var tokens = 0
        /// The newest token of each key, while nobody who knew it has ended it; and those that were ended.
        var newest: [Int: Int] = [:]
        var ended: Set<Int> = []

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            devices = ["a", "b", "c"].map {
                Device(name: $0, skew: Int.random(in: -3_600_000...3_600_000, using: &random))
            }
            self.random = random
        }

        mutating func act(_ index: Int) {
            let key = Int.random(in: 0..<3, using: &random)
            let made = now + devices[index].skew
            switch (Int.random(in: 0..<4, using: &random), devices[index].local[key]) {
            case (0, .some(let found)):
                devices[index].local[key] = nil
                guard newest[key] == found.content.token else { return }
                newest[key] = nil
                ended.insert(found.content.token)
            case (1, .some(var found)), (2, .some(var found)):
                found.content.name = Int.random(in: 0..<200, using: &random)
                devices[index].local[key] = found
            default:
                tokens += 1
                devices[index].local[key] = (Content(token: tokens, name: 0), made)
                newest[key] = tokens
            }
        }

        mutating func sync(_ index: Int, faulty: Bool) {
            devices[index].pull(table)
            for (key, version, content) in devices[index].waiting {
                var isAnswered = true
                for statement in [Statement.insert(key, version, content), .update(key, version, content)] {
                    switch faulty ? Int.random(in: 0..<6, using: &random) : 0 {
                    case 1:  // The request is lost, or comes when nobody thinks of it any more.
                        if Bool.random(using: &random) { late.append(statement) }
                        isAnswered = false
                    case 2:  // The answer is lost.
                        table.run(statement)
                        isAnswered = false
                    case 3:  // It comes twice.
                        table.run(statement)
                        late.append(statement)
                    default: table.run(statement)
                    }
                    if !isAnswered { break }
                }
                if isAnswered { devices[index].entries[key]?.confirm(version) }
            }
        }

        mutating func run() {
            for _ in 0..<Int.random(in: 5..<40, using: &random) {
                now += Int.random(in: 1..<4_000_000, using: &random)
                let index = Int.random(in: 0..<3, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0, 1: act(index)
                case 2 where !late.isEmpty:
                    table.run(late.remove(at: Int.random(in: 0..<late.count, using: &random)))
                default: sync(index, faulty: true)
                }
            }
            for statement in late.shuffled(using: &random) { table.run(statement) }
            for _ in 0..<2 { for index in devices.indices { sync(index, faulty: false) } }
        }
    }

    @Test func allEndWithTheSame() {
        for seed in 0..<UInt64(1_000) {
            var world = World(seed: seed)
            world.run()
            let rows = world.table.rows
            #expect(!world.table.wentBack, "seed \(seed)")
            for device in world.devices {
                #expect(device.local.mapValues(\.content) == rows.compactMapValues(\.content), "seed \(seed)")
                #expect(device.entries.compactMapValues(\.version) == rows.mapValues(\.version), "seed \(seed)")
                #expect(device.waiting.isEmpty, "seed \(seed)")
                let tokens = device.local.mapValues(\.content.token)
                for (key, newest) in world.newest { #expect(tokens[key] == newest, "seed \(seed)") }
                #expect(world.ended.isDisjoint(with: tokens.values), "seed \(seed)")
            }
        }
    }

    /// A name that another device gives to what was unpaired meanwhile does not bring it back; pairing again does.
    @Test func anEndWinsOverANameAndLosesToAToken() throws {
        let paired = CloudVersion.new(at: 5, by: "a", after: nil)
        let renamed = try #require(paired.renamed(by: "z"))
        #expect(paired < renamed && renamed < paired.ended)
        #expect(renamed.ended == paired.ended)
        #expect(paired.ended < .new(at: 5, by: "a", after: paired.ended))
        #expect(paired.ended < .new(at: 6, by: "a", after: nil))
    }

    /// However often a name changes, that never becomes a token's time.
    @Test func namesHaveAnEnd() throws {
        var version = CloudVersion.new(at: 5, by: "a", after: nil)
        while let next = version.renamed(by: "a") { version = next }
        #expect(version.pairedAt == 5_998)
    }

    /// A server that brings an old row back is told again what it had, and what waits is no reason to believe it.
    @Test func anOldRowIsNotTaken() {
        var entry = CloudEntry()
        entry.note(CloudDigest(token: [1], rest: []), at: 5, by: "a")
        let first = CloudVersion(pairedAt: 5_000, device: "a")
        entry.confirm(first)
        #expect(entry.receive(first) == .known && !entry.isWaiting)
        entry.take(CloudVersion(pairedAt: 9_000, device: "b"), having: CloudDigest(token: [2], rest: []))
        #expect(entry.receive(first) == .rolledBack && entry.isWaiting)
        #expect(entry.receive(first) == .outdated)
    }
}
