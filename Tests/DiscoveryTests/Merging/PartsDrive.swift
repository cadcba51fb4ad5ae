import DNSSD
import Synchronization
import TestSupport

@testable import Discovery

/// A browser's state with the browses that it has ordered, and a clock that the test advances.
struct PartsDrive {
    static let chat = ServiceType(checkedName: "chat", transport: .tcp)
    static let files = ServiceType(checkedName: "files", transport: .tcp)

    /// The orders that are not carried out yet.
    private final class Orders: Sendable {
        private let orders = Mutex<[BrowseParts.Order]>([])

        func append(_ order: BrowseParts.Order) { orders.withLock { $0.append(order) } }

        func take() -> [BrowseParts.Order] {
            orders.withLock { orders in
                defer { orders = [] }
                return orders
            }
        }
    }

    var state = BrowserState()
    var now = ContinuousClock.now
    var browses: [BrowseParts.ID: BrowseRequest] = [:]
    private let orders = Orders()
    private var wakeUps: [ContinuousClock.Instant] = []
    private let reader: ReaderID

    init(_ types: [ServiceType]) {
        _ = state.begin()
        reader = state.addReader()
        let orders = orders
        _ = state.look(
            for: [BrowseRequest(types: types)],
            orders: { order in orders.append(order) },
            now: now
        )
        carryOut()
    }

    /// Returns a state that browses for two types, each with one service: `a` on two paths, and `f`.
    static func both() -> PartsDrive {
        var drive = PartsDrive([chat, files])
        let id = drive.browse(of: chat)
        drive.report(.status(.running), .sighted(sighting("a")), from: id)
        drive.report(.sighted(sighting("a", on: Samples.eth1)), .sighted(sighting("f", files)), from: id)
        _ = drive.takeChanges()
        return drive
    }

    mutating func browse(for types: [ServiceType], in domains: [String] = ["local"]) {
        _ = state.look(for: domains.map { BrowseRequest(types: types, domain: $0) }, now: now)
        carryOut()
    }

    /// The browse that looks for a type now, the latest first.
    func browse(of type: ServiceType, in domain: String = "local") -> BrowseParts.ID? {
        browses.filter { $1.types.contains(type) && $1.domain == domain }.keys.max { $0.rawValue < $1.rawValue }
    }

    /// Makes a browse report events.
    mutating func report(_ events: BrowseEvent..., from id: BrowseParts.ID?) {
        if let id { report(events, from: id) }
    }

    private mutating func report(_ events: [BrowseEvent], from id: BrowseParts.ID) {
        _ = state.apply(events, from: id, now: now)
        carryOut()
    }

    /// Makes the first of the browses report events.
    mutating func former(_ events: BrowseEvent...) { report(events, from: BrowseParts.ID(rawValue: 1)) }
    /// Makes the second of the browses report events.
    mutating func latter(_ events: BrowseEvent...) { report(events, from: BrowseParts.ID(rawValue: 2)) }

    mutating func pass(_ time: Duration) {
        now += time
        guard wakeUps.contains(where: { $0 <= now }) else { return }
        wakeUps.removeAll { $0 <= now }
        _ = state.tick(now: now)
        carryOut()
    }

    /// Carries out the orders given so far.
    private mutating func carryOut() {
        for order in orders.take() {
            switch order {
            case .begin(let id, let request): browses[id] = request
            case .end(let id): browses[id] = nil
            case .wake(at: let time): wakeUps.append(time)
            }
        }
    }

    static func sighting(
        _ name: String,
        _ type: ServiceType = chat,
        in domain: String = "local",
        on path: ServicePath = Samples.eth0,
        _ resolution: Resolution = .resolved,
        port: UInt16 = 3_000
    ) -> Sighting {
        let instance = instance(name, type, in: domain)
        var sighting = Sighting(instance: instance, path: path, source: .embedded, resolution: resolution)
        guard resolution == .resolved else { return sighting }
        (sighting.host, sighting.port) = ("host.local", port)
        sighting.addresses = [.v4(IPv4Address(bits: 0x0A00_0001))]
        return sighting
    }

    private static func instance(_ name: String, _ type: ServiceType, in domain: String) -> ServiceInstance {
        do {
            return try ServiceInstance(name: name, type: type, domain: domain)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    // MARK: Reading

    /// Takes the changes since the last call as text, such as `found a`.
    mutating func takeChanges() -> [String] {
        var changes: [String] = []
        while case .change(let change) = state.take(for: reader) {
            var text = "\(Samples.kind(change)) \(change.service.instance.name)"
            if case .lost(_, let reason) = change { text += " \(reason)" }
            changes.append(text)
        }
        return changes
    }

    /// The services of the browser: `a 3000`, `f resolving`.
    var rows: [String] {
        state.table.services.values.map { service in
            switch service.resolution {
            case .resolved: "\(service.instance.name) \(service.port ?? 0)"
            case .failed: "\(service.instance.name) failed"
            case .resolving: "\(service.instance.name) resolving"
            }
        }.sorted()
    }

    /// The types of each browse that runs: `chat files`.
    var running: [String] {
        browses.values.map { $0.types.map(\.name).sorted().joined(separator: " ") }.sorted()
    }

    /// The condition of the browser, including the time for which a single scan would wait.
    var condition: [String] {
        let status =
            switch state.condition.status {
            case .starting: "starting"
            case .running: "running"
            case .unavailable: "unavailable"
            }
        let progress =
            switch state.progress(quiet: .zero, availabilityTimeout: nil, now: now) {
            case .settled: "settled"
            case .waiting(until: nil): "waits"
            case .waiting(until: let time?): "waits \((time - now).components.seconds) s"
            case .unavailable: "not waited for"
            }
        return [status, progress]
    }
}
