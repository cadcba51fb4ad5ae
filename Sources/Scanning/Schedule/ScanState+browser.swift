internal import DNSSD

/// What the browser is told of services: which of them answer, and which are to be doubted.
extension ScanState {
    /// How many services of one target are kept. A forger may have any number lead to one gateway, and could take all the
    /// room there is.
    private static let mostKept = 4

    /// Among how many services of one target those to keep are looked for each time that one comes.
    private static let fewServices = 64

    /// A service leads to a target that answers.
    mutating func keepService(_ instance: ServiceInstance, of id: Int) {
        doubts.clear(instance)
        // Where thousands lead, each would cost a look at all of them, and those that are kept came first.
        if let services = targets[id]?.services, services.count <= Self.fewServices { keepServices(of: id) }
    }

    /// Something has answered at a target: its services stay, whatever else comes.
    mutating func keepServices(of id: Int) {
        guard let services = targets[id]?.services else { return }
        var count = services.count { kept.contains($0) }
        for instance in services.sorted() {
            doubts.clear(instance)
            guard count < Self.mostKept, kept.insert(instance).inserted else { continue }
            count += 1
            actions.append(.keep(instance, true))
        }
    }

    /// Nothing answers at a target any more, or a service does not lead there any more.
    mutating func release(_ services: some Sequence<ServiceInstance>) {
        for instance in services where kept.remove(instance) != nil { actions.append(.keep(instance, false)) }
    }

    /// Nothing has answered at a target: what leads there may be long gone (RFC 6762 §10.4).
    ///
    /// Not in a single look, which is over before anything could come of it.
    mutating func doubtServices(of id: Int, now: ContinuousClock.Instant) {
        guard configuration.watches, let services = targets[id]?.services else { return }
        for instance in services.sorted() where doubts.failed(instance, now: now) {
            actions.append(.reconfirm(instance))
        }
    }
}
