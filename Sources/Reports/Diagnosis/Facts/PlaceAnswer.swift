package import GatewayProtocol
package import Scanning

/// The answer from a place of a gateway, or the way in which none came.
package enum PlaceAnswer: Hashable, Sendable {
    /// The gateway, in this dialect.
    case gateway(GatewayDialect, isTLS: Bool, roundTrip: Duration?)

    /// A gateway, and another one than the row's other places.
    case anotherGateway

    /// Something that is no gateway, in a few words for people.
    case somethingElse(String)

    /// A web server, with this status, in place of the gateway that was there before.
    case front(status: Int)

    /// The host, and no program at the port.
    case refused

    /// No gateway at any of the usual ports, of a host that was named without a port.
    case notAtUsualPorts

    /// Nothing: the host cannot be reached.
    case unreachable

    /// Nothing: no connection came about in this time.
    case silent(Duration)

    /// Nothing in this time, although the connection came about.
    case hanging(Duration)

    /// A connection that was closed without a word.
    case closed

    /// No TLS, where TLS was expected.
    case noTLS

    /// It is never asked, for this reason.
    case notAllowed(TargetRefusal)

    /// It has not been asked, for this reason.
    case notAsked(String)

    /// Reads a path of the map, and what a probe of its endpoint has found since, if one was made: its steps say whether
    /// a connection came about.
    package init(_ path: GatewayPath, _ report: GatewayProbeReport? = nil) {
        if path.contradicts {
            self = .anotherGateway
        } else if let status = path.frontStatus {
            self = .front(status: status)
        } else if let identity = path.outcome?.identity, path.liveness?.isAlive != false {
            self = .gateway(identity.dialect, isTLS: identity.leaf != nil, roundTrip: path.currentRoundTrip)
        } else if let report {
            self.init(report)
        } else {
            switch path.outcome {
            case .gateway: self = .silent(.seconds(5))
            case .somethingElse(let answer): self = .somethingElse(answer.summary)
            case .nothing(let reason): self.init(reason)
            case nil: self = .notAsked(path.waiting.map { "\($0)" } ?? "there was no time for it")
            }
        }
    }

    /// Reads the report of a probe.
    package init(_ report: GatewayProbeReport) {
        switch report.verdict {
        case .nothing(.noAnswer(let time)) where report.steps.contains { $0.kind == .connect && $0.succeeded }:
            self = .hanging(time)
        case .nothing(let reason): self.init(reason)
        case .other(let answer): self = .somethingElse(answer.summary)
        case .optaplus, .openClaw, .bridge, .openAgents, .clawline:
            self =
                report.verdict.dialect.map {
                    .gateway($0, isTLS: report.path?.isTLS == true, roundTrip: report.roundTrip)
                } ?? .closed
        }
    }

    private init(_ reason: NoAnswer) {
        self =
            switch reason {
            case .refused: .refused
            case .noAnswer(let time): .silent(time)
            case .unreachable: .unreachable
            case .tlsFailure: .noTLS
            case .wrongLeaf: .anotherGateway
            case .closed: .closed
            case .noGateway(let status): .front(status: status)
            case .notAtUsualPorts: .notAtUsualPorts
            case .noSocket: .notAsked("\(reason)")
            case .notAllowed(let refusal): .notAllowed(refusal)
            }
    }
}
