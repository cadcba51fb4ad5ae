import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import HostSystem
import TestSupport

@testable import Scanning

/// The transcript of a ``ScanState`` in a sequence of random events: the questions to endpoints, and the reports to the
/// map and the browser.
///
/// The events are services, true and forged, one at a time and in swarms; listeners that start, stop and change;
/// gateways that the user enters and removes; sessions; pins; hosts that are queried directly; changes of networks; and
/// time.
struct ScanTranscript {
    private static let addresses = [
        Samples.address(1), Samples.address(2), Samples.address(3), Samples.linkLocalAddress(4),
        Samples.linkLocalAddress(4, on: NetworkInterface(index: 2, name: "lan0")),
    ]
    private static let ports: [UInt16] = [3_000, 3_000, 3_001]
    private static let instances = [
        Samples.instance("A"), Samples.instance("B"), Samples.instance("C"),
        Samples.instance("A", type: ServiceType.gatewayTypes[1]),
    ]

    private var generator: SeededGenerator
    private var drive: ScanDrive
    private var record = ScanRecord()
    private(set) var transcript = CourseTranscript()

    // The services, entries and swarms at present.
    private var present: [ServiceInstance: DiscoveredService] = [:]
    private var manual: [ManualGateway] = []
    private var swarms = 0

    /// Plays the sequence of a seed. Of three seeds, one has low limits of questions and held connections; of four, one
    /// loses packets; of eight, one asks each endpoint once only.
    init(seed: UInt64, steps: Int = 120) {
        generator = SeededGenerator(seed: seed)
        let isNarrow = seed % 3 == 0
        drive = ScanDrive(
            ScannerConfiguration(
                watches: seed % 8 != 7,
                interval: isNarrow ? .milliseconds(500) : .seconds(2),
                checksPerSecond: isNarrow ? 2 : 20,
                heldConnections: isNarrow ? 1 : 40,
                refresh: seed % 2 == 0 ? .seconds(5) : .seconds(60)
            )
        )
        if seed % 4 == 2 { drive.network.loss = PacketLoss(share: 0.1, seed: seed) }
        drive.listenEverywhere(.refusal)
        for address in Self.addresses.dropFirst() {
            let said = ReadinessCheck.Result.said(seed % 2 == 0 ? .ready : .starting)
            drive.network.readiness[Endpoint(address: address, port: 3_000)] = seed % 5 == 0 ? .silent : said
        }
        for _ in 0..<steps {
            let cause = step()
            transcript.lines.append(record.line(of: cause, &drive))
        }
    }

