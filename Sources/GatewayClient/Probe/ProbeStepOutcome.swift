internal import GatewayProtocol

/// The outcome of one question.
enum ProbeStepOutcome: Hashable, Sendable {
    /// The peer is identified.
    case identified(GatewayVerdict)

    /// The peer behaves as a gateway of this kind does, but others do so too.
    case probable(GatewayVerdict)

    /// The peer answered, but not as a gateway does. `isHTTP` when it is a web server.
    case foreign(ForeignAnswer, isHTTP: Bool)

    /// The connection was made, but the peer sent nothing conclusive. `isHTTP` when it spoke HTTP, as in an upgrade
    /// that succeeded.
    case silent(NoAnswer, isHTTP: Bool)

    /// There was no connection; another question would not get one either.
    case noConnection(NoAnswer)

    /// The TLS handshake failed.
    case noTLS

    /// Indicates whether a gateway was found.
    var isGateway: Bool {
        switch self {
        case .identified, .probable: true
        case .foreign, .silent, .noConnection, .noTLS: false
        }
    }

    /// A description for people.
    var summary: String {
        switch self {
        case .identified(let verdict), .probable(let verdict): verdict.summary
        case .foreign(let answer, _): answer.summary
        case .silent(let reason, _), .noConnection(let reason): "\(reason)"
        case .noTLS: "\(NoAnswer.tlsFailure)"
        }
    }
}
