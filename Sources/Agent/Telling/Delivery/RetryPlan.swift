internal import Reports

/// The times at which a message that could not be delivered is tried again, and at which that is given up. A value.
enum RetryPlan {
    static let shortestPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(300)

    /// The time after which a message is given up, in milliseconds.
    static let longestTime = 86_400_000

    /// Returns the pause before the next attempt; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - tries: The number of attempts that have failed.
    ///   - time: The time at which the message was decided.
    ///   - asked: The pause that the sink has asked for.
    static func pause(after tries: Int, of time: Timestamp, asked: Duration?, now: Timestamp) -> Duration? {
        guard now.milliseconds - time.milliseconds < longestTime else { return nil }
        let own = min(shortestPause * (1 << min(max(tries - 1, 0), 16)), longestPause)
        return max(own, asked ?? .zero)
    }
}
