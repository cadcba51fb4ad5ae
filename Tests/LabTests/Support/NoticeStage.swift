import Foundation
import GatewayProtocol
import Glibc
import Reports
import Testing

/// An agent on a host of its own LAN, whose messages a program writes to a file, line by line.
final class NoticeStage: Sendable {
    let folder: ScratchFolder
    let device: LabDevice
    let home: LabHost
    let gateway: LabGateway
    let port: Int
    let inbox: String

    init(_ kind: LabHost.Kind, lan: Int, name: String, port: Int, interfaces: Int = 1) async throws {
        // Only in such a one its gateway opens the socket of its operator.
        folder = try ScratchFolder.private()
        self.port = port
        home = try await LabHost.add("\(name)g", kind, lan: lan, interfaces: interfaces)
        let own = try await LabHost.add("\(name)a", kind, lan: lan, interfaces: interfaces)
        gateway = LabGateway(
            "Home Gateway",
            on: home,
            isPlain: false,
            ["--state", folder.path("gateway.json")]
        )
        try await gateway.start(port: port)
        device = try LabDevice(
            on: own,
            environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
        )
        inbox = folder.path("inbox")
        if interfaces > 1 {
            // The second network is a tailnet: the addresses decide.
            for (host, last) in [(home, 1), (own, 2)] {
                let address = ["ip", "address", "add", "100.64.\(lan).\(last)/24", "dev", "eth1"]
                _ = try await Lab.run(on: host.name, address)
                _ = try await Lab.run(on: host.name, ["ip", "-4", "address", "del", "10.\(100 + lan).0.0/16"])
            }
        }
        try await device.pair("Home Gateway")
        try configure(["name: file", "exec: [/bin/sh, -c, 'cat >>\(inbox)']"])
    }

    /// Writes a configuration with one sink.
    func configure(_ sink: [String]) throws {
        let folder = folder.path("config/clawradar")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let content = "notify:\n  sinks:\n    - \(sink.joined(separator: "\n      "))\n"
        try content.write(toFile: "\(folder)/config.yaml", atomically: true, encoding: .utf8)
    }

    /// Forgets all that an agent has remembered, and the messages: what goes away soon after it was back would belong to the
    /// same trouble.
    func forget() throws {
        let folder = device.folders[0] + "/clawradar"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("history.sqlite") {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        try? FileManager.default.removeItem(atPath: inbox)
    }

    /// Starts the agent, and waits until it is connected, so that it knows that the gateway is there.
    func startAgent(isConnected: Bool = true) async throws -> LabProcess {
        let agent = try Lab.start(on: device.host.name, device.command(["agent"]))
        try await LabTests.AgentLabTests.waitForSocket("\(folder.path("run"))/clawradar/agent.sock", agent)
        if isConnected {
            try await wait("connected") { try await $0.run(["status"]).output.contains(" connected ") }
        }
        return agent
    }

    func wait(_ what: String, _ condition: (LabDevice) async throws -> Bool) async throws {
        var patience = Patience(.seconds(60))
        while try await !condition(device) {
            guard patience.isLeft() else { throw LabProcess.TimedOut(description: what) }
            try await Task.sleep(for: patience.step)
        }
    }

    /// The messages that have come. One that came twice, since the agent was killed before it had noted that it was
    /// delivered, counts once: it has the same number.
    var messages: [(kind: String, id: String?, message: JSONValue)] {
        let text = (try? String(contentsOfFile: inbox, encoding: .utf8)) ?? ""
        var seen: Set<String> = []
        return text.split(separator: "\n").filter { seen.insert(String($0)).inserted }.compactMap { line in
            guard let message = try? JSONValue(parsing: Array(line.utf8)) else { return nil }
            return message["kind"]?.string.map { ($0, message["id"]?.string, message) }
        }
    }

    /// Returns a time in a message.
    func time(_ field: String, of index: Int) -> Timestamp? {
        let all = messages
        guard all.indices.contains(index) else { return nil }
        return all[index].message[field]?.string.flatMap(Timestamp.init)
    }

    /// Waits for the next message.
    ///
    /// - Returns: The time since `start`.
    func next(
        _ kinds: [String],
        since start: ContinuousClock.Instant,
        within limit: Duration = .seconds(40)
    ) async throws -> Duration {
        var patience = Patience(limit)
        while messages.map(\.kind).count < kinds.count {
            guard patience.isLeft() else {
                throw LabProcess.TimedOut(description: "expected \(kinds), found \(messages.map(\.kind))")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        let time = ContinuousClock.now - start
        #expect(messages.map(\.kind) == kinds, "\(messages.map(\.message))")
        return time
    }
}
