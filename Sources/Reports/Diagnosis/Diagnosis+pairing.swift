internal import DNSSD
internal import GatewayProtocol
internal import Pairing

/// The causes that the pairing of a gateway shows: what this device knows of itself, what was judged of the gateway, and
/// what the gateway has answered to a session.
extension Diagnosis {
    /// Returns the cause; `nil` if there is none, or if what answers has to explain it.
    static func findingOfPairing(_ facts: DiagnosisFacts) -> Finding? {
        guard let status = facts.pairing else { return nil }
        let word = status.pairing.word
        switch status.state {
        case .connected, .connecting: return nil
        case .revoked:
            let sentence = "The gateway has ended this pairing, which is in the bin now."
            return Finding(.revoked, sentence, facts.pair)
        case .changedLeaf:
            let sentence =
                "Another certificate than the pinned one is shown where it was: nothing is sent to it. Compare the digits "
                + "with those that its own host shows."
            return Finding(.changedLeaf, sentence, "clawradar trust \(word)")
        case .uncertified: return uncertified(status)
        case .awaitsTrust:
            let sentence = "Its tokens were imported, and nobody has trusted it yet: nothing is sent to it."
            return Finding(.disconnected, sentence, "clawradar trust \(word)")
        case .moved: return moved(status, word, facts)
        case .waiting, .refused:
            if let refusal = status.refusal { return Self.refusal(refusal, status, facts) }
            return status.state == .waiting ? nil : Finding(.refused, said(status), "clawradar connect \(word)")
        case .failed:
            if let problem = facts.keyProblem { return sealed(problem) }
            let options = status.pairing.needsTypedToken ? " \(StoredPairing.typingOptions)" : ""
            return Finding(.ownFailure, said(status), "clawradar connect \(word)\(options)")
        case .paired, .gone:
            if let problem = facts.keyProblem { return sealed(problem) }
            guard !status.pairing.connectsAutomatically else { return nil }
            let sentence = "You have disconnected it: nothing connects to it until you ask for it."
            return Finding(.disconnected, sentence, "clawradar connect \(word)")
        }
    }

    private static func sealed(_ problem: String) -> Finding {
        let sentence = "The stored tokens cannot be opened on this device: \(DisplayText(problem, limit: 300))."
        return Finding(.sealed, sentence, "clawradar device")
    }

    private static func uncertified(_ status: PairedStatus) -> Finding {
        var host = "HOST"
        if case .certified(let name) = status.pairing.trust { host = DisplayText(name, limit: 253).text }
        let port = status.pairing.endpoints.first?.port ?? 443
        let sentence =
            "No certificate that this system trusts proves that it is \(host): it has expired, or something else answers. "
            + "Nothing is sent to it."
        let place = ShellWord("\(host):\(port)")?.description ?? "HOST:\(port)"
        let connect = "openssl s_client -connect \(place)"
        return Finding(.uncertified, sentence, "\(connect) </dev/null | openssl x509 -noout -subject -issuer -dates")
    }

    private static func moved(_ status: PairedStatus, _ word: String, _ facts: DiagnosisFacts) -> Finding {
        let reason = status.reason.map { ": \(DisplayText($0, limit: 160))" } ?? ", and nothing is sent to it"
        let sentence = "It is not where or what it was at pairing\(reason)."
        if status.isToBePairedAnew { return Finding(.moved, sentence, facts.pair) }
        guard !status.pairing.trust.isPlain else {
            return Finding(.moved, sentence, "clawradar trust \(word) --trust \(status.pairing.trust.acceptingWord)")
        }
        let home = facts.ways.first { way in
            guard case .gateway(_, isTLS: false, _) = way.answer else { return false }
            return status.pairing.endpoints.contains(way.endpoint)
        }
        if let home {
            let sentence = "It has lost its TLS at \(home.endpoint), with which it was paired: nothing is sent to it."
            return Finding(.moved, sentence, home.probe)
        }
        // What is known by its certificate is trusted elsewhere by pairing with it there, and by nothing else.
        let places = facts.ways.filter { !status.pairing.endpoints.contains($0.endpoint) }
        guard let place = places.first else { return Finding(.moved, sentence, "clawradar scan --format json") }
        let list = places.prefix(4).map(\.endpoint.description).joined(separator: ", ")
        let choice = places.count == 1 ? "pair with it there" : "pair with the one that is yours"
        return Finding(.moved, "\(sentence) It answers at \(list): \(choice).", place.pair())
    }

