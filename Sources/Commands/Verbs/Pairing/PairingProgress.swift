internal import Pairing

/// The steps of a pairing as they are told. A value: no clock, no I/O.
struct PairingProgress: Sendable {
    /// The last line: where it has come to.
    private(set) var step = "nothing was asked yet"

    /// Indicates whether it was told that the gateway is asked: it is asked again with each secret.
    private var hasToldOfAsking = false

    /// The request that waits at the gateway; `nil` where none does.
    private var request: String?

    /// Takes a step in.
    ///
    /// - Parameters:
    ///   - state: The step.
    ///   - time: The time in milliseconds since 1970.
    /// - Returns: The line that tells of it; `nil` where there is nothing to tell.
    mutating func take(_ state: PairingState, at time: Int) -> String? {
        if case .approvalNeeded(let approval) = state { request = approval.requestID }
        guard let line = PairingText.line(state, at: time) else { return nil }
        step = line
        guard case .pairing = state else { return line }
        defer { hasToldOfAsking = true }
        return hasToldOfAsking ? nil : line
    }

    /// The sentence about the request that stays at the gateway when the pairing is given up; empty where none does.
    var remainder: String {
        guard let request else { return "" }
        return
            " Its request waits there for five minutes more, unless it is rejected: openclaw devices reject \(request)"
    }
}
