/// The readings of the store, of which the one that was begun last counts. A value.
struct ReadingOrder {
    /// The number of the reading that was begun last.
    private(set) var begun = 0

    /// The number of the reading that was taken last.
    private var taken = 0

    /// Indicates whether the store is to be read again, since it could not be read.
    private var isRetryPending = false

    init() {}

    /// Begins a reading.
    ///
    /// - Returns: Its number.
    mutating func begin() -> Int {
        begun += 1
        return begun
    }

    /// Ends a reading.
    ///
    /// - Returns: `false` if a later one was taken before it.
    mutating func take(_ reading: Int) -> Bool {
        guard reading > taken else { return false }
        taken = reading
        return true
    }

    /// Records that the store is to be read again.
    ///
    /// - Returns: `false` if that was recorded before.
    mutating func retry() -> Bool {
        defer { isRetryPending = true }
        return !isRetryPending
    }

    /// Records that it is being read again.
    mutating func beginRetry() { isRetryPending = false }
}
