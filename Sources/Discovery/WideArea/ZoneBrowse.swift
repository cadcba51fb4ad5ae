internal import DNSSD

/// A browse of zones: from their domains to the instances in them, and to the hosts and addresses of each. A value, without clock
/// or I/O.
struct ZoneBrowse: ZoneWork {
    /// The reason for which a domain is browsed. What its services may lead to depends on whether the user has named their own.
    enum Standing: Int, Hashable, Comparable {
        /// The network has named it, and anybody may do that.
        case network

        /// The user has named it, or a domain around it.
        case named

        static func < (lhs: Standing, rhs: Standing) -> Bool { lhs.rawValue < rhs.rawValue }

        var source: SightingSource { self == .named ? .zone : .networkZone }
    }

    /// A domain that is browsed: why, and by which questions.
    private struct Domain {
        let standing: Standing
        var lists: [ZoneQuestion] = []
    }

    private struct Instance {
        let instance: ServiceInstance
        let standing: Standing
        var lists: Set<ZoneQuestion> = []
        var host: DomainName?
        var reported: Sighting?
    }

    /// The maximum number of domains to which domains lead that the user has named, and of addresses of one host.
    private static let (mostDomains, mostAddresses) = (1_024, 16)

    /// The maximum number of domains that only the network names: each costs questions for every type, and anybody may name more.
    private static let mostOfNetwork = 64

    /// The names under which a domain says in which others to browse (RFC 6763 §11).
    private static let (ofNetwork, ofNamed) = (["b", "lb", "db"], ["b", "lb"])

    private let types: [ServiceType]
    private let maximumInstances: Int
    private var questions: ZoneQuestions
    private var events: [BrowseEvent] = []

    /// The domains, and the questions that name more of them, each with the standing of what it names.
    private var domains: [DomainName: Domain] = [:]
    private var pointers: [ZoneQuestion: Standing] = [:]
    private var named: Set<DomainName>

    /// The questions for instances, with the domain and type of each, and the instances that each lists.
    private var lists: [ZoneQuestion: (domain: DomainName, type: ServiceType)] = [:]
    private var listed: [ZoneQuestion: Set<DomainName>] = [:]
    private var instances: [DomainName: Instance] = [:]
    private var hosts: [DomainName: Set<DomainName>] = [:]
    private var statuses: [DomainName: BackendStatus] = [:]
    private var isBusy = false
    private var warnings: Set<BackendWarning.Code> = []

    /// Creates a browse.
    ///
    /// - Parameters:
    ///   - types: The types; those with subtypes mean only the services under these.
    ///   - domains: The domains that the user has named.
    ///   - searchDomains: The domains of this network, if those count that it names.
    init(
        types: [ServiceType],
        domains: [DomainName],
        searchDomains: [DomainName],
        maximumInstances: Int,
        questions: ZoneQuestions,
        now: ContinuousClock.Instant
    ) {
        self.types = types
        self.maximumInstances = maximumInstances
        self.questions = questions
        self.named = Set(domains)
        for domain in domains {
            browse(domain, .named, now: now)
            ask(Self.ofNamed, of: domain, .named, now: now)
        }
        for domain in searchDomains { ask(Self.ofNetwork, of: domain, .network, now: now) }
        noteActivity()
    }

    /// The time at which something is to be done; `nil` while nothing is.
    var deadline: ContinuousClock.Instant? { questions.deadline }

    /// Returns the questions that are to be sent now.
    mutating func orders(now: ContinuousClock.Instant) -> [ZoneQuestions.Order] {
        let orders = questions.orders(now: now)
        update(now: now)
        return orders
    }

    /// Takes in what has become of an order.
    mutating func take(_ result: Result<[UInt8], DNSExchangeError>, of number: Int, now: ContinuousClock.Instant) {
        questions.take(result, of: number, now: now)
        update(now: now)
    }

    /// Returns what is to be reported.
    mutating func takeEvents() -> [BrowseEvent] {
        defer { events = [] }
        return events
    }

    // MARK: Domains

    private mutating func ask(
        _ names: [String],
        of domain: DomainName,
        _ standing: Standing,
        now: ContinuousClock.Instant
    ) {
        for name in names {
            guard let question = ZoneQuestion("\(name)._dns-sd._udp", in: domain) else { continue }
            pointers[question] = standing
            questions.want(question, now: now)
        }
    }

    private mutating func browse(_ domain: DomainName, _ standing: Standing, now: ContinuousClock.Instant) {
        // Whatever a zone says, it says nothing of the link.
        guard domain.isZone, domains[domain] == nil else { return }
        var new = Domain(standing: standing)
        for type in types {
            for name in type.browseTypes {
                guard let question = ZoneQuestion(name, in: domain) else { continue }
                lists[question] = (domain, type.base)
                new.lists.append(question)
                questions.want(question, now: now)
            }
        }
        domains[domain] = new
    }