    /// Returns the sentence that the session has said for itself.
    private static func said(_ status: PairedStatus) -> String {
        status.reason.map { DisplayText($0, limit: 256).text } ?? "This device can have no session with it now."
    }

    // MARK: What the gateway says

    private static func refusal(_ noted: NotedRefusal, _ status: PairedStatus, _ facts: DiagnosisFacts) -> Finding {
        let word = status.pairing.word
        let refusal = noted.refusal(of: status.pairing.dialect)
        let (pair, connect) = (facts.pair, "clawradar connect \(word)")
        func finding(_ cause: Cause, _ command: String, on host: Finding.Host = .here) -> Finding {
            Finding(cause, "\(refusal.finding.prefix(1).uppercased())\(refusal.finding.dropFirst())", command, on: host)
        }
        switch refusal.reason {
        case .notApproved: return unapproved(status, connect)
        case .pairingTimedOut: return finding(.approvalWaits, pair)
        case .sessionReplaced: return finding(.refused, connect)
        case .notPaired, .pairingExpired, .pairingRejected:
            let request = WaitingRequest(
                dialect: refusal.dialect,
                since: noted.since,
                id: noted.requestID,
                command: refusal.approvingCommand
            )
            return waiting(request, facts)
        case .roleUpgrade, .scopeUpgrade, .metadataUpgrade, .scopeMismatch, .scopeMissing:
            let waits = noted.requestID == nil ? "" : "; the request waits\(age(since: noted.since, facts))"
            let sentence = "Its operator has approved this device for less than it asks for\(waits)."
            let command = refusal.approvingCommand
            return Finding(.scopeUpgrade, sentence, command ?? pair, on: command == nil ? .here : .gateway)
        case .tokenMissing, .passwordMissing, .pairingTokenNeeded: return finding(.tokenMissing, pair)
        case .tokenMismatch, .passwordMismatch, .deviceTokenMismatch, .secretChanged, .bootstrapTokenInvalid,
            .pairingTokenInvalid, .hungUp:
            return finding(.tokenWrong, pair)
        case .revoked, .expired, .removed: return finding(.revoked, pair)
        case .rateLimited:
            let until = noted.until.map { " until \(Timestamp(milliseconds: $0))" } ?? " for some minutes"
            let sentence =
                refusal.dialect == .clawline
                ? "This device has asked it as often in a minute as it allows, or too many devices wait there: it "
                    + "is left alone\(until)."
                : "It is locked for this device after too many failed attempts\(until)."
            return Finding(.lockedOut, sentence, connect)
        case .signatureExpired: return finding(.clock, "timedatectl set-ntp true")
        case .protocolMismatch:
            let isNewer = noted.expectedProtocol.map { $0 > refusal.ownProtocols.upperBound } ?? false
            let isHere = isNewer || refusal.dialect != .openClaw
            let command = isHere ? "clawradar --version" : "openclaw update"
            let sentence = finding(.protocolVersion, command).sentence
            return Finding(.protocolVersion, "\(sentence) Update required.", command, on: isHere ? .here : .gateway)
        case .starting: return notReady("starting", connect)
        case .restarting: return notReady("restarting", connect)
        case .pairingDenied: return finding(.refused, pair)
        case .deviceMissing, .deviceIDMismatch, .signatureInvalid, .nonceMissing, .nonceMismatch, .publicKeyInvalid,
            .malformedRequest, .roleRefused, .originRefused, .userUnverified, .accessDenied, .profileUnavailable,
            .buildMismatch, .unknownBots, .tooLarge, .slow, .failed, .silent, .closed, .refused:
            let tool = refusal.dialect == .bridge ? "clawdbot" : "openclaw"
            return finding(.refused, "\(tool) logs --follow", on: .gateway)
        }
    }
}
