internal import DNSSD
internal import DequeModule

/// The calls that are still to be made, in the order in which they bring the most: service browsers, then addresses (one
/// pair completes every instance of a host), then resolvers, then what frees, then the watches on records.
struct StartQueue {
    private var browsers: Deque<BrowseAction> = []
    private var addresses: Deque<BrowseAction> = []
    private var resolvers: Deque<BrowseAction> = []
    private var frees: Deque<BrowseAction> = []
    private var records: Deque<BrowseAction> = []

    /// The objects whose actions are queued and have not been removed again.
    private var queued: Set<ObjectID> = []

    /// Indicates whether nothing is queued.
    var isEmpty: Bool { queued.isEmpty }

    /// Indicates whether a watch on records is queued.
    var hasWatches: Bool { !queuedWatches.isEmpty }

    /// Those of `queued` that watch records.
    private var queuedWatches: Set<ObjectID> = []

    /// Puts in what shall be made or freed.
    mutating func add(_ action: BrowseAction) {
        queued.insert(action.object)
        switch action {
        case .browse: browsers.append(action)
        case .watch(_, _, let type) where type == .a || type == .aaaa: addresses.append(action)
        case .resolve: resolvers.append(action)
        case .watch:
            records.append(action)
            queuedWatches.insert(action.object)
        case .free: frees.append(action)
        }
    }

    /// Puts back what could not be made now.
    mutating func putBack(_ action: BrowseAction) {
        queued.insert(action.object)
        browsers.prepend(action)
    }

    /// Takes out what shall not be made any longer.
    ///
    /// - Returns: Whether it was queued.
    mutating func remove(_ object: ObjectID) -> Bool {
        queuedWatches.remove(object)
        return queued.remove(object) != nil
    }

    /// Takes the next one out, watches on records excepted.
    ///
    /// - Parameter mayResolve: Whether a resolver may be the next.
    mutating func next(mayResolve: Bool) -> BrowseAction? {
        while let action = browsers.popFirst() ?? addresses.popFirst()
            ?? (mayResolve ? resolvers.popFirst() : nil) ?? frees.popFirst()
        {
            if remove(action.object) { return action }
        }
        return nil
    }

    /// Takes the next watch on records out.
    mutating func nextWatch() -> BrowseAction? {
        while let action = records.popFirst() {
            if remove(action.object) { return action }
        }
        return nil
    }
}