    // MARK: Events

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[generator.draw(values.count)] }
    private mutating func endpoint() -> Endpoint {
        Endpoint(address: pick(Self.addresses), port: pick(Self.ports))
    }

    /// Performs a random event, and returns its description.
    private mutating func step() -> String {
        switch generator.draw(40) {
        case 0...5: return find()
        case 6: return lose()
        case 7: return swarm()
        case 8: return endSwarm()
        case 9: return enter()
        case 10: return removeEntry()
        case 11...17: return listen()
        case 18:
            drive.network.cutKept(at: endpoint())
            return "cut"
        case 19...20: return endByHand()
        case 21: return endKept()
        case 22...24: return hearSession()
        case 25: return pin()
        case 26...27: return letHostAnswer()
        case 28: return changeNetworks()
        case 29: return askAll()
        case 30:
            drive.run(for: .seconds(pick([70, 130, 700])))
            return "long"
        default:
            drive.run(for: .milliseconds(pick([3, 150, 1_000, 1_000, 3_000, 7_000, 12_000])))
            return "time"
        }
    }

    private mutating func find() -> String {
        let instance = pick(Self.instances)
        let addresses = (0...generator.draw(3)).map { _ in pick(Self.addresses) }
        let fingerprint = pick([nil, "f", "g"])
        let service = sighted(
            instance,
            on: pick([Samples.eth0, Samples.eth0, Samples.eth1]),
            at: Set(addresses).sorted(),
            port: pick(Self.ports),
            txt: [fingerprint.map { "fp=\($0)" }, generator.draw(6) == 0 ? "tls=1" : nil].compactMap { $0 },
            host: pick(["one.local", "two.local"]),
            heardFrom: generator.draw(3) == 0 ? [pick(Self.addresses)] : []
        )
        tell(service)
        return "found \(instance)"
    }

    private func sighted(
        _ instance: ServiceInstance,
        on path: ServicePath = Samples.eth0,
        at addresses: [IPAddress],
        port: UInt16,
        txt: [String] = [],
        host: DomainName,
        heardFrom: [IPAddress] = []
    ) -> DiscoveredService {
        var service = present[instance] ?? DiscoveredService(instance: instance)
        service.record(
            Samples.sighting(instance, on: path, at: addresses, port: port, txt: txt, host: host, heardFrom: heardFrom)
        )
        return service
    }

    private mutating func tell(_ service: DiscoveredService) {
        let former = present.updateValue(service, forKey: service.instance)
        guard let former else { return drive.apply(.found(service)) }
        var aspects: Set<ServiceAspect> = []
        if former.txt != service.txt { aspects.insert(.txt) }
        if former.host != service.host { aspects.insert(.host) }
        if former.port != service.port { aspects.insert(.port) }
        if former.addresses != service.addresses { aspects.insert(.addresses) }
        if former != service { drive.apply(.changed(service, aspects)) }
    }

    private mutating func lose() -> String {
        let instance = pick(Self.instances)
        guard let service = present.removeValue(forKey: instance) else { return "nothing to lose" }
        drive.apply(.lost(service, .withdrawn))
        return "lost \(instance)"
    }

    /// Adds many forged services that lead to one address: all to one port of it, or each to its own.
    private mutating func swarm() -> String {
        swarms += 1
        let address = pick(Self.addresses)
        let isOnePort = generator.draw(2) == 0
        let count = pick([5, 20, 40])
        for number in 0..<count {
            tell(
                sighted(
                    Samples.instance("swarm \(swarms)-\(number)", type: pick(ServiceType.gatewayTypes)),
                    at: [address],
                    port: isOnePort ? 3_000 : UInt16(4_000 + number),
                    host: pick(["one.local", "two.local", "many.local"])
                )
            )
        }
        return "\(count) lead to \(address) at \(isOnePort ? "one port" : "many")"
    }

    private mutating func endSwarm() -> String {
        let forged = present.keys.filter { $0.name.hasPrefix("swarm") }.sorted()
        for instance in forged {
            if let service = present.removeValue(forKey: instance) { drive.apply(.lost(service, .unanswered)) }
        }
        return "\(forged.count) are lost"
    }

    private mutating func enter() -> String {
        var gateway = ManualGateway(
            endpoints: (0...generator.draw(2)).map { _ in endpoint() },
            expected: pick([nil, .optaplus]),
            transports: pick([.plainFirst, .tlsFirst])
        )
        let resource = pick(["/", "/", "/gateway"])
        gateway.endpoints = gateway.endpoints.map { Endpoint(address: $0.address, port: $0.port, resource: resource) }
        manual.append(gateway)
        drive.add(gateway)
        return "entered \(gateway.endpoints)"
    }

    private mutating func removeEntry() -> String {
        guard !manual.isEmpty else { return "nothing to remove" }
        let gateway = manual.remove(at: generator.draw(manual.count))
        drive.state.remove(gateway, now: drive.now)
        drive.step()
        return "removed \(gateway.endpoints)"
    }

    private mutating func listen() -> String {
        let endpoint = endpoint()
        var gateway = SampleGateway(
            dialect: pick([.optaplus, .optaplus, .optaplus, .openClaw, .bridge, .openAgents]),
            fingerprint: pick([nil, "f", "f", "g"]),
            name: pick(["Home", "Home", "Den"]),
            bots: pick([[], ["b"], ["b", "c"]]),
            leaf: pick([nil, nil, 1, 2])
        )
        gateway.process = generator.draw(3)
        gateway.connections = pick([1, 1, 3])
        gateway.roundTrip = .milliseconds(pick([1, 1, 9, 400]))
        let listener: Listener = pick(
            [.gateway(gateway), .gateway(gateway), .gateway(gateway), .refusal, .silence, .webServer]
        )
        drive.listen(listener, at: endpoint)
        return "\(endpoint) is \(listener)"
    }

    /// Moves the clock to the next time at which something is due, and ends a probe or check then in a way that the
    /// simulated network does not produce.
    private mutating func endByHand() -> String {
        guard drive.advance() else { return "nothing is due" }
        if let job = drive.probes.last {
            let reason: NoAnswer = pick([.noSocket, .noSocket, .unreachable, .tlsFailure, .closed])
            drive.end(job, Samples.silence(reason, at: job.endpoint))
            return "probe of \(job.endpoint): \(reason)"
        }
        guard let check = drive.checks.last, !check.isHeld else { return "nothing is asked" }
        let result: LivenessCheckResult = pick([.noSocket, .flooded, .closed, .unreachable, .different, .silent])
        drive.end(check, result)
        return "check of \(check.endpoint): \(result)"
    }

    private mutating func endKept() -> String {
        let kept = Self.addresses.flatMap { address in
            Set(Self.ports).sorted().compactMap { port in
                drive.checkOverKept(at: Endpoint(address: address, port: port))
            }
        }
        guard !kept.isEmpty else { return "nothing is kept" }
        let job = pick(kept)
        let ends: [HeldConnectionEnd] = [
            .letGo, .closed, .flooded, .flooded, .different, .silent, .notOpened(.noSocket),
        ]
        let end = pick(ends)
        drive.network.release(job.endpoint)
        drive.state.heldConnectionEnded(job, end, now: drive.now)
        drive.step()
        return "\(job.endpoint): \(end)"
    }

    private mutating func hearSession() -> String {
        let living = drive.state.sessions.alive.sorted()
        let endpoint = living.isEmpty || generator.draw(3) == 0 ? endpoint() : pick(living)
        let liveness: Liveness? = pick([.answering, .answering, .suspect, .gone, nil])
        drive.noteSession(liveness, at: endpoint, roundTrip: .milliseconds(generator.draw(5)))
        drive.step()
        return "session with \(endpoint): \(liveness.map(\.rawValue) ?? "ended")"
    }

    private mutating func pin() -> String {
        let endpoint = endpoint()
        let byte: UInt8? = pick([nil, nil, 1, 2])
        drive.state.pin(byte.map(Samples.leaf), at: endpoint, now: drive.now)
        drive.step()
        return "pin \(byte ?? 0) at \(endpoint)"
    }

    /// Sets the services that a host reports when it is queried directly.
    private mutating func letHostAnswer() -> String {
        let address = pick(Self.addresses)
        let forged = present.keys.filter { $0.name.hasPrefix("swarm") }.sorted().prefix(3)
        let services = (Self.instances + forged).filter { _ in generator.draw(2) == 0 }.map {
            HostService(instance: $0, port: pick([nil, 3_000, 3_001, 4_000, 22]))
        }
        drive.network.answer(services, by: address)
        return "\(address) has \(services.count)"
    }

    private mutating func changeNetworks() -> String {
        var networks = HostNetworks()
        if generator.draw(4) == 0 { networks.addresses = [pick(Self.addresses)] }
        for address in Self.addresses.prefix(3) where generator.draw(2) == 0 {
            guard let hardware = HardwareAddress([2, 0, 0, 0, 0, UInt8(generator.draw(2))]) else { continue }
            networks.neighbours.insert(hardware, for: address, interface: 2)
        }
        drive.state.networks = networks
        return "own \(networks.addresses.sorted()), \(networks.neighbours.count) neighbours"
    }

    private mutating func askAll() -> String {
        drive.state.askAll(now: drive.now)
        drive.step()
        return "all are asked"
    }
}
