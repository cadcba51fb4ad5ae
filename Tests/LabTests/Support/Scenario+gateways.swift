import Foundation
import Synchronization

/// Scenarios of everyday events of gateways.
extension Scenario {
    /// A gateway to which nothing happens: it is found, and no further line is printed about it.
    static func steady(
        _ name: String,
        on host: LabHost,
        listen: String = "::",
        underTwoTypes: Bool = false
    )
        async throws -> Scenario
    {
        let types = underTwoTypes ? ["--type", "_openclaw._tcp", "--type", "_openclaw-gw._tcp"] : []
        try await LabGateway(name, on: host, listen: listen, types).start(port: 4_000)
        return Scenario(expectations: [LineExpectation(name, on: host, .found)])
    }

    /// A gateway of the dialect OpenClaw, which tells neither its name, its bots nor a fingerprint. It is advertised
    /// under two types.
    static func nameless(_ name: String, on host: LabHost) async throws -> Scenario {
        let types = ["--type", "_openclaw._tcp", "--type", "_openclaw-gw._tcp"]
        try await LabGateway(name, on: host, ["--dialect", "openclaw"] + types).start(port: 4_000)
        return Scenario(expectations: [LineExpectation(name, on: host, .openClawFound)])
    }

    /// A gateway that is stopped, and at once started again with the same state and thus the same fingerprint.
    static func restart(_ name: String, on host: LabHost, in folder: ScratchFolder) async throws -> Scenario {
        try await comesBack(name, on: host, after: .zero, [.found, .blip], in: folder)
    }

    /// A gateway of the dialect OpenClaw that is stopped, and started again after a while, as in an update. It says that it is
    /// ready whenever it runs, and nothing else must be said of that.
    static func readyAgain(
        _ name: String,
        on host: LabHost,
        after pause: Duration,
        in folder: ScratchFolder
    ) async throws -> Scenario {
        let script: LineScript = [
            .openClawFound,
            .either([[.lost, .openClawFound], .blip, ["~ suspect", "~ gone", "~ answering"]]),
        ]
        return try await comesBack(name, on: host, after: pause, script, openClaw, in: folder)
    }

    /// The options of a gateway of the dialect OpenClaw that says that it is ready. Its answer to that question is asked for
    /// whenever it is found, is back or answers otherwise, and once a minute.
    static let openClaw = ["--dialect", "openclaw", "--readiness", "ready"]

    /// A gateway that is stopped, and started again after 8 s with the same state. It may be lost by then or not, since
    /// both take about the same time; nor is it certain that its goodbye arrived.
    static func absence(_ name: String, on host: LabHost, in folder: ScratchFolder) async throws -> Scenario {
        let script: LineScript = [.found, .either([[.lost, .found], .blip, ["~ suspect", "~ gone", "~ answering"]])]
        return try await comesBack(name, on: host, after: .seconds(8), script, in: folder)
    }

    private static func comesBack(
        _ name: String,
        on host: LabHost,
        after pause: Duration,
        _ script: LineScript,
        _ arguments: [String] = [],
        in folder: ScratchFolder
    ) async throws -> Scenario {
        let gateway = LabGateway(name, on: host, ["--state", folder.path(name)] + arguments)
        try await gateway.start(port: 4_000)
        return Scenario(
            expectations: [LineExpectation(name, on: host, script)],
            play: {
                try await gateway.stop()
                try await letTimePass(pause)
                try await gateway.start(port: 4_000)
            }
        )
    }

    /// A gateway that is restarted at another port: it is the same gateway at another address.
    static func otherPort(_ name: String, on host: LabHost, in folder: ScratchFolder) async throws -> Scenario {
        let gateway = LabGateway(name, on: host, ["--state", folder.path(name)])
        try await gateway.start(port: 4_000)
        return Scenario(
            expectations: [
                LineExpectation(
                    name,
                    on: host,
                    [
                        .found,
                        .atMostOnce([
                            "~ not advertised any more", "~ suspect", "~ gone", "~ answering",
                            "~ now at another address",
                        ]),
                    ]
                )
            ],
            play: {
                try await gateway.stop()
                try await gateway.start(port: 4_001)
            },
            complaints: { watch in
                let last = watch.lines.last { $0.name == name }
                return last?.port == 4_001 ? [] : ["\(name) is not shown at its new port: \(last?.text ?? "no line")"]
            }
        )
    }

    /// A gateway that is restarted with another fingerprint: the old gateway is lost, and a new one is found.
    static func otherFingerprint(_ name: String, on host: LabHost) async throws -> Scenario {
        let gateway = LabGateway(name, on: host)
        try await gateway.start(port: 4_000)
        return Scenario(
            expectations: [LineExpectation(name, on: host, [.found, .replaced, .found])],
            play: {
                try await gateway.stop()
                try await gateway.start(port: 4_000)
            }
        )
    }

    /// A copy of a gateway, including its state and thus its fingerprint, that comes and goes on another host.
    static func copy(
        _ name: String,
        on host: LabHost,
        copyOn other: LabHost,
        times: Int,
        in folder: ScratchFolder
    )
        async throws -> Scenario
    {
        let original = LabGateway(name, on: host, ["--state", folder.path(name)])
        try await original.start(port: 4_000)
        let copy = LabGateway(name, on: other, ["--state", try folder.copy(name, as: "\(name) copy")])
        let dispute = "another one claims the same fingerprint"
        return Scenario(
            expectations: [
                LineExpectation(
                    name,
                    on: host,
                    [.found, .times(times...times, [.line("~ \(dispute)"), "~ no longer in dispute"])]
                ),
                LineExpectation(
                    name,
                    on: other,
                    .times(times...times, [.found, .either([.line("+ ! \(dispute)"), .line("~ \(dispute)")]), .lost])
                ),
            ],
            play: {
                for _ in 1...times {
                    try await copy.start(port: 4_000)
                    try await letTimePass(.seconds(4))
                    try await copy.stop()
                    try await letTimePass(.seconds(10))
                }
            }
        )
    }

