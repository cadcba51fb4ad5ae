internal import Constellation
internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import GatewayReports
internal import Scanning

/// The search for the one thing with a name among the findings of a scan. It can be something that is no gateway,
/// because the user may want to know why.
enum NamedGateway {
    /// The maximum number of addresses that are listed when several things have the name.
    private static let mostNamed = 8

    /// Returns the target to probe, which consists only of addresses that the scan has already asked.
    ///
    /// - Throws: A failure if nothing or several things have the name, or if none of its addresses may be asked.
    static func target(_ name: String, in snapshot: NetworkSnapshot) throws(CommandFailure) -> GatewayProbeTarget {
        let rows = rows(name, in: snapshot)
        // The name can be an address that was typed with a password.
        let shown = DisplayText(ProbeAddress.redacted(address: name), limit: 64)
        guard let row = rows.first else {
            throw CommandFailure(
                .nothingFound,
                "nothing of the name “\(shown)” was found. `clawradar scan` shows the names; an address needs its port."
            )
        }
        guard rows.count == 1 else {
            // No guess is made, because anybody can use any name.
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
            // The scan was allowed to ask these addresses, so the probe is, too.
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

    /// Returns the rows with a name: those with exactly this name, otherwise those with a service of this name,
    /// otherwise those where upper and lower case differ. In each of these steps gateways come before other things.
    private static func rows(_ name: String, in snapshot: NetworkSnapshot) -> [Gateway] {
        let folded = name.lowercased()
        let isCalled: [(Gateway) -> Bool] = [
            { $0.name == name || DisplayText($0.name).text == name },
            { $0.services.contains { $0.name == name } },
            { $0.name.lowercased() == folded || $0.services.contains { $0.name.lowercased() == folded } },
        ]
        for isCalled in isCalled {
            for group in [snapshot.gateways, snapshot.others] {
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
