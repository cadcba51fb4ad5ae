extension Scanner {
    /// Waits until the scanner has made progress: until its loop has worked off what there was to do. Returns at once while
    /// it does not run.
    package func pass() async {
        guard isRunning, let wake else { return }
        let (passes, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lastWatcher += 1
        let number = lastWatcher
        watchers[number] = watcher
        defer { watchers[number] = nil }
        wake.yield()
        for await _ in passes { return }
    }
}
