internal import GatewayProtocol

/// The proof that the gateway at one endpoint is the one that it claims to be, as it was reported.
struct EndpointProof: Hashable, Sendable {
    /// The strength that was reported.
    private(set) var reported = GatewayProof.unproved

    /// The leaf that was shown with it; `nil` for a proof without TLS.
    private(set) var leaf: LeafFingerprint?

    init() {}

    /// Returns the strength of the proof if this identity answers: a proof over TLS holds only for the leaf shown with
    /// it.
    func strength(of identity: GatewayIdentity) -> GatewayProof {
        leaf == nil || leaf == identity.leaf ? reported : .unproved
    }

    /// Takes in a proof, or its withdrawal. A proof of a leaf counts only with the leaf that was shown.
    ///
    /// - Returns: `true` if this changes the proof.
    mutating func set(_ proof: GatewayProof, leaf: LeafFingerprint?) -> Bool {
        let isOfNoLeaf = leaf == nil && (proof == .certified || proof == .pinnedLeaf)
        let proof = isOfNoLeaf ? .unproved : proof
        let leaf = proof == .unproved ? nil : leaf
        guard reported != proof || self.leaf != leaf else { return false }
        reported = proof
        self.leaf = leaf
        return true
    }

    /// Ends the proof of the gateway that answered until now. The proof of a leaf is kept: it says nothing about a
    /// gateway that shows another leaf, and one that shows this leaf again is the same.
    mutating func endOfGateway() {
        if leaf == nil { _ = set(.unproved, leaf: nil) }
    }

    /// Ends a conclusive proof that has no leaf, since the session that gave it has ended: the next gateway there may
    /// give all the answers of the former one. A proof of the address alone stays valid.
    mutating func endOfSession() {
        if reported.isConclusive { endOfGateway() }
    }

    /// Ends a proof by the address alone.
    ///
    /// - Returns: `true` if there was one.
    mutating func endOfAddress() -> Bool { reported == .sameAddress && set(.unproved, leaf: nil) }

    /// Ends a proof by a pinned leaf that is pinned no more.
    ///
    /// - Returns: `true` if there was one.
    mutating func end(ofPin pin: LeafFingerprint) -> Bool {
        reported == .pinnedLeaf && leaf == pin && set(.unproved, leaf: nil)
    }
}
