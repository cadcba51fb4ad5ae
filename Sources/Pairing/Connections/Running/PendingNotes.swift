internal import DNSSD

/// The times and places at which sessions were established, and the messages that came last in them, since that was last
/// stored. A value.
struct PendingNotes {
    private(set) var notes: [PairingID: ConnectionNote] = [:]

    /// The last messages of Clawline providers; `nil` where a history begins anew.
    private(set) var messages: [CredentialID: String?] = [:]

    /// Indicates whether they are being stored.
    private var isBeingStored = false

    init() {}

    var isEmpty: Bool { notes.isEmpty && messages.isEmpty }

    /// Notes the last message of a provider.
    mutating func note(message: String?, of credential: CredentialID) {
        messages.updateValue(message, forKey: credential)
    }

    /// Notes when a gateway was last connected, and where it is, on this network or outside of it; the place that is known
    /// stays if there is no new one.
    mutating func note(at time: Int, _ endpoint: Endpoint?, _ url: String? = nil, of pairing: PairingID) {
        let known = notes[pairing]
        notes[pairing] = ConnectionNote(
            time: max(time, known?.time ?? time),
            endpoint: endpoint ?? known?.endpoint,
            url: url ?? known?.url
        )
    }

    /// Records that they are stored from now on.
    ///
    /// - Returns: `false` if they are already.
    mutating func begin() -> Bool {
        defer { isBeingStored = true }
        return !isBeingStored
    }

    /// Records that they are not stored any more.
    mutating func end() { isBeingStored = false }

    /// Removes and returns all of them.
    mutating func take() -> [PairingID: ConnectionNote] {
        defer { notes = [:] }
        return notes
    }

    /// Removes and returns the last messages.
    mutating func takeMessages() -> [CredentialID: String?] {
        defer { messages = [:] }
        return messages
    }

    /// Puts back those that could not be stored; what was noted meanwhile is newer.
    mutating func putBack(_ written: [PairingID: ConnectionNote], _ messages: [CredentialID: String?] = [:]) {
        notes.merge(written) { newer, _ in newer }
        self.messages.merge(messages) { newer, _ in newer }
    }
}
