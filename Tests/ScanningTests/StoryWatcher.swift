import DNSSD
import GatewayClient
import GatewayProtocol

@testable import Scanning

/// Follows the events that go to the map and the rows that it shows, and compares both with the rules of
/// ``StoryTests``.
struct StoryWatcher {
    /// The facts known of an endpoint that has answered as a gateway.
    private struct Member {
        let identity: GatewayIdentity

        /// The position, among all answers, of the one that made it a member: the endpoint that answered first leads.
        let seniority: Int

        /// The row that has shown it since.
        var row: GatewayID?
    }

    private var members: [Endpoint: Member] = [:]
    private var answers = 0
    private(set) var problems: [String] = []

    /// Checks the events and changes since the last call.
    mutating func read(_ drive: inout ScanDrive) {
        let (emitted, changes) = drive.takeMapRecord()
        for event in emitted {
            guard case .probed(let endpoint, let outcome, _) = event else { continue }
            switch outcome {
            case .gateway(let identity):
                if let known = members[endpoint], known.identity.isSame(as: identity) { continue }
                answers += 1
                members[endpoint] = Member(identity: identity, seniority: answers)
            case .somethingElse: members[endpoint] = nil
            case .nothing: break
            }
        }
        for entry in changes {
            guard case .joined(let row, let id) = entry.change, row.liveness == .answering else { continue }
            problems.append("\(row.id) answered, and was merged into \(id)")
        }
        for row in drive.map.gateways {
            for path in row.paths {
                guard let identity = path.outcome?.identity, let known = members[path.endpoint],
                    known.identity.isSame(as: identity)
                else { continue }
                if let former = known.row, former != row.id, path.liveness == .answering {
                    problems.append("\(path.endpoint) was in \(former) and is in \(row.id)")
                }
                members[path.endpoint]?.row = row.id
            }
        }
    }

    /// Returns the problems that remain when everything has been asked.
    func problemsAtRest(of drive: ScanDrive, _ services: some Collection<DiscoveredService>) -> [String] {
        var problems: [String] = []
        var rows: [Endpoint: GatewayID] = [:]
        for row in drive.map.gateways {
            for path in row.paths {
                // An endpoint that has not answered may be in the row of each candidate that leads to it.
                if path.outcome?.identity != nil, let other = rows.updateValue(row.id, forKey: path.endpoint) {
                    problems.append("\(path.endpoint) is in \(other) and in \(row.id)")
                }
                if path.liveness == .answering, !drive.network[path.endpoint].isGateway {
                    problems.append("\(path.endpoint) does not answer, and is shown as answering")
                }
            }
            problems += problemsOfPlaces(in: row)
        }
        for endpoint in drive.state.endpoints.keys where drive.network[endpoint].isGateway {
            let row = drive.map.gateways.first { $0.paths.contains { $0.endpoint == endpoint } }
            let path = row?.paths.first { $0.endpoint == endpoint }
            if path?.liveness != .answering || path?.outcome?.identity == nil {
                problems.append("\(endpoint) answers, and is \(path?.liveness?.rawValue ?? "not shown as answering")")
            }
        }
        for service in services {
            for endpoint in Self.endpoints(of: service) where drive.state.endpoints[endpoint] == nil {
                problems.append("\(endpoint) is not asked")
            }
            guard drive.map.gateways.contains(where: { $0.services.contains(service.instance) }) else {
                problems.append("\(service.instance) is not shown")
                continue
            }
        }
        return problems
    }

    /// Checks the order within a row: the endpoint that answered first leads, or the first of those that the user
    /// entered if there are any; the row has its name and its bots.
    private func problemsOfPlaces(in row: Gateway) -> [String] {
        let own = members.filter { $0.value.row == row.id }
        let manual = own.filter { member in row.paths.contains { $0.endpoint == member.key && $0.isManual } }
        let leader = (manual.isEmpty ? own : manual).min { $0.value.seniority < $1.value.seniority }
        guard let leader, row.paths.contains(where: { $0.outcome?.identity != nil }) else { return [] }
        var problems: [String] = []
        if row.paths.contains(where: { $0.leads && $0.endpoint != leader.key }) {
            problems.append("\(leader.key) does not lead \(row.id)")
        }
        if row.bots.map(\.id.bot) != leader.value.identity.bots.map(\.id) {
            problems.append("the bots of \(row.id) are \(row.bots.map(\.id.bot)), not those of \(leader.key)")
        }
        if let name = leader.value.identity.name, row.name != name {
            problems.append("\(row.id) is called \(row.name) and not \(name)")
        }
        return problems
    }

    private static func endpoints(of service: DiscoveredService) -> [Endpoint] {
        service.sightings.values.flatMap { sighting in
            sighting.addresses.compactMap { address in sighting.port.map { Endpoint(address: address, port: $0) } }
        }
    }
}

extension Listener {
    var isGateway: Bool {
        if case .gateway = self { true } else { false }
    }
}

extension GatewayIdentity {
    /// Indicates whether two answers come from the same gateway, as far as answers can show.
    fileprivate func isSame(as other: GatewayIdentity) -> Bool {
        dialect == other.dialect && fingerprint == other.fingerprint && leaf == other.leaf
    }
}
