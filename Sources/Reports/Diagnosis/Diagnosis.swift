internal import DNSSD
internal import GatewayProtocol
internal import Pairing

/// The answer to the question why a gateway cannot be used: the causes that were found, the most telling first, or none.
///
/// It is a pure function of ``DiagnosisFacts``. Who answers, and whether it may have a token, is not decided here: the
/// state of the pairing says so, as the map and the sessions have judged it.
package struct Diagnosis: Hashable, Sendable {
    /// The facts.
    package let facts: DiagnosisFacts

    /// The causes, each once.
    package let findings: [Finding]

    /// Makes the diagnosis.
    package init(_ facts: DiagnosisFacts) {
        self.facts = facts
        let found = Self.findings(facts)
        var seen: Set<Cause> = []
        self.findings = found.filter { seen.insert($0.cause).inserted }
    }

    /// Indicates whether the gateway can be used: no cause was found.
    package var isHealthy: Bool { findings.isEmpty }

    /// The notes on a gateway that can be used, for people.
    package var notes: [String] {
        guard isHealthy else { return [] }
        let onLoopback = facts.ways.contains { $0.isOnLoopbackAlone }
        return onLoopback ? ["its program listens on loopback alone: no other device reaches it"] : []
    }

    /// The command that comes next for a gateway that can be used; `nil` if it is paired already.
    package var next: String? {
        guard isHealthy, facts.pairing == nil else { return nil }
        return facts.pair
    }

    private static func findings(_ facts: DiagnosisFacts) -> [Finding] {
        // Whoever has asked again after a revocation waits for that.
        if facts.pairing == nil || facts.pairing?.state == .revoked, let finding = findingOfRequest(facts) {
            return [finding]
        }
        if let finding = findingOfPairing(facts) { return [finding] }
        let ways = facts.ways
        guard ways.isEmpty else { return findings(facts, at: ways) }
        // A session proves more than a probe that came too late.
        guard facts.pairing?.state != .connected else { return [findingOfReadiness(facts)].compactMap(\.self) }
        guard facts.hasNetwork || facts.places.contains(where: { $0.neighbour == .ownHost }) else {
            let sentence = "This host is connected to no network: none of its interfaces is up and has an address."
            return [Finding(.noNetwork, sentence, "ip -brief address")]
        }
        // Gateways advertise link-local addresses, and listen on IPv4 alone: that these refuse says nothing.
        let telling = facts.places.filter { !$0.isUntold }
        let dead = (telling.isEmpty ? facts.places : telling)
            .sorted { ($0.rank, $0.isLinkLocal ? 1 : 0, $0.endpoint) < ($1.rank, $1.isLinkLocal ? 1 : 0, $1.endpoint) }
            .compactMap(finding)
        guard dead.isEmpty else { return dead }
        if let obstacle = facts.obstacles.first {
            let sentence = "It is advertised, and leads to no address: \(DisplayText(obstacle, limit: 160))."
            return [Finding(.unresolved, sentence, "clawradar scan --no-probe")]
        }
        let absence = facts.absence.map { "\(DisplayText($0, limit: 160))" }
        let unknown = "nobody advertises it in this network, and it is not paired"
        let sentence = "Nothing of this name is known: \(absence ?? unknown).\(facts.suggestion)"
        guard facts.isInTailnet else { return [Finding(.notFound, sentence, "clawradar scan")] }
        let offer = "The machines of your tailnet have not been asked: a scan does so on request."
        return [Finding(.notFound, "\(sentence) \(offer)", "clawradar scan --tailnet")]
    }

    /// Returns the causes at a gateway that answers.
    private static func findings(_ facts: DiagnosisFacts, at ways: [PlaceFacts]) -> [Finding] {
        if let finding = findingOfTransport(facts, ways) { return [finding] }
        guard let pairing = facts.pairing else {
            return [findingOfStranger(facts, ways), findingOfReadiness(facts)].compactMap(\.self)
        }
        let found = [findingOfWays(facts, pairing), findingOfReadiness(facts)].compactMap(\.self)
        guard found.isEmpty else { return found }
        guard let problem = facts.sessionProblem, pairing.state != .connected else { return [] }
        let sentence = "It answers, and no session with it came about: \(DisplayText(problem, limit: 200))."
        return [Finding(.noSession, sentence, "clawradar connect \(pairing.pairing.word) --verbose")]
    }

    /// Returns the cause why a gateway that is not paired, and answers, cannot be paired with as it is.
    private static func findingOfStranger(_ facts: DiagnosisFacts, _ ways: [PlaceFacts]) -> Finding? {
        guard let way = ways.first else { return nil }
        if facts.isClaimedByOthers {
            let sentence =
                "Another one on this network claims the same fingerprint: know which is yours before you pair."
            return Finding(.claimed, sentence, way.probe)
        }
        if let version = way.protocolVersion, version != ClawlineMessage.protocolVersion {
            let sentence =
                "It speaks protocol \(version), and this program \(ClawlineMessage.protocolVersion): update required."
            return Finding(.protocolVersion, sentence, "clawradar --version")
        }
        guard case .gateway(let dialect, let isTLS, _) = way.answer, !dialect.isPairedWith(overTLS: isTLS) else {
            return nil
        }
        let sentence =
            "It answers as \(dialect.rawValue) without TLS, and has one token for all devices, which everybody on the way "
            + "could read: it is not stored, and sent only if you say so, each time."
        return Finding(.dialect, sentence, "\(way.pair()) --send-in-clear")
    }

    /// Returns the cause if the user has demanded another transport than the one that answers.
    private static func findingOfTransport(_ facts: DiagnosisFacts, _ ways: [PlaceFacts]) -> Finding? {
        for way in ways {
            guard case .gateway(_, let isTLS, _) = way.answer else { continue }
            switch (way.demand, isTLS) {
            case (.tls, false):
                let sentence = "It has no TLS at \(way.endpoint), and wss:// was given: it answers to ws://."
                return Finding(.noTLS, sentence, way.pair(by: "ws"))
            case (.plain, true):
                let sentence = "It speaks only TLS at \(way.endpoint), and ws:// was given: it answers to wss://."
                return Finding(.onlyTLS, sentence, way.pair(by: "wss"))
            case (.tls, true), (.plain, false), (nil, _): continue
            }
        }
        return nil
    }

    /// Returns the cause if a paired gateway answers only inside or only outside of this network, although it has a way
    /// of either kind.
    private static func findingOfWays(_ facts: DiagnosisFacts, _ pairing: PairedStatus) -> Finding? {
        let isInside = { (place: PlaceFacts) in !place.sources.isSubset(of: [.outside]) }
        let outside = facts.places.filter { !isInside($0) }
        let inside = facts.places.filter(isInside)
        guard !outside.isEmpty, !inside.isEmpty else { return nil }
        if !outside.contains(where: \.isAlive), let place = outside.first {
            let sentence =
                "It answers in this network, and not at its address outside of it, \(place.endpoint): \(place.answer.text)."
            return Finding(.wayDead, sentence, place.probe)
        }
        if !inside.contains(where: \.isAlive), let place = inside.first {
            let sentence =
                "It answers at its address outside of this network, and not inside, at \(place.endpoint): "
                + "\(place.answer.text)."
            return Finding(.wayDead, sentence, place.probe)
        }
        return nil
    }
}

extension PlaceFacts {
    /// Indicates whether it is a link-local IPv6 address at which nothing listens, and that nobody has typed.
    fileprivate var isUntold: Bool {
        answer == .refused && !sources.contains(.typed) && isLinkLocal
    }

    /// Indicates whether it is at a link-local IPv6 address, which every host has, and few programs listen at alone.
    fileprivate var isLinkLocal: Bool {
        guard case .v6 = endpoint.address.unmapped else { return false }
        return endpoint.address.isLinkLocal
    }

    /// The rank among places that are dead: what was typed explains more than what is remembered.
    fileprivate var rank: Int {
        if sources.contains(.typed) { return 0 }
        if sources.contains(.advertised) { return 1 }
        return sources.contains(.paired) ? 2 : 3
    }
}
