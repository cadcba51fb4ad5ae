internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import Notices
internal import PairedFacts
internal import PairingStore
internal import Reports

/// The gateways that a user wants to be told of, as facts for the rules. A value.
struct WatchedFacts {
    /// The maximum number of watched gateways.
    static let most = 1_024

    /// The time for which a gateway that no row shows any more is still watched: its service is lost with it.
    static let longestAbsence = Duration.seconds(86_400)

    private var paired = PairedGateways()

    /// The gateways without a pairing that were watched lately, with the time at which a row last showed each.
    private var seen: [String: (subject: Notice.Subject, time: ContinuousClock.Instant)] = [:]

    /// Takes in what is paired.
    mutating func take(_ pairings: [StoredPairing]) {
        // What it would report to the map, the sessions have reported already.
        _ = paired.take(pairings, network: { _ in nil })
    }

    /// Returns what is known of all watched gateways.
    ///
    /// - Parameters:
    ///   - heard: The last answers.
    ///   - hasNetwork: Says whether a network of this host leads to an address.
    mutating func facts(
        _ snapshot: ConstellationSnapshot,
        _ watched: NoticePolicy.Watched,
        heard: LastAnswers,
        now: ContinuousClock.Instant,
        hasNetwork: (IPAddress) -> Bool
    ) -> [GatewayFacts] {
        guard watched != .none else { return [] }
        let rows = Dictionary(snapshot.gateways.map { ($0.id, $0) }) { first, _ in first }
        let sessions = Dictionary(grouping: snapshot.sessions, by: \.pairing)
        var facts: [GatewayFacts] = []
        var pairedRows: Set<GatewayID> = []
        for pairing in paired.pairings.values.sorted(by: { $0.id < $1.id }) {
            let row = paired.row(of: pairing.id).flatMap { rows[$0] }
            if let row { pairedRows.insert(row.id) }
            let names = [pairing.name, row?.name ?? "", pairing.shortID, "\(pairing.id)"]
            guard watched.includes(names, row, isOwn: true) else { continue }
            let name = row.map { $0.name.isEmpty ? pairing.name : $0.name } ?? pairing.name
            let subject = Notice.Subject(key: "\(pairing.id)", name: name)
            let places = row.map { $0.paths.filter { !$0.contradicts }.map(\.endpoint.address) } ?? []
            facts.append(
                GatewayFacts(
                    subject,
                    GatewayFacts.Presence(row, heard),
                    heard: row.flatMap { heard.times[$0.id] },
                    hasNetwork: Self.hasNetwork(places.isEmpty ? pairing.endpoints.map(\.address) : places, hasNetwork),
                    ways: row?.ways ?? [:],
                    troubles: Trouble.all(row, sessions["\(pairing.id)"] ?? []),
                    reason: row?.reasonForSilence
                )
            )
        }
        for row in snapshot.gateways where !pairedRows.contains(row.id) && row.hasAnsweredAsGateway {
            let own = row.paths.filter(\.isManual).map(\.endpoint).min()
            guard watched.includes([row.name], row, isOwn: own != nil) else { continue }
            // The identifier of a row depends on what it answered first in this run.
            let key = own.map { "endpoint:\($0)" } ?? row.id.description
            let subject = Notice.Subject(key: key, name: row.name)
            seen[key] = (subject, now)
            guard !facts.contains(where: { $0.subject.key == key }) else { continue }
            facts.append(
                GatewayFacts(
                    subject,
                    GatewayFacts.Presence(row, heard),
                    heard: heard.times[row.id],
                    hasNetwork: Self.hasNetwork(
                        row.paths.filter { !$0.contradicts }.map(\.endpoint.address),
                        hasNetwork
                    ),
                    ways: row.ways,
                    reason: row.reasonForSilence
                )
            )
        }
        return Array((facts + absent(besides: facts, now)).prefix(Self.most))
    }

    private static func hasNetwork(_ addresses: [IPAddress], _ leads: (IPAddress) -> Bool) -> Bool {
        addresses.isEmpty || addresses.contains(where: leads)
    }

