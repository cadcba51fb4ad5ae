/// The callers that wait for what a scanner's next pass may bring. A value.
struct PassWatchers {
    private var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var last = 0

    /// Adds a caller.
    ///
    /// - Returns: Its number, and the passes from now on; several that it has not seen are one.
    mutating func add() -> (number: Int, passes: AsyncStream<Void>) {
        let (passes, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        last += 1
        watchers[last] = watcher
        return (last, passes)
    }

    /// Removes a caller that waits no more.
    mutating func remove(_ number: Int) { watchers.removeValue(forKey: number)?.finish() }

    /// Wakes all of them, since a pass has ended.
    func wake() {
        for watcher in watchers.values { watcher.yield() }
    }
}

extension GatewayScanner {
    /// Waits until the scanner has made progress: until its loop has worked off what there was to do. Returns at once while
    /// it does not run.
    package func pass() async {
        guard isRunning, let wake else { return }
        let (number, passes) = watchers.add()
        defer { watchers.remove(number) }
        wake.yield()
        for await _ in passes { return }
    }
}
