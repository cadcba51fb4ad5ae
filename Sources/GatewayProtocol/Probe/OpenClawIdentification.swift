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

    /// Creates an identification. It has no version: no release reports its own before `connect`, which a probe never sends.
    package init(evidence: Evidence) {
        self.evidence = evidence
    }
}
