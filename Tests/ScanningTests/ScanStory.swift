import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import TestSupport

@testable import Scanning

/// A short random sequence of events about a few services and endpoints, and the check of the rules at its end.
struct ScanStory: CustomStringConvertible {
    /// One event.
    enum Step: Hashable {
        /// The browser finds or updates a service; its records may be true or forged.
        case service(Int, addresses: Set<Int>, port: Int, fp: String?, host: Int, interface: Int)
        case lost(Int)
        case manual([Int])
        case listener(Int, Listener)

        /// The held connection to an endpoint stops delivering packets, without being closed.
        case cut(Int)
        case pause(milliseconds: Int)
    }

    static let addresses = [
        Samples.address(1), Samples.address(2), Samples.address(3), Samples.linkLocalAddress(4),
    ]
    static let ports: [UInt16] = [3_000, 3_001]
    static let endpoints = addresses.flatMap { address in ports.map { Endpoint(address: address, port: $0) } }
    static let instances = [
        Samples.instance("A"), Samples.instance("B"), Samples.instance("A", type: ServiceType.gatewayTypes[1]),
    ]
    static let hosts: [DomainName] = ["one.local", "two.local"]

    /// The refresh interval, shorter than by default, so that less time has to pass until everything was asked.
    static let refresh = Duration.seconds(5)

    var steps: [Step]

    var description: String { steps.map { "\($0)" }.joined(separator: "\n") }

    init(_ steps: [Step]) {
        self.steps = steps
    }

    init(using random: inout SeededGenerator) {
        steps = []
        for _ in 0..<(4 + Int(random.next() % 9)) { steps.append(Self.anyStep(&random)) }
    }

    private static func anyStep(_ random: inout SeededGenerator) -> Step {
        func pick<T>(_ values: [T]) -> T { values[Int(random.next() % UInt64(values.count))] }
        let endpoint = Int(random.next() % UInt64(endpoints.count))
        switch random.next() % 16 {
        case 0..<5:
            let count = 1 + Int(random.next() % 2)
            return .service(
                Int(random.next() % UInt64(instances.count)),
                addresses: Set((0..<count).map { _ in Int(random.next() % UInt64(addresses.count)) }),
                port: pick([0, 0, 1]),
                fp: pick([nil, "f", "g"]),
                host: pick([0, 1]),
                interface: pick([0, 0, 1])
            )
        case 5: return .lost(Int(random.next() % UInt64(instances.count)))
        case 6: return .manual(pick([[endpoint], [endpoint, Int(random.next() % UInt64(endpoints.count))]]))
        case 7..<11:
            // Each endpoint states a name and bots of its own, so that a row shows whose answer it has.
            var gateway = SampleGateway(
                dialect: pick([.optaplus, .optaplus, .openClaw]),
                fingerprint: pick([nil, "f", "f", "g"]),
                name: "N\(endpoint)",
                bots: ["b\(endpoint)"],
                leaf: pick([nil, nil, 1])
            )
            gateway.process = Int(random.next() % 3)
            return .listener(endpoint, pick([.gateway(gateway), .gateway(gateway), .refusal, .silence, .webServer]))
        case 11: return .cut(endpoint)
        default: return .pause(milliseconds: pick([3, 150, 1_000, 3_000, 7_000, 12_000]))
        }
    }

    // MARK: Running

    /// Runs the story.
    ///
    /// - Returns: The broken rules.
    func problems() -> [String] {
        var drive = ScanDrive(ScannerConfiguration(refresh: Self.refresh))
        drive.listenEverywhere(.refusal)
        var present: [Int: DiscoveredService] = [:]
        var watcher = StoryWatcher()
        for step in steps {
            Self.perform(step, &drive, &present)
            watcher.read(&drive)
        }
        // By then everything that was due has been asked, and silent endpoints have been so for ten seconds.
        drive.run(for: Self.refresh + Self.refresh + .seconds(12))
        watcher.read(&drive)
        var problems = watcher.problems + watcher.problemsAtRest(of: drive, present.values)
        if !steps.contains(where: { if case .manual = $0 { true } else { false } }), steps.count % 4 == 0 {
            problems += Self.problemsAtTheEnd(of: &drive, present)
        }
        return problems
    }

    private static func perform(_ step: Step, _ drive: inout ScanDrive, _ present: inout [Int: DiscoveredService]) {
        switch step {
        case .service(let number, let addresses, let port, let fp, let host, let interface):
            let path = interface == 0 ? Samples.eth0 : Samples.eth1
            let former = present[number]
            var service = former ?? DiscoveredService(instance: instances[number])
            service.record(
                Sighting(
                    instance: instances[number],
                    path: path,
                    source: SightingSource(rawValue: "fake"),
                    resolution: .resolved,
                    host: hosts[host],
                    port: ports[port],
                    addresses: addresses.map { Self.addresses[$0] }.sorted(),
                    txt: TXTRecord(strings: fp.map { [Array("fp=\($0)".utf8)] } ?? [])
                )
            )
            present[number] = service
            guard let former else { return drive.apply(.found(service)) }
            var aspects: Set<ServiceAspect> = []
            if former.txt != service.txt { aspects.insert(.txt) }
            if former.host != service.host { aspects.insert(.host) }
            if former.port != service.port { aspects.insert(.port) }
            if former.addresses != service.addresses { aspects.insert(.addresses) }
            if former != service { drive.apply(.changed(service, aspects)) }
        case .lost(let number):
            if let service = present.removeValue(forKey: number) { drive.apply(.lost(service, .withdrawn)) }
        case .manual(let numbers): drive.add(ManualGateway(endpoints: numbers.map { endpoints[$0] }))
        case .listener(let number, let listener): drive.listen(listener, at: endpoints[number])
        case .cut(let number): drive.network.cutKept(at: endpoints[number])
        case .pause(let milliseconds): drive.run(for: .milliseconds(milliseconds))
        }
    }

    /// Loses all services and stops all listeners, and returns what is still in the map, the scan state or the network
    /// afterwards. Nothing must be.
    private static func problemsAtTheEnd(of drive: inout ScanDrive, _ present: [Int: DiscoveredService]) -> [String] {
        for (_, service) in present.sorted(by: { $0.key < $1.key }) { drive.apply(.lost(service, .withdrawn)) }
        for endpoint in endpoints { drive.listen(.refusal, at: endpoint) }
        drive.run(for: refresh + .seconds(15))
        var problems: [String] = []
        if !drive.map.gateways.isEmpty { problems.append("there is still \(drive.map.gateways.map(\.id))") }
        if drive.state.endpoints.count > 0 { problems.append("\(drive.state.endpoints.keys) is still asked") }
        if drive.network.heldCount > 0 { problems.append("a connection is still kept") }
        drive.run(for: .seconds(700))
        if drive.state.next != nil { problems.append("something is still due") }
        return problems
    }

    /// Returns a part of the story that still breaks a rule, and from which no step can be left out.
    func minimised() -> ScanStory {
        var story = self
        var index = 0
        while index < story.steps.count {
            var shorter = story
            shorter.steps.remove(at: index)
            if shorter.problems().isEmpty { index += 1 } else { story = shorter }
        }
        return story
    }
}
