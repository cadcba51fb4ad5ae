internal import DNSSD

/// A probe that waits, and of which it was not told why.
struct WaitingProbe: Sendable {
    let since: ContinuousClock.Instant
    let endpoint: Endpoint
    let job: Int
}
