internal import Console
internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import Reports
internal import Scanning

/// The search for the one thing with a name among the findings of a scan. It can be something that is no gateway,
/// because the user may want to know why.
enum NamedThing {
    /// Returns the target to probe, which consists only of addresses that the scan has already asked.
    ///
    /// - Parameter known: The names that the network does not tell.
    /// - Throws: A failure if nothing or several things have the name, or if none of its addresses may be asked.
    static func target(
        _ name: String,
        in snapshot: NetworkSnapshot,
        known: KnownNames = .none
    ) throws(CommandFailure) -> GatewayProbeTarget {
        let things = things(snapshot, known)
        let found = things.lazy.map { NameSearch.matches(name, among: $0) }.first { !$0.isEmpty } ?? []
        // The name can be an address that was typed with a password.
        let shown = DisplayText(Redaction.address(name), limit: 64)
        guard let row = found.first else {
            throw CommandFailure(
                .nothingFound,
                "nothing of the name \(shown.quoted) was found. `clawradar scan` shows the names; a host needs its whole name."
                    + NameSearch.suggestion(name, among: Array(things.joined()))
            )
        }
        // No guess is made, because anybody can use any name.
        guard Set(found.map(\.subject.gateway)).count == 1 else { throw NameSearch.ambiguity("\(shown)", found) }
        guard let row = (snapshot.gateways + snapshot.others).first(where: { $0.id == row.subject.gateway }) else {
            throw CommandFailure(.ourFault, "what was found is not there")
        }
        // Endpoints that are asked together have one path, and one name.
        let asked = row.paths.filter { mayBeAsked($0) && !$0.contradicts }
        let paths = asked.filter { path in
            path.endpoint.resource == asked.first?.endpoint.resource
                && path.endpoint.serverName == asked.first?.endpoint.serverName
        }
        guard !paths.isEmpty else {
            let reason = row.reasonForNoGateway
            throw CommandFailure(.nothingFound, "\(shown.quoted) was not asked: \(reason)")
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

    /// Returns what can have the name: gateways and their bots, otherwise other things.
    private static func things(
        _ snapshot: NetworkSnapshot,
        _ known: KnownNames
    ) -> [[Nameable<PairingSubject.Match>]] {
        [snapshot.gateways, snapshot.others].map {
            PairingSubject.nameables($0, onlyAnswered: false, known: known)
        }
    }

    private static func mayBeAsked(_ path: GatewayPath) -> Bool {
        switch path.outcome {
        case .nothing(.notAllowed): false
        case .gateway, .somethingElse, .nothing: true
        case nil: false
        }
    }
}
