internal import DNSSD
internal import GatewayProtocol

/// A lead with its paths, as it goes into a row.
struct LeadPicture {
    let lead: Slot<Lead>

    /// Its paths, the one to try first in front, those that contradict last.
    let paths: [GatewayPath]

    /// Whether the lead as a whole contradicts itself, so that it merges with nothing.
    let isContradictory: Bool

    /// The fingerprint that it goes by: what it answers, else what it advertises.
    let fingerprint: GatewayFingerprint?

    /// Whether a path that is its own is conclusively proved.
    let isProved: Bool

    /// Judges a lead's paths by what was answered on them.
    ///
    /// - Parameter advertised: The fingerprint that it advertises.
    init(_ lead: Slot<Lead>, advertised: GatewayFingerprint?, paths unsorted: [GatewayPath]) {
        self.lead = lead
        var paths = unsorted
        // What it says it is must be what its best path says it is.
        let reference = Self.reference(among: paths, advertised: advertised)
        let answered = reference?.outcome?.identity
        self.fingerprint = answered?.fingerprint ?? advertised
        self.isContradictory = advertised != nil && fingerprint != advertised
        if let answered {
            for index in paths.indices {
                paths[index].contradicts = Self.contradicts(paths[index], answered, fingerprint)
            }
        }
        if paths.count > 1 { paths.sort { $0.precedes($1) } }
        self.isProved = paths.contains { !$0.contradicts && $0.proof.isConclusive }
        self.paths = paths
    }

    /// The path whose answer stands for the lead: the best proved, then one that says what is advertised, then by address,
    /// so that neither speed nor the order of events decides.
    private static func reference(among paths: [GatewayPath], advertised: GatewayFingerprint?) -> GatewayPath? {
        var best: GatewayPath?
        for path in paths {
            guard let identity = path.outcome?.identity else { continue }
            guard let rival = best, let other = rival.outcome?.identity else {
                best = path
                continue
            }
            if identity.proof != other.proof {
                if identity.proof > other.proof { best = path }
            } else if rank(identity, advertised) != rank(other, advertised) {
                if rank(identity, advertised) < rank(other, advertised) { best = path }
            } else if path.endpoint < rival.endpoint {
                best = path
            }
        }
        return best
    }

    private static func rank(_ identity: GatewayIdentity, _ advertised: GatewayFingerprint?) -> Int {
        guard let fingerprint = identity.fingerprint else { return 1 }
        return advertised == nil || fingerprint == advertised ? 0 : 2
    }

    /// Whether a path's answer cannot come from the gateway that gave another one.
    private static func contradicts(
        _ path: GatewayPath,
        _ reference: GatewayIdentity,
        _ fingerprint: GatewayFingerprint?
    ) -> Bool {
        guard let identity = path.outcome?.identity else { return false }
        if let said = identity.fingerprint, said != fingerprint { return true }
        if let leaf = identity.leaf, let other = reference.leaf, leaf != other {
            return !(identity.proof.isConclusive && reference.proof.isConclusive)
        }
        // It was asked for the proof that the other one gave, and had none.
        return reference.proof.isConclusive && !identity.proof.isConclusive
    }
}
