extension Connections {
    /// Waits until the sessions have made progress: until a task that is begun now was run. Returns at once while they are
    /// not kept.
    package func pass() async {
        guard let (number, end) = work.beginPass() else { return }
        defer { work.endPass(number) }
        for await _ in end {}
    }
}
