/// How much a responder publishes, and how much it does for others.
struct ResponderLimits: Sendable {
    /// How many publications.
    var publications = 1_024

    /// How many addresses of one link are told.
    var addressesPerLink = 16

    /// How often something new is announced, 2–8 (RFC 6762 §8.3).
    var announcements = 2

    /// From how many addresses questions wait for more known answers (RFC 6762 §7.2).
    var deferringSources = 512

    /// How many packets of known answers are taken from one of them.
    var packetsPerDeferral = 16

    /// How many addresses have an allowance of their own; all others share one.
    var allowances = 512

    /// How many records one address gets in a burst, and then in a second.
    var answerBurst = 16_384
    var answersPerSecond = 4_096
}
