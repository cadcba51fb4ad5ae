/// Scenarios with changes to the network of a gateway's host, and such changes by themselves.
extension Scenario {
    /// The IPv4 address of the gateway's host changes: each watch must show the gateway at the new address.
    static func addressChanged(
        _ name: String,
        on host: LabHost,
        listen: String,
        isOpenClaw: Bool = false
    ) async throws -> Scenario {
        try await LabGateway(name, on: host, listen: listen, isOpenClaw ? openClaw : []).start(port: 4_000)
        let new = otherAddress(of: host)
        return Scenario(
            expectations: [
                LineExpectation(
                    name,
                    on: host,
                    addresses: [new],
                    [
                        isOpenClaw ? .openClawFound : .found,
                        .atMostOnce(["~ suspect", "~ now at another address"]), .atMostOnce(["~ answering"]),
                    ]
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

    /// The link of the gateway's host goes down and up: the gateway may be missed for a short time, and is not lost.
    static func linkFlapped(_ name: String, on host: LabHost, isOpenClaw: Bool = false) async throws -> Scenario {
        try await LabGateway(name, on: host, isOpenClaw ? openClaw : []).start(port: 4_000)
        return Scenario(
            expectations: [LineExpectation(name, on: host, [isOpenClaw ? .openClawFound : .found, .blip])],
            play: { try await flap(host, down: .seconds(2)) }
        )
    }

    /// Replaces the IPv4 address of a host's first interface.
    ///
    /// - Parameters:
    ///   - old: The address that is removed; by default the first of the host.
    ///   - new: The address that is added; by default ``otherAddress(of:)``.
    static func changeAddress(of host: LabHost, from old: String? = nil, to new: String? = nil) async throws {
        // The old address is deleted first: deleting the first address of a network deletes its other addresses too.
        try await host.ip(
            "address delete \(old ?? host.address)/16 dev eth0",
            "address add \(new ?? otherAddress(of: host))/16 brd + dev eth0",
            "route replace 224.0.0.0/4 dev eth0"
        )
    }

    /// Takes the first link of a host down, and up again.
    static func flap(_ host: LabHost, down: Duration) async throws {
        try await Lab.control("link", host.name, "eth0", "down")
        try await letTimePass(down)
        try await Lab.control("link", host.name, "eth0", "up")
    }

    /// Renames the first interface of a host, as network managers do.
    static func renameInterface(of host: LabHost) async throws {
        try await host.ip(
            "link set eth0 down",
            "link set eth0 name lan0",
            "link set lan0 up",
            "route replace 224.0.0.0/4 dev lan0"
        )
    }

    /// Returns an unused address of the same network.
    static func otherAddress(of host: LabHost) -> String {
        let parts = host.address.split(separator: ".")
        return "\(parts[0]).\(parts[1]).200.\(parts[3])"
    }
}