    /// Returns the gateways that no row shows any more.
    private mutating func absent(besides facts: [GatewayFacts], _ now: ContinuousClock.Instant) -> [GatewayFacts] {
        seen = seen.filter { now - $0.value.time < Self.longestAbsence }
        let shown = Set(facts.map(\.subject.key))
        return seen.filter { !shown.contains($0.key) }.sorted { $0.key < $1.key }.map { _, item in
            GatewayFacts(item.subject, .gone)
        }
    }
}

extension NoticePolicy.Watched {
    /// Indicates whether a gateway is watched.
    ///
    /// - Parameter isOwn: Indicates whether the user has paired or named it.
    fileprivate func includes(_ names: [String], _ row: Gateway?, isOwn: Bool) -> Bool {
        switch self {
        case .own: return isOwn
        case .all: return true
        case .none: return false
        case .named(let wanted):
            let places = row?.paths.map(\.endpoint.description) ?? []
            return wanted.contains { names.contains($0) || places.contains($0) }
        }
    }
}

extension GatewayFacts.Presence {
    fileprivate init(_ row: Gateway?, _ heard: LastAnswers) {
        switch row?.liveness {
        // Its other ways have answered before, and are being asked.
        case .answering where row.map { heard.doubted.contains($0.id) && !$0.isFlooding } == true: self = .silent
        case .answering: self = .answering
        // One that floods answers, and more than it was asked.
        case .suspect where row?.isFlooding == true: self = .answering
        case .suspect: self = .silent
        case .gone: self = .gone
        case nil: self = .unknown
        }
    }
}

extension Gateway {
    /// Indicates whether a gateway has answered at one of its places.
    fileprivate var hasAnsweredAsGateway: Bool { paths.contains { $0.outcome?.identity != nil } }

    /// The ways to it of which something is known, and whether it answers over each.
    fileprivate var ways: [Way: Bool] {
        var ways: [Way: Bool] = [:]
        for path in paths where !path.contradicts {
            guard let liveness = path.liveness else { continue }
            let way = Way(path.endpoint.address, path.reach)
            ways[way] = ways[way] == true || liveness.isAlive
        }
        return ways
    }

    /// The reason why it does not answer, in words of this program.
    fileprivate var reasonForSilence: String? {
        guard liveness == .gone else { return nil }
        return paths.first { !$0.contradicts && $0.silence != nil }?.silence?.description
    }
}

extension Way {
    /// The way to an address.
    fileprivate init(_ address: IPAddress, _ reach: Reach) {
        let bytes = address.unmapped.bytes
        let isTailnet =
            bytes.count == 4
            ? bytes[0] == 100 && bytes[1] & 0xC0 == 64 : bytes.starts(with: [0xFD, 0x7A, 0x11, 0x5C, 0xA1, 0xE0])
        if address.isLoopback {
            self = .thisHost
        } else if isTailnet {
            self = .tailnet
        } else if reach == .remote {
            self = .remote
        } else {
            self = bytes.count == 4 ? .lanIPv4 : .lanIPv6
        }
    }
}

extension Trouble {
    /// What stands in the way of a session with a paired gateway.
    fileprivate static func all(_ row: Gateway?, _ sessions: [ShownSession]) -> Set<Trouble> {
        // One that is connected is where and what it was; what else claims to be it is a row's warning.
        guard !sessions.contains(where: { $0.state == .connected }) else { return [] }
        var troubles: Set<Trouble> = []
        if row?.flags.contains(.changedLeaf) == true { troubles.insert(.changedCertificate) }
        if row?.flags.contains(.moved) == true { troubles.insert(.moved) }
        for session in sessions {
            switch session.state {
            case .changedLeaf: troubles.insert(.changedCertificate)
            case .moved: troubles.insert(.moved)
            case .uncertified: troubles.insert(.uncertified)
            case .refused: troubles.insert(.refused)
            case .revoked: troubles.insert(.revoked)
            case .connecting, .connected, .disconnected, .waiting, .sealed, .heldElsewhere: break
            }
        }
        return troubles
    }
}
