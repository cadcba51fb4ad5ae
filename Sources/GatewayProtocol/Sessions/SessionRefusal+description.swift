internal import DNSSD

extension SessionRefusal: CustomStringConvertible {
    /// A sentence or two for people: what was expected, what was found, and what to do. The gateway's own message is
    /// quoted cleaned, and no secret is quoted.
    package var description: String { text(advice: texts.advice ?? "Try again \(retryTime).") }

    /// The time after which it makes sense to try again, as far as the gateway names one; that of a lock-out is known where
    /// it does not.
    private var retryTime: String {
        var time = retryAfter
        if time == nil, reason == .rateLimited, !isCrowded, case .after(let end) = rule { time = end }
        guard let time, time >= .seconds(1) else { return "later" }
        let seconds = Int((time / .seconds(1)).rounded(.up))
        return seconds < 120 ? "in \(seconds) s" : "in \((seconds + 59) / 60) min"
    }

    /// The description for people where this program tries again by itself.
    package var descriptionWhileRetried: String { text(advice: texts.advice ?? "It is tried again.") }

    /// The description for people where this program tries again by itself after a time.
    package func description(whileRetriedAfter time: Duration) -> String {
        let seconds = Int((max(time, .seconds(1)) / .seconds(1)).rounded(.up))
        return text(advice: texts.advice ?? "It is tried again in \(seconds) s.")
    }

    /// The description without advice, for questions that name the possible answers themselves.
    package var finding: String { text(advice: nil) }

    private func text(advice: String?) -> String {
        let finding = "expected \(texts.expected), found \(texts.found)."
        let sentence = advice.map { "\(finding) \($0)" } ?? finding
        // The gateway's message adds nothing where the reason is known.
        return reason == .refused && !gatewayMessage.isEmpty
            ? "\(sentence) The gateway says: \(DisplayText.quoted(gatewayMessage))" : sentence
    }

    /// Indicates whether a Clawline provider says, under the code of too many requests, that too many devices wait.
    private var isCrowded: Bool { dialect == .clawline && gatewayMessage.lowercased().contains("pending") }

    /// The parts of a description; where nobody has to do anything but wait, there is no advice.
    private typealias Texts = (expected: String, found: String, advice: String?)

    /// The advice for a device that waits for approval.
    private var approval: String {
        if dialect == .clawline, let requestID {
            return
                "If it is the first device there, whoever runs the provider approves it; else a device that is an admin of "
                + "it: clawradar approve \(requestID)"
        }
        guard let approvingCommand else {
            guard dialect == .bridge else { return "Approve this device on the gateway's host." }
            // Its errors do not name the request, which its list shows beside the node.
            let node = requestID.map { ", which is node \($0)," } ?? ""
            return
                "Approve this device\(node) on the gateway's host: clawdbot nodes pending shows the request that clawdbot "
                + "nodes approve takes."
        }
        return "Approve it on the gateway's host: \(approvingCommand)"
    }

    /// The advice for refusals that only a fault of this program explains.
    private static let report = "Report this as a fault of this program."

