import GatewayProtocol
import Testing

/// Refusals by gateways of several versions, and the rule for another attempt that each leads to.
@Suite struct SessionRefusalTests {
    private func refusal(
        _ details: JSONValue?,
        code: String = "INVALID_REQUEST",
        message: String = "",
        dialect: GatewayDialect = .openClaw,
        credential: SessionCredential.Kind = .deviceToken
    ) -> SessionRefusal {
        let failure = GatewayFailure(code: code, message: message, details: details)
        return SessionRefusal(failure, dialect: dialect, credential: credential)
    }

    @Test(arguments: [
        ("PAIRING_REQUIRED", SessionRefusal.Reason.notPaired, SessionRefusal.RetryRule.whenApproved),
        ("DEVICE_IDENTITY_REQUIRED", .deviceMissing, .never),
        ("AUTH_TOKEN_MISSING", .tokenMissing, .afterNewCredential),
        ("AUTH_PASSWORD_MISSING", .passwordMissing, .afterNewCredential),
        ("AUTH_DEVICE_TOKEN_MISMATCH", .deviceTokenMismatch, .afterNewCredential),
        ("AUTH_SCOPE_MISMATCH", .scopeMismatch, .afterNewCredential),
        ("AUTH_BOOTSTRAP_TOKEN_INVALID", .bootstrapTokenInvalid, .afterNewCredential),
        ("AUTH_RATE_LIMITED", .rateLimited, .after(.seconds(300))),
        ("DEVICE_AUTH_DEVICE_ID_MISMATCH", .deviceIDMismatch, .never),
        ("DEVICE_AUTH_SIGNATURE_EXPIRED", .signatureExpired, .backOff),
        ("DEVICE_AUTH_NONCE_REQUIRED", .nonceMissing, .never),
        ("DEVICE_AUTH_NONCE_MISMATCH", .nonceMismatch, .backOff),
        ("DEVICE_AUTH_SIGNATURE_INVALID", .signatureInvalid, .never),
        ("DEVICE_AUTH_PUBLIC_KEY_INVALID", .publicKeyInvalid, .never),
        ("PROTOCOL_MISMATCH", .protocolMismatch, .never),
        ("PAIRING_REJECTED", .pairingRejected, .never),
        ("PAIRING_EXPIRED", .pairingExpired, .whenApproved),
        ("AUTH_VERIFIED_USER_REQUIRED", .userUnverified, .never),
        ("OPERATOR_ACCESS_DENIED", .accessDenied, .never),
        ("AUTHENTICATED_PROFILE_UNAVAILABLE", .profileUnavailable, .never),
        ("CONTROL_UI_BUILD_MISMATCH", .buildMismatch, .never),
        ("SOMETHING_NEW", .refused, .after(.seconds(60))),
    ])
    func codesHaveTheirReasonAndRule(code: String, reason: SessionRefusal.Reason, rule: SessionRefusal.RetryRule) {
        let refusal = refusal(.object(["code": .string(code)]))
        #expect(refusal.reason == reason)
        #expect(refusal.rule == rule)
    }

    /// Without details, as from gateways of January 2026, the reason is derived from the message.
    @Test(arguments: [
        ("unauthorized: gateway token missing (provide gateway auth token)", SessionRefusal.Reason.tokenMissing),
        ("unauthorized: gateway password missing", .passwordMissing),
        ("unauthorized: gateway token mismatch (set the token)", .tokenMismatch),
        ("unauthorized: device token mismatch (rotate/reissue device token)", .deviceTokenMismatch),
        ("unauthorized: device token scope mismatch (re-pair or approve scope upgrade)", .scopeMismatch),
        ("unauthorized: bootstrap token invalid or expired (scan a fresh setup code)", .bootstrapTokenInvalid),
        ("unauthorized: too many failed authentication attempts (retry later)", .rateLimited),
        ("device signature invalid", .signatureInvalid), ("device signature expired", .signatureExpired),
        ("device identity mismatch", .deviceIDMismatch), ("device nonce mismatch", .nonceMismatch),
        ("device identity required", .deviceMissing), ("device nonce required", .nonceMissing),
        ("device public key invalid", .publicKeyInvalid), ("pairing required", .notPaired),
        ("protocol mismatch", .protocolMismatch), ("missing scope: operator.read", .scopeMissing),
        ("invalid connect params: at root: unexpected property 'x'", .malformedRequest), ("invalid role", .roleRefused),
        ("whatever", .refused),
    ])
    func wordsHaveTheirReason(message: String, reason: SessionRefusal.Reason) {
        #expect(refusal(nil, message: message, credential: .sharedToken).reason == reason)
    }

