import GatewayProtocol
import Testing

/// The values that keep a device within Clawline's limits, and each message from being delivered twice.
@Suite struct ClawlineValuesTests {
    /// However often a device tries, no minute has more than five attempts, and none is put off for longer than needed.
    @Test func noMinuteHasMoreThanFiveAttempts() {
        var limit = AttemptLimit()
        let start = ContinuousClock.now
        var taken: [Int] = []
        for second in 0..<3_600 where limit.take(at: start + .seconds(second)) { taken.append(second) }
        for (first, sixth) in zip(taken, taken.dropFirst(5)) { #expect(sixth - first == 65) }
        #expect(taken.prefix(5) == [0, 1, 2, 3, 4])
    }

    /// A clock that goes back allows nothing more.
    @Test func aClockThatGoesBackAllowsNothingMore() {
        var limit = AttemptLimit()
        let start = ContinuousClock.now
        let taken = (0..<5).map { _ in limit.take(at: start) } + [limit.take(at: start - .seconds(3_600))]
        #expect(taken == [true, true, true, true, true, false])
        #expect(limit.next(at: start) == start + AttemptLimit.window)
    }

    private func message(_ id: String, streaming: Bool? = nil, type: String = "message") throws -> GatewayEvent {
        var fields: [String: JSONValue] = ["type": .string(type), "id": .string(id)]
        fields["streaming"] = streaming.map(JSONValue.bool)
        return try GatewayEvent(message: .object(fields))
    }

    /// A message that is repeated after a reconnection is delivered once, and its parts before it was whole each time.
    @Test func aMessageIsNewOnce() throws {
        var history = MessageHistory()
        #expect(history.last == nil)
        var isNew: [Bool] = []
        for _ in 0..<3 { isNew.append(history.isNew(try message("s_1", streaming: true))) }
        #expect(history.last == nil)
        for streaming in [false, false, true] { isNew.append(history.isNew(try message("s_1", streaming: streaming))) }
        #expect(isNew == [true, true, true, true, false, false])
        #expect(history.last == "s_1")
        // The identifier of an acknowledgement is that of a message of this device.
        let isAckNew = history.isNew(try message("c_1", type: "ack"))
        #expect(isAckNew && history.last == "s_1")
        history.reset()
        #expect(history.last == nil)
        let isNewAgain = history.isNew(try message("s_1"))
        #expect(isNewAgain)
    }

    /// The memory is bounded: the oldest message is forgotten first.
    @Test func theOldestMessageIsForgottenFirst() throws {
        var history = MessageHistory()
        for number in 0..<(MessageHistory.most + 10) {
            let isNew = history.isNew(try message("s_\(number)"))
            #expect(isNew)
        }
        let (kept, forgotten) = (history.isNew(try message("s_10")), history.isNew(try message("s_9")))
        #expect(!kept && forgotten)
    }

    /// Each reason of a provider has a meaning of its own, and only those that say that the token is no longer known end
    /// it.
    @Test func eachReasonHasItsMeaning() {
        let ending = ["auth_failed", "token_revoked", "token_expired"]
        let others = [
            "pair_rejected", "pair_denied", "pair_timeout", "device_not_approved", "rate_limited", "session_replaced",
            "unheard_of",
        ]
        for reason in ending {
            #expect(SessionRefusal(clawline: reason, credential: .deviceToken).endsCredential, "\(reason)")
        }
        for reason in others {
            #expect(!SessionRefusal(clawline: reason, credential: .deviceToken).endsCredential, "\(reason)")
        }
        let sentences = Set(others.map { "\(SessionRefusal(clawline: $0, credential: .deviceToken))" })
        #expect(sentences.count == others.count)
        #expect(SessionRefusal(clawline: "device_not_approved", credential: .deviceToken).rule == .after(.seconds(30)))
        #expect(SessionRefusal(clawline: "session_replaced", credential: .deviceToken).rule == .never)
        // The same code tells that too many devices wait, which is not this device's doing.
        let crowded = SessionRefusal(clawline: "rate_limited", message: "Too many pending requests", credential: .none)
        #expect("\(crowded)".contains("as many wait as the gateway allows") && crowded.rule == .after(.seconds(60)))
    }

    /// A session says whether the device is an admin, or leaves that to the token.
    @Test(arguments: [nil, true, false]) func aSessionMaySayWhoIsAnAdmin(isAdmin: Bool?) throws {
        let claim = isAdmin.map { #","isAdmin":\#($0)"# } ?? ""
        let text = #"{"type":"auth_result","success":true,"userId":"u","sessionId":"s"\#(claim)}"#
        let message = try ClawlineMessage(parsing: Array(text.utf8))
        guard case .authResult(.success(let session)) = message else { throw CancellationError() }
        #expect(session.isAdmin == isAdmin)
        #expect(try ClawlineMessage(parsing: message.encoded) == message)
    }

    /// The claims of a token are read without its signature, and nothing else is.
    @Test func theClaimsOfATokenAreRead() {
        func claims(_ json: String) -> String { Base64.url.encode(Array(json.utf8)) }
        func isAdmin(_ token: String) -> Bool? { ClawlineClaims(Secret(token))?.isAdmin }
        #expect(isAdmin("e30.\(claims(#"{"sub":"u","deviceId":"d","isAdmin":true,"exp":1}"#)).c2ln") == true)
        #expect(isAdmin("e30.\(claims(#"{"isAdmin":false}"#)).c2ln") == false)
        for silent in [#"{"isAdmin":"true"}"#, "{}"] {
            let found = ClawlineClaims(Secret("e30.\(claims(silent)).c2ln"))
            #expect(found != nil && found?.isAdmin == nil, "the token leaves it to the session")
        }
        let long = String(repeating: "x", count: 5_000)
        for token in [
            "", "a.b", "a..c", "e30.\(claims("{")).c", "e30.\(claims(#"{"isAdmin":true}"#))",
            "e30.\(claims(#"{"isAdmin":true,"x":"\#(long)"}"#)).c", "e30.\(claims(#"{"isAdmin":true}"#)).c.d",
        ] {
            #expect(isAdmin(token) == nil, "\(token)")
        }
    }
}