    // Without a default, so that each new reason gets words of its own.
    private var texts: Texts {
        switch reason {
        case .notPaired: ("an approved device", "that the gateway has not approved this one", approval)
        case .roleUpgrade: ("an approval for this role", "none, or one that was withdrawn", approval)
        case .scopeUpgrade: ("an approval for these scopes", "one for fewer", approval)
        case .metadataUpgrade: ("the platform that was approved", "another one", approval)
        case .pairingRejected: ("an approval", "that the request was rejected", "Ask the gateway's operator.")
        case .pairingExpired:
            ("an approval within the time of the request", "none", "Approve the new request on the gateway's host.")
        case .pairingDenied:
            ("an approval", "that it was denied", "Ask the gateway's operator.")
        case .pairingTimedOut:
            ("an approval in time", "that nobody has decided", "Pair again while somebody can approve it.")
        case .notApproved: ("an approved device", "that the gateway does not approve this one at present", approval)
        case .expired: ("a token that is valid", "that its time is over", "Pair again.")
        case .revoked: ("a token that the gateway knows", "that it knows it no more", "Pair again.")
        case .removed: ("a session that goes on", "that the gateway has withdrawn this device's token", "Pair again.")
        case .pairingTokenNeeded:
            ("a gateway that pairs when asked", "one that wants a code", "Use its link or code.")
        case .pairingTokenInvalid:
            ("the code of this gateway", "one that is wrong, spent or too old", "Get a new link or code.")
        case .unknownBots: ("bots of this gateway", "none of those asked for", "Look which it has, and choose again.")
        case .tokenMissing:
            (
                "a gateway that lets devices ask", "one that wants its token first",
                dialect == .openAgents ? "Give its token." : "Give its token or a setup code."
            )
        case .passwordMissing:
            (
                "a gateway that lets devices ask", "one that wants its password first",
                "Give its password or a setup code."
            )
        case .tokenMismatch: ("the gateway's token", "another one", "Look it up on the gateway's host.")
        case .passwordMismatch: ("the gateway's password", "another one", "Look it up on the gateway's host.")
        case .deviceTokenMismatch:
            ("this device's token", "that the gateway has withdrawn or replaced it", "Pair again.")
        case .bootstrapTokenInvalid:
            // All three are answered in the same way.
            (
                "a fresh setup code", "one that is spent, too old, or opens less than is asked for",
                "Get a new one: openclaw qr"
            )
        case .scopeMismatch: ("the scopes of this device's token", "that more were asked for", "Pair again.")
        case .scopeMissing:
            ("a session that may do this", "one without the scope for it", "Pair again with that scope.")
        case .rateLimited where isCrowded:
            ("a place among the devices that wait there", "that as many wait as the gateway allows", nil)
        case .rateLimited where dialect == .clawline:
            (
                "fewer requests",
                "that this device has made as many in a minute as the gateway allows, or that as many devices wait", nil
            )
        case .rateLimited:
            ("an answer", "that the gateway is locked after too many failed attempts", nil)
        case .secretChanged:
            ("a session that goes on", "that the gateway's token or password was changed", "Give the new one.")
        case .deviceMissing: ("a gateway that takes this device's proof", "that it saw none", Self.report)
        case .deviceIDMismatch: ("this device's identifier", "that it does not fit its key", Self.report)
        case .signatureExpired:
            ("a clock that agrees with the gateway's", "that they differ by minutes", "Set both clocks.")
        case .signatureInvalid: ("that the gateway accepts this device's signature", "that it does not", Self.report)
        case .nonceMissing: ("that the gateway accepts this device's proof", "that it misses its nonce", Self.report)
        case .nonceMismatch:
            ("that the gateway accepts this device's proof", "that it wants another nonce", Self.report)
        case .publicKeyInvalid: ("that the gateway accepts this device's key", "that it does not", Self.report)
        case .malformedRequest: ("that the gateway understands the request", "that it does not", Self.report)
        case .roleRefused: ("the role of an operator", "that the gateway refuses it", Self.report)
        case .originRefused: ("a gateway for programs", "one for web pages alone", "Look at its settings.")
        case .protocolMismatch:
            (
                "protocol \(protocols)", expectedProtocol.map { "protocol \($0)" } ?? "another one",
                "Update required: of this program, or of the gateway."
            )
        case .userUnverified: ("a device", "that the gateway wants a verified user", "Ask its operator.")
        case .accessDenied: ("the access of an operator", "that the gateway denies it", "Ask its operator.")
        case .profileUnavailable: ("a profile on the gateway", "none", "Ask its operator.")
        case .buildMismatch: ("a gateway for all programs", "one for its own page alone", "Ask its operator.")
        case .starting: ("a gateway that is ready", "one that is starting", nil)
        case .sessionReplaced:
            (
                "a session that goes on", "that another connection of this device has it now",
                "Connect again to have it here."
            )
        case .restarting: ("a session that goes on", "that the gateway restarts", nil)
        case .tooLarge: ("that the gateway takes what is sent", "that it is too large for it", nil)
        case .slow: ("that this device keeps up", "that the gateway found it too slow", nil)
        case .hungUp:
            (
                "an answer to the token", "that the gateway hung up on it, as it does on a wrong one",
                "If its token was changed, pair again with the new one."
            )
        case .failed: ("a session", "a fault of the gateway", nil)
        case .silent: ("a sign of life", "none", nil)
        case .closed: ("a session that goes on", "that the gateway has ended it", nil)
        case .refused: ("a session", "that the gateway refuses it", "Look at its log.")
        }
    }

    private var protocols: String {
        let own = ownProtocols
        return own.lowerBound == own.upperBound ? "\(own.lowerBound)" : "\(own.lowerBound) to \(own.upperBound)"
    }
}
