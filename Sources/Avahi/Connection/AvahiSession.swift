/// One browse or publication, which the actor runs on its thread.
protocol AvahiSession: AnyObject {
    /// Handles a new condition of the daemon. When the daemon is gone, every object is freed with its client, and must
    /// not be freed by the session.
    func daemonChanged(to condition: DaemonCondition, on connection: isolated AvahiConnection)

    /// Handles an event from an object of this session.
    func receive(_ event: ObjectEvent, from object: ObjectID, on connection: isolated AvahiConnection)

    /// Does what is due at ``deadline``, if that time has come. It is called at other times too.
    func tick(now: ContinuousClock.Instant, on connection: isolated AvahiConnection)

    /// Does a part of the waiting work, short enough for other sessions to get their turn.
    ///
    /// - Returns: Whether more work waits.
    func work(on connection: isolated AvahiConnection) -> Bool

    /// The time at which the session needs its next ``tick(now:on:)``.
    var deadline: ContinuousClock.Instant? { get }

    /// The number of clients that the session has opened.
    var clientCount: Int { get }

    /// The number of objects that the session holds.
    var objectCount: Int { get }

    /// Frees everything. No other method is called afterwards.
    func end(on connection: isolated AvahiConnection)
}

/// The number of a session; never used twice.
struct SessionID: Hashable, Sendable {
    let rawValue: Int
}
