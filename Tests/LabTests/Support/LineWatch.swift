import Glibc
import Testing

/// A `clawradar watch` on a host, as a person would run it, its output a line for each change.
struct LineWatch: Sendable {
    let host: LabHost
    let process: LabProcess

    init(on host: LabHost, _ arguments: [String] = []) throws {
        self.host = host
        process = try Lab.start(on: host.name, [Lab.clawradar, "watch"] + arguments)
    }

    /// Everything that it has printed about gateways.
    var lines: [WatchedLine] { process.lines.compactMap { WatchedLine($0) } }

    /// The first line with this mark about a gateway.
    func first(_ mark: Character, _ name: String) -> WatchedLine? {
        lines.first { $0.mark == mark && $0.name == name }
    }

    /// Waits until all of these were found.
    func found(_ names: Set<String>, within limit: Duration = .seconds(20)) async throws {
        let isThere = await InProcess.wait(within: limit) {
            names.isSubset(of: Set(lines.filter { $0.mark == "+" }.map(\.name)))
        }
        try #require(
            isThere,
            "on \(host.name) within \(limit) not all of \(names.sorted()) were found:\n\(transcript)"
        )
    }

    /// The text that the watch has printed, for a message.
    var transcript: String {
        (process.lines.map(\.text) + [process.errorText]).joined(separator: "\n")
    }

    func stop() async throws {
        let result = try await process.stop(SIGINT)
        #expect(result.status == 0, "watch on \(host.name) ended with \(result.status): \(result.errors)")
    }
}
