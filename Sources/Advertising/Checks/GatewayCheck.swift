internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// Asks the gateway at its configured endpoints and at the addresses on the network, and draws no conclusions.
///
/// An OptaPlus gateway is asked who it is each time, since only that answer gives its bots. For the others, each such
/// question puts a line into somebody's log: they get the cheapest question that needs the gateway's process, and are
/// recognised by the answer.
struct GatewayCheck: Sendable {
    /// The path on which the gateway was found, and the signature by which its answers are recognised.
    private struct KnownGateway: Sendable {
        let facts: AdvertisedFacts
        let path: GatewayProbePath
        let connecting: Duration?
        var signature: HTTPSignature?
    }

    /// The number of addresses that are asked at once.
    private static let width = 8

    /// The time that a known gateway may take to say who it is.
    private static let duration = Duration.seconds(2)

    let configuration: GatewayAdvertiserConfiguration

    /// Returns the addresses of this host.
    let localAddresses: @Sendable () -> [LocalAddress]

    private var knownGateway: KnownGateway?

    init(configuration: GatewayAdvertiserConfiguration, localAddresses: @escaping @Sendable () -> [LocalAddress]) {
        self.configuration = configuration
        self.localAddresses = localAddresses
    }

    /// Asks the questions of a round.
    mutating func run(_ round: CheckRound) async -> CheckResult {
        let all = localAddresses()
        let addresses = Reachability.relevant(all, on: configuration.interfaces)
        // The addresses are read each time, since one can move to another host while we run.
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

    // MARK: At the configured endpoints

    private mutating func ask(_ round: CheckRound) async -> GatewayAnswer {
        var duration = Duration.seconds(5)
        if let known = round.known {
            if let answer = await askBriefly(known, isWhole: round.isWhole) {
                guard case .nothing(let reason) = answer else { return answer }
                // A gateway that closes the connection may have come back with TLS, or without; one that is silent
                // would stay silent when asked again.
                guard round.isThorough || reason == .closed || reason == .tlsFailure else { return answer }
            }
            duration = Self.duration
        }
        return await ask(hints: hints(round.known), duration: duration)
    }

    /// - Returns: `nil` when something else answered.
    private mutating func askBriefly(_ known: AdvertisedFacts, isWhole: Bool) async -> GatewayAnswer? {
        if known.dialect.statesAllFacts { return Self.expected(await repeatedly(known, at: configuration.endpoints)) }
        guard !isWhole, let knownGateway, knownGateway.facts == known else {
            return Self.expected(await ask(hints: [ProbeHint(known)], duration: Self.duration))
        }
        let livenessCheck = livenessCheck(knownGateway, at: knownGateway.path)
        switch await livenessCheck.ask() {
        case .answered(_, let signature):
            self.knownGateway?.signature = signature
            return .gateway(known)
        case .different, .flooded:
            self.knownGateway?.signature = nil
            return nil
        case .silent: return .nothing(.noAnswer(within: livenessCheck.answerTimeout))
        case .closed: return .nothing(.closed)
        case .refused: return .nothing(.refused)
        case .unreachable: return .nothing(.unreachable)
        case .noSocket: return .nothing(.noSocket)
        }
    }

    /// Returns the answer; `nil` when something that is not a gateway has answered, which calls for more questions.
    private static func expected(_ answer: GatewayAnswer) -> GatewayAnswer? {
        if case .other = answer { nil } else { answer }
    }

    /// Asks the gateway who it is, and stores the signature by which it is recognised later.
    private mutating func ask(hints: [ProbeHint], duration: Duration) async -> GatewayAnswer {
        let target = GatewayProbeTarget(
            endpoints: configuration.endpoints,
            rules: TargetRules(origin: .user),
            hints: hints
        )
        let report = await GatewayProbe(GatewayProbeConfiguration(duration: duration)).run(target)
        guard let facts = AdvertisedFacts(report), let path = report.path else { return GatewayAnswer(report) }
        let before = knownGateway
        var knownGateway = KnownGateway(facts: facts, path: path, connecting: report.connecting)
        if let before, before.facts == facts, before.path == path { knownGateway.signature = before.signature }
        if knownGateway.signature == nil, !facts.dialect.statesAllFacts {
            // Answers at the other addresses are compared with this signature.
            if case .answered(_, let signature) = await livenessCheck(knownGateway, at: path).ask() {
                knownGateway.signature = signature
            }
        }
        self.knownGateway = knownGateway
        return .gateway(facts)
    }

    private func livenessCheck(_ knownGateway: KnownGateway, at path: GatewayProbePath) -> LivenessCheck {
        LivenessCheck(
            path: path,
            dialect: knownGateway.facts.dialect,
            signature: knownGateway.signature,
            connecting: knownGateway.connecting,
            limits: ConnectionLimits(connectionBytes: 65_536, duration: configuration.timeout)
        )
    }

    /// Returns the dialects and transports that the gateway is likely to use, the likeliest first.
    private func hints(_ known: AdvertisedFacts?) -> [ProbeHint] {
        let configured = ProbeHint(expected: configuration.expected, transports: configuration.transports)
        return (known.map { [ProbeHint($0)] } ?? []) + [configured]
    }

    // MARK: At the addresses on the network

    /// Asks at every address, expecting the gateway with these facts.
    private func ask(_ addresses: [LocalAddress], _ facts: AdvertisedFacts) async -> [LocalAddress: GatewayAnswer] {
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

    private func ask(_ endpoint: Endpoint, _ facts: AdvertisedFacts) async -> GatewayAnswer {
        if facts.dialect.statesAllFacts {
            let answer = await repeatedly(facts, at: [endpoint])
            switch answer {
            case .gateway, .foreignAddress: return answer
            case .nothing(let reason):
                guard reason == .closed || reason == .tlsFailure else { return answer }
            case .other: break
            }
        } else if let knownGateway, knownGateway.facts == facts, knownGateway.signature != nil {
            let path = GatewayProbePath(endpoint: endpoint, leaf: facts.leaf)
            // Any other result leads to a full probe: no gateway is withheld because of the cheapest check alone.
            if case .answered = await livenessCheck(knownGateway, at: path).ask() { return .gateway(facts) }
        }
        let target = GatewayProbeTarget(
            endpoints: [endpoint],
            rules: TargetRules(origin: .user),
            hints: hints(facts)
        )
        return GatewayAnswer(await GatewayProbe(GatewayProbeConfiguration(duration: Self.duration)).run(target))
    }

    /// Asks an OptaPlus gateway only who it is.
    private func repeatedly(_ known: AdvertisedFacts, at endpoints: [Endpoint]) async -> GatewayAnswer {
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
    /// Makes the hint to try the transport on which a gateway was found before the other one.
    init(_ facts: AdvertisedFacts) {
        self.init(expected: facts.dialect, transports: facts.leaf == nil ? .plainFirst : .tlsFirst)
    }
}
