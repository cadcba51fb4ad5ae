internal import GatewayProtocol
internal import Pairing

/// The steps of a pairing as they are printed. A value: no clock, no I/O.
struct PairingProgress: Sendable {
    /// The last line, which describes the current step.
    private(set) var step = "nothing was asked yet"

    /// Indicates whether the line for `pairing` has been printed. It is printed once, although the gateway is asked
    /// again with each secret.
    private var hasPrintedPairing = false

    /// The refusal that names the request that waits at the gateway; `nil` if there is none.
    private var request: SessionRefusal?

    /// The last line that was printed.
    private var printed: String?

    /// Takes in a step.
    ///
    /// - Parameter state: The step.
    /// - Returns: The line to print; `nil` if there is none, or if it is the same as the last one.
    mutating func take(_ state: PairingState) -> String? {
        if case .approvalNeeded(let approval) = state { request = approval.refusal }
        guard let line = PairingText.line(state) else { return nil }
        step = line
        if case .pairing = state {
            defer { hasPrintedPairing = true }
            if hasPrintedPairing { return nil }
        }
        defer { printed = line }
        return printed == line ? nil : line
    }

    /// The sentence about the request that stays at the gateway when the pairing is given up; empty if there is none.
    var remainder: String {
        guard let command = request?.rejectingCommand else { return "" }
        return " Its request waits there for five minutes more, unless it is rejected: \(command)"
    }
}
