import Foundation
import Testing

/// A host that a test adds to the lab. Its LAN has no host of another test, so that tests do not disturb each other.
struct LabHost: Sendable {
    /// The software that browses and publishes on a host.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        /// avahi-daemon.
        case avahi
        /// Our own engine: the host has neither a daemon nor a system bus.
        case bare

        var testDescription: String { rawValue }
    }

    let name: String
    let kind: Kind

    /// All its addresses at the start, IPv6 addresses without the interface. Those of loopback are included, for a
    /// watch that runs on the host itself.
    let addresses: Set<String>

    /// Its first IPv4 address.
    let address: String

    /// Its first link-local IPv6 address.
    let address6: String

    /// Adds a host to the lab.
    ///
    /// - Parameters:
    ///   - lan: The LAN of its first interface; its second interface is in the next LAN, and so on.
    ///   - interfaces: The number of its interfaces.
    static func add(_ name: String, _ kind: Kind, lan: Int, interfaces: Int = 1) async throws -> LabHost {
        var command = ["host", "add", name, "--lan", "\(lan)", "--interfaces", "\(interfaces)"]
        if kind == .bare { command += ["--no-daemon", "--no-bus"] }
        try await Lab.control(command)
        if kind == .avahi { try await Lab.control("daemon", name, "settle") }
        return try await LabHost(name, kind)
    }

    /// Creates the value for an existing host, with its present addresses.
    init(_ name: String, _ kind: Kind) async throws {
        let shown = try await Lab.run(on: name, "ip", "-json", "address", "show").output
        let links = try JSONDecoder().decode([Link].self, from: Data(shown.utf8))
        let addresses = links.flatMap { $0.addresses ?? [] }
        let outside = links.filter { $0.name != "lo" }.sorted { $0.name < $1.name }
            .flatMap { $0.addresses ?? [] }
        guard let ipv4 = outside.first(where: { $0.family == "inet" }),
            let ipv6 = outside.first(where: { $0.family == "inet6" })
        else { throw NoAddress(description: "\(name) has no address: \(shown)") }
        (self.name, self.kind) = (name, kind)
        self.addresses = Set(addresses.map(\.local))
        (self.address, self.address6) = (ipv4.local, ipv6.local)
    }

    /// Adds several hosts concurrently, and returns them in the given order.
    static func add(_ hosts: [(name: String, kind: Kind, interfaces: Int)], lan: Int) async throws -> [LabHost] {
        try await withThrowingTaskGroup(of: (Int, LabHost).self) { group in
            for (index, host) in hosts.enumerated() {
                group.addTask { (index, try await add(host.name, host.kind, lan: lan, interfaces: host.interfaces)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Runs `ip` on the host once for each of these argument lists, in order; each run must succeed.
    func ip(_ commands: String...) async throws {
        for command in commands {
            let result = try await Lab.run(on: name, ["ip"] + command.split(separator: " ").map(String.init))
            guard result.status == 0 else {
                throw NoAddress(description: "ip \(command) on \(name): \(result.errors)")
            }
        }
    }

    /// Returns the hardware address of its first interface.
    func hardwareAddress() async throws -> String {
        let shown = try await Lab.run(on: name, "ip", "-json", "link", "show", "dev", "eth0").output
        return try #require(try JSONDecoder().decode([Link].self, from: Data(shown.utf8)).first?.hardware, "\(shown)")
    }

    /// Moves its first interface to another LAN, where it keeps its address and the address of its default router.
    ///
    /// - Parameters:
    ///   - lan: The LAN that it moves to.
    ///   - home: The LAN in which the host was added; the name of its virtual cable contains that number.
    ///   - router: The address of the router.
    func plugIn(lan: Int, from home: Int, router: String) async throws {
        let number = try String(contentsOfFile: "/run/lab/\(name)/number", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        // The link goes down, as when a cable is unplugged: the kernel forgets the neighbours and the route.
        try await ip("link set eth0 down")
        let cable = try LabProcess(["/usr/bin/env", "ip", "link", "set", "b\(home)h\(number)", "master", "br\(lan)"])
        let result = try await cable.finish(within: .seconds(10))
        try #require(result.status == 0, "\(result.errors)")
        try await Lab.control("link", name, "eth0", "up")
        try await ip("route replace default via \(router) dev eth0")
    }

    struct NoAddress: Error, CustomStringConvertible {
        let description: String
    }

    /// An interface as `ip -json address` prints it.
    private struct Link: Decodable {
        struct Address: Decodable {
            let family: String
            let local: String
        }

        let name: String
        let hardware: String?
        let addresses: [Address]?

        enum CodingKeys: String, CodingKey {
            case name = "ifname"
            case hardware = "address"
            case addresses = "addr_info"
        }
    }
}
