/// Scenarios of what happens to the network of a gateway's host, or of a host that watches.
extension Scenario {
    /// The gateway's host gets another IPv4 address.
    static func addressChanged(_ name: String, on host: LabHost, listen: String) async throws -> Scenario {
        try await LabGateway(name, on: host, listen: listen).start(port: 4_000)
        let new = otherAddress(of: host)
        return Scenario(
            expectations: [
                LineExpectation(
                    name,
                    on: host,
                    addresses: [new],
                    [.found, .some(["~ suspect", "~ now at another address"]), .some(["~ answering"])]
                )
            ],
            play: { try await changeAddress(of: host) },
            complaints: { watch in
                let last = watch.lines.last { $0.name == name }
                guard last?.address == host.address else { return [] }
                return ["\(name) is still shown at its old address: \(last?.text ?? "no line")"]
            }
        )
    }

    /// The link of the gateway's host goes down and up.
    static func linkFlapped(_ name: String, on host: LabHost) async throws -> Scenario {
        try await LabGateway(name, on: host).start(port: 4_000)
        return Scenario(
            expectations: [LineExpectation(name, on: host, [.found, .blip])],
            play: { try await flap(host, down: .seconds(2)) }
        )
    }

    /// Gives a host another IPv4 address on its first interface, and takes the old one away.
    ///
    /// - Parameters:
    ///   - old: The one that is taken away; its first if not given.
    ///   - new: The one that it gets; ``otherAddress(of:)`` if not given.
    static func changeAddress(of host: LabHost, from old: String? = nil, to new: String? = nil) async throws {
        // In this order: with the first address of a network its others go too.
        try await host.ip(
            "address delete \(old ?? host.address)/16 dev eth0",
            "address add \(new ?? otherAddress(of: host))/16 brd + dev eth0",
            "route replace 224.0.0.0/4 dev eth0"
        )
    }

    /// Takes the first link of a host down, and up again.
    static func flap(_ host: LabHost, down: Duration) async throws {
        try await Lab.control("link", host.name, "eth0", "down")
        try await lasts(down)
        try await Lab.control("link", host.name, "eth0", "up")
    }

    /// Gives the first interface of a host another name, as a program that manages networks does.
    static func renameInterface(of host: LabHost) async throws {
        try await host.ip(
            "link set eth0 down",
            "link set eth0 name lan0",
            "link set lan0 up",
            "route replace 224.0.0.0/4 dev lan0"
        )
    }

    /// An address of the same network that nobody else has.
    static func otherAddress(of host: LabHost) -> String {
        let parts = host.address.split(separator: ".")
        return "\(parts[0]).\(parts[1]).200.\(parts[3])"
    }
}
