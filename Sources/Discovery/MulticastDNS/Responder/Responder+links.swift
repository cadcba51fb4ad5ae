internal import DNSSD

/// Following the links on which multicast DNS is used.
extension Responder {
    /// Sets the links that exist. On a new link everything is claimed and announced; where the addresses have changed,
    /// they are announced again (RFC 6762 §8.4); a link that is gone is forgotten, and is treated as new when it comes
    /// back (§8).
    ///
    /// - Parameter trouble: The reason why there are not more links, if something is wrong.
    mutating func setLinks(
        _ links: [Link],
        trouble: BackendError? = nil,
        now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) {
        self.now = now
        self.trouble = trouble
        var present: Set<ServicePath> = []
        for link in links {
            for family in link.families {
                let path = ServicePath(interface: link.interface, family: family)
                present.insert(path)
                guard let known = paths[path] else {
                    paths[path] = ResponderPath(link: link)
                    continue
                }
                guard Set(known.link.prefixes) != Set(link.prefixes) else { continue }
                if let records = records(of: .host, on: path) { former.insert(records.unique, now: now) }
                paths[path]?.link = link
                coResponders[path] = nil
                invalidate(path)
                if claims[.host]?.phases[path]?.isOurs == true {
                    setPhase(.announcing(sent: 0, next: now, only: nil), of: .host, on: path)
                }
            }
        }
        for path in paths.keys where !present.contains(path) {
            paths[path] = nil
            coResponders[path] = nil
        }
        deferred.keepOnly(present)
        syncPhases(using: &random)
    }

    /// Begins the claims that are wanted on a path and not made there yet, and forgets those that are no longer wanted.
    mutating func syncPhases(using random: inout some RandomNumberGenerator) {
        dropUnwantedPhases()
        guard !publications.isEmpty else { return }
        if claims[.host] == nil {
            claims[.host] = Claim()
            own(.host)
        }
        // In order, since the first claim to begin determines the start of the others.
        let ids = publications.keys.sorted()
        for path in paths.keys.sorted() {
            var isWanted = false
            for id in ids where publications[id]?.applies(to: path.interface) == true {
                isWanted = true
                begin(.publication(id), on: path, using: &random)
            }
            if isWanted { begin(.host, on: path, using: &random) }
        }
        for id in ids { reportWhetherWaiting(id) }
    }

    /// Reports that a publication waits for a link, or no longer does, and is being published.
    private mutating func reportWhetherWaiting(_ id: PublicationID) {
        guard let publication = publications[id] else { return }
        guard !paths.keys.contains(where: { publication.applies(to: $0.interface) }) else {
            if case .publishing(waitingFor: .some) = publication.reported { report(id, .publishing(waitingFor: nil)) }
            return
        }
        let names = publication.advertisement.interfaces.sorted().map { "\(DisplayText($0))" }.joined(separator: ", ")
        let lack = BackendError(
            .noInterface,
            names.isEmpty
                ? "Multicast DNS needs a network interface that is up; this host has none. Connect it to a network."
                : "Of the interfaces to publish on (\(names)) none is up. Bring one up, or name others."
        )
        report(id, .publishing(waitingFor: trouble ?? lack))
    }

    /// Begins a claim on a path. The first probe waits for up to 250 ms, so that hosts that woke up together do not
    /// probe together (RFC 6762 §8.1).
    private mutating func begin(
        _ key: ClaimKey,
        on path: ServicePath,
        using random: inout some RandomNumberGenerator
    ) {
        guard claims[key]?.phases[path] == nil else { return }
        let start: ContinuousClock.Instant
        if let next = nextStart, next > now {
            start = next
        } else {
            start = now + .milliseconds(Int.random(in: 0...250, using: &random))
            nextStart = start
        }
        setPhase(.probing(sent: 0, next: start), of: key, on: path)
    }

    /// Forgets the claims on links that are gone, and the claim of this host where none of its publications is wanted
    /// any more.
    mutating func dropUnwantedPhases() {
        for (key, claim) in claims where claim.phases.keys.contains(where: { paths[$0] == nil }) {
            claims[key]?.phases = claim.phases.filter { paths[$0.key] != nil }
        }
        for path in claims[.host]?.phases.keys.map({ $0 }) ?? [] {
            guard !publications.values.contains(where: { $0.applies(to: path.interface) }) else { continue }
            claims[.host]?.phases[path] = nil
        }
    }

    mutating func setPhase(_ phase: ClaimPhase, of key: ClaimKey, on path: ServicePath) {
        let wasAnswered = claims[key]?.phases[path]?.isAnswered == true
        claims[key]?.phases[path] = phase
        if wasAnswered != phase.isAnswered { invalidate(path) }
        if let next = phase.deadline { claimDeadline = min(next, claimDeadline ?? next) }
    }
}
