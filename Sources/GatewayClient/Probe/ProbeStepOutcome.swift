internal import GatewayProtocol

/// The outcome of one question.
enum ProbeStepOutcome: Hashable, Sendable {
    /// It is known what it is.
    case identified(GatewayVerdict)

    /// It did what a gateway of this kind does, and others do too.
    case probable(GatewayVerdict)

    /// It answered, and not as a gateway does. `isHTTP` when it is a web server.
    case foreign(ForeignAnswer, isHTTP: Bool)

    /// It was connected, and said nothing that tells. `isHTTP` when the upgrade went well.
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

    /// For people.
    var summary: String {
        switch self {
        case .identified(let verdict), .probable(let verdict): verdict.summary
        case .foreign(let answer, _): answer.summary
        case .silent(let reason, _), .noConnection(let reason): "\(reason)"
        case .noTLS: "\(NoAnswer.tlsFailure)"
        }
    }
}
