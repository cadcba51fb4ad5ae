package import Scanning

/// The sessions that other processes have, as states of bots for a map. A value.
struct OthersSessions: Sendable {
    private var states: [BotKey: BotState] = [:]

    /// Takes in the sessions as they are now.
    ///
    /// - Returns: The news for the map.
    mutating func take(_ held: [CredentialID: HeldSession], of paired: PairedGateways) -> [BotMapEvent] {
        var now: [BotKey: BotState] = [:]
        var present: Set<BotKey> = []
        for pairing in paired.pairings.values {
            guard let row = paired.row(of: pairing.id) else { continue }
            present.formUnion(pairing.bots.map { BotKey(gateway: row, bot: $0.id) })
            for credential in pairing.credentials {
                guard let state = held[credential.id]?.botState else { continue }
                let opened = credential.bots.isEmpty ? pairing.bots.map(\.id) : credential.bots
                for bot in opened { now[BotKey(gateway: row, bot: bot)] = state }
            }
        }
        var events: [BotMapEvent] = []
        // What is not paired any more has no state to go back to.
        for key in Set(now.keys).union(states.keys).intersection(present).sorted() {
            let (before, after) = (states[key] ?? .paired, now[key] ?? .paired)
            events += before.steps(to: after).map { .stateChanged(key, $0) }
        }
        states = now
        return events
    }
}

extension HeldSession {
    /// The state of the bots that the session opens; `nil` where the map knows as much as the session.
    package var botState: BotState? {
        switch note.flatMap({ PairedState(rawValue: $0.state) }) {
        case .connected: .connected
        case .connecting: .connecting
        case .moved: .moved
        case .changedLeaf: .changedLeaf
        case .uncertified: .uncertified
        case .waiting: .waiting
        case .refused: .refused
        case .failed: .failed
        case .paired, .gone, .revoked, .awaitsTrust, nil: nil
        }
    }
}
