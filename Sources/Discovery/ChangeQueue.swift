internal import DNSSD
internal import DequeModule

/// The changes that one reader has not taken yet: at most one for each service, in the order in which they first came.
///
/// Merging keeps it bounded by the number of services without losing anything that matters: a reader that takes
/// everything has the current state.
struct ChangeQueue {
    /// The change of one service that waits to be taken.
    private struct Waiting {
        var change: ServiceChange

        /// The aspects of the change that a loss has replaced. If the loss is undone, they still have to be reported.
        var unheard: Set<ServiceAspect> = []
    }

    private var changes: [ServiceInstance: Waiting] = [:]

    /// The instances in `changes`, and those whose changes have been merged away.
    private(set) var order: Deque<ServiceInstance> = []

    var isEmpty: Bool { changes.isEmpty }

    /// The number of places that are kept in the order.
    var places: Int { order.count }

    /// Adds a change, merged with the waiting change of the same service.
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
            // The reader does not know the service yet. Its place in the order stays, and is skipped.
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

    /// Removes and returns the oldest change.
    mutating func next() -> ServiceChange? {
        while let instance = order.popFirst() {
            if let waiting = changes.removeValue(forKey: instance) { return waiting.change }
        }
        self = ChangeQueue()
        return nil
    }

    /// Removes the places without a waiting change, once they are the majority. Otherwise, a reader that never catches
    /// up, or services that come and go while nobody reads, would need more and more places.
    private mutating func tidy() {
        guard order.count >= 2 * changes.count + 64 else { return }
        var seen: Set<ServiceInstance> = []
        order = order.filter { changes[$0] != nil && seen.insert($0).inserted }
    }
}
