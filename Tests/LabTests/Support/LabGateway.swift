import Foundation
import Glibc
import Synchronization

/// A reference gateway on a host, which can be stopped, and started again as the same one or as another.
final class LabGateway: Sendable {
    /// The address at which it listens, IPv6 included.
    static let everywhere = "::"

    let name: String
    let host: LabHost
    private let arguments: [String]
    private let process = Mutex<LabProcess?>(nil)

    /// - Parameters:
    ///   - listen: The address at which it listens.
    ///   - isPlain: Whether it is without TLS.
    ///   - arguments: More arguments of `clawradar gateway`. Without `--state` it is another gateway after each start.
    init(
        _ name: String,
        on host: LabHost,
        listen: String = everywhere,
        isPlain: Bool = true,
        _ arguments: [String] = []
    ) {
        self.name = name
        self.host = host
        let transport = isPlain ? ["--plain"] : []
        self.arguments = ["--name", name, "--host", listen, "--bot", "bot-1=Jarvis:🤖"] + transport + arguments
    }

    /// Starts it, and waits until it is published, or listens where it is not to be.
    ///
    /// - Parameter isPublished: Whether to wait for that; otherwise until it listens.
    /// - Returns: When that was.
    @discardableResult
    func start(port: Int, _ more: [String] = [], isPublished: Bool = true) async throws -> ContinuousClock.Instant {
        let process = try Lab.start(
            on: host.name,
            [Lab.clawradar, "gateway", "--port", "\(port)"] + arguments + more
        )
        self.process.withLock { $0 = process }
        let word = isPublished && !arguments.contains("--no-advertise") ? "published" : "listens"
        return try await process.line(within: .seconds(20), "word of \(name) that it is \(word)") {
            $0.contains(word)
        }.time
    }

    /// Stops it, and waits until it has ended.
    func stop(_ signal: Int32 = SIGTERM) async throws {
        guard let process = process.withLock({ $0.take() }) else { return }
        try await process.stop(signal)
    }
}
