internal import DNSSD
internal import GatewayProtocol
internal import HostSystem

/// Gateways that the user named, with their addresses looked up.
package struct ManualGateways: Sendable {
    /// The gateways whose names have addresses.
    package let gateways: [ManualGateway]

    /// The reasons why the others are left out, for people.
    package let problems: [String]

    /// Looks the names up, all at once.
    ///
    /// - Parameter limit: The time that this may take.
    package init(_ addresses: [ProbeAddress], within limit: Duration) async {
        let interfaces = addresses.isEmpty ? [] : HostInterface.all
        typealias Answer = (index: Int, addresses: [IPAddress]?)
        let answers = await withTaskGroup(of: Answer.self) { group in
            for (index, address) in addresses.enumerated() {
                group.addTask { (index, await HostAddresses.of(address.host, within: limit, interfaces: interfaces)) }
            }
            return await group.reduce(into: [Int: [IPAddress]?]()) { $0[$1.index] = $1.addresses }
        }
        var gateways: [ManualGateway] = []
        var problems: [String] = []
        for (index, address) in addresses.enumerated() {
            guard let found = answers[index] ?? nil else {
                problems.append("no answer about the name \(address.host); \(address) is not asked")
                continue
            }
            guard !found.isEmpty else {
                let absence = HostAddresses.absence(of: address.host, interfaces: interfaces)
                problems.append("\(absence); \(address) is not asked")
                continue
            }
            // The same host can be written in several ways.
            let host =
                address.hostName.flatMap { ServerName($0)?.description }
                ?? found.map(\.description).joined(separator: ", ")
            let sought = address.hasPort ? nil : host
            gateways += address.places.map { Self.gateway($0, found, soughtHost: sought) }
        }
        self.gateways = gateways
        self.problems = problems
    }

    private static func gateway(
        _ address: ProbeAddress,
        _ found: [IPAddress],
        soughtHost: String?
    ) -> ManualGateway {
        let endpoints = found.map(address.endpoint(at:))
        // An address to which multicast DNS of this host could lead is near.
        let near = TargetRules(origin: .thisHost)
        return ManualGateway(
            endpoints: endpoints,
            reach: endpoints.allSatisfy { near.refusal(of: $0) == nil } ? .local : .remote,
            expected: address.dialect,
            transports: address.transports,
            soughtHost: soughtHost
        )
    }
}
