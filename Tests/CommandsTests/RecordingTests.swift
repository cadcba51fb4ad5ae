import DNSSD
import Foundation
import GatewaySamples
import Glibc
import Reports
import Scanning
import TestSupport
import Testing

@testable import Commands

/// A recording contains the events that were recorded, and can be read back.
@Suite struct RecordingTests {
    private static func temporaryPath() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID().uuidString)").path
    }

    private static func write(_ events: [BotMapEvent], to path: String) throws {
        let recorder = try Recorder(path: path, startedAt: Timestamp(milliseconds: 1_795_000_000_000))
        for event in events { recorder.take(event) }
        #expect(recorder.failure == nil)
    }

    /// Returns the events up to the end of the recording or up to the first invalid line, and the error in it.
    private static func read(_ path: String) async -> (events: [RecordedEvent], error: RecordingError?) {
        var events: [RecordedEvent] = []
        do throws(RecordingError) {
            var reader = try await RecordingReader.opened(path: path)
            while let event = try await reader.event() { events.append(event) }
            return (events, nil)
        } catch {
            return (events, error)
        }
    }

    @Test func aReplayEndsInTheSameMap() async throws {
        var source = AnyEvent(random: .forFuzzing("recorded maps"))
        let path = Self.temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        for round in 0..<50 {
            var map = BotMap()
            var events: [BotMapEvent] = []
            for _ in 0..<Int(source.random.next() % 100) { events.append(try source.next()) }
            for event in events { map.apply(event) }
            try Self.write(events, to: path)

            let (recorded, error) = await Self.read(path)
            var replayed = BotMap()
            for event in recorded { replayed.apply(event.event) }
            #expect(error == nil)
            #expect(replayed.gateways == map.gateways, "round \(round)")
            #expect(recorded.map(\.at) == recorded.map(\.at).sorted())
        }
    }

    /// The lines of concurrent callers are in the order of their times, because a reader computes each pause from the
    /// line before.
    @Test func theLinesOfManyThreadsAreInTheOrderOfTheirTimes() async throws {
        let path = Self.temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let lost = BotMapEvent.serviceLost(try Fixture.service().instance)
        let recorder = try Recorder(path: path, startedAt: Timestamp(milliseconds: 1_795_000_000_000))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 { recorder.take(lost) }
                }
            }
        }
        let (events, error) = await Self.read(path)
        #expect(error == nil)
        #expect(events.count == 4_000)
        #expect(events.map(\.at) == events.map(\.at).sorted())
    }

    @Test func aBrokenLineIsNamedAndNothingBeforeItIsLost() async throws {
        let path = Self.temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let service = try Fixture.service()
        try Self.write([.serviceFound(service), .serviceLost(service.instance)], to: path)
        let whole = try String(contentsOfFile: path, encoding: .utf8)

        try (whole + "{\"at\":[0,0],\"event\":\"exploded\"}\n").write(toFile: path, atomically: true, encoding: .utf8)
        var (events, error) = await Self.read(path)
        #expect(events.count == 2)
        #expect(error?.line == 4)
        #expect(error?.description.contains("line 4: “event” of the event is to be a word") == true)

        // The recorder was killed while it wrote a line.
        try String(whole.dropLast(20)).write(toFile: path, atomically: true, encoding: .utf8)
        (events, error) = await Self.read(path)
        #expect(events.count == 1)
        #expect(error?.line == 3)
        #expect(error?.message == "the recording ends in the middle of an event")
    }

    @Test(arguments: ["", "hello\n", "{}\n", "{\"clawradarRecording\":2}\n", "\u{FF}\n"])
    func whatIsNoRecordingIsRefused(content: String) async throws {
        let path = Self.temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try content.write(toFile: path, atomically: true, encoding: .utf8)
        let (events, error) = await Self.read(path)
        #expect(events.isEmpty)
        #expect(error != nil)
    }

    /// A recording reveals the network of the user who records it, so that nobody else may read it. Without an explicit
    /// change, an existing file would keep its permissions.
    @Test func aFileThatIsReplacedIsReadByNobodyElse() throws {
        let path = Self.temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(FileManager.default.createFile(atPath: path, contents: Data("before".utf8)))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try Self.write([], to: path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    // MARK: Pipes

    /// A pipe that nobody reads is refused: opening it for writing would block until somebody reads, and nothing would
    /// be shown until then.
    @Test(.timeLimit(.minutes(1))) func aPipeThatNobodyReadsIsRefused() throws {
        let path = Self.temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(mkfifo(path, 0o600) == 0)
        #expect { try Self.write([], to: path) } throws: {
            ($0 as? RecordingError)?.description.contains("found a pipe that nobody reads") == true
        }
    }

    /// All events arrive through a pipe, although they are more than it can hold: the writer waits for the reader.
    @Test(.timeLimit(.minutes(1))) func aPipeThatIsReadGetsAll() throws {
        let path = Self.temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(mkfifo(path, 0o600) == 0)
        let descriptor = open(path, O_RDONLY | O_NONBLOCK)
        let reader = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        _ = fcntl(descriptor, F_SETFL, 0)
        let events = Array(repeating: BotMapEvent.serviceFound(try Fixture.service()), count: 4_000)
        let recorder = try Recorder(path: path, startedAt: Timestamp(milliseconds: 1_795_000_000_000))
        Thread { for event in events { recorder.take(event) } }.start()
        var lines = 0
        while lines <= events.count, case let chunk = reader.availableData, !chunk.isEmpty {
            lines += chunk.count { $0 == 0x0A }
        }
        #expect(lines == events.count + 1)
        #expect(recorder.failure == nil)
    }
}
