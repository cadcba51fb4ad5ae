package import DNSSD

/// The reason why a paired gateway is not as it was, of all that is known against its places.
extension PairedTerms {
    /// Returns the reason that explains most. At its own place, its transport explains more than that it has other addresses
    /// as well; another address explains more than any other reason, and another machine or network at its place more than what
    /// is elsewhere.
    ///
    /// - Parameters:
    ///   - verdicts: The verdicts on the places at which it may be.
    ///   - answering: Those of the places at which a gateway answers.
    ///   - home: The endpoint at which it was verified last.
    ///   - change: The change of its transport: see ``changeOfTransport(_:)``.
    package func moveReason(
        _ verdicts: [(endpoint: Endpoint, verdict: PathVerdict)],
        answering: Set<Endpoint>,
        home: Endpoint?,
        change: @autoclosure () -> MoveReason?
    ) -> MoveReason {
        let isUnproved = verdicts.contains { endpoints.contains($0.endpoint) && $0.verdict == .unproved }
        if isUnproved, let change = change() { return change }
        let answers = verdicts.filter { answering.contains($0.endpoint) }
        if answers.contains(where: { $0.verdict == .moved(.address) }) { return .address }
        let reasons = (answers + verdicts.filter { $0.endpoint == home } + verdicts).lazy.compactMap { place in
            if case .moved(let reason) = place.verdict { reason } else { nil }
        }
        return reasons.first ?? .unproved
    }
}
