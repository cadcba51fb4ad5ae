/// The outcome of the last gateway probe of an endpoint.
///
/// Indirect, since every copy of a path contains one: that costs one reference, not one for each text in it.
package indirect enum ProbeOutcome: Hashable, Sendable {
    /// A gateway answered.
    case gateway(GatewayIdentity)

    /// Something answered that is no gateway.
    case somethingElse(ForeignAnswer)

    /// No usable answer came back.
    case nothing(NoAnswer)

    /// The identity that the gateway stated, if it was one.
    package var identity: GatewayIdentity? {
        if case .gateway(let identity) = self { identity } else { nil }
    }

    /// The certificate that the endpoint showed; `nil` if it showed none.
    package var shownLeaf: LeafFingerprint? {
        switch self {
        case .gateway(let identity): identity.leaf
        case .nothing(.wrongLeaf(let found)): found
        case .nothing, .somethingElse: nil
        }
    }
}

extension ProbeOutcome {
    /// Creates the outcome from a probe report.
    package init(_ report: GatewayProbeReport) {
        func gateway(_ dialect: GatewayDialect, _ payload: DiscoverPayload? = nil) -> ProbeOutcome {
            .gateway(
                GatewayIdentity(
                    fingerprint: payload?.fingerprint,
                    name: payload?.name,
                    dialect: dialect,
                    bots: payload?.bots ?? [],
                    leaf: report.path?.leaf
                )
            )
        }
        switch report.verdict {
        case .optaplus(let payload): self = gateway(.optaplus, payload)
        case .openClaw: self = gateway(.openClaw)
        case .bridge: self = gateway(.bridge)
        case .openAgents: self = gateway(.openAgents)
        case .clawline: self = gateway(.clawline)
        case .other(let answer): self = .somethingElse(answer)
        case .nothing(let reason): self = .nothing(reason)
        }
    }
}
