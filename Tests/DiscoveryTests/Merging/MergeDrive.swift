import DNSSD
import Testing

@testable import Discovery

/// A merge of a daemon, a standby engine, a one-shot query and optionally a server, with a clock that the test
/// advances, and the browser's view of it.
struct MergeDrive {
    /// A report or a change of one of the sources.
    enum Step {
        case sees(
            String,
            Resolution = .resolved,
            port: UInt16 = 3_000,
            on: ServicePath = Samples.eth0,
            isOwn: Bool = false
        )
        case loses(String, LossReason = .withdrawn, on: ServicePath = Samples.eth0)
        case runs
        case isAway
        case hangs
        case turns(BackendActivity)
        case reports(BrowseEvent)
    }

    static let daemon = 0
    static let engine = 1
    static let query = 2
    static let server = 3

    /// The path of the other family on the interface of `Samples.eth0`.
    static let otherFamily = ServicePath(interface: Samples.eth0.interface, family: .ipv6)

    var merge: BrowseMerge
    private(set) var now = ContinuousClock.now

    /// The browser's sightings.
    private(set) var picture: [InstancePath: Sighting] = [:]

    /// The events for the browser since the last call of ``takeEvents()``.
    private(set) var events: [BrowseEvent] = []

    /// The updates for companions since the last call of ``takeUpdates()``.
    private(set) var confirmed: [InstancePath] = []
    private(set) var gone: [InstancePath] = []
    private(set) var resolved: [Sighting] = []
    private(set) var last = CompanionUpdate()

    /// The number of times that lost packets were reported to companions.
    private var lossUpdates = 0

    /// - Parameters:
    ///   - reportsFamilies: Whether the daemon reports families.
    ///   - hasServer: Whether there is another primary source, of a higher rank, that hears no goodbyes: a unicast DNS
    ///     server.
    ///   - hasZones: Whether there is a source beside the others instead.
    init(reportsFamilies: Bool = true, hasServer: Bool = false, hasZones: Bool = false) {
        let capabilities: BackendCapabilities =
            reportsFamilies ? .all : BackendCapabilities.all.subtracting(.reportsFamilies)
        let server = SourceTraits(
            name: SightingSource(rawValue: "server"),
            role: .primary,
            rank: 40,
            capabilities: BackendCapabilities.all.subtracting(.hearsGoodbyes)
        )
        let others = [
            SourceTraits(
                name: SightingSource(rawValue: "daemon"),
                role: .primary,
                rank: SourceRank.daemon,
                capabilities: capabilities
            ),
            SourceTraits(name: SightingSource(rawValue: "engine"), role: .standby, rank: SourceRank.engine),
            SourceTraits(name: .oneShot, role: .companion, rank: SourceRank.oneShot),
        ]
        let zones = SourceTraits(name: .zone, role: .beside, rank: SourceRank.zone)
        merge = BrowseMerge(others + (hasServer ? [server] : []) + (hasZones ? [zones] : []))
    }

    mutating func daemon(_ steps: Step...) { for step in steps { take(step, from: Self.daemon) } }
    mutating func engine(_ steps: Step...) { for step in steps { take(step, from: Self.engine) } }
    mutating func query(_ steps: Step...) { for step in steps { take(step, from: Self.query) } }
    mutating func server(_ steps: Step...) { for step in steps { take(step, from: Self.server) } }

    /// Lets the merge take in a report of a source.
    ///
    /// - Parameter run: The run of the source that the report comes from; `nil` for the present one.
    mutating func take(_ step: Step, from source: Int, run: Int? = nil) {
        let event: BrowseEvent =
            switch step {
            case .sees(let name, let resolution, let port, let path, let isOwn):
                .sighted(sighting(name, resolution, port, path, isOwn, merge.sources[source].traits.name))
            case .loses(let name, let reason, let path): .vanished(Samples.instance(name), path, reason)
            case .runs: .status(.running)
            case .isAway: .status(.unavailable(Samples.noDaemon))
            case .hangs: .status(.unavailable(BackendError(.daemonNotAnswering, "hangs")))
            case .turns(let activity): .activity(activity)
            case .reports(let event): event
            }
        note(merge.take(.events([event]), from: source, run: run ?? merge.sources[source].run, now: now))
    }

