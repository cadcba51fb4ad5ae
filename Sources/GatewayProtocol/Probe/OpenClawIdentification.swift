/// The identification of a gateway as an OpenClaw gateway, with the evidence for it.
package struct OpenClawIdentification: Hashable, Sendable {
    /// The kind of answer that is the evidence. More may be added.
    package enum Evidence: String, Hashable, Sendable {
        /// The gateway sent `connect.challenge` of its own accord.
        case challenge

        /// The gateway refused our question, because `connect` must come first.
        case handshakeRefusal = "handshake-refusal"

        /// The gateway answered `GET /healthz`.
        case health
    }

    /// The strongest evidence that was seen.
    package let evidence: Evidence

    /// The versions of the protocol that it can speak. No release reports its version before `connect`, which a probe
    /// never sends.
    package let protocolVersions: ClosedRange<Int>

    /// Creates an identification; by default of a gateway that speaks protocol 3 or 4, as released ones do.
    package init(evidence: Evidence, protocolVersions: ClosedRange<Int> = 3...4) {
        self.evidence = evidence
        self.protocolVersions = protocolVersions
    }
}
