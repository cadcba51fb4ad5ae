/// Questions of other hosts to which something that is known here should have been the answer (RFC 6762 §10.5).
struct PassiveFailureObservation {
    /// The time at which the first of them was heard.
    let first: ContinuousClock.Instant

    /// The time at which the last one that counts was heard.
    var last: ContinuousClock.Instant

    /// The number of questions, not counting those that followed another within a second.
    var count = 1
}
