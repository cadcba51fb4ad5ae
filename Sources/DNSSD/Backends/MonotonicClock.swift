/// A clock with the instants of `ContinuousClock`: that clock itself, or one that a test controls.
///
/// State machines receive the time as an instant; the code that drives them reads the time and sleeps by such a clock.
package protocol MonotonicClock: Clock where Instant == ContinuousClock.Instant {}

extension ContinuousClock: MonotonicClock {}
