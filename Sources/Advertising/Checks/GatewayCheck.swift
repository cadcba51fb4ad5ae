internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// Asks the gateway, where it listens and at the addresses on the network, and judges nothing.
///
/// An OptaPlus gateway is asked who it is each time, since only that tells its bots. Of the others each such question is
/// a line in somebody's log: they are asked the cheapest thing that needs the process, and are known again by its answer.
struct GatewayCheck: Sendable {
    /// The path on which the gateway was found, and the signature by which its answers are recognised.
    private struct Acquaintance: Sendable {
        let facts: GatewayFacts
        let path: GatewayProbePath
        let connecting: Duration?
        var signature: HTTPSignature?
    }

    /// The number of addresses that are asked at once.
    private static let width = 8

    /// The time that a gateway that is known may take to say who it is.
    private static let duration = Duration.seconds(2)

    let configuration: GatewayAdvertiserConfiguration

    /// Gives the addresses of this host.
    let localAddresses: @Sendable () -> [LocalAddress]

    private var acquaintance: Acquaintance?

    init(configuration: GatewayAdvertiserConfiguration, localAddresses: @escaping @Sendable () -> [LocalAddress]) {
        self.configuration = configuration
        self.localAddresses = localAddresses
    }

    /// Asks what the round wants to know.
    mutating func run(_ round: CheckRound) async -> CheckResult {
        let all = localAddresses()
        let addresses = Reachability.relevant(all, on: configuration.interfaces)
        // Asked anew each time: an address can move to another host while we run.
        let foreign = configuration.endpoints.map(\.address).first { !LocalAddress.isAny(of: all, $0) }
        let answer: GatewayAnswer
        if let foreign {
            answer = .foreignAddress(foreign)
        } else {
            answer = await ask(round)
        }
        guard case .gateway(let facts) = answer, round.asksNetwork(at: addresses) else {
            return CheckResult(answer: answer, addresses: addresses, answers: [:])
        }
        return CheckResult(answer: answer, addresses: addresses, answers: await ask(addresses, facts))
    }

    // MARK: Where it listens

    private mutating func ask(_ round: CheckRound) async -> GatewayAnswer {
        var duration = Duration.seconds(5)
        if let known = round.known {
            if let answer = await askBriefly(known, isWhole: round.isWhole) {
                guard case .nothing(let reason) = answer else { return answer }
                // Whoever hangs up may have come back with TLS, or without; silence tells nothing more when asked again.
                guard round.isThorough || reason == .closed || reason == .tlsFailure else { return answer }
            }
            duration = Self.duration
        }
        return await ask(hints: hints(round.known), duration: duration)
    }

    /// - Returns: `nil` when something else answered.
    private mutating func askBriefly(_ known: GatewayFacts, isWhole: Bool) async -> GatewayAnswer? {
        if known.dialect.statesAllFacts { return Self.expected(await repeatedly(known, at: configuration.endpoints)) }
        guard !isWhole, let acquaintance, acquaintance.facts == known else {
            return Self.expected(await ask(hints: [ProbeHint(known)], duration: Self.duration))
        }
        let livenessCheck = livenessCheck(acquaintance, at: acquaintance.path)
        switch await livenessCheck.ask() {
        case .answered(_, let signature):
            self.acquaintance?.signature = signature
            return .gateway(known)
        case .different, .flooded:
            self.acquaintance?.signature = nil
            return nil
        case .silent: return .nothing(.noAnswer(within: livenessCheck.patience))
        case .closed: return .nothing(.closed)
        case .refused: return .nothing(.refused)
        case .unreachable: return .nothing(.unreachable)
        case .noSocket: return .nothing(.noSocket)
        }
    }

    /// An answer that is no riddle; `nil` when something else has answered, for which there are more questions.
    private static func expected(_ answer: GatewayAnswer) -> GatewayAnswer? {
        if case .other = answer { nil } else { answer }
    }

