internal import DNSSD

/// The reason why a gateway opens no session, or has ended one, as one of the known ``Reason``s.
///
/// A refusal comes from whatever answered, and proves nothing: it counts against a pairing only if it comes from an
/// endpoint that may have the credential.
package struct SessionRefusal: Error, Hashable, Sendable {
    /// The rule for trying again.
    package enum RetryRule: Hashable, Sendable {
        /// No retry, since nothing changes by itself.
        case never
        /// A retry soon, and then less and less often.
        case backOff
        /// A retry after this time, and not before.
        case after(Duration)
        /// The same request again and again, until somebody approves it.
        case whenApproved
        /// A retry only with another credential; the same one would be refused again, and count as an attack.
        case afterNewCredential
    }

    /// The dialect in which the gateway refused.
    package let dialect: GatewayDialect

    /// The reason.
    package let reason: Reason

    /// The kind of credential that was sent.
    package let credential: SessionCredential.Kind

    /// The identifier of the request that somebody must approve; `nil` where there is none, or where it is not safe to
    /// type into a command.
    package let requestID: String?

    /// The gateway's own words, at most 160 characters, cleaned for people. Empty where it gave none.
    package let gatewayMessage: String

    /// The time for which the gateway asks not to be contacted again, at most an hour. The time that ``rule`` names is
    /// within bounds.
    package let retryAfter: Duration?

    /// The program with which the gateway's operator approves and rejects requests, as far as the answer tells.
    package let operatorTool: OperatorTool

    /// The protocol that the gateway speaks, where it reports one because ours differs.
    package let expectedProtocol: Int?

    /// Indicates whether the gateway would accept the same token as `auth.deviceToken`.
    package let canNameDeviceToken: Bool

    /// Reads the answer to `connect`, or to another request of a session.
    ///
    /// - Parameters:
    ///   - failure: The gateway's answer.
    ///   - dialect: The dialect in which it was given.
    ///   - credential: The kind of credential that was sent.
    package init(_ failure: GatewayFailure, dialect: GatewayDialect, credential: SessionCredential.Kind) {
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
            canNameDeviceToken: credential == .deviceToken && details?["canRetryWithDeviceToken"]?.bool == true,
            operatorTool: OperatorTool(details)
        )
    }

    /// Reads a refusal of a Clawline provider: the reason of a result, or the code of an error.
    ///
    /// - Parameters:
    ///   - reason: The reason or code.
    ///   - message: The provider's own words.
    ///   - credential: The kind of credential that was sent.
    package init(clawline reason: String, message: String = "", credential: SessionCredential.Kind) {
        let known = Reason(clawline: reason)
        self.init(
            dialect: .clawline,
            reason: known,
            credential: credential,
            message: message.isEmpty ? reason : message,
            // The provider counts attempts by the minute.
            retryAfter: known == .rateLimited ? .seconds(60) : nil
        )
    }

    /// Reads an error of a Clawdbot bridge.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - message: The bridge's own words, which tell apart what has one code.
    ///   - credential: The kind of credential that was sent.
    package init(bridge code: String, message: String, credential: SessionCredential.Kind) {
        self.init(
            dialect: .bridge,
            reason: Reason(bridge: code, message: message, credential: credential),
            credential: credential,
            message: message.isEmpty ? code : message
        )
    }

    /// Reads the close of a connection, which may come instead of an answer, or end a session; `nil` where its code
    /// says nothing about the session.
    ///
    /// - Parameters:
    ///   - code: The close code (RFC 6455 §7.4).
    ///   - text: The reason as it was sent, which is often cut in the middle.
    ///   - dialect: The dialect of the gateway.
    ///   - credential: The kind of credential that was sent.
    package init?(
        closeCode code: UInt16,
        text: [UInt8],
        dialect: GatewayDialect,
        credential: SessionCredential.Kind
    ) {
        let text = String(decoding: text, as: UTF8.self)
        guard let reason = Reason(closeCode: code, text: text, dialect: dialect, credential: credential) else {
            return nil
        }
        // A request's identifier may be cut off in a close, so it is only read from an answer.
        self.init(dialect: dialect, reason: reason, credential: credential, message: text)
    }

    /// Makes a refusal from its parts; an invalid request identifier is left out, and the message is cleaned and
    /// shortened.
    package init(
        dialect: GatewayDialect,
        reason: Reason,
        credential: SessionCredential.Kind,
        requestID: String? = nil,
        message: String = "",
        retryAfter: Duration? = nil,
        expectedProtocol: Int? = nil,
        canNameDeviceToken: Bool = false,
        operatorTool: OperatorTool = .openClaw
    ) {
        self.dialect = dialect
        self.reason = reason
        self.credential = credential
        self.requestID = requestID.flatMap { Self.isRequestID($0) ? $0 : nil }
        self.gatewayMessage = DisplayText(message, limit: 160).text
        self.retryAfter = retryAfter
        self.expectedProtocol = expectedProtocol
        self.canNameDeviceToken = canNameDeviceToken
        self.operatorTool = operatorTool
    }

    /// Returns whether a text is an identifier of a request: `[A-Za-z0-9][A-Za-z0-9._:-]{0,127}`, which is also safe in
    /// a command.
    package static func isRequestID(_ text: String) -> Bool {
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

    /// The bounds of a pause that a gateway asks for: without the lower one a gateway could be asked in a loop, and
    /// without the upper one it could keep this device away while nobody knows why. A lock-out may last longer.
    private static let pauses: ClosedRange<Duration> = .seconds(1) ... .seconds(60)

    /// Returns the pause that the gateway asks for, or else the usual one, within the bounds.
    private func pause(_ usual: Duration) -> Duration {
        min(max(retryAfter ?? usual, Self.pauses.lowerBound), Self.pauses.upperBound)
    }

    /// The rule for trying again.
    package var rule: RetryRule {
        switch reason {
        case .starting: .after(pause(.seconds(1)))
        case .rateLimited: .after(max(retryAfter ?? .seconds(300), Self.pauses.lowerBound))
        case .refused, .scopeMissing, .hungUp: .after(pause(.seconds(60)))
        case .notApproved: .after(pause(.seconds(30)))
        case .notPaired, .roleUpgrade, .scopeUpgrade, .metadataUpgrade, .pairingExpired: .whenApproved
        case .tokenMissing, .passwordMissing, .tokenMismatch, .passwordMismatch, .deviceTokenMismatch,
            .bootstrapTokenInvalid, .scopeMismatch, .revoked, .expired, .removed, .pairingTokenNeeded,
            .pairingTokenInvalid:
            .afterNewCredential
        // A device's own token stays valid when the shared one changes.
        case .secretChanged: credential == .deviceToken ? .backOff : .afterNewCredential
        case .signatureExpired, .nonceMismatch, .tooLarge, .failed, .restarting, .silent, .slow, .closed: .backOff
        case .malformedRequest, .protocolMismatch, .roleRefused, .originRefused, .deviceMissing, .deviceIDMismatch,
            .nonceMissing, .signatureInvalid, .publicKeyInvalid, .pairingRejected, .pairingDenied, .pairingTimedOut,
            .sessionReplaced, .userUnverified, .accessDenied,
            .profileUnavailable, .buildMismatch, .unknownBots:
            .never
        }
    }

    /// The versions of the dialect's protocol that this program speaks.
    package var ownProtocols: ClosedRange<Int> {
        switch dialect {
        case .openClaw: OpenClawConnect.protocols
        case .clawline: ClawlineMessage.protocolVersion...ClawlineMessage.protocolVersion
        case .optaplus, .bridge, .openAgents: OptaplusConnect.protocolVersion...OptaplusConnect.protocolVersion
        }
    }

    /// Indicates whether a new credential is a reason to ask again at once: the former one was refused, or nobody has said
    /// why.
    package var endsWithNewCredential: Bool {
        reason == .hungUp || reason == .refused || rule == .afterNewCredential
    }

    /// Indicates whether the gateway only wants to be asked later: to ask sooner would not help.
    package var isAboutPace: Bool { reason == .rateLimited || reason == .starting }

    /// Indicates whether it stands until somebody changes something, here or at the gateway: every view says that it refuses,
    /// although it is asked again at its pace, since nobody says when that has happened.
    package var stands: Bool { reason == .hungUp || rule == .never || rule == .afterNewCredential }

    /// Indicates whether somebody has to act at the gateway, or look there, for it to end: what only takes its time, such as
    /// a start, does not. A refusal without a reason is none yet: when the gateway is asked again, in a minute, it may give
    /// one, such as that it has revoked the token.
    package var waitsForPerson: Bool {
        switch reason {
        case .rateLimited, .notApproved, .scopeMissing, .hungUp: true
        default:
            switch rule {
            case .whenApproved, .afterNewCredential, .never: true
            case .after, .backOff: false
            }
        }
    }

    /// Indicates whether the refusal ends the credential that was sent, because the gateway no longer knows it. It
    /// counts only if it comes from an endpoint that may have the credential.
    package var endsCredential: Bool {
        // OpenAgents only ever hangs up, which proves nothing, and its token is the user's.
        guard dialect != .openAgents else { return false }
        return switch reason {
        case .revoked, .expired, .removed, .deviceTokenMismatch: credential == .deviceToken
        case .notPaired: credential == .deviceToken
        default: false
        }
    }

    /// The command that approves the request, to be typed on the gateway's host.
    package var approvingCommand: String? { operatorCommand("approve") }

    /// The command that rejects the request, to be typed on the gateway's host.
    package var rejectingCommand: String? { operatorCommand("reject") }

    private func operatorCommand(_ verb: String) -> String? {
        guard dialect == .openClaw, rule == .whenApproved, let requestID else { return nil }
        return operatorTool.command(verb, request: requestID)
    }
}
