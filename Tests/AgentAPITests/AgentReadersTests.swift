import DNSSD
import Foundation
import GatewayProtocol
import GatewaySamples
import Glibc
import Scanning
import Synchronization
import TestSupport
import Testing

@testable import Agent
@testable import AgentAPI
@testable import Pairing

/// Readers of events as they are: cut off, slow, and too many.
@Suite(.timeLimit(.minutes(5))) struct AgentReadersTests {
    /// The picture of a reader who knows only what events have told.
    private struct Picture {
        /// The rows, by the bytes of their identifiers: a `String` equals others that are written with other characters.
        private(set) var rows: [[UInt8]: JSONValue] = [:]
        private(set) var services: Set<String> = []
        private(set) var snapshots = 0

        mutating func take(_ event: AgentEvents.Event) throws {
            let data = try JSONValue(parsing: Array(event.data.utf8), limits: JSONLimits(maximumBytes: 16_777_216))
            switch event.name {
            case "snapshot":
                snapshots += 1
                rows = Self.rows(in: data)
                services = Set((data["services"]?.array ?? []).compactMap { $0["instance"]?.string })
            case "gateway":
                guard let row = data["gateway"] ?? data["other"], let id = row["id"]?.string else { return }
                let isThere = !["lost", "joined"].contains(data["event"]?.string)
                rows[Array(id.utf8)] = isThere ? Self.lasting(row) : nil
            case "service":
                if data["event"]?.string != "lost", let name = data["service"]?["instance"]?.string {
                    services.insert(name)
                }
            default: break
            }
        }

        static func rows(in document: JSONValue) -> [[UInt8]: JSONValue] {
            let all = (document["gateways"]?.array ?? []) + (document["others"]?.array ?? [])
            return Dictionary(all.compactMap { row in row["id"]?.string.map { (Array($0.utf8), lasting(row)) } }) { $1 }
        }

        /// Returns a row without the times of its round trips: a change of them alone is no event.
        private static func lasting(_ row: JSONValue) -> JSONValue {
            switch row {
            case .object(let fields):
                .object(fields.filter { !$0.key.lowercased().contains("latency") }.mapValues(lasting))
            case .array(let values): .array(values.map(lasting))
            default: row
            }
        }
    }

    /// However often its connection is cut, a reader that resumes where it was has the picture of the agent at the end.
    @Test(arguments: [UInt64(1), 29]) func aReaderWhoIsCutOffMissesNothing(seed: UInt64) async throws {
        try await AgentStage.withAgent { agent, client in
            async let changes: Void = {
                var events = AnyEvent(random: SeededGenerator(seed: seed))
                for _ in 0..<100 {
                    var batch: [BotMapEvent] = []
                    for _ in 0..<100 { batch.append(try events.next()) }
                    for event in batch { await agent.constellation.apply(event) }
                    await Task.yield()
                }
                await agent.constellation.apply(.serviceFound(try Fixture.service(name: "The end")))
            }()
            var random = SeededGenerator(seed: seed)
            var picture = Picture()
            var position: String?
            var connections = 0
            // What changed together with the last service is told after it.
            var last: String?
            while position == nil || position != last {
                let reader = EventReader(client, after: position)
                connections += 1
                for _ in 0..<Int.random(in: 1...200, using: &random) {
                    guard let event = try await reader.next() else { break }
                    try picture.take(event)
                    position = event.identifier ?? position
                    if last == nil, picture.services.contains("The end") { last = await agent.present.position }
                    if position == last { break }
                }
                reader.end()
            }
            try await changes
            let document = try JSONValue(
                parsing: try await AgentStage.ask(client, "/api/v1/gateways").body,
                limits: JSONLimits(maximumBytes: 16_777_216)
            )
            let rows = Picture.rows(in: document)
            print("\(connections) connections, \(picture.snapshots) snapshots, \(rows.count) rows at the end")
            #expect(connections > 5 && !rows.isEmpty)
            for id in Set(rows.keys).union(picture.rows.keys) {
                #expect(picture.rows[id]?.fieldsUnlike(rows[id]) == [])
                #expect(rows[id] != nil)
            }
            #expect(rows.count == picture.rows.count)
        }
    }

    /// A reader that resumes is told of the pairings that go on at once, and not only after the next change of the map.
    @Test func whoeverResumesSeesThePairings() async throws {
        try await AgentStage.withAgent { agent, client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await agent.openPairings.run() }
                defer { group.cancelAll() }
                let first = EventReader(client)
                let snapshot = try #require(try await first.next())
                first.end()
                let begun = try #require(
                    agent.openPairings.begin(NewPairing(.row("x"))) { _, conversation in
                        await conversation.enter(.pairing(.storing)) == nil ? .cancelled : .storing
                    }
                )
                let second = EventReader(client, after: snapshot.identifier)
                defer { second.end() }
                let event = try #require(try await second.next())
                #expect(event.name == "pairing")
                #expect(event.data.contains(begun.id.description))
            }
        }
    }

    /// Readers that never read cost little, and keep nobody waiting: those who read have each change at once, and one that
    /// is too many is told so.
    @Test func whoeverDoesNotReadKeepsNobodyWaiting() async throws {
        try await AgentStage.withAgent { agent, client in
            let idle = try (0..<60).map { _ in try StalledReader(client.socket) }
            let readers = (0..<4).map { _ in EventReader(client) }
            for reader in readers { #expect(try await reader.next()?.name == "snapshot") }
            let before = ProcessMemory.privateDirty
            // Each has more to read than any buffer of a socket holds.
            var events = AnyEvent(random: SeededGenerator(seed: 7))
            for _ in 0..<10_000 { await agent.constellation.apply(try events.next()) }
            var rounds: [Duration] = []
            for round in 0..<20 {
                let name = "Round \(round)"
                let start = ContinuousClock.now
                await agent.constellation.apply(.serviceFound(try Fixture.service(name: name)))
                for reader in readers {
                    while let event = try await reader.next(), !event.data.contains("\"\(name)\"") {}
                }
                // The first round is that of everything before.
                if round > 0 { rounds.append(.now - start) }
            }
            var refusals: [Duration] = []
            for _ in 0..<20 {
                let start = ContinuousClock.now
                let answer = try await AgentStage.ask(client, "/health/live")
                refusals.append(.now - start)
                #expect(answer.status == 503 && answer.fields["retry-after"] != nil)
            }
            let grown = (ProcessMemory.privateDirty - before) / 1_024
            // Somebody who is waited for makes each of them long, and a machine that pauses one.
            let change = rounds.sorted()[rounds.count / 2]
            let refusal = refusals.sorted()[refusals.count / 2]
            print("a change is read after \(change), the 65th refused after \(refusal); grown by \(grown) KiB")
            #expect(change < .seconds(1))
            #expect(refusal < .milliseconds(100))
            #expect(grown < 60 * 1_024)
            withExtendedLifetime(idle) {}
        }
    }

    /// Bodies that are too long, and requests that never end, are no reason not to answer others.
    @Test func badRequestsKeepNobodyWaiting() async throws {
        try await AgentStage.withAgent { agent, client in
            let before = ProcessMemory.privateDirty
            let head = "POST /api/v1/scan HTTP/1.1\r\nHost: a\r\n"
            let half = try (0..<40).map { _ in try StalledReader(client.socket, head) }
            let body = [UInt8](repeating: 0x20, count: 10 * 1_048_576)
            for _ in 0..<5 {
                // The agent closes the connection, and may do so before the body was sent.
                let answer = try? await AgentStage.ask(client, "/api/v1/scan", method: "POST", body: body)
                #expect(answer == nil || answer?.status == 413)
            }
            let start = ContinuousClock.now
            for _ in 0..<200 { #expect(try await AgentStage.ask(client, "/api/v1/gateways").status == 200) }
            let mean = (ContinuousClock.now - start) / 200
            let grown = (ProcessMemory.privateDirty - before) / 1_024
            print("an answer in \(mean) beside 40 half requests; grown by \(grown) KiB")
            #expect(mean < .milliseconds(100))
            #expect(grown < 60 * 1_024)
            withExtendedLifetime(half) {}
        }
    }
}

extension JSONValue {
    fileprivate var text: String { String(decoding: encoded, as: UTF8.self) }

    /// The names and values of the fields that another object has not, or has with another value.
    fileprivate func fieldsUnlike(_ other: JSONValue?) -> [String] {
        guard case .object(let fields) = self else { return ["no object"] }
        return fields.keys.filter { self[$0] != other?[$0] }.map { name in
            "\(name): \(self[name]?.text ?? "-") and \(other?[name]?.text ?? "-")"
        }
    }
}

/// A connection that has sent something and never reads.
private final class StalledReader: Sendable {
    private let descriptor: Int32

    init(_ path: String, _ text: String = "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n") throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(connected == 0)
        let sent = Array(text.utf8).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
        try #require(sent == text.utf8.count)
    }

    deinit { close(descriptor) }
}

/// The memory of this process.
private enum ProcessMemory {
    /// The bytes that this process has written and shares with nobody.
    static var privateDirty: Int {
        let text = (try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
    }
}
