import Glibc
import Testing

/// A `clawradar watch` on a host that prints a line for each change, as a person sees it.
struct LineWatch: Sendable {
    let host: LabHost
    let process: LabProcess

    init(on host: LabHost, _ arguments: [String] = []) throws {
        self.host = host
        process = try Lab.start(on: host.name, [Lab.clawradar, "watch"] + arguments)
    }

    /// All lines about gateways that it has printed.
    var lines: [WatchedLine] { process.lines.compactMap { WatchedLine($0) } }

    /// Returns the first line with this mark about a gateway.
    func first(_ mark: Character, _ name: String) -> WatchedLine? {
        lines.first { $0.mark == mark && $0.name == name }
    }

    /// Waits until all gateways of these names were found.
    func found(_ names: Set<String>, within limit: Duration = .seconds(20)) async throws {
        let isThere = await InProcess.wait(within: limit) {
            names.isSubset(of: Set(lines.filter { $0.mark == "+" }.map(\.name)))
        }
        try #require(
            isThere,
            "on \(host.name), not all of \(names.sorted()) were found within \(limit):\n\(transcript)"
        )
    }

    /// Its output and errors, for a message.
    var transcript: String {
        (process.lines.map(\.text) + [process.errorText]).joined(separator: "\n")
    }

    func stop() async throws {
        let result = try await process.stop(SIGINT)
        #expect(result.status == 0, "watch on \(host.name) ended with \(result.status): \(result.errors)")
    }
}
