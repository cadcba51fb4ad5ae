import Foundation
import GatewayProtocol
import Glibc
import Reports
import Testing

/// A watched gateway that the user has named in one of the possible ways, an agent, and a host from which somebody pretends
/// to be that gateway, on a LAN of their own.
final class PresenceStage: Sendable {
    /// The ways in which the user has named the gateway.
    enum Naming: String, CaseIterable, Sendable {
        case address, alias, pairedPlain, pairedTLS
    }

    let naming: Naming
    let folder: ScratchFolder
    let home: LabHost
    let mallory: LabHost
    let device: LabDevice
    let gateway: LabGateway
    let fingerprint: String
    private let inbox: String
    private let port = 4_000

    init(_ naming: Naming, lan: Int, name: String) async throws {
        self.naming = naming
        folder = try ScratchFolder.private()
        let hosts = try await LabHost.add(
            ["g", "m", "r", "a"].map { ("\(name)\($0)", .bare, 1) },
            lan: lan
        )
        (home, mallory) = (hosts[0], hosts[1])
        // Without a router, no network can be told from another one.
        try await hosts[3].ip("route add default via \(hosts[2].address) dev eth0")
        gateway = LabGateway(
            "Home Gateway",
            on: home,
            listen: "0.0.0.0",
            isPlain: naming != .pairedTLS,
            ["--state", folder.path("gateway.json")]
        )
        try await gateway.start(port: port)
        device = try LabDevice(
            on: hosts[3],
            environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
        )
        inbox = folder.path("inbox")
        let found = try await Self.scan(device)
        fingerprint = try #require(found["gateways"]?.array?.first?["fingerprint"]?.string, "\(found)")
        switch naming {
        case .address: break
        case .alias:
            let named = try await device.run(["alias", "Home Gateway", "Attic"])
            try #require(named.status == 0, "\(named.errors)")
        case .pairedPlain: try await device.pair("Home Gateway", ["--trust", "address"])
        case .pairedTLS: try await device.pair("Home Gateway")
        }
    }

    /// Writes the configuration, and starts the agent, which knows that the gateway is there.
    ///
    /// - Parameter notify: More lines of `notify`.
    func startAgent(_ notify: [String] = []) async throws -> LabProcess {
        let config = folder.path("config/clawradar")
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        let lines =
            (naming == .address ? ["gateways: [\"\(home.address):\(port)\"]"] : []) + ["notify:"]
            + notify.map { "  \($0)" } + ["  sinks:", "    - {name: file, exec: [/bin/sh, -c, 'cat >>\(inbox)']}", ""]
        try lines.joined(separator: "\n").write(toFile: "\(config)/config.yaml", atomically: true, encoding: .utf8)
        let agent = try Lab.start(on: device.host.name, device.command(["agent"]))
        try await LabTests.AgentLabTests.waitForSocket("\(folder.path("run"))/clawradar/agent.sock", agent)
        try await wait("its uptime") { try await $0.run(["history"]).output.contains("100.00 %") }
        return agent
    }

    /// Starts an impostor with the gateway's name and fingerprint.
    func startImpostor() async throws -> LabGateway {
        let impostor = LabGateway(
            "Home Gateway",
            on: mallory,
            listen: "0.0.0.0",
            isPlain: naming != .pairedTLS,
            ["--no-advertise", "--fp", fingerprint]
        )
        try await impostor.start(port: port)
        return impostor
    }

    /// Sends records that say that the gateway's host has the address of the impostor as well, for a while.
    func forge(for seconds: Int, to address: String? = nil) throws -> LabProcess {
        try Lab.start(
            on: mallory.name,
            [
                Lab.tool("mdns-forge"), "--seconds", "\(seconds)", "--rate", "4", "--instance", "Home Gateway",
                "--host", home.name, "--port", "\(port)", "--fp", "none", "--address", home.address,
                "--lie", "\(address ?? mallory.address):\(port)", "a",
            ]
        )
    }

    /// Waits until the agent has asked the impostor.
    func waitForImpostor(at address: String? = nil) async throws {
        try await wait("the impostor") { device in
            let paths = (try await Self.scan(device)["gateways"]?.array ?? []).flatMap { $0["paths"]?.array ?? [] }
            return paths.contains {
                $0["address"]?.string == address ?? self.mallory.address && $0["finding"] == .string("gateway")
            }
        }
    }

    /// Returns what `scan` finds, which among hundreds of strangers is larger than what a gateway may say.
    static func scan(_ device: LabDevice) async throws -> JSONValue {
        try JSONValue(
            parsing: Array(try await device.run(["scan", "--format", "json"]).output.utf8),
            limits: JSONLimits(maximumBytes: 16 << 20)
        )
    }

    func wait(_ what: String, _ isSo: (LabDevice) async throws -> Bool) async throws {
        var patience = Patience(.seconds(40))
        while try await !isSo(device) {
            guard patience.isLeft() else { throw LabProcess.TimedOut(description: "\(naming): \(what)") }
            try await Task.sleep(for: patience.step)
        }
    }

    /// The messages that have come.
    var messages: [JSONValue] {
        ((try? String(contentsOfFile: inbox, encoding: .utf8)) ?? "").split(separator: "\n")
            .compactMap { try? JSONValue(parsing: Array($0.utf8)) }
    }

    /// The messages that the gateway is gone or back.
    var presence: [String] {
        messages.filter { message in
            message["gateways"]?.array?.contains { gateway in
                ["Home Gateway", "Attic"].contains(gateway["name"]?.string ?? gateway.string ?? "")
            } == true
        }
        .compactMap { $0["kind"]?.string }.filter { ["gone", "back", "unsteady", "settled"].contains($0) }
    }

    /// Waits until the messages that it is gone or back are these.
    ///
    /// - Returns: The time since `start`.
    func told(_ kinds: [String], since start: ContinuousClock.Instant, within limit: Duration) async throws -> Duration
    {
        var patience = Patience(limit)
        while presence.count < kinds.count {
            guard patience.isLeft() else {
                throw LabProcess.TimedOut(description: "\(naming): expected \(kinds), found \(messages)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        let time = ContinuousClock.now - start
        #expect(presence == kinds, "\(naming): \(messages)")
        return time
    }

    /// Starts the gateway again, as the same.
    func revive() async throws { try await gateway.start(port: port, isPublished: false) }
}