    /// Browses those domains to which others lead, and no longer those to which none does.
    private mutating func followPointers(now: ContinuousClock.Instant) {
        var wanted = Dictionary(named.map { ($0, Standing.named) }) { first, _ in first }
        let sorted = pointers.sorted { ($0.value, $1.key.name) > ($1.value, $0.key.name) }
        var ofNetwork: [DomainName] = []
        for (question, standing) in sorted {
            for case .ptr(let domain) in questions.records(question) ?? [] where domain.isZone {
                // One elsewhere is not what the user has named.
                if standing == .named, named.contains(where: { domain.isWithin($0) }) {
                    guard wanted[domain] != nil || wanted.count < Self.mostDomains else {
                        warnOfDomains("below those that you have named", most: Self.mostDomains)
                        continue
                    }
                    wanted[domain] = .named
                } else {
                    ofNetwork.append(domain)
                }
            }
        }
        // Those that are followed already stay before others, or the order of answers would change them again and again.
        var room = Self.mostOfNetwork
        for domain in ofNetwork.filter({ domains[$0] != nil }) + ofNetwork.filter({ domains[$0] == nil })
        where wanted[domain] == nil {
            guard room > 0 else {
                warnOfDomains("that only the network names", most: Self.mostOfNetwork)
                break
            }
            room -= 1
            wanted[domain] = .network
        }
        for (domain, old) in domains where wanted[domain] != old.standing {
            domains[domain] = nil
            statuses[domain] = nil
            for question in old.lists {
                setListed([], by: question, now: now)
                lists[question] = nil
                listed[question] = nil
                questions.drop(question)
            }
        }
        for (domain, standing) in wanted { browse(domain, standing, now: now) }
    }

    // MARK: Instances

    private mutating func update(now: ContinuousClock.Instant) {
        while case let changed = questions.takeChanged(), !changed.isEmpty {
            if changed.contains(where: { pointers[$0] != nil }) { followPointers(now: now) }
            var touched: Set<DomainName> = []
            for question in changed {
                if lists[question] != nil {
                    list(question, now: now)
                } else if question.type == .a || question.type == .aaaa {
                    touched.formUnion(hosts[question.name] ?? [])
                } else if instances[question.name] != nil {
                    touched.insert(question.name)
                }
            }
            for name in touched { look(at: name, now: now) }
        }
        noteActivity()
        if questions.isFull { warnOfExcess() }
        if let delay = questions.delay {
            let most = "up to \(delay.components.seconds) s later than they say"
            warn(.zonesTooLarge, "The zones have so many records that a change is seen \(most).")
        }
    }

    private mutating func list(_ question: ZoneQuestion, now: ContinuousClock.Instant) {
        guard let (domain, _) = lists[question] else { return }
        if let records = questions.records(question) {
            let names = records.compactMap { data -> DomainName? in if case .ptr(let name) = data { name } else { nil }
            }
            setListed(Set(names), by: question, now: now)
        }
        report(domain)
    }

    private mutating func setListed(_ names: Set<DomainName>, by question: ZoneQuestion, now: ContinuousClock.Instant) {
        let before = listed[question] ?? []
        for name in before.subtracting(names) { unlist(name, by: question) }
        // What is left out is not kept either.
        listed[question] = names.filter { name in before.contains(name) || add(name, by: question, now: now) }
    }

    /// Follows an instance, unless it is none that this list may have, or there are too many.
    private mutating func add(_ name: DomainName, by question: ZoneQuestion, now: ContinuousClock.Instant) -> Bool {
        if instances[name] != nil {
            instances[name]?.lists.insert(question)
            return true
        }
        guard let type = lists[question]?.type, let instance = try? ServiceInstance(name), instance.type == type,
            !name.isWithin(.local)
        else { return false }
        guard instances.count < maximumInstances else {
            warnOfExcess()
            return false
        }
        // Any list may lead to an instance in any domain: what counts is who has named that one.
        let isNamed = named.contains { name.isWithin($0) }
        instances[name] = Instance(instance: instance, standing: isNamed ? .named : .network, lists: [question])
        for type in [DNSRecordType.srv, .txt] { questions.want(ZoneQuestion(name: name, type: type), now: now) }
        look(at: name, now: now)
        return true
    }

    private mutating func unlist(_ name: DomainName, by question: ZoneQuestion) {
        instances[name]?.lists.remove(question)
        guard let instance = instances[name], instance.lists.isEmpty else { return }
        for type in [DNSRecordType.srv, .txt] { questions.drop(ZoneQuestion(name: name, type: type)) }
        if let host = instance.host { leave(host, by: name) }
        instances[name] = nil
        instances.giveBackRoom()
        events.append(.vanished(instance.instance, .zone, .withdrawn))
    }

