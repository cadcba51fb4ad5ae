internal import Constellation
internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import GatewayReports
internal import Scanning

/// The one thing of a name among what a look has found: a gateway, or what is none, to learn why.
enum NamedGateway {
    /// The most addresses that are named where several things have one name.
    private static let mostNamed = 8

    /// The target to ask for it, all of it addresses that the look has asked already.
    ///
    /// - Throws: When nothing is called so, when several are, or when nothing of it may be asked.
    static func target(_ name: String, in findings: Findings) throws(CommandFailure) -> GatewayProbeTarget {
        let rows = rows(name, in: findings)
        // It may be an address that was typed with a password.
        let shown = DisplayText(ProbeAddress.redacted(address: name), limit: 64)
        guard let row = rows.first else {
            throw CommandFailure(
                .nothingFound,
                "nothing of the name “\(shown)” was found. `clawradar scan` shows the names; an address needs its port."
            )
        }
        guard rows.count == 1 else {
            // Anybody can take a name.
            let places = rows.compactMap { $0.paths.first?.endpoint.description }.prefix(mostNamed)
            throw CommandFailure(
                .usage,
                "\(rows.count) are called “\(shown)”: \(places.joined(separator: ", ")). Give the address of the one you mean."
            )
        }
        let paths = row.paths.filter { mayBeAsked($0) && !$0.contradicts }
        guard !paths.isEmpty else {
            let reason = row.reasonForNoGateway
            throw CommandFailure(.nothingFound, "“\(shown)” was not asked: \(reason)")
        }
        let identity = row.outcome?.identity
        return GatewayProbeTarget(
            endpoints: paths.map(\.endpoint),
            // What the look has asked it was allowed to ask.
            rules: TargetRules(
                origin: paths.contains(where: \.isManual) ? .user : .thisHost,
                onLink: paths.map { TargetRules.Prefix(address: $0.endpoint.address, length: 128) }
            ),
            hints: [
                ProbeHint(
                    expected: row.dialect ?? row.services.first.flatMap { GatewayProbeTarget.expected(of: $0.type) },
                    transports: identity?.leaf == nil ? .plainFirst : .tlsFirst
                )
            ]
        )
    }

    /// The rows that are called so: exactly, else as the name of a service, else in other letters; gateways before what is
    /// none.
    private static func rows(_ name: String, in findings: Findings) -> [Gateway] {
        let folded = name.lowercased()
        let isCalled: [(Gateway) -> Bool] = [
            { $0.name == name || DisplayText($0.name).text == name },
            { $0.services.contains { $0.name == name } },
            { $0.name.lowercased() == folded || $0.services.contains { $0.name.lowercased() == folded } },
        ]
        for isCalled in isCalled {
            for group in [findings.gateways, findings.others] {
                let rows = group.filter(isCalled)
                guard rows.isEmpty else { return rows }
            }
        }
        return []
    }

    private static func mayBeAsked(_ path: GatewayPath) -> Bool {
        switch path.outcome {
        case .nothing(.notAllowed): false
        case .gateway, .somethingElse, .nothing: true
        case nil: false
        }
    }
}
