/// The claim of this process to the session of a credential, which only one process may have. A value.
struct SessionClaim {
    /// The lock that gives the right to it, among all processes; `nil` without one.
    var lock: SessionLock?

    /// Indicates whether the lock is being taken.
    var isBeingTaken = false

    /// Indicates whether the session is to begin at a later time that is scheduled already.
    var isPending = false

    init() {}

    /// Gives the session up, so that another process can have it.
    mutating func release() {
        lock?.release()
        lock = nil
    }
}
