internal import DNSSD
internal import DequeModule

/// The changes that one reader has not taken yet: at most one for each service, in the order in which they first came.
///
/// Merging keeps it bounded by the number of services without losing anything that matters: whoever takes it to its end
/// has the present picture.
struct ChangeQueue {
    /// The change of one service that waits to be taken.
    private struct Waiting {
        var change: ServiceChange

        /// The aspects that had changed before a loss took the place of that change. If the loss is taken back, they
        /// are still news.
        var unheard: Set<ServiceAspect> = []
    }

    private var changes: [ServiceInstance: Waiting] = [:]

    /// The instances in `changes`, and such that have been merged away.
    private(set) var order: Deque<ServiceInstance> = []

    var isEmpty: Bool { changes.isEmpty }

    /// The number of places that are kept in the order.
    var places: Int { order.count }

    /// Puts a change in, merged with what is there of the same service.
    mutating func append(_ change: ServiceChange) {
        let instance = change.service.instance
        guard let waiting = changes[instance] else {
            tidy()
            changes[instance] = Waiting(change: change)
            order.append(instance)
            return
        }
        switch (waiting.change, change) {
        case (.found, .found), (.found, .changed):
            changes[instance] = Waiting(change: .found(change.service))
        case (.found, .lost):
            // The reader has not heard of it. Its place in the order stays, and is passed over.
            changes[instance] = nil
        case (.changed(_, let aspects), .changed(_, let more)):
            changes[instance] = Waiting(change: .changed(change.service, aspects.union(more)))
        case (.changed(_, let aspects), .lost):
            changes[instance] = Waiting(change: change, unheard: aspects)
        case (.lost(let before, _), .found), (.lost(let before, _), .changed):
            let aspects = change.service.aspects(changedSince: before).union(waiting.unheard)
            changes[instance] = aspects.isEmpty ? nil : Waiting(change: .changed(change.service, aspects))
        case (.lost, .lost), (.changed, .found):
            changes[instance] = Waiting(change: change, unheard: waiting.unheard)
        }
    }

    /// Takes the oldest one out.
    mutating func next() -> ServiceChange? {
        while let instance = order.popFirst() {
            if let waiting = changes.removeValue(forKey: instance) { return waiting.change }
        }
        order = []
        return nil
    }

    /// Gives up the places that nothing waits at, once they are the most. A reader that never catches up, or services
    /// that come and go while nobody reads, would else need more and more of them.
    private mutating func tidy() {
        guard order.count >= 2 * changes.count + 64 else { return }
        var seen: Set<ServiceInstance> = []
        order = order.filter { changes[$0] != nil && seen.insert($0).inserted }
    }
}