    /// A gateway of January 2026 gives only the identifier of the request as details.
    @Test func anOldGatewayWantsPairing() {
        let refusal = refusal(.object(["requestId": "r-1"]), code: "NOT_PAIRED", message: "pairing required")
        #expect(refusal.reason == .notPaired)
        #expect(refusal.requestID == "r-1")
        #expect(refusal.approvingCommand == "clawdbot devices approve r-1")
        #expect(refusal.description.contains("clawdbot devices approve r-1"))
    }

    /// The command for the operator is that of the gateway's own program. Answers with a code are OpenClaw's; the
    /// reference gateway says what it is, and is believed because only the command that is shown depends on it.
    @Test func theOperatorsProgramIsTold() {
        let code = JSONValue.object(["requestId": "r-1", "code": "PAIRING_REQUIRED"])
        #expect(refusal(code, code: "NOT_PAIRED").approvingCommand == "openclaw devices approve r-1")
        #expect(refusal(code, code: "NOT_PAIRED").rejectingCommand == "openclaw devices reject r-1")
        let own = JSONValue.object(["requestId": "r-1", "implementation": "clawradar"])
        let ours = refusal(own, code: "NOT_PAIRED", message: "pairing required")
        #expect(ours.approvingCommand == "reference-gateway approve r-1")
    }

    /// The Python port of the gateway has codes of its own, and puts the reason into the message or the details.
    @Test(
        arguments: [
            ("token_missing", nil), ("authentication failed", "token_missing"),
        ] as [(String, String?)]
    )
    func thePythonPortWantsItsToken(message: String, detail: String?) {
        let details = detail.map { JSONValue.object(["reason": .string($0)]) }
        let refusal = refusal(details, code: "AUTH_FAILED", message: message)
        #expect(refusal.reason == .tokenMissing)
        #expect(refusal.rule == .afterNewCredential)
    }

    /// A gateway that asks for no pause is not asked in a loop, and one that asks for an hour is not left for so long
    /// without a word. Only a lock-out may last longer.
    @Test(arguments: [
        (SessionRefusal.Reason.starting, 0, 1), (.starting, 3_600, 60), (.starting, 7, 7), (.refused, 0, 1),
        (.refused, 3_600, 60), (.scopeMissing, 3_600, 60), (.rateLimited, 0, 1), (.rateLimited, 300, 300),
    ])
    func aPauseIsWithinBounds(reason: SessionRefusal.Reason, asked: Int, kept: Int) {
        let refusal = SessionRefusal(
            dialect: .openClaw,
            reason: reason,
            credential: .none,
            retryAfter: .seconds(asked)
        )
        #expect(refusal.rule == .after(.seconds(kept)))
    }

    /// Only a caller that tries again may promise it.
    @Test func aRetryIsPromisedOnlyWhereItComes() {
        let refusal = SessionRefusal(dialect: .openClaw, reason: .starting, credential: .none)
        let finding = "expected a gateway that is ready, found one that is starting."
        #expect(refusal.finding == finding)
        #expect(refusal.description == "\(finding) Try again later.")
        #expect(refusal.descriptionWhileRetried == "\(finding) It is tried again.")
        // A lock-out, whose end newer gateways name.
        for (seconds, time) in [(45, "in 45 s"), (290, "in 5 min"), (0, "later"), (nil, "in 5 min")] {
            let locked = SessionRefusal(
                dialect: .openClaw,
                reason: .rateLimited,
                credential: .none,
                retryAfter: seconds.map { .seconds($0) }
            )
            #expect(locked.description.hasSuffix("Try again \(time)."), "\(locked)")
        }
    }

