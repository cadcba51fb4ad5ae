public import DNSSD
package import GatewayProtocol

/// The reason why a pairing failed, or has to wait.
public struct PairingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of trouble.
    public let code: ErrorCode<PairingError>

    /// A sentence for people: what was expected, what was found, and what to do. It contains no secret, and no text of
    /// a stranger that was not cleaned.
    public let message: String

    /// The gateway's refusal, if that is the reason.
    package let refusal: SessionRefusal?

    /// The store's error, if that is the reason.
    public let storeError: StoreError?

    /// The paired gateway that something else claims to be, if that is the reason.
    package let conflict: PairingConflict?

    package init(
        _ code: ErrorCode<PairingError>,
        _ message: String,
        refusal: SessionRefusal? = nil,
        storeError: StoreError? = nil,
        conflict: PairingConflict? = nil
    ) {
        self.code = code
        self.message = message
        self.refusal = refusal
        self.storeError = storeError
        self.conflict = conflict
    }

    /// The error for a secret that would go to a gateway which nothing proves.
    package static let unproved = PairingError(
        .unproved,
        "expected a proof of who answers before a secret is sent to it, found none: anybody can use its name and address. "
            + "Nothing was sent"
    )

    /// The error for a gateway whose one token would have to be sent without TLS out of local networks.
    static let oneTokenInClear = PairingError(
        .unsupported,
        "expected TLS, found none: this gateway has one token for all devices, which everybody on the way could read, so "
            + "that it goes without TLS to loopback, private addresses and tailnets alone. Put a TLS front such as nginx "
            + "before the gateway, and pair with that"
    )

    /// The error for a gateway that lets in whoever has its own token, and pairs no device.
    static let noToken = PairingError(
        .noToken,
        "expected a token for this device, found a gateway that issues none: whoever has its own token is let in, and no "
            + "device is paired. Nothing is kept"
    )

    static func tooManySecrets(_ count: Int) -> PairingError {
        PairingError(.tooManySecrets, "expected the right secret, found \(count) wrong ones. Try again later")
    }

    static func refused(_ refusal: SessionRefusal) -> PairingError {
        PairingError(.refused, refusal.description, refusal: refusal)
    }

    /// Returns the error for a request that the operator has rejected, while its repetition has made another one.
    static func rejected(leaving refusal: SessionRefusal) -> PairingError {
        let left = refusal.rejectingCommand.map {
            " Asking again has made another request, which waits there for five minutes: \($0)"
        }
        return PairingError(
            .rejected,
            "expected an approval, found that the request was rejected. Ask the gateway's operator.\(left ?? "")"
        )
    }

    /// Throws unless a secret may be sent.
    static func check(_ decision: TrustDecision) throws(PairingError) {
        switch decision {
        case .allowed: return
        case .moved(let reason):
            throw PairingError(.notAllowed, "expected the gateway where the user trusts it, found: \(reason)")
        case .changedLeaf:
            throw PairingError(.anotherGateway, "expected the certificate of the pairing, found another one")
        case .refused(let reason):
            throw PairingError(.notAllowed, "expected a connection that may have a secret, found: \(reason)")
        }
    }

    public var description: String { message }
}

/// The codes of the errors.
extension ErrorCode<PairingError> {
    /// No address is known for the gateway.
    public static var notFound: Self { Self() }

    /// Nothing answers there, or something that is not a gateway.
    public static var notAGateway: Self { Self() }

    /// The gateway speaks a dialect in which this library does not pair.
    public static var unsupported: Self { Self() }

    /// A gateway other than the intended one answers. Nothing is stored.
    public static var anotherGateway: Self { Self() }

    /// A gateway that claims to be a paired one, or is in its place, does not show the certificate of that one: see
    /// ``PairingError/conflict``. Nothing was asked.
    public static var changedLeaf: Self { Self() }

    /// The gateway has no TLS, and the user has not chosen how to trust it.
    public static var trustNotChosen: Self { Self() }

    /// The gateway has no TLS, and the network cannot be distinguished from others.
    public static var unknownNetwork: Self { Self() }

    /// The user's consent does not allow a secret on this connection. None was sent.
    public static var notAllowed: Self { Self() }

    /// The user has consented before anybody knew what would answer, and nothing proves who that is. No secret was
    /// sent.
    public static var unproved: Self { Self() }

    /// None of the wanted bots is there.
    public static var unknownBots: Self { Self() }

    /// The gateway refuses; the message says why.
    public static var refused: Self { Self() }

    /// A setup code, or the URL behind which there is one, is used, has expired or is none. No secret was sent.
    public static var invalidInvitation: Self { Self() }

    /// The gateway's operator has rejected the request.
    public static var rejected: Self { Self() }

    /// Too many wrong secrets were given: a few more, and the gateway would lock.
    public static var tooManySecrets: Self { Self() }

    /// The connection failed.
    public static var notReached: Self { Self() }

    /// The gateway lets this device in, but gives it no token of its own.
    public static var noToken: Self { Self() }

    /// The pairing could not be stored: see ``PairingError/storeError``.
    public static var notStored: Self { Self() }

    /// Another pairing with this gateway is under way.
    public static var underWay: Self { Self() }

    /// The user has given the pairing up.
    public static var cancelled: Self { Self() }

    /// All codes.
    static var all: [Self] {
        [
            .notFound, .notAGateway, .unsupported, .anotherGateway, .changedLeaf, .trustNotChosen, .unknownNetwork,
            .notAllowed, .unproved, .unknownBots, .refused, .invalidInvitation, .rejected, .tooManySecrets,
            .notReached, .noToken, .notStored, .underWay, .cancelled,
        ]
    }
}
