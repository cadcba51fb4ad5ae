import DNSSD
import TestSupport
import Testing

@testable import Avahi

/// A ``AvahiBrowseStateMachine`` with a daemon that the test simulates, and a list of the daemon's objects.
struct BrowseHarness {
    static let type = ServiceType(checkedName: "openclaw", transport: .tcp)
    static let eth0 = AvahiPath(interface: 2, family: .ipv4)
    static let eth0v6 = AvahiPath(interface: 2, family: .ipv6)
    static let eth1 = AvahiPath(interface: 3, family: .ipv4)

    var machine: AvahiBrowseStateMachine
    var now = ContinuousClock.now

    /// The names of the interfaces, by index.
    var names: [Int32: String] = [1: "lo", 2: "eth0", 3: "eth1"]

    /// Interfaces that are down.
    var down: Set<Int32> = []

    /// The objects that have been created and not freed.
    private(set) var objects: [ObjectID: AvahiBrowseAction] = [:]

    /// The actions that the last call requested.
    private(set) var actions: [AvahiBrowseAction] = []

    private var used: Set<ObjectID> = []

    init(
        types: [ServiceType] = [type],
        interfaces: Set<String> = [],
        maximumInstances: Int = 16_384,
        protected: Set<String> = []
    ) {
        machine = AvahiBrowseStateMachine(
            request: BrowseRequest(types: types, interfaces: interfaces),
            configuration: AvahiConfiguration(maximumInstances: maximumInstances),
            isProtected: { protected.contains($0.name) },
            now: now
        )
    }

    // MARK: The daemon

    mutating func connect(cacheLimit: Int = 4_096) {
        trackObjects(machine.connected(cacheLimit: cacheLimit, now: now))
    }

    mutating func disconnect() {
        machine.disconnected(now: now)
        objects = [:]
    }

    mutating func wait(_ duration: Duration) {
        now += duration
        trackObjects(machine.tick(now: now))
    }

    mutating func report(_ event: ObjectEvent, from object: ObjectID?) {
        guard let object else {
            Issue.record("no such object")
            return
        }
        let (names, down) = (names, down)
        let table = InterfaceTable(name: { names[$0] }, isUp: { names[$0] != nil && !down.contains($0) })
        trackObjects(machine.receive(event, from: object, interfaces: table, now: now))
    }

    mutating func refuse(_ object: ObjectID?, _ error: AvahiError) {
        guard let object else { return }
        objects[object] = nil
        machine.startFailed(object, error: error, now: now)
    }

    /// Takes the new events as text, such as `+a eth0/ipv4 resolved 80 10.0.0.1 v=1` or `-a eth0/ipv4 withdrawn`.
    mutating func takeReports() -> [String] {
        machine.takeEvents(now: now).map(Self.text)
    }

    mutating func events() -> [BrowseEvent] { machine.takeEvents(now: now) }

    /// Follows the creation and the release of objects, and expects that each is created once, and freed only while it
    /// exists.
    private mutating func trackObjects(_ actions: [AvahiBrowseAction]) {
        self.actions = actions
        for action in actions {
            if case .free(let object) = action {
                #expect(objects.removeValue(forKey: object) != nil, "an object was freed that does not exist")
            } else {
                #expect(used.insert(action.object).inserted, "an object number was used twice")
                objects[action.object] = action
            }
        }
    }

    // MARK: Objects

    var browser: ObjectID? { first { if case .browse = $0 { true } else { false } } }

    func browser(of type: String) -> ObjectID? { first { if case .browse(_, type) = $0 { true } else { false } } }

    func resolver(of name: String) -> ObjectID? {
        first { if case .resolve(_, let instance, _) = $0 { instance.name == name } else { false } }
    }

    func watch(_ name: String, _ type: RecordType) -> ObjectID? {
        first { if case .watch(_, name, type) = $0 { true } else { false } }
    }

    private func first(where isIt: (AvahiBrowseAction) -> Bool) -> ObjectID? {
        objects.values.filter(isIt).map(\.object).min { $0.rawValue < $1.rawValue }
    }

    // MARK: A network

    mutating func instance(
        _ kind: ObjectEvent.Kind,
        _ name: String,
        on path: AvahiPath = eth0,
        by browser: ObjectID? = nil,
        isOurs: Bool = false
    ) {
        report(
            .instance(
                kind,
                name: name,
                type: "_openclaw._tcp",
                domain: "local",
                on: path,
                isOurs: isOurs,
                isOwn: false
            ),
            from: browser ?? self.browser
        )
    }

    mutating func srv(
        _ kind: ObjectEvent.Kind,
        _ name: String,
        _ host: String = "h.local",
        port: UInt16 = 80,
        on path: AvahiPath = eth0
    ) {
        let data = Self.srvData(host, port: port)
        report(.record(kind, data: data, on: path), from: watch("\(name)._openclaw._tcp.local", .srv))
    }

    mutating func txt(_ kind: ObjectEvent.Kind, _ name: String, _ text: String = "v=1", on path: AvahiPath = eth0) {
        let data = [UInt8(text.utf8.count)] + text.utf8
        report(.record(kind, data: data, on: path), from: watch("\(name)._openclaw._tcp.local", .txt))
    }

    mutating func address(
        _ kind: ObjectEvent.Kind,
        _ host: String = "h.local",
        _ last: UInt8 = 1,
        on path: AvahiPath = eth0
    ) {
        report(.record(kind, data: [10, 0, 0, last], on: path), from: watch(host, .a))
    }

    /// Lets the daemon report that it has listed all addresses that it knew.
    mutating func whole(_ host: String = "h.local") {
        report(.cacheExhausted, from: watch(host, .a))
        report(.cacheExhausted, from: watch(host, .aaaa))
    }

    /// Lets an instance appear with all its records.
    mutating func publish(_ name: String, _ host: String = "h.local", on path: AvahiPath = eth0) {
        instance(.new, name, on: path)
        srv(.new, name, host, on: path)
        txt(.new, name, on: path)
        address(.new, host, on: path)
        whole(host)
    }

    static func srvData(_ host: String, port: UInt16) -> [UInt8] {
        [0, 0, 0, 0, UInt8(port >> 8), UInt8(port & 255)] + ((try? DomainName(escaped: host).wire) ?? [])
    }

    private static let names: [BackendWarning.Code: String] = [
        .cacheNearlyFull: "cacheNearlyFull", .invalidRecord: "invalidRecord", .objectsExhausted: "objectsExhausted",
        .tooManyInstances: "tooManyInstances",
    ]

    private static func text(_ event: BrowseEvent) -> String {
        switch event {
        case .sighted(let sighting):
            let resolution =
                switch sighting.resolution {
                case .resolving: "resolving"
                case .resolved: "resolved"
                case .failed(let reason): "failed(\(reason))"
                }
            let addresses = sighting.addresses.map(\.description).joined(separator: ",")
            let txt = sighting.txt.map { $0.strings.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",") }
            let parts = ["\(sighting.port ?? 0)", addresses, txt ?? "?"]
            return "+\(sighting.instance.name) \(sighting.path) \(resolution) \(parts.joined(separator: " "))"
        case .vanished(let instance, let path, let reason): return "-\(instance.name) \(path) \(reason)"
        case .status, .activity, .domain: return "status"
        case .losses: return "losses"
        case .warning(let warning): return "!\(names[warning.code] ?? "other")"
        }
    }
}