    /// Reports what is known of an instance, and asks for what is missing.
    private mutating func look(at name: DomainName, now: ContinuousClock.Instant) {
        guard let instance = instances[name] else { return }
        let (srv, txt) = (ZoneQuestion(name: name, type: .srv), ZoneQuestion(name: name, type: .txt))
        let location = questions.records(srv)?.location
        // Servers are not asked for hosts of the link (RFC 6762 §22.1): whoever has the name in their network is another one.
        let host = location.flatMap { $0.target.isRoot || $0.target.isWithin(.local) ? nil : $0.target }
        if host != instance.host {
            if let host {
                hosts[host, default: []].insert(name)
                for type in [DNSRecordType.a, .aaaa] { questions.want(ZoneQuestion(name: host, type: type), now: now) }
            }
            instances[name]?.host = host
            if let former = instance.host { leave(former, by: name) }
        }
        var sighting = Sighting(instance: instance.instance, path: .zone, source: instance.standing.source)
        (sighting.host, sighting.port) = (host, location?.port)
        if let host { sighting.addresses = addresses(of: host) }
        if let records = questions.records(txt) {
            for case .txt(let bytes) in records.reversed() { sighting.txt = TXTRecord(decoding: bytes) }
            sighting.txt = sighting.txt ?? TXTRecord()
        }
        sighting.resolution = resolution(of: sighting, srv, txt)
        guard sighting != instance.reported else { return }
        instances[name]?.reported = sighting
        events.append(.sighted(sighting))
    }

    private func resolution(of sighting: Sighting, _ srv: ZoneQuestion, _ txt: ZoneQuestion) -> Resolution {
        // With one address, the others are on their way, or do not come.
        if sighting.txt != nil, !sighting.addresses.isEmpty { return .resolved }
        let types = [DNSRecordType.a, .aaaa]
        let hostQuestions = sighting.host.map { host in types.map { ZoneQuestion(name: host, type: $0) } } ?? []
        let missing: [(ZoneQuestion, String)] =
            [(srv, "SRV")] + (sighting.txt == nil ? [(txt, "TXT")] : []) + hostQuestions.map { ($0, "address") }
        for (question, what) in missing {
            if let trouble = questions.trouble(question) { return .failed(reason: "no \(what) record: \(trouble)") }
        }
        guard questions.records(srv) != nil else { return .resolving }
        guard let host = sighting.host else {
            return .failed(reason: "its zone has no SRV record that leads to a host")
        }
        guard sighting.txt != nil else { return .resolving }
        guard hostQuestions.allSatisfy({ questions.records($0) != nil }) else { return .resolving }
        return .failed(reason: "its zone has no address for \(host)")
    }

    private func addresses(of host: DomainName) -> [IPAddress] {
        var addresses: Set<IPAddress> = []
        for type in [DNSRecordType.a, .aaaa] {
            let records = questions.records(ZoneQuestion(name: host, type: type)) ?? []
            addresses.formUnion(records.compactMap { $0.address() })
        }
        return Array(addresses.sorted().prefix(Self.mostAddresses))
    }

    private mutating func leave(_ host: DomainName, by name: DomainName) {
        hosts[host]?.remove(name)
        guard hosts[host]?.isEmpty == true else { return }
        hosts[host] = nil
        for type in [DNSRecordType.a, .aaaa] { questions.drop(ZoneQuestion(name: host, type: type)) }
    }

    // MARK: Reports

    /// Reports the status of a domain: it works once a server has answered for one type, and while one can.
    private mutating func report(_ domain: DomainName) {
        let own = domains[domain]?.lists ?? []
        let trouble = own.compactMap { questions.trouble($0) }.min()
        let status: BackendStatus
        if let trouble {
            let message = "\(domain.shown) cannot be browsed: \(trouble)"
            status = .unavailable(BackendError(.daemonNotAnswering, message))
        } else {
            status = own.contains { questions.records($0) != nil } ? .running : .starting
        }
        guard statuses[domain] != status else { return }
        statuses[domain] = status
        events.append(.domain(domain, status))
    }

    private mutating func noteActivity() {
        guard questions.isBusy != isBusy else { return }
        isBusy = questions.isBusy
        events.append(.activity(isBusy ? .busy : .idle))
    }

    private mutating func warnOfExcess() {
        warn(
            .tooManyInstances,
            "More than \(maximumInstances) services in zones, or more than their records may take; the others are left out."
        )
    }

    private mutating func warnOfDomains(_ which: String, most: Int) {
        warn(
            .tooManyDomains,
            "More than \(most) domains \(which): the others are left out. Name those that you want (--domain)."
        )
    }

    private mutating func warn(_ code: BackendWarning.Code, _ text: String) {
        if warnings.insert(code).inserted { events.append(.warning(BackendWarning(code, text))) }
    }
}

extension ZoneQuestion {
    /// Creates the question for what a name in a domain leads to; `nil` if it is too long.
    init?(_ name: String, in domain: DomainName) {
        guard let name = try? DomainName(escaped: "\(name).\(domain.escaped)") else { return nil }
        self.init(name: name, type: .ptr)
    }
}

extension [DNSRecordData] {
    /// The SRV record that is to be tried first (RFC 2782).
    fileprivate var location: SRVData? {
        compactMap { data -> SRVData? in if case .srv(let location) = data { location } else { nil } }.min {
            ($0.priority, $1.weight, $0.port, $0.target) < ($1.priority, $0.weight, $1.port, $1.target)
        }
    }
}
