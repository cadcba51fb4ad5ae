/// The net effect of an event: at most one change of each row. What was so only on the way from one picture to the next is
/// not reported.
extension BotMap {
    /// Notes a change that a row went through in the present event.
    ///
    /// - Parameter former: For a change of a row that stays, the row as it was shown before.
    mutating func report(_ change: BotMapChange, former: Gateway? = nil) {
        if let former { formers.append((changes.count, former)) }
        changes.append(change)
    }

    /// Makes one change of all those of a row, at the place of the last; none where they lead back to where they began.
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
            // It is not known of what was only patched: see ``patchRow(of:)``.
            guard let former = before[id] else { return change }
            return Self.net(change, since: former)
        }
    }

    /// Returns the change from a row as it was, or that it was not there, to what the last of its changes has left.
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
