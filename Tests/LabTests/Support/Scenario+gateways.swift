import Foundation
import Synchronization

/// Scenarios of what happens to a gateway on any day.
extension Scenario {
    /// Nothing: it is found, and nothing more is said of it.
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

    /// One that tells neither name, bots nor fingerprint, under two types.
    static func nameless(_ name: String, on host: LabHost) async throws -> Scenario {
        let types = ["--type", "_openclaw._tcp", "--type", "_openclaw-gw._tcp"]
        try await LabGateway(name, on: host, ["--dialect", "openclaw"] + types).start(port: 4_000)
        return Scenario(expectations: [LineExpectation(name, on: host, "+ openclaw, no bots known")])
    }

    /// Stopped, and back at once as the same one.
    static func restart(_ name: String, on host: LabHost, in folder: ScratchFolder) async throws -> Scenario {
        try await comesBack(name, on: host, after: .zero, [.found, .blip], in: folder)
    }

    /// Stopped, and back after 8 s as the same one. It may be gone by then or not: that is a matter of a second. Its goodbye
    /// may have been lost on the way.
    static func absence(_ name: String, on host: LabHost, in folder: ScratchFolder) async throws -> Scenario {
        let news: LineScript = [.found, .either([[.lost, .found], .blip, ["~ suspect", "~ gone", "~ answering"]])]
        return try await comesBack(name, on: host, after: .seconds(8), news, in: folder)
    }

    private static func comesBack(
        _ name: String,
        on host: LabHost,
        after pause: Duration,
        _ news: LineScript,
        in folder: ScratchFolder
    ) async throws -> Scenario {
        let gateway = LabGateway(name, on: host, ["--state", folder.path(name)])
        try await gateway.start(port: 4_000)
        return Scenario(
            expectations: [LineExpectation(name, on: host, news)],
            play: {
                try await gateway.stop()
                try await lasts(pause)
                try await gateway.start(port: 4_000)
            }
        )
    }

    /// Back at once at another port: the same gateway, with another address.
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
                        .some([
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

    /// Back at once as another one: the old one is lost, and a new one found.
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

    /// A copy of it, state and all, that comes and goes on another host.
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
                    try await lasts(.seconds(4))
                    try await copy.stop()
                    try await lasts(.seconds(10))
                }
            }
        )
    }

    /// One host and one name, two gateways.
    static func pair(_ name: String, on host: LabHost) async throws -> Scenario {
        for port in [4_000, 4_001] { try await LabGateway(name, on: host).start(port: port) }
        return Scenario(
            expectations: [
                LineExpectation(name, on: host, ports: [4_000], .found),
                LineExpectation(name, on: host, ports: [4_001], .found),
            ]
        )
    }

    /// Advertised once more, under another type and name, on a host name that has one of its addresses only.
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

    /// Several on one host that are stopped and started together again and again, each time as other ones.
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
                    [.found, .times(rounds...rounds, [.replaced, .found])]
                )
            },
            play: {
                for _ in 1...rounds {
                    let start = ContinuousClock.now
                    for gateway in gateways { try await gateway.stop() }
                    let back = try await startAll(gateways)
                    times.withLock { times in
                        times += zip(names, back).map { RestartTime(name: $0, stopped: start, back: $1) }
                    }
                    try await lasts(pause - (.now - start))
                }
            },
            complaints: { watch in
                // Taken apart once: in ten minutes they are thousands.
                let all = watch.lines
                return times.withLock { $0 }.compactMap { time in
                    let ofGateway = all.filter { $0.name == time.name }
                    guard let found = ofGateway.first(where: { $0.mark == "+" && $0.time >= time.stopped }) else {
                        return "\(time.name) was not found again"
                    }
                    let delay = found.time - time.back
                    guard delay > .seconds(2) else { return nil }
                    let lines = ofGateway.map { "\($0.time - time.back) \($0.text)" }
                    return "\(time.name) was found again after \(delay)\n\(lines.joined(separator: "\n"))"
                }
            }
        )
    }

    /// The times at which a gateway was stopped and was back.
    private struct RestartTime: Sendable {
        let name: String
        let stopped: ContinuousClock.Instant
        let back: ContinuousClock.Instant
    }

    /// Starts gateways at once, each at a port of its own, and tells when each was there.
    private static func startAll(_ gateways: [LabGateway]) async throws -> [ContinuousClock.Instant] {
        try await withThrowingTaskGroup(of: (Int, ContinuousClock.Instant).self) { group in
            for (index, gateway) in gateways.enumerated() {
                group.addTask { (index, try await gateway.start(port: 4_000 + index)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// A dozen on one host, of which half stop; then one more comes.
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
                try await lasts(.seconds(3))
                let time = try await newcomer.start(port: 4_020)
                back.withLock { $0 = time }
            },
            complaints: { watch in
                guard let back = back.withLock({ $0 }) else { return [] }
                guard let found = watch.first("+", newcomer.name) else { return ["the newcomer was not found"] }
                let delay = found.time - back
                return delay <= .seconds(2) ? [] : ["the newcomer was found after \(delay)"]
            },
            first: Set(gateways.map(\.name))
        )
    }
}
