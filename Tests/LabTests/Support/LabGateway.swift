import Foundation
import Glibc
import Synchronization

/// A reference gateway on a host, which can be stopped and started again, either as the same gateway or as a new one.
final class LabGateway: Sendable {
    /// The address with which it listens on all addresses of its host, IPv4 and IPv6.
    static let everywhere = "::"

    let name: String
    let host: LabHost
    private let scene: CrashScene?
    private let arguments: [String]
    private let process = Mutex<LabProcess?>(nil)

    /// - Parameters:
    ///   - listen: The address at which it listens.
    ///   - isPlain: Indicates whether it accepts connections without TLS.
    ///   - scene: The place in which it runs, if the test makes it crash.
    ///   - arguments: More arguments of `reference-gateway`. Without `--state` each start creates a new gateway with
    ///     another fingerprint.
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

    /// Starts it, and waits until it is published, or until it listens if it does not advertise itself.
    ///
    /// - Parameters:
    ///   - more: Arguments for this start only.
    ///   - isPublished: Indicates whether to wait until it is published; otherwise only until it listens.
    /// - Returns: The time at which it was published or listened.
    @discardableResult
    func start(port: Int, _ more: [String] = [], isPublished: Bool = true) async throws -> ContinuousClock.Instant {
        let command = [Lab.referenceGateway, "--port", "\(port)"] + arguments + more
        let process = try Lab.start(on: host.name, scene?.command(command) ?? command)
        self.process.withLock { $0 = process }
        let message = isPublished && !arguments.contains("--no-advertise") ? "published" : "listens"
        return try await process.line(within: .seconds(20), "message “\(message)” of gateway \(name)") {
            $0.contains(message)
        }.time
    }

    /// Its process; `nil` while it is stopped.
    var running: LabProcess? { process.withLock { $0 } }

    /// Stops it, and waits until it has ended.
    ///
    /// - Returns: Its output; `nil` if it did not run.
    @discardableResult
    func stop(_ signal: Int32 = SIGTERM) async throws -> LabProcess.Result? {
        try await process.withLock { $0.take() }?.stop(signal)
    }
}
