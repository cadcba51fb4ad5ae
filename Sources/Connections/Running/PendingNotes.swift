internal import DNSSD
internal import PairingStore

/// When and where sessions were established since that was last stored. A value.
struct PendingNotes {
    private(set) var notes: [PairingID: ConnectionNote] = [:]

    /// Indicates whether they are being stored.
    private var isBeingStored = false

    init() {}

    var isEmpty: Bool { notes.isEmpty }

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

    /// Puts back those that could not be stored; what was noted meanwhile is newer.
    mutating func putBack(_ written: [PairingID: ConnectionNote]) { notes.merge(written) { newer, _ in newer } }
}
