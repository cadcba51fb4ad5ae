/// An answer on a path to a paired gateway, as it was last seen.
package struct SeenAnswer: Hashable, Sendable {
    /// A proof that it has given, and that stays.
    package enum Proof: Hashable, Sendable {
        /// None that another gateway could not give as well.
        case none
        /// The pinned certificate. That of another gateway behind the same front, or one from before a new one was accepted,
        /// proves nothing.
        case pinnedLeaf
        /// Another one that no other gateway can give.
        case other
    }

    /// The liveness of its place.
    package enum Liveness: Hashable, Sendable {
        /// It answers, or floods.
        case answering
        /// It has only just stopped.
        case alive
        /// It does not answer any more, or nobody knows.
        case gone
    }

    /// The verdict on its place.
    let verdict: PathVerdict

    let proof: Proof
    let liveness: Liveness

    /// The moment of the answer, by the count of the map.
    let time: UInt64

    /// Indicates whether it is at another place than that of the pairing, where any place of the network will do: that has a
    /// warning of its own.
    let isElsewhere: Bool

    /// Indicates whether it is that of another gateway than the row's.
    let contradicts: Bool

    /// Indicates whether it is at a place of the pairing by another name: it says nothing about the gateway.
    let isNamedOtherwise: Bool

    /// Creates an answer; by default one at a place of the pairing.
    package init(
        _ verdict: PathVerdict,
        _ proof: Proof,
        _ liveness: Liveness,
        at time: UInt64,
        isElsewhere: Bool = false,
        contradicts: Bool = false,
        isNamedOtherwise: Bool = false
    ) {
        self.verdict = verdict
        self.proof = proof
        self.liveness = liveness
        self.time = time
        self.isElsewhere = isElsewhere
        self.contradicts = contradicts
        self.isNamedOtherwise = isNamedOtherwise
    }

    /// Indicates whether it is that of the gateway and may have its token, as far as can be seen.
    package var isAccepted: Bool {
        guard !contradicts else { return false }
        switch verdict {
        case .own: return true
        case .changedLeaf where proof == .pinnedLeaf: return false
        case .possible: return isElsewhere || proof != .none
        case .unproved, .moved, .changedLeaf, .refused: return proof != .none
        }
    }
}

/// The warning that a paired gateway is not as it was, which every view shows, and against which no session is sought.
package enum PairedWarning: Hashable, Sendable {
    /// Another certificate is shown where it was last.
    case changedLeaf

    /// Something else is where it was, or whatever claims to be it has not proved it.
    case moved

    /// The answer where the gateway was last, whoever gives it.
    package struct Home: Hashable, Sendable {
        let verdict: PathVerdict
        let isAnotherGateway: Bool
        let time: UInt64

        /// Creates the answer.
        ///
        /// - Parameters:
        ///   - verdict: The verdict on it.
        ///   - isAnotherGateway: Indicates whether it is that of a gateway in another row.
        ///   - time: Its moment, by the count of the map.
        package init(_ verdict: PathVerdict, isAnotherGateway: Bool, at time: UInt64) {
            self.verdict = verdict
            self.isAnotherGateway = isAnotherGateway
            self.time = time
        }

        fileprivate var warning: PairedWarning? {
            switch verdict {
            case .changedLeaf: .changedLeaf
            case .moved, .unproved: isAnotherGateway ? .moved : nil
            case .own, .possible, .refused: nil
            }
        }
    }

    /// Returns the warning about a paired gateway; `nil` if there is none.
    ///
    /// While the gateway answers on any path, nothing is said of the others. As soon as it is silent on all of them, those
    /// count that have answered since: in an ordinary outage nobody has.
    ///
    /// - Parameters:
    ///   - answers: The answers on the paths of its row.
    ///   - home: The answer where it was last, unless that is gone.
    ///   - isHomeToBeAsked: Indicates whether the place where it was last is about to be asked: who answers elsewhere first has
    ///     not moved yet.
    ///   - isClaimed: Indicates whether others claim to be it, or show its certificate at places to which its token does not go.
    package static func of(
        _ answers: [SeenAnswer],
        home: @autoclosure () -> Home?,
        isHomeToBeAsked: @autoclosure () -> Bool,
        isClaimed: @autoclosure () -> Bool
    ) -> PairedWarning? {
        let accepted = answers.filter(\.isAccepted)
        if accepted.contains(where: { $0.liveness == .answering }) { return nil }
        let silentSince = accepted.map(\.time).max() ?? 0
        if let home = home(), home.time > silentSince, let warning = home.warning { return warning }
        if isHomeToBeAsked() { return nil }
        let isForeign = answers.contains { answer in
            answer.liveness != .gone && !answer.isAccepted && answer.time > silentSince && !answer.isNamedOtherwise
        }
        if isForeign { return .moved }
        return !accepted.contains { $0.liveness != .gone } && isClaimed() ? .moved : nil
    }
}