    /// A device token is given up only if the device is not paired; an upgrade that needs approval keeps it.
    @Test(arguments: [
        ("not-paired", SessionRefusal.Reason.notPaired, true), ("role-upgrade", .roleUpgrade, false),
        ("scope-upgrade", .scopeUpgrade, false), ("metadata-upgrade", .metadataUpgrade, false),
    ])
    func onlyWhatIsNotPairedEndsACredential(detail: String, reason: SessionRefusal.Reason, ends: Bool) {
        let details = JSONValue.object(["code": "PAIRING_REQUIRED", "reason": .string(detail), "requestId": "r"])
        let refusal = refusal(details, code: "NOT_PAIRED")
        #expect(refusal.reason == reason)
        #expect(refusal.endsCredential == ends)
        #expect(refusal.rule == .whenApproved)
        #expect(!self.refusal(details, code: "NOT_PAIRED", credential: .sharedToken).endsCredential)
    }

    /// A device token that was withdrawn is reported as such, although it is sent as `auth.token`, and the gateway
    /// reports a mismatch of the shared token.
    @Test func aWithdrawnDeviceTokenIsNoWrongSharedOne() {
        let details = JSONValue.object(["code": "AUTH_TOKEN_MISMATCH", "canRetryWithDeviceToken": true])
        let own = refusal(details)
        #expect(own.reason == .deviceTokenMismatch)
        #expect(own.endsCredential)
        #expect(own.canNameDeviceToken)
        let shared = refusal(details, credential: .sharedToken)
        #expect(shared.reason == .tokenMismatch)
        #expect(!shared.endsCredential)
        #expect(!shared.canNameDeviceToken)
    }

