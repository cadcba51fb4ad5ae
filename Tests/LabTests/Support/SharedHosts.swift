import Foundation
import Testing

/// The hosts that are in the lab when the tests begin: all tests use them, one after the other.
enum SharedHosts {
    /// A host, as a test should leave it.
    struct State: Equatable {
        /// A word for its avahi-daemon: *running*, *frozen* or *stopped*.
        let daemon: String
        /// Its avahi-daemon.conf.
        let settings: String
        /// Its interfaces that have routes, which those that are down do not have.
        let interfaces: Set<String>
    }

    /// The states of the hosts before the first test.
    static let initial = states(
        of: ((try? FileManager.default.contentsOfDirectory(atPath: "/run/lab")) ?? []).filter {
            FileManager.default.fileExists(atPath: "/run/lab/\($0)/holder.pid")
        }
    )

    /// The hosts that are not as they were, each with what is different.
    static var differences: [String] {
        let now = states(of: Array(initial.keys))
        return initial.keys.sorted().compactMap { host in
            guard let before = initial[host], let state = now[host], state != before else { return nil }
            let settings = state.settings == before.settings ? "" : ", other settings"
            return "\(host): its daemon is \(state.daemon), up are \(state.interfaces.sorted())\(settings)"
        }
    }

    /// Starts the daemons anew, which then know of no service of others.
    ///
    /// Records of what ended without a goodbye are valid for up to 75 minutes: tests that follow would find them.
    static func forgetServices() async throws {
        // All have ended before the first one starts: it would take the records from those that still run.
        let hosts = Array(initial.keys)
        _ = try await hosts.atOnce { try await Lab.control("daemon", $0, "stop") }
        _ = try await hosts.filter { initial[$0]?.daemon == "running" }.atOnce { host in
            try await Lab.control("daemon", host, "start")
            try await Lab.control("daemon", host, "settle")
        }
    }

    /// Makes the hosts as they were, whatever a test has done to them.
    static func restore() async throws {
        _ = try await Array(initial.keys).atOnce { host in
            guard let state = initial[host] else { return }
            for interface in state.interfaces { try await Lab.control("link", host, interface, "up") }
            try await Lab.control("loss", host, "0")
            // In place, since the file is mounted in the host.
            try state.settings.write(toFile: "/run/lab/\(host)/avahi-daemon.conf", atomically: false, encoding: .utf8)
        }
        try await forgetServices()
    }

    private static func states(of hosts: [String]) -> [String: State] {
        Dictionary(uniqueKeysWithValues: hosts.map { ($0, state(of: $0)) })
    }

    private static func state(of host: String) -> State {
        let folder = "/run/lab/\(host)"
        let daemon = number(in: "\(folder)/avahi.pid").map(process) ?? "stopped"
        let routes = number(in: "\(folder)/holder.pid").map { text(of: "/proc/\($0)/net/route") } ?? ""
        let interfaces = routes.split(separator: "\n").dropFirst().compactMap { $0.split(separator: "\t").first }
        return State(
            daemon: daemon,
            settings: text(of: "\(folder)/avahi-daemon.conf"),
            interfaces: Set(interfaces.map(String.init))
        )
    }

    private static func process(_ number: Int) -> String {
        // The state follows the name of the program, which is in parentheses.
        guard let state = text(of: "/proc/\(number)/stat").split(separator: ")").last?.first(where: { $0 != " " })
        else {
            return "stopped"
        }
        return switch state {
        case "T", "t": "frozen"
        case "Z", "X": "stopped"
        default: "running"
        }
    }

    private static func number(in file: String) -> Int? {
        Int(text(of: file).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private static func text(of file: String) -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
}