    /// Lets a program of this host answer for a service.
    mutating func hostOwns(_ name: String, port: UInt16 = 3_000) {
        var own = sighting(name, .resolved, port, Samples.eth0, true, .oneShot)
        own.heardFrom = own.addresses
        note(merge.take(.ownHost([own]), from: Self.query, now: now))
    }

    mutating func pass(_ time: Duration) {
        let end = now + time
        while let deadline = merge.deadline, deadline <= end {
            now = max(now, deadline)
            note(merge.tick(now: now))
        }
        now = end
    }

    private func sighting(
        _ name: String,
        _ resolution: Resolution,
        _ port: UInt16,
        _ path: ServicePath,
        _ isOwn: Bool,
        _ source: SightingSource
    ) -> Sighting {
        var sighting = Samples.sighting(name, on: path, resolution, port: port)
        sighting.source = source
        sighting.isOwn = isOwn
        return sighting
    }

    private mutating func note(_ outcome: BrowseMerge.Outcome) {
        for event in outcome.events {
            switch event {
            case .sighted(let sighting):
                picture[InstancePath(instance: sighting.instance, path: sighting.path)] = sighting
            case .vanished(let instance, let path, _):
                let known = picture.removeValue(forKey: InstancePath(instance: instance, path: path))
                if known == nil { Issue.record("\(instance) was lost, but the browser did not have it") }
            case .status, .activity, .warning, .domain, .losses: break
            }
        }
        events += outcome.events
        confirmed += outcome.update.confirmed
        gone += outcome.update.gone
        resolved += outcome.update.resolved
        if outcome.update.hasLost { lossUpdates += 1 }
        last = outcome.update
    }

    // MARK: Reading

    var isEngineNeeded: Bool { merge.neededRun(of: Self.engine) != nil }

    /// The rows of the browser: `a 3000 daemon`, `a resolving engine`.
    var rows: [String] {
        picture.values.map { sighting in
            let state =
                switch sighting.resolution {
                case .resolved: "\(sighting.port ?? 0)"
                case .failed: "failed"
                case .resolving: "resolving"
                }
            let family = sighting.path == Samples.eth0 ? "" : " on \(sighting.path)"
            return "\(sighting.instance.name) \(state) \(sighting.source)\(family)\(sighting.isOwn ? " own" : "")"
        }.sorted()
    }

    /// Takes the events since the last call as text: `+a daemon`, `-a withdrawn`, `running`.
    mutating func takeEvents() -> [String] {
        defer { events = [] }
        return events.map { event in
            switch event {
            case .sighted(let sighting): "+\(sighting.instance.name) \(sighting.source)"
            case .vanished(let instance, _, let reason): "-\(instance.name) \(reason)"
            case .status(.running): "running"
            case .status(.starting): "starting"
            case .status(.unavailable(let error)): error.code == .noDaemon ? "no daemon" : "unavailable"
            case .activity(.idle): "idle"
            case .activity(.busy): "busy"
            case .activity(.expecting(let time)): "expecting \((time - now).components.seconds) s"
            case .warning: "warning"
            case .domain(let domain, _): "domain \(domain)"
            case .losses(let losses): "\(losses.packets) lost"
            }
        }
    }

    /// Takes the names of the instances that were reported to companions as confirmed and as gone since the last call.
    mutating func takeUpdates() -> (confirmed: [String], gone: [String]) {
        defer { (confirmed, gone, resolved) = ([], [], []) }
        return (confirmed.map(\.instance.name), gone.map(\.instance.name))
    }

    /// The updates for companions that require something of them, in order within each kind: `confirmed a`, `gone a`,
    /// `lost packets`.
    var companions: [String] {
        confirmed.map { "confirmed \($0.instance.name)" } + gone.map { "gone \($0.instance.name)" }
            + Array(repeating: "lost packets", count: lossUpdates)
    }
}
