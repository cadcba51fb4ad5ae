/// Questions of other hosts to which something that is known here should have been the answer (RFC 6762 §10.5).
struct Silence {
    /// When the first of them was heard.
    let first: ContinuousClock.Instant

    /// When the last one was that counts.
    var last: ContinuousClock.Instant

    /// How many, not counting those that followed another within a second.
    var count = 1
}