    /// Asks who it is, and remembers by what it is known again.
    private mutating func ask(hints: [ProbeHint], duration: Duration) async -> GatewayAnswer {
        let target = GatewayProbeTarget(
            endpoints: configuration.endpoints,
            rules: TargetRules(origin: .user),
            hints: hints
        )
        let report = await GatewayProbe(GatewayProbeConfiguration(duration: duration)).run(target)
        guard let facts = GatewayFacts(report), let path = report.path else { return GatewayAnswer(report) }
        let before = acquaintance
        var acquaintance = Acquaintance(facts: facts, path: path, connecting: report.connecting)
        if let before, before.facts == facts, before.path == path { acquaintance.signature = before.signature }
        if acquaintance.signature == nil, !facts.dialect.statesAllFacts {
            // What answers at the other addresses is compared with it.
            if case .answered(_, let signature) = await livenessCheck(acquaintance, at: path).ask() {
                acquaintance.signature = signature
            }
        }
        self.acquaintance = acquaintance
        return .gateway(facts)
    }

    private func livenessCheck(_ acquaintance: Acquaintance, at path: GatewayProbePath) -> LivenessCheck {
        LivenessCheck(
            path: path,
            dialect: acquaintance.facts.dialect,
            signature: acquaintance.signature,
            connecting: acquaintance.connecting,
            limits: ConnectionLimits(connectionBytes: 65_536, duration: configuration.timeout)
        )
    }

    /// Returns the dialects and transports that the gateway is likely to use, the likeliest first.
    private func hints(_ known: GatewayFacts?) -> [ProbeHint] {
        let configured = ProbeHint(expected: configuration.expected, transports: configuration.transports)
        return (known.map { [ProbeHint($0)] } ?? []) + [configured]
    }

    // MARK: At the addresses on the network

    /// Asks a gateway that is expected to be the one of these facts at every address.
    private func ask(_ addresses: [LocalAddress], _ facts: GatewayFacts) async -> [LocalAddress: GatewayAnswer] {
        await withTaskGroup(of: (LocalAddress, GatewayAnswer).self) { group in
            var answers: [LocalAddress: GatewayAnswer] = [:]
            var rest = addresses[...]
            func start() {
                guard let address = rest.popFirst() else { return }
                let endpoint = Endpoint(address: address.address, port: configuration.port)
                group.addTask { (address, await ask(endpoint, facts)) }
            }
            for _ in 0..<Self.width { start() }
            while let (address, answer) = await group.next() {
                answers[address] = answer
                start()
            }
            return answers
        }
    }

    private func ask(_ endpoint: Endpoint, _ facts: GatewayFacts) async -> GatewayAnswer {
        if facts.dialect.statesAllFacts {
            let answer = await repeatedly(facts, at: [endpoint])
            switch answer {
            case .gateway, .foreignAddress: return answer
            case .nothing(let reason):
                guard reason == .closed || reason == .tlsFailure else { return answer }
            case .other: break
            }
        } else if let acquaintance, acquaintance.facts == facts, acquaintance.signature != nil {
            let path = GatewayProbePath(endpoint: endpoint, leaf: facts.leaf)
            // Whatever else comes of it is looked at in full: nothing is withheld for the cheapest of answers.
            if case .answered = await livenessCheck(acquaintance, at: path).ask() { return .gateway(facts) }
        }
        let target = GatewayProbeTarget(
            endpoints: [endpoint],
            rules: TargetRules(origin: .user),
            hints: hints(facts)
        )
        return GatewayAnswer(await GatewayProbe(GatewayProbeConfiguration(duration: Self.duration)).run(target))
    }

    /// Asks an OptaPlus gateway who it is, and nothing else.
    private func repeatedly(_ known: GatewayFacts, at endpoints: [Endpoint]) async -> GatewayAnswer {
        let configuration = GatewayProbeConfiguration(
            limits: ConnectionLimits(duration: configuration.timeout),
            duration: configuration.timeout
        )
        let target = GatewayProbeTarget(
            endpoints: endpoints,
            rules: TargetRules(origin: .user),
            hints: [
                ProbeHint(expected: known.dialect, transports: known.leaf == nil ? .plainOnly : .tlsOnly)
            ],
            isRepeated: true
        )
        return GatewayAnswer(await GatewayProbe(configuration).run(target))
    }
}

extension ProbeHint {
    /// The way on which a gateway was found, before all others.
    init(_ facts: GatewayFacts) {
        self.init(expected: facts.dialect, transports: facts.leaf == nil ? .plainFirst : .tlsFirst)
    }
}
