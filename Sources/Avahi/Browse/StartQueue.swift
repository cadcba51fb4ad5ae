internal import DNSSD

/// The calls that are still to be made, in the order in which they bring the most: service browsers, then addresses (one
/// pair completes every instance of a host), then resolvers, then what frees, then the watches on records.
struct StartQueue {
    private var browsers = Lane()
    private var addresses = Lane()
    private var resolvers = Lane()
    private var frees = Lane()
    private var records = Lane()

    /// The objects whose actions are queued and have not been removed again.
    private var queued: Set<ObjectID> = []

    /// One kind of objects.
    private struct Lane {
        var actions: [BrowseAction] = []
        /// The first of `actions` that has not been taken.
        var head = 0

        /// The number of taken actions that are kept in front of the others.
        private static let longestTail = 1_024

        mutating func next() -> BrowseAction? {
            guard head < actions.count else {
                actions = []
                head = 0
                return nil
            }
            head += 1
            let action = actions[head - 1]
            if head == Self.longestTail {
                actions.removeFirst(head)
                head = 0
            }
            return action
        }
    }

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
        case .browse: browsers.actions.append(action)
        case .watch(_, _, let type) where type == .a || type == .aaaa: addresses.actions.append(action)
        case .resolve: resolvers.actions.append(action)
        case .watch:
            records.actions.append(action)
            queuedWatches.insert(action.object)
        case .free: frees.actions.append(action)
        }
    }

    /// Puts back what could not be made now.
    mutating func putBack(_ action: BrowseAction) {
        queued.insert(action.object)
        browsers.actions.insert(action, at: browsers.head)
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
        while let action = browsers.next() ?? addresses.next() ?? (mayResolve ? resolvers.next() : nil) ?? frees.next()
        {
            if remove(action.object) { return action }
        }
        return nil
    }

    /// Takes the next watch on records out.
    mutating func nextWatch() -> BrowseAction? {
        while let action = records.next() {
            if remove(action.object) { return action }
        }
        return nil
    }
}
