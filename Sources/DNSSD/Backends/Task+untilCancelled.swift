extension Task where Success == Never, Failure == Never {
    /// Returns when the task is cancelled.
    package static func untilCancelled() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
        continuation.finish()
    }
}
