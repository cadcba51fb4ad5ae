internal import DNSSD

/// The changes by one event, until they are reported: at most one change of each row. A value.
struct EventNews: Sendable {
    /// A service that has changed. What has changed about it is found out only for readers.
    struct Service: Sendable {
        /// The service as it was and as it is; `nil` for one that is new or lost.
        let former: AdvertisedService?
        let new: AdvertisedService?
        var reason = LossReason.withdrawn

        /// The change; `nil` if it shows in no aspect.
        var change: ServiceChange? {
            switch (former?.service, new?.service) {
            case (nil, let new?): return .found(new)
            case (let former?, nil): return .lost(former, reason)
            case (let former?, let new?):
                let aspects = new.aspects(changedSince: former)
                return aspects.isEmpty ? nil : .changed(new, aspects)
            case (nil, nil): return nil
            }
        }
    }

    /// The changes so far, with the intermediate states of rows.
    private var changes: [BotMapChange] = []

    /// Rows as they were shown before they changed, each with the index of its change, in that order.
    private var formers: [(change: Int, gateway: Gateway)] = []

    /// The services that have changed; kept until the next event.
    private(set) var services: [Service] = []

    /// The demands on whoever asks endpoints; kept until the next event.
    private(set) var demands: [EndpointDemand] = []

    init() {}

    /// Begins with an event: what was kept of the last one is forgotten.
    mutating func begin() {
        services.removeAll(keepingCapacity: true)
        demands.removeAll(keepingCapacity: true)
    }

    /// Records a change of a row.
    ///
    /// - Parameter former: For a change of a row that stays, the row as it was shown before.
    mutating func report(_ change: BotMapChange, former: Gateway? = nil) {
        if let former { formers.append((changes.count, former)) }
        changes.append(change)
    }

    /// Records that the event could not be applied, or only in part.
    mutating func report(_ problem: BotMapProblem) { changes.append(.problem(problem)) }

    /// Records that a service has changed.
    mutating func note(_ service: Service) { services.append(service) }

    /// Records a demand.
    mutating func demand(_ demand: EndpointDemand) { demands.append(demand) }

    /// Removes and returns the changes of the event: all changes of a row combined into one, at the position of the
    /// last; none, if they cancel each other out.
    mutating func take() -> [BotMapChange] {
        if changes.count > 1 {
            combine()
            identify()
        }
        formers.removeAll(keepingCapacity: true)
        defer { changes = [] }
        return changes
    }

    private mutating func combine() {
        var before: [GatewayID: Gateway?] = [:]
        var last: [GatewayID: Int] = [:]
        var isRepeated = false
        var remaining = formers[...]
        for (index, change) in changes.enumerated() {
            let former = remaining.first?.change == index ? remaining.removeFirst().gateway : nil
            guard let id = change.gateway?.id else { continue }
            guard last.updateValue(index, forKey: id) == nil else {
                isRepeated = true
                continue
            }
            switch change {
            case .found: before[id] = .some(nil)
            case .lost(let row), .joined(let row, _): before[id] = row
            case .changed, .problem: if let former { before[id] = former }
            }
        }
        guard isRepeated else { return }
        changes = changes.indices.compactMap { index in
            let change = changes[index]
            guard let id = change.gateway?.id else { return change }
            guard last[id] == index else { return nil }
            // The former state of a row that was only patched is not known: see ``BotMap/patchRow(of:)``.
            guard let former = before[id] else { return change }
            return Self.net(change, since: former)
        }
    }

    /// Turns the finding of a row that another one has become into a change of that: one appearance is found once.
    private mutating func identify() {
        var became: [GatewayID: Gateway] = [:]
        for index in changes.indices {
            switch changes[index] {
            case .joined(let row, let id):
                if became[id] == nil { became[id] = row }
            case .found(let row):
                guard let former = became[row.id] else { continue }
                changes[index] = .changed(row, row.differences(from: former).union(.identifier).set)
            case .changed, .lost, .problem: continue
            }
        }
    }

    /// Returns the change from the former row, `nil` if there was none, to the state after its last change.
    private static func net(_ change: BotMapChange, since former: Gateway?) -> BotMapChange? {
        switch change {
        case .found(let row), .changed(let row, _):
            guard let former else { return .found(row) }
            let aspects = row.differences(from: former)
            return aspects.isEmpty ? nil : .changed(row, aspects.set)
        case .lost, .joined: return former == nil ? nil : change
        case .problem: return change
        }
    }
}

extension BotMapChange {
    /// The row that has changed.
    var gateway: Gateway? {
        switch self {
        case .found(let row), .changed(let row, _), .lost(let row), .joined(let row, _): row
        case .problem: nil
        }
    }
}
