/// The net effect of an event: at most one change of each row. Intermediate states are not reported.
extension BotMap {
    /// Records a change of a row in the current event.
    ///
    /// - Parameter former: For a change of a row that stays, the row as it was shown before.
    mutating func report(_ change: BotMapChange, former: Gateway? = nil) {
        if let former { formers.append((changes.count, former)) }
        changes.append(change)
    }

    /// Combines all changes of a row into one, at the position of the last; none, if they cancel each other out.
    mutating func netChanges() {
        defer { formers.removeAll(keepingCapacity: true) }
        guard changes.count > 1 else { return }
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
            case .lost(let row, _): before[id] = row
            case .changed, .problem: if let former { before[id] = former }
            }
        }
        guard isRepeated else { return }
        changes = changes.indices.compactMap { index in
            let change = changes[index]
            guard let id = change.gateway?.id else { return change }
            guard last[id] == index else { return nil }
            // The former state of a row that was only patched is not known: see ``patchRow(of:)``.
            guard let former = before[id] else { return change }
            return Self.net(change, since: former)
        }
    }

    /// Returns the change from the former row, `nil` if there was none, to the state after its last change.
    private static func net(_ change: BotMapChange, since former: Gateway?) -> BotMapChange? {
        switch change {
        case .found(let row), .changed(let row, _):
            guard let former else { return .found(row) }
            let aspects = row.differences(from: former)
            return aspects.isEmpty ? nil : .changed(row, aspects.set)
        case .lost: return former == nil ? nil : change
        case .problem: return change
        }
    }
}

extension BotMapChange {
    /// The row that has changed.
    var gateway: Gateway? {
        switch self {
        case .found(let row), .changed(let row, _), .lost(let row, _): row
        case .problem: nil
        }
    }
}
