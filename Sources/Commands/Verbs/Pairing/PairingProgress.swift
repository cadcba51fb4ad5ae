internal import Pairing

/// The steps of a pairing as they are printed. A value: no clock, no I/O.
struct PairingProgress: Sendable {
    /// The last line, which describes the current step.
    private(set) var step = "nothing was asked yet"

    /// Indicates whether the line for `pairing` has been printed. It is printed once, although the gateway is asked
    /// again with each secret.
    private var hasPrintedPairing = false

    /// The identifier of the request that waits at the gateway; `nil` if there is none.
    private var request: String?

    /// Takes in a step.
    ///
    /// - Parameters:
    ///   - state: The step.
    ///   - time: The time in milliseconds since 1970.
    /// - Returns: The line to print; `nil` if there is none.
    mutating func take(_ state: PairingState, at time: Int) -> String? {
        if case .approvalNeeded(let approval) = state { request = approval.requestID }
        guard let line = PairingText.line(state, at: time) else { return nil }
        step = line
        guard case .pairing = state else { return line }
        defer { hasPrintedPairing = true }
        return hasPrintedPairing ? nil : line
    }

    /// The sentence about the request that stays at the gateway when the pairing is given up; empty if there is none.
    var remainder: String {
        guard let request else { return "" }
        return
            " Its request waits there for five minutes more, unless it is rejected: openclaw devices reject \(request)"
    }
}
