internal import Scanning

/// The turns of the sessions with each gateway: a gateway has at most ``most`` of them, so that one that has issued a
/// thousand tokens takes neither the sockets nor the time of the others. A value.
struct SessionTurns: Sendable {
    /// The maximum number of sessions with one gateway.
    static let most = 32

    /// A gateway: several pairings may be with the same one.
    enum Place: Hashable, Sendable {
        case row(GatewayID)
        case pairing(PairingID)
    }

    private var active: [Place: Set<CredentialID>] = [:]

    /// The credentials that wait, those that have waited longest first.
    private var waiting: [Place: [CredentialID]] = [:]
    private var places: [CredentialID: Place] = [:]

    /// Asks for the turn of a credential, which then waits for it if its gateway has none left.
    ///
    /// - Returns: `true` if it has its turn.
    mutating func ask(_ credential: CredentialID, at place: Place) -> Bool {
        let place = places[credential] ?? place
        if active[place]?.contains(credential) == true { return true }
        guard active[place, default: []].count < Self.most else {
            if places.updateValue(place, forKey: credential) == nil { waiting[place, default: []].append(credential) }
            return false
        }
        // One that waits gets its turn from the end of another: only one that is new comes here.
        places[credential] = place
        active[place, default: []].insert(credential)
        return true
    }

    /// Ends the turn of a credential, or its wait.
    ///
    /// - Returns: The credential whose turn has begun instead.
    mutating func end(_ credential: CredentialID) -> CredentialID? {
        guard let place = places.removeValue(forKey: credential) else { return nil }
        guard active[place]?.remove(credential) != nil else {
            waiting[place]?.removeAll { $0 == credential }
            if waiting[place]?.isEmpty == true { waiting[place] = nil }
            return nil
        }
        guard var queue = waiting[place], !queue.isEmpty else {
            if active[place]?.isEmpty == true { active[place] = nil }
            return nil
        }
        let next = queue.removeFirst()
        waiting[place] = queue.isEmpty ? nil : queue
        active[place, default: []].insert(next)
        return next
    }

    /// Returns sessions in rounds: first one of each gateway, then a second one of each, and so on.
    static func rounds(
        _ credentials: [CredentialID],
        at place: (CredentialID) -> Place?
    ) -> [[CredentialID]] {
        var rounds: [[CredentialID]] = []
        var counts: [Place: Int] = [:]
        for credential in credentials {
            guard let place = place(credential) else { continue }
            let round = counts[place, default: 0]
            counts[place] = round + 1
            if round == rounds.count { rounds.append([]) }
            rounds[round].append(credential)
        }
        return rounds
    }
}