    /// Two gateways of the same name on one host, which are told apart by their ports.
    static func twoGatewaysOfOneName(_ name: String, on host: LabHost) async throws -> Scenario {
        for port in [4_000, 4_001] { try await LabGateway(name, on: host).start(port: port) }
        return Scenario(
            expectations: [
                LineExpectation(name, on: host, ports: [4_000], .found),
                LineExpectation(name, on: host, ports: [4_001], .found),
            ]
        )
    }

    /// A gateway that is advertised a second time, under another type and instance name, and with a host name that has
    /// only one of the host's addresses: it is one gateway all the same.
    static func twoAddressSets(_ name: String, on host: LabHost) async throws -> Scenario {
        try await LabGateway(name, on: host).start(port: 4_000)
        let alias = "\(host.name)-alias.local"
        _ = try Lab.start(on: host.name, "avahi-publish", "-a", "-R", alias, host.address)
        _ = try Lab.start(
            on: host.name,
            "avahi-publish",
            "-s",
            "-H",
            alias,
            "\(name), too",
            "_openclaw-gw._tcp",
            "4000",
            "gatewayPort=4000"
        )
        return Scenario(expectations: [LineExpectation(name, on: host, .found)])
    }

    /// Several gateways on one host that are repeatedly restarted together, each time with other fingerprints. Each
    /// must be found again within two seconds of its start; within three at the first time, which comes a second after it was
    /// found first: reports from the network bring a question forward once a second.
    static func restarts(
        _ name: String,
        count: Int,
        on host: LabHost,
        rounds: Int,
        every pause: Duration
    )
        async throws -> Scenario
    {
        let names = (0..<count).map { "\(name) \($0)" }
        let gateways = names.map { LabGateway($0, on: host) }
        let times = Mutex<[RestartTime]>([])
        _ = try await startAll(gateways)
        return Scenario(
            expectations: names.map {
                LineExpectation(
                    $0,
                    on: host,
                    details: 8 * (rounds + 1),
                    // Found before the goodbye of the former one takes effect, a second after that, it is not advertised
                    // for a moment; found at one address before the other one was asked, it is beside the former one.
                    [
                        .found,
                        .times(
                            rounds...rounds,
                            .either([
                                [.replaced, .found, .withdrawn],
                                [
                                    .withdrawn, .found,
                                    .atMostOnce(["~ now at another address", "~ not advertised any more"]),
                                    "- something else answers there now", .withdrawn,
                                ],
                            ])
                        ),
                    ]
                )
            },
            play: {
                for round in 1...rounds {
                    let start = ContinuousClock.now
                    for gateway in gateways { try await gateway.stop() }
                    let back = try await startAll(gateways)
                    times.withLock { times in
                        times += zip(names, back).map { RestartTime(name: $0, stopped: start, back: $1, round: round) }
                    }
                    try await letTimePass(pause - (.now - start))
                }
            },
            complaints: { watch in
                // The lines are parsed only once, since there are thousands after ten minutes.
                let all = watch.lines
                return times.withLock { $0 }.compactMap { time in
                    let ofGateway = all.filter { $0.name == time.name }
                    guard let found = ofGateway.first(where: { $0.mark == "+" && $0.time >= time.stopped }) else {
                        return "\(time.name) was not found again"
                    }
                    let delay = found.time - time.back
                    guard delay > .seconds(time.round == 1 ? 3 : 2) else { return nil }
                    let lines = ofGateway.map { "\($0.time - time.back) \($0.text)" }
                    return "\(time.name) was found again after \(delay)\n\(lines.joined(separator: "\n"))"
                }
            }
        )
    }

    /// The times at which a gateway was stopped, and was published again.
    private struct RestartTime: Sendable {
        let name: String
        let stopped: ContinuousClock.Instant
        let back: ContinuousClock.Instant
        let round: Int
    }

    /// Starts gateways concurrently, each at a port of its own, and returns the times at which they were published.
    private static func startAll(_ gateways: [LabGateway]) async throws -> [ContinuousClock.Instant] {
        try await withThrowingTaskGroup(of: (Int, ContinuousClock.Instant).self) { group in
            for (index, gateway) in gateways.enumerated() {
                group.addTask { (index, try await gateway.start(port: 4_000 + index)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Twelve gateways on one host, of which six stop; then another one is started, which must be found within 2 s.
    static func halfOfTwelve(_ name: String, on host: LabHost) async throws -> Scenario {
        let gateways = (0..<12).map { LabGateway("\(name) \($0)", on: host) }
        _ = try await startAll(gateways)
        let newcomer = LabGateway("\(name) newcomer", on: host)
        let back = Mutex<ContinuousClock.Instant?>(nil)
        return Scenario(
            expectations: gateways.enumerated().map { index, gateway in
                LineExpectation(gateway.name, on: host, index < 6 ? [.found, .lost] : .found)
            } + [LineExpectation(newcomer.name, on: host, .found)],
            play: {
                for gateway in gateways.prefix(6) { try await gateway.stop() }
                try await letTimePass(.seconds(3))
                let time = try await newcomer.start(port: 4_020)
                back.withLock { $0 = time }
            },
            complaints: { watch in
                guard let back = back.withLock({ $0 }) else { return [] }
                guard let found = watch.first("+", newcomer.name) else { return ["the newcomer was not found"] }
                let delay = found.time - back
                return delay <= .seconds(2) ? [] : ["the newcomer was found after \(delay)"]
            },
            initialGateways: Set(gateways.map(\.name))
        )
    }
}
