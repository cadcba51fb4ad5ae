package import Scanning

/// A filter that turns the updates of a constellation into the changes of sessions that are worth reporting, which a new
/// round-trip time is not. A value: no clock, no I/O.
package struct SessionFeed: Sendable {
    private var known: [ShownSession.ID: ShownSession] = [:]

    /// Makes a feed that has not read anything.
    package init() {}

    /// The sessions, sorted by the names of their gateways.
    package var sessions: [ShownSession] { known.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) } }

    /// Takes in an update.
    ///
    /// - Returns: The sessions to report, as they are now.
    package mutating func take(_ update: ConstellationUpdate) -> [ShownSession] {
        switch update {
        case .snapshot(let snapshot):
            let present = Set(snapshot.sessions.map(\.id))
            let lost = known.values.filter { !present.contains($0.id) }.sorted { $0.id < $1.id }
            return lost.compactMap { hide($0, .unpaired) } + snapshot.sessions.compactMap { show($0) }
        case .changes(let changes, _):
            return changes.compactMap { change in
                switch change {
                case .session(.found(let session)), .session(.changed(let session)): show(session)
                case .session(.lost(let session, let loss)): hide(session, loss)
                case .gateway, .service, .backend: nil
                }
            }
        }
    }

    private mutating func show(_ session: ShownSession) -> ShownSession? {
        guard let before = known.updateValue(session, forKey: session.id) else { return session }
        let isSame =
            (session.state, session.text, session.path) == (before.state, before.text, before.path)
            && session.bots.map(\.id) == before.bots.map(\.id)
        return isSame ? nil : session
    }

    private mutating func hide(_ session: ShownSession, _ loss: SessionLoss) -> ShownSession? {
        guard let before = known.removeValue(forKey: session.id), before.state != .revoked else { return nil }
        return ShownSession(
            id: before.id,
            pairing: before.pairing,
            gateway: before.gateway,
            name: before.name,
            bots: before.bots,
            state: .disconnected,
            reason: loss == .unpaired ? "it is not paired any more" : "nothing keeps it connected any more",
            since: before.since
        )
    }
}

extension ShownSession {
    /// The reason for its state, with the command by which the user can do something about it; `nil` if there is nothing to
    /// explain.
    package var text: String? {
        switch remedy {
        case .connect:
            return "it is connected to when asked" + (word.map { ": clawradar connect \($0)" } ?? "")
        case .acceptLeaf: return accepting("")
        case .acceptAddress: return accepting(" --trust address")
        case .acceptNode: return accepting(" --trust tailnet")
        case .acceptTunnel: return accepting(" --trust tunnel")
        case .pairAnew: return advising("To pair it anew", word.map { "pair \($0)" })
        case .diagnose: return advising("To find out why", word.map { "doctor \($0)" })
        case nil: return reason
        }
    }

    private func accepting(_ options: String) -> String? {
        advising("To accept it", shortID.map { "trust \($0)\(options)" })
    }

    /// Returns the reason, with a command behind it if there is one to give.
    private func advising(_ purpose: String, _ command: String?) -> String? {
        guard let command else { return reason }
        return "\(reason.map { "\($0). " } ?? "")\(purpose): clawradar \(command)"
    }

    /// The word by which the user can name it, as commands about its pairing have it.
    private var word: String? { ShellWord(name: name)?.description ?? shortID }

    /// The beginning of the identifier of its pairing, by which the user can name that; `nil` in a recording that somebody
    /// has made up.
    private var shortID: String? { ShellWord.shortID(pairing) }
}
