/// A clock with the instants of `ContinuousClock`: that clock, or one that a test turns.
///
/// State machines are told the time as an instant; whoever runs them reads it, and sleeps, by one of these.
package protocol MonotonicClock: Clock where Instant == ContinuousClock.Instant {}

extension ContinuousClock: MonotonicClock {}