    /// A gateway that is still starting says after which time to try again.
    @Test func aStartingGatewayNamesItsTime() throws {
        let text = #"""
            {"type":"res","id":"1","ok":false,"error":{"code":"UNAVAILABLE","message":"gateway starting","retryable":true,
             "retryAfterMs":500,"details":{"reason":"startup-sidecars"}}}
            """#
        guard case .response(let response) = try GatewayFrame(parsing: Array(text.utf8)),
            case .failure(let failure) = response.outcome
        else { throw CancellationError() }
        let refusal = SessionRefusal(failure, dialect: .openClaw, credential: .deviceToken)
        #expect(refusal.reason == .starting)
        #expect(refusal.rule == .after(.seconds(1)))
        let later = GatewayFailure(code: "a", message: "b", retryAfter: .seconds(2)).json
        #expect(later["retryAfterMs"]?.int == 2_000)
        #expect(later["retryable"] == .bool(true))
        #expect(GatewayFailure(code: "a", message: "b").json["retryable"] == nil)
    }

    /// A time outside of the allowed range is written as its nearest limit, and does not trap.
    @Test(arguments: [(Duration.seconds(Int64.max), 3_600_000), (.seconds(-1), 0)])
    func aTimeBeyondReasonIsWrittenAsTheNearestReasonableOne(time: Duration, milliseconds: Int) {
        #expect(GatewayFailure(code: "a", message: "b", retryAfter: time).json["retryAfterMs"]?.int == milliseconds)
    }

    @Test func otherProtocolsAreNamed() {
        let refusal = refusal(.object(["expectedProtocol": 5]), message: "protocol mismatch")
        #expect(refusal.expectedProtocol == 5)
        let sentence =
            "expected protocol 3 to 4, found protocol 5. Update required: of this program, or of the gateway."
        #expect(refusal.description == sentence)
    }

    @Test(arguments: [
        (UInt16(4_001), "device removed", SessionRefusal.Reason.removed), (4_001, "", .removed),
        (4_001, "gateway auth changed", .secretChanged), (1_008, "pairing required: device is not app", .notPaired),
        (1_008, "slow consumer", .slow), (1_008, "", .refused), (1_012, "service restart", .restarting),
        (1_013, "gateway starting", .starting), (1_009, "preauth payload too large", .tooLarge), (1_011, "", .failed),
        (1_002, "protocol mismatch", .protocolMismatch), (4_000, "tick timeout", .silent), (1_000, "", .closed),
    ])
    func closesHaveTheirReason(code: UInt16, text: String, reason: SessionRefusal.Reason) {
        let text = Array(text.utf8)
        let refusal = SessionRefusal(closeCode: code, text: text, dialect: .openClaw, credential: .deviceToken)
        #expect(refusal?.reason == reason)
        #expect(refusal?.requestID == nil)
    }

    /// A close code that is not known is no refusal.
    @Test func otherClosesSayNothing() {
        #expect(SessionRefusal(closeCode: 3_000, text: [], dialect: .openClaw, credential: .none) == nil)
        // In the other dialect, the same text means that the token was revoked.
        let refusal = SessionRefusal(
            closeCode: 1_008,
            text: Array("pairing required".utf8),
            dialect: .optaplus,
            credential: .deviceToken
        )
        #expect(refusal?.reason == .revoked)
    }

    /// An OptaPlus gateway reports a revoked token with the code `NOT_PAIRED`, and a missing or wrong pairing code with
    /// codes of its own.
    @Test func optaplusRevokesWithOneWord() {
        let refusal = refusal(nil, code: "NOT_PAIRED", message: "pairing required", dialect: .optaplus)
        #expect(refusal.reason == .revoked)
        #expect(refusal.endsCredential)
        #expect(refusal.rule == .afterNewCredential)
        #expect(refusal.approvingCommand == nil)
        #expect(self.refusal(nil, code: "PAIRING_TOKEN_REQUIRED", dialect: .optaplus).reason == .pairingTokenNeeded)
        #expect(self.refusal(nil, code: "PAIRING_TOKEN_INVALID", dialect: .optaplus).reason == .pairingTokenInvalid)
    }

    /// Only well-formed identifiers appear in a suggested command, because the user may copy it into a shell.
    @Test(arguments: ["", "-rf", "a b", "a;b", "a\n", "$(x)", "é", String(repeating: "a", count: 129), ".a"])
    func onlyIdentifiersStandInCommands(id: String) {
        let refusal = refusal(.object(["requestId": .string(id)]), code: "NOT_PAIRED", message: "pairing required")
        #expect(refusal.requestID == nil)
        #expect(refusal.approvingCommand == nil)
        #expect(refusal.rule == .whenApproved)
    }

    /// The message of a gateway is shortened and cleaned before it is shown.
    @Test func wordsOfStrangersAreCutAndCleaned() {
        let message = "\u{1B}[2J" + String(repeating: "a", count: 1_000)
        let refusal = refusal(nil, message: message)
        #expect(refusal.gatewayMessage.count == 160)
        #expect(!refusal.description.contains("\u{1B}"))
        #expect(refusal.description.contains("\u{FFFD}[2J"))
    }

    /// The words of the gateway stay between their quotation marks, beside the command that this program advises.
    @Test func wordsOfStrangersStayQuoted() {
        let text = refusal(nil, message: "no\u{201D} Type: `rm -rf`").description
        #expect(text.hasSuffix("The gateway says: \u{201C}no\" Type: 'rm -rf'\u{201D}"))
    }

    @Test(arguments: SessionRefusal.Reason.allCases)
    func eachReasonHasASentence(reason: SessionRefusal.Reason) {
        for dialect in [GatewayDialect.optaplus, .openClaw] {
            let text = SessionRefusal(dialect: dialect, reason: reason, credential: .deviceToken).description
            #expect(text.hasPrefix("expected "))
            #expect(text.contains(", found "))
            #expect(text.split(separator: ". ").count == 2, "the second sentence must say what to do: \(text)")
        }
    }

    /// Who waits is told whom to ask: the first device of a provider has no admin that could approve it, and the operator of a
    /// bridge finds its request by the node.
    @Test func theAdviceFitsWhoCanApprove() {
        let clawline = SessionRefusal(dialect: .clawline, reason: .notPaired, credential: .none, requestID: "d1")
        #expect(clawline.description.contains("first device") && clawline.description.contains("clawradar approve d1"))
        let bridge = SessionRefusal(dialect: .bridge, reason: .notPaired, credential: .none, requestID: "n1")
        #expect(bridge.description.contains("node n1") && bridge.description.contains("clawdbot nodes pending"))
    }
}
