import Foundation
import Glibc
import Synchronization

/// A reference gateway on a host, which can be stopped, and started again as the same one or as another.
final class LabGateway: Sendable {
    /// The address at which it listens, IPv6 included.
    static let everywhere = "::"

    let name: String
    let host: LabHost
    private let scene: CrashScene?
    private let arguments: [String]
    private let process = Mutex<LabProcess?>(nil)

    /// - Parameters:
    ///   - listen: The address at which it listens.
    ///   - isPlain: Whether it is without TLS.
    ///   - scene: Where it is run; it is not to crash if not given.
    ///   - arguments: More arguments of `clawradar gateway`. Without `--state` it is another gateway after each start.
    init(
        _ name: String,
        on host: LabHost,
        listen: String = everywhere,
        isPlain: Bool = true,
        scene: CrashScene? = nil,
        _ arguments: [String] = []
    ) {
        self.name = name
        self.host = host
        self.scene = scene
        let transport = isPlain ? ["--plain"] : []
        self.arguments = ["--name", name, "--host", listen, "--bot", "bot-1=Jarvis:🤖"] + transport + arguments
    }

    /// Starts it, and waits until it is published, or listens where it is not to be.
    ///
    /// - Parameter isPublished: Whether to wait for that; otherwise until it listens.
    /// - Returns: When that was.
    @discardableResult
    func start(port: Int, _ more: [String] = [], isPublished: Bool = true) async throws -> ContinuousClock.Instant {
        let command = [Lab.clawradar, "gateway", "--port", "\(port)"] + arguments + more
        let process = try Lab.start(on: host.name, scene?.command(command) ?? command)
        self.process.withLock { $0 = process }
        let word = isPublished && !arguments.contains("--no-advertise") ? "published" : "listens"
        return try await process.line(within: .seconds(20), "word of \(name) that it is \(word)") {
            $0.contains(word)
        }.time
    }

    /// The process, while it is not stopped.
    var running: LabProcess? { process.withLock { $0 } }

    /// Stops it, and waits until it has ended.
    ///
    /// - Returns: What it has printed; `nil` if it did not run.
    @discardableResult
    func stop(_ signal: Int32 = SIGTERM) async throws -> LabProcess.Result? {
        try await process.withLock { $0.take() }?.stop(signal)
    }
}
