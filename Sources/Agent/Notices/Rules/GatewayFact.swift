/// A fact about a watched gateway, besides its presence, of which the user is told once it has lasted; in the order in which
/// several are told. A value.
enum GatewayFact: Hashable, Sendable, Comparable {
    /// The gateway does not answer over one of its ways.
    case lostWay(Way)
    /// It says that it is not ready.
    case notReady
    /// It has refused this device, and has not accepted it since.
    case refusal
    case trouble(Trouble)
    /// A device waits there for an approval.
    case approval(id: String)

    /// Those to whom changes of facts are given.
    enum Audience: Hashable, Sendable, CaseIterable {
        case user
        /// The history, which has what the user would be told if that were always allowed.
        case history
    }

    /// Returns the kind of the message that it has begun, or that it is over; `nil` if nobody is told of that.
    func message(holds: Bool) -> Notice.Kind? {
        switch self {
        case .lostWay: holds ? .wayLost : .wayBack
        case .notReady: holds ? .notReady : .ready
        case .refusal: holds ? nil : .accepted
        case .trouble(let trouble): holds ? trouble.kind : nil
        case .approval: holds ? .approval : nil
        }
    }

    /// Indicates whether one that is known to hold does so until it is known to be over, also by the next run of the agent. Of
    /// another one, nothing is known while the gateway does not answer.
    var outlastsSilence: Bool {
        switch self {
        case .lostWay, .trouble: true
        case .notReady, .refusal, .approval: false
        }
    }
}

extension Set<GatewayFact> {
    /// Takes in that a fact that has begun or is over is known from now on.
    mutating func learn(_ fact: GatewayFact, holds: Bool) {
        if holds { insert(fact) } else { remove(fact) }
        // A refusal is known until it is known that the gateway accepts this device again, and the next one is news.
        if fact == .trouble(.refused) { insert(.refusal) }
        if fact == .refusal { remove(.trouble(.refused)) }
    }

    var lostWays: Set<Way> { Set<Way>(compactMap { if case .lostWay(let way) = $0 { way } else { nil } }) }
    var troubles: Set<Trouble> { Set<Trouble>(compactMap { if case .trouble(let fact) = $0 { fact } else { nil } }) }
    var approvals: Set<String> { Set<String>(compactMap { if case .approval(let id) = $0 { id } else { nil } }) }
}
