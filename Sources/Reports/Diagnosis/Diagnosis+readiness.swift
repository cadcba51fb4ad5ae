internal import GatewayProtocol
internal import Pairing

/// The cause that a gateway reports of itself, whether it is paired or not: it answers, and cannot do its work.
extension Diagnosis {
    /// Returns the cause; `nil` if the gateway says that it is ready, or does not say.
    static func findingOfReadiness(_ facts: DiagnosisFacts) -> Finding? {
        switch facts.readiness {
        case .ready, nil: return nil
        case .starting, .draining:
            let wait = facts.pairing.map { "clawradar connect \($0.pairing.word)" } ?? "clawradar watch"
            return notReady(facts.readiness?.reason, wait)
        case .failing(let parts):
            let reason = facts.readiness?.reason.map { "\(parts.count == 1 ? "this fails" : "these fail"): \($0)" }
            return notReady(reason, "openclaw channels status --probe", on: .gateway)
        }
    }

    /// Returns the cause for a gateway that says that it is not ready.
    ///
    /// - Parameter reason: The reason that it gives, cleaned; `nil` if it gives none.
    static func notReady(_ reason: String?, _ command: String, on host: Finding.Host = .here) -> Finding {
        let sentence = "It answers, and says that it is not ready: \(reason ?? "it gives no reason")."
        return Finding(.notReady, sentence, command, on: host)
    }
}
