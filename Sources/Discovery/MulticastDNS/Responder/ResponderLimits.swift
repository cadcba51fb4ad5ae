/// The limits on what a responder publishes, and on what it does for others.
struct ResponderLimits: Sendable {
    /// The highest number of publications.
    var publications = 1_024

    /// The highest number of addresses that are published on one link.
    var addressesPerLink = 16

    /// The number of times that new records are announced, 2–8 (RFC 6762 §8.3).
    var announcements = 2

    /// The highest number of queriers whose questions wait for more known answers (RFC 6762 §7.2).
    var deferringSources = 512

    /// The highest number of packets of known answers that are accepted from one of these queriers.
    var packetsPerDeferral = 16

    /// The highest number of addresses that have an allowance of their own; all others share one.
    var allowances = 512

    /// The highest number of records that one address may request in a burst, and then per second.
    var answerBurst = 16_384
    var answersPerSecond = 4_096
}
