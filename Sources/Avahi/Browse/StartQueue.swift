internal import DequeModule

/// The calls that are still to be made, the most useful first: service browsers, then addresses (one pair completes
/// every instance of a host), then resolvers, then the calls that free objects, then the watches on records.
struct StartQueue {
    private var browsers: Deque<AvahiBrowseAction> = []
    private var addresses: Deque<AvahiBrowseAction> = []
    private var resolvers: Deque<AvahiBrowseAction> = []
    private var frees: Deque<AvahiBrowseAction> = []
    private var records: Deque<AvahiBrowseAction> = []

    /// The objects whose actions are queued and have not been removed again.
    private var queued: Set<ObjectID> = []

    /// Indicates whether nothing is queued.
    var isEmpty: Bool { queued.isEmpty }

    /// Indicates whether a watch on records is queued.
    var hasWatches: Bool { !queuedWatches.isEmpty }

    /// The objects in `queued` that watch SRV or TXT records.
    private var queuedWatches: Set<ObjectID> = []

    /// Adds an action that makes or frees an object.
    mutating func add(_ action: AvahiBrowseAction) {
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

    /// Puts an action that could not be carried out now back at the front.
    mutating func putBack(_ action: AvahiBrowseAction) {
        queued.insert(action.object)
        browsers.prepend(action)
    }

    /// Removes the action of an object that is not needed any longer.
    ///
    /// - Returns: Whether the action was queued.
    mutating func remove(_ object: ObjectID) -> Bool {
        queuedWatches.remove(object)
        return queued.remove(object) != nil
    }

    /// Takes out the next action that is not a watch on records.
    ///
    /// - Parameter mayResolve: Whether a resolver may be next.
    mutating func next(mayResolve: Bool) -> AvahiBrowseAction? {
        while let action = browsers.popFirst() ?? addresses.popFirst()
            ?? (mayResolve ? resolvers.popFirst() : nil) ?? frees.popFirst()
        {
            if remove(action.object) { return action }
        }
        return nil
    }

    /// Takes out the next watch on records.
    mutating func nextWatch() -> AvahiBrowseAction? {
        while let action = records.popFirst() {
            if remove(action.object) { return action }
        }
        return nil
    }
}
