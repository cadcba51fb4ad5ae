import DNSSD
import Foundation
import GatewaySamples
import Glibc
import Reports
import Scanning
import Synchronization
import TestSupport
import Testing

@testable import Commands
@testable import Console

@Suite struct ReplayTests {
    private let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("replay-\(UUID().uuidString)").path

    /// Replays the file, and returns the rows and the services that are left at its end, and the error.
    private func replay(
        limits: BotMapLimits = BotMapLimits()
    ) async -> (
        rows: [GatewayID: Gateway], services: [ServiceInstance: DiscoveredService], error: String?
    ) {
        let reported = Mutex<(rows: [GatewayID: Gateway], services: [ServiceInstance: DiscoveredService])>(([:], [:]))
        var failure: String?
        do {
            try await Replay(path: path, speed: .unpaced, limits: limits).run { update, _ in
                guard case .changes(let changes, _) = update else { return }
                reported.withLock { reported in
                    for change in changes {
                        switch change {
                        case .gateway(.found(let row)), .gateway(.changed(let row, _)): reported.rows[row.id] = row
                        case .gateway(.lost(let row)), .gateway(.joined(let row, _)): reported.rows[row.id] = nil
                        case .gateway(.problem), .backend, .session: break
                        case .service(.found(let service)), .service(.changed(let service, _)):
                            reported.services[service.instance] = service
                        case .service(.lost(let service, _)): reported.services[service.instance] = nil
                        }
                    }
                }
            }
        } catch {
            failure = "\(error)"
        }
        let (rows, services) = reported.withLock { $0 }
        return (rows, services, failure)
    }

    @Test func whatAWatchRecordsEndsInTheSameMap() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        var source = AnyEvent(random: .forFuzzing("replays"))
        let recorder = try Recorder(path: path, startedAt: .now)
        let constellation = Constellation(observer: { recorder.take($0) })
        for _ in 0..<500 { await constellation.apply(try source.next()) }
        let (rows, _, error) = await replay()
        #expect(error == nil)
        #expect(rows.values.sorted { $0.id < $1.id } == (await constellation.gateways))
    }

    @Test func aBrokenRecordingIsShownUpToWhereItBreaks() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = try Recorder(path: path, startedAt: .now)
        for event in try Rows.mixed() { recorder.take(event) }
        let whole = try String(contentsOfFile: path, encoding: .utf8)
        try (whole + "broken\n").write(toFile: path, atomically: true, encoding: .utf8)
        let (rows, services, error) = await replay()
        #expect(rows.values.sorted { $0.id < $1.id } == Rows.map(try Rows.mixed()).gateways)
        #expect(services.count == 2)
        #expect(error?.contains("line 10: a line is to be an object of JSON") == true, "\(error ?? "")")
    }

    /// The number of services is limited, because a recording may come from anybody, and could fill the memory.
    @Test func servicesPastTheLimitAreNotTakenIn() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = try Recorder(path: path, startedAt: .now)
        let services = try ["a", "b", "c", "d"].map { try Fixture.service(name: $0) }
        for service in services[..<3] { recorder.take(.serviceFound(service)) }
        // At the limit, a known service can still change, and a lost one makes room.
        let changed = try Fixture.service(name: "b", port: 3_001)
        recorder.take(.serviceFound(changed))
        recorder.take(.serviceLost(services[0].instance))
        recorder.take(.serviceFound(services[3]))
        let (_, shown, error) = await replay(limits: BotMapLimits(candidates: 2))
        #expect(error == nil)
        #expect(shown == [changed.instance: changed, services[3].instance: services[3]])
    }

    /// A pipe is read as its writer writes into it, in pieces and at any time. Waiting for the writer blocks no thread,
    /// and the replay can be cancelled meanwhile.
    @Test(.timeLimit(.minutes(1))) func aPipeIsReadAsItComes() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(mkfifo(path, 0o600) == 0)
        // One more than the number of threads of the pool: if waiting blocked a thread, the tasks below could not run.
        let idle = (0...ProcessInfo.processInfo.activeProcessorCount).map { _ in Task { await self.replay() } }
        for task in idle { task.cancel() }
        for task in idle { _ = await task.value }

        let task = Task { await self.replay() }
        let events = try Rows.mixed().map { RecordedEvent(at: .zero, event: $0).line }
        let bytes = RecordingHeader(startedAt: .now).line + events.flatMap(\.self)
        let path = path
        let writer = Task.detached {
            let pipe = try FileHandle(forWritingTo: URL(filePath: path))
            try pipe.write(contentsOf: bytes.prefix(100))
            await Task.yield()
            try pipe.write(contentsOf: bytes.dropFirst(100))
            try pipe.close()
        }
        try await writer.value
        let (rows, services, error) = await task.value
        #expect(error == nil)
        #expect(rows.count == Rows.map(try Rows.mixed()).gateways.count && services.count == 2)
    }

    @Test func aFileThatIsNotThereIsNamed() async {
        #expect(await replay().error == "\(path): cannot be opened: No such file or directory")
    }

    /// A recording that cannot be written fails as soon as it begins.
    @Test func aFullDiskIsTold() async throws {
        let recorder = try? Recorder(path: "/dev/full", startedAt: .now)
        #expect(recorder == nil)
    }

    @Test func speeds() throws {
        #expect(try ReplaySpeed("10").pause(.seconds(5)) == .milliseconds(500))
        #expect(try ReplaySpeed("max").pause(.seconds(5)) == nil)
        for text in ["", "x", "-1", "0", "nan", "inf", "1e9"] {
            #expect(throws: ArgumentProblem.self) { try ReplaySpeed(text) }
        }
    }
}
