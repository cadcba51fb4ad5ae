internal import DNSSD

/// What one reader has not taken yet: at most one change for each service, in the order in which they first came.
///
/// Merging keeps it bounded by the number of services without losing anything that matters: whoever takes it to its end
/// has the present picture.
struct ChangeQueue {
    private var changes: [ServiceInstance: ServiceChange] = [:]

    /// The instances in `changes`, and such that have been merged away.
    private var order: [ServiceInstance] = []
    private var head = 0

    var isEmpty: Bool { changes.isEmpty }

    /// How many places in the order are kept.
    var places: Int { order.count }

    /// Puts a change in, merged with what is there of the same service.
    mutating func append(_ change: ServiceChange) {
        let instance = change.service.instance
        guard let waiting = changes[instance] else {
            changes[instance] = change
            order.append(instance)
            return
        }
        switch (waiting, change) {
        case (.found, .found), (.found, .changed):
            changes[instance] = .found(change.service)
        case (.found, .lost):
            // The reader has not heard of it. Its place in the order stays, and is passed over.
            changes[instance] = nil
        case (.changed(_, let aspects), .changed(_, let more)):
            changes[instance] = .changed(change.service, aspects.union(more))
        case (.lost(let before, _), .found), (.lost(let before, _), .changed):
            let aspects = change.service.aspects(changedSince: before)
            changes[instance] = aspects.isEmpty ? nil : .changed(change.service, aspects)
        case (.changed, .lost), (.lost, .lost), (.changed, .found):
            changes[instance] = change
        }
    }

    /// Takes the oldest one out.
    mutating func next() -> ServiceChange? {
        while head < order.count {
            let instance = order[head]
            head += 1
            if let change = changes.removeValue(forKey: instance) { return change }
        }
        order = []
        head = 0
        return nil
    }
}
