internal import DNSSD
internal import Gateways

/// One gateway probe that is to run, or runs.
struct ProbeJob: Hashable, Sendable {
    /// Why it is asked.
    enum Reason: Hashable, Sendable {
        /// Nothing is known of it.
        case first
        /// Another of its addresses has answered.
        case otherAddress
        /// Something may be new.
        case again
    }

    let id: Int
    let target: Int
    let reason: Reason
    let question: GatewayProbeTarget

    /// The addresses that may be connected to.
    var addresses: [IPAddress] { question.endpoints.map(\.address) }
}
