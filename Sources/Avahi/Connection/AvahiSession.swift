/// One browse or publication: what the actor runs on its thread.
protocol AvahiSession: AnyObject {
    /// The daemon came, went or changed. When it went, every object has been freed already.
    func daemonChanged(to condition: DaemonCondition, on connection: isolated AvahiConnection)

    /// An object of this session has told something.
    func receive(_ event: ObjectEvent, from object: ObjectID, on connection: isolated AvahiConnection)

    /// The time has come to which ``deadline`` pointed, or has not yet.
    func tick(now: ContinuousClock.Instant, on connection: isolated AvahiConnection)

    /// Does a slice of what waits to be done, short enough for others to get their turn.
    ///
    /// - Returns: Whether more waits.
    func work(on connection: isolated AvahiConnection) -> Bool

    /// The time at which the session wants its next ``tick(now:on:)``.
    var deadline: ContinuousClock.Instant? { get }

    /// The number of clients that the session has opened.
    var clientCount: Int { get }

    /// The number of objects that the session holds.
    var objectCount: Int { get }

    /// Frees everything. Nothing is called after that.
    func end(on connection: isolated AvahiConnection)
}

/// The number of a session; never used twice.
struct SessionID: Hashable, Sendable {
    let rawValue: Int
}
