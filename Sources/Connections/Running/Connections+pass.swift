extension Connections {
    /// Waits until the sessions have made progress: until a task that is begun now was run. Returns at once while they are
    /// not kept.
    package func pass() async {
        guard let jobs else { return }
        let (steps, pass) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lastPass += 1
        let number = lastPass
        passes[number] = pass
        defer { passes[number] = nil }
        jobs.yield { pass.finish() }
        for await _ in steps {}
    }
}
