extension Scanner {
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
