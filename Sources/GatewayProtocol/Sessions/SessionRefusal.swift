internal import DNSSD

/// The reason why a gateway opens no session, or has ended one: what it says, read into one of the ``Reason``s there are.
///
/// It is the word of whoever answered, and proves nothing: only what an endpoint says that may have the credential counts against
/// a pairing.
public struct SessionRefusal: Error, Hashable, Sendable {
    /// The rule for trying again.
    public enum RetryRule: Hashable, Sendable {
        /// Nothing changes by itself.
        case never
        /// Soon, and then less and less often.
        case backOff
        /// Not before this time is over.
        case after(Duration)
        /// Seldom and with the same request, every 30 to 60 s, until somebody approves it.
        case whenApproved
        /// With another credential; the same one is refused again, and counts as an attack.
        case afterNewCredential
    }

    /// The dialect in which it was said.
    public let dialect: GatewayDialect

    /// The reason.
    public let reason: Reason

    /// The kind of credential that was sent.
    public let credential: SessionCredential.Kind

    /// The identifier of the request that somebody must approve; `nil` where there is none, and where it is none that could be typed
    /// into a command.
    public let requestID: String?

    /// The gateway's own words, at most 160 characters, cleaned for people. Empty where it gave none.
    public let gatewayMessage: String

    /// The time for which the gateway asks to be left alone, at most an hour.
    public let retryAfter: Duration?

    /// The protocol that the gateway speaks, where it tells so since it is not ours.
    public let expectedProtocol: Int?

    /// Indicates whether the gateway would take the same token as `auth.deviceToken`.
    public let canNameDeviceToken: Bool

    /// Reads the answer to `connect`, or to another request of a session.
    ///
    /// - Parameters:
    ///   - failure: The gateway's answer.
    ///   - dialect: The dialect in which it was given.
    ///   - credential: The kind of credential that was sent.
    public init(_ failure: GatewayFailure, dialect: GatewayDialect, credential: SessionCredential.Kind) {
        let details = failure.details
        let reason =
            dialect == .optaplus
            ? Reason(optaplus: failure, credential: credential) : Reason(openClaw: failure, credential: credential)
        self.init(
            dialect: dialect,
            reason: reason,
            credential: credential,
            requestID: details?["requestId"]?.string,
            message: failure.message,
            retryAfter: failure.retryAfter,
            expectedProtocol: details?["expectedProtocol"]?.int,
            canNameDeviceToken: credential == .deviceToken && details?["canRetryWithDeviceToken"]?.bool == true
        )
    }

    /// Reads the close of a connection, which may come without an answer, or end a session; `nil` where its code says nothing of the
    /// session.
    ///
    /// - Parameters:
    ///   - code: The close code (RFC 6455 §7.4).
    ///   - text: The reason as it was sent, which is often cut in the middle.
    ///   - dialect: The dialect of the gateway.
    ///   - credential: The kind of credential that was sent.
    public init?(
        closeCode code: UInt16,
        text: [UInt8],
        dialect: GatewayDialect,
        credential: SessionCredential.Kind
    ) {
        let text = String(decoding: text, as: UTF8.self)
        guard let reason = Reason(closeCode: code, text: text, dialect: dialect, credential: credential) else {
            return nil
        }
        // The identifier of a request is cut in a close: it is only taken from an answer.
        self.init(dialect: dialect, reason: reason, credential: credential, message: text)
    }

    /// Makes one of its parts; what is not fit to be kept is left out.
    public init(
        dialect: GatewayDialect,
        reason: Reason,
        credential: SessionCredential.Kind,
        requestID: String? = nil,
        message: String = "",
        retryAfter: Duration? = nil,
        expectedProtocol: Int? = nil,
        canNameDeviceToken: Bool = false
    ) {
        self.dialect = dialect
        self.reason = reason
        self.credential = credential
        self.requestID = requestID.flatMap { Self.isRequestID($0) ? $0 : nil }
        self.gatewayMessage = DisplayText(message, limit: 160).text
        self.retryAfter = retryAfter
        self.expectedProtocol = expectedProtocol
        self.canNameDeviceToken = canNameDeviceToken
    }

    /// Returns whether a text is an identifier of a request: `[A-Za-z0-9][A-Za-z0-9._:-]{0,127}`, which is also what may stand in a
    /// command.
    public static func isRequestID(_ text: String) -> Bool {
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: false
            }
        }
        guard (1...128).contains(text.utf8.count), let first = text.utf8.first, isAlphanumeric(first) else {
            return false
        }
        return text.utf8.allSatisfy { isAlphanumeric($0) || "._:-".utf8.contains($0) }
    }

    /// The rule for trying again.
    public var rule: RetryRule {
        switch reason {
        case .starting: .after(retryAfter ?? .milliseconds(500))
        case .rateLimited: .after(retryAfter ?? .seconds(300))
        case .refused, .scopeMissing: .after(retryAfter ?? .seconds(60))
        case .notPaired, .roleUpgrade, .scopeUpgrade, .metadataUpgrade, .pairingExpired: .whenApproved
        case .tokenMissing, .passwordMissing, .tokenMismatch, .passwordMismatch, .deviceTokenMismatch,
            .bootstrapTokenInvalid, .scopeMismatch, .revoked, .removed, .pairingTokenNeeded, .pairingTokenInvalid:
            .afterNewCredential
        // A device's own token outlives the shared one.
        case .secretChanged: credential == .deviceToken ? .backOff : .afterNewCredential
        case .signatureExpired, .nonceMismatch, .tooLarge, .failed, .restarting, .silent, .slow, .closed: .backOff
        case .malformedRequest, .protocolMismatch, .roleRefused, .originRefused, .deviceMissing, .deviceIDMismatch,
            .nonceMissing, .signatureInvalid, .publicKeyInvalid, .pairingRejected, .userUnverified, .accessDenied,
            .profileUnavailable, .buildMismatch, .unknownBots:
            .never
        }
    }

    /// Indicates whether it ends the credential that was sent, if it was said by one who may have it: the gateway does not know it
    /// any more.
    public var endsCredential: Bool {
        switch reason {
        case .revoked, .removed, .deviceTokenMismatch: credential == .deviceToken
        case .notPaired: credential == .deviceToken
        default: false
        }
    }

    /// The command that approves the request, typed on the gateway's host.
    public var approvingCommand: String? {
        guard dialect == .openClaw, rule == .whenApproved, let requestID else { return nil }
        return "openclaw devices approve \(requestID)"
    }
}
