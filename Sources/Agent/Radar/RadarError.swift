package import Pairing
internal import Reports

/// The reason why an operation was not carried out, for whoever has asked for it: a verb makes an exit status of it, the API a
/// status of HTTP.
package struct RadarError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of reason. Its raw value is its name in the problems of the API.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// There is nothing of that identifier.
        case notFound
        /// It does not apply to what is paired, as that is.
        case inapplicable
        /// Something else stands against it.
        case conflict
        /// Somebody else has decided otherwise since the thing was shown.
        case contested
        /// A value is too long, or there are too many.
        case invalid
        /// Something that it takes cannot be used now: the store, the network, the agent.
        case unavailable
        /// The gateway refuses, or cannot be reached.
        case notReached
        /// The gateway was told, and it is not known whether it has carried that out.
        case unknown
    }

    package let code: Code

    /// A sentence for people.
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static let noPairing = RadarError(.notFound, "there is no such pairing")
    static let noSessions = RadarError(.notReached, "expected sessions that are kept, found none")
    static let noBot = RadarError(.notFound, "the pairing has no such bot")
}

extension RadarError {
    package init(_ error: StoreError) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .exists, .invalid: .invalid
            default: .unavailable
            }
        self.init(code, error.description)
    }

    /// Makes the error of a pairing that was not changed: for a reason of the store, or of the gateway.
    package init(_ error: PairingError) {
        switch error.code {
        case .notStored: self = error.storeError.map(Self.init) ?? .noPairing
        case .unknownBots, .underWay: self.init(.conflict, error.message)
        case .unknownNetwork: self.init(.unavailable, error.message)
        default: self.init(.notReached, error.message)
        }
    }

    /// Makes the error of a request that has no answer.
    package init(_ problem: CallProblem) {
        let isUnknown = problem.mayHaveArrived
        let doubt = isUnknown ? ": it is not known whether it was carried out" : ""
        self.init(isUnknown ? .unknown : .notReached, "\(problem)\(doubt)")
    }

    init(contested pairing: StoredPairing) {
        self.init(
            .contested,
            "the trust in \(pairing.label) was changed by another process meanwhile. Nothing was changed: look at it with "
                + "clawradar pairings, and try again."
        )
    }

    init(replacedBy successor: StoredPairing) {
        self.init(
            .conflict,
            "nothing was restored: its gateway opens nothing to its tokens any more, and \(successor.label) is paired with "
                + "that gateway since."
        )
    }

    /// Makes the error of something that would send a token to a gateway that nobody has trusted yet. Only a verb shows it
    /// before: it asks the gateway, and takes over what that says of itself.
    package init(awaitingTrust pairing: StoredPairing) {
        self.init(
            .inapplicable,
            "\(pairing.label) awaits trust, and nothing is sent to it: clawradar trust \(pairing.shortID)"
        )
    }
}
