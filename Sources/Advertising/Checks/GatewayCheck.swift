internal import DNSSD
internal import GatewayProtocol
internal import Gateways

/// Asks the gateway, where it listens and at the addresses on the network, and judges nothing.
struct GatewayCheck: Sendable {
    /// How many addresses are asked at once.
    private static let width = 8

    let configuration: GatewayAdvertiserConfiguration

    /// Gives the addresses of this host.
    let localAddresses: @Sendable () -> [LocalAddress]

    /// Asks what the round wants to know.
    func run(_ round: CheckRound) async -> CheckResult {
        let all = localAddresses()
        let addresses = Reachability.relevant(all, on: configuration.interfaces)
        // Asked anew each time: an address can move to another host while we run.
        let foreign = configuration.endpoints.map(\.address).first { !LocalAddress.isAny(of: all, $0) }
        let answer: GatewayAnswer
        if let foreign {
            answer = .foreignAddress(foreign)
        } else {
            answer = await ask(configuration.endpoints, known: round.known, isThorough: round.isThorough)
        }
        guard case .gateway(let facts) = answer, round.asksNetwork(at: addresses) else {
            return CheckResult(answer: answer, addresses: addresses, answers: [:])
        }
        return CheckResult(answer: answer, addresses: addresses, answers: await ask(addresses, facts))
    }

    /// Asks a gateway that is expected to be the one of these facts at every address.
    private func ask(_ addresses: [LocalAddress], _ facts: GatewayFacts) async -> [LocalAddress: GatewayAnswer] {
        await withTaskGroup(of: (LocalAddress, GatewayAnswer).self) { group in
            var answers: [LocalAddress: GatewayAnswer] = [:]
            var rest = addresses[...]
            func start() {
                guard let address = rest.popFirst() else { return }
                let endpoint = Endpoint(address: address.address, port: configuration.port)
                group.addTask { (address, await ask([endpoint], known: facts, isThorough: false)) }
            }
            for _ in 0..<Self.width { start() }
            while let (address, answer) = await group.next() {
                answers[address] = answer
                start()
            }
            return answers
        }
    }

    private func ask(_ endpoints: [Endpoint], known: GatewayFacts?, isThorough: Bool) async -> GatewayAnswer {
        var thorough = GatewayProbeConfiguration()
        if let known {
            let brief = GatewayProbeConfiguration(
                limits: ConnectionLimits(duration: configuration.timeout),
                duration: configuration.timeout
            )
            let target = GatewayProbeTarget(
                endpoints: endpoints,
                rules: TargetRules(origin: .user),
                hints: [
                    ProbeHint(
                        expected: known.dialect,
                        transports: known.leaf == nil ? .plainOnly : .tlsOnly
                    )
                ],
                isRepeated: true
            )
            let answer = GatewayAnswer(await GatewayProbe(brief).run(target))
            switch answer {
            case .gateway, .foreignAddress: return answer
            case .nothing(let reason):
                // Whoever hangs up may have come back with TLS, or without; silence tells nothing more when asked again.
                guard isThorough || reason == .closed || reason == .tlsFailure else { return answer }
            // An old gateway has no page for its health, and another program speaks otherwise.
            case .other: break
            }
            thorough.duration = .seconds(2)
        }
        let target = GatewayProbeTarget(
            endpoints: endpoints,
            rules: TargetRules(origin: .user),
            hints: [ProbeHint(expected: configuration.expected, transports: configuration.transports)]
        )
        return GatewayAnswer(await GatewayProbe(thorough).run(target))
    }
}
