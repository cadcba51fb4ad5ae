package import DNSSD

/// A place behind the front of a paired gateway, as it was last seen.
package struct SeenPlace: Hashable, Sendable {
    /// The place.
    package let endpoint: Endpoint

    /// The outcome of its last probe.
    package let outcome: ProbeOutcome?

    /// Indicates whether it is known that nothing is there: neither the gateway, nor its front alone, nor something else.
    /// A front may also wait for a gateway that hangs, so that silence alone says nothing.
    package let isSilent: Bool

    /// Indicates whether nothing answers there: a probe has found nothing, or it has not answered for long.
    package let isDead: Bool

    package init(_ endpoint: Endpoint, _ outcome: ProbeOutcome?, isSilent: Bool, isDead: Bool) {
        self.endpoint = endpoint
        self.outcome = outcome
        self.isSilent = isSilent
        self.isDead = isDead
    }
}
