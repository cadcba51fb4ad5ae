import Foundation
import Testing

extension LabTests {
    /// Everyday events, about which `clawradar watch` must print the lines that a person expects, and no others: none of them
    /// makes a gateway *not ready* that is ready.
    ///
    /// All events of a test happen at the same time, each on a host of its own, on LANs without other hosts. With
    /// `CLAWRADAR_LAB_LONG` each event happens on a host with Avahi and on one with our own engine, and the watches run
    /// for a minute.
    @Suite struct EverydayLabTests {
        private static let length: Duration = Lab.isLong ? .seconds(60) : .seconds(12)

        /// Returns the kinds of hosts on which a scenario is played: all in a long run, otherwise only the given one.
        private static func kinds(_ kind: LabHost.Kind) -> [LabHost.Kind] {
            Lab.isLong ? LabHost.Kind.allCases : [kind]
        }

        /// Adds the hosts on which watches run: some with two interfaces, and in a long run also some with one.
        private static func watchers(lan: Int) async throws -> [LabHost] {
            var hosts: [(name: String, kind: LabHost.Kind, interfaces: Int)] = [
                ("seer\(lan)-avahi", .avahi, 2), ("seer\(lan)-bare", .bare, 2),
            ]
            if Lab.isLong { hosts += [("seer\(lan)-avahi1", .avahi, 1), ("seer\(lan)-bare1", .bare, 1)] }
            return try await LabHost.add(hosts, lan: lan)
        }

        @Test func everydayEventsOfGateways() async throws {
            let folder = try ScratchFolder()
            @Sendable func host(_ name: String, _ kind: LabHost.Kind, interfaces: Int = 1) async throws -> LabHost {
                try await LabHost.add("\(name)-\(kind)", kind, lan: 10, interfaces: interfaces)
            }
            var makers: [@Sendable () async throws -> Scenario] = []
            for kind in LabHost.Kind.allCases {
                makers += [
                    { try await .steady("All \(kind)", on: host("all", kind), underTwoTypes: true) },
                    {
                        try await .steady(
                            "Two links \(kind)",
                            on: host("links", kind, interfaces: 2),
                            listen: "0.0.0.0"
                        )
                    },
                    { try await .restart("Quick \(kind)", on: host("quick", kind), in: folder) },
                    { try await .otherFingerprint("Other \(kind)", on: host("other", kind)) },
                    { try await .otherPort("Port \(kind)", on: host("port", kind), in: folder) },
                ]
            }
            for kind in Self.kinds(.avahi) {
                let other = kind == .avahi ? LabHost.Kind.bare : .avahi
                makers += [
                    { try await .absence("Away \(kind)", on: host("away", kind), in: folder) },
                    {
                        let (original, copy) = (try await host("copied", kind), try await host("copy", other))
                        let times = Lab.isLong ? 3 : 1
                        return try await .copy("Copied \(kind)", on: original, copyOn: copy, times: times, in: folder)
                    },
                    { try await .readyAgain("Quick claw \(kind)", on: host("claw", kind), after: .zero, in: folder) },
                    {
                        let host = try await host("update", kind)
                        return try await .readyAgain("Update \(kind)", on: host, after: .seconds(8), in: folder)
                    },
                    { try await .nameless("Nameless \(kind)", on: host("nameless", kind)) },
                    { try await .twoGatewaysOfOneName("Pair \(kind)", on: host("pair", kind)) },
                ]
            }
            makers.append { try await .twoAddressSets("Sets", on: host("sets", .avahi)) }
            let scenarios = try await Scenario.prepare(makers)
            let watches = try await Self.watchers(lan: 10).map { try LineWatch(on: $0) }
            try await Scenario.play(scenarios, watchedBy: watches, for: Self.length)
        }

        /// A gateway that is advertised, and also given with `--gateway` by address, host name or localhost, is shown
        /// once.
        @Test func anAdvertisedGatewayThatIsAlsoGivenIsOneGateway() async throws {
            let hosts = try await LabHost.add([("typed-avahi", .avahi, 1), ("typed-bare", .bare, 2)], lan: 12)
            let folder = try ScratchFolder()
            var (scenarios, arguments): ([Scenario], [String]) = ([], [])
            var names = "127.0.0.1 localhost\n::1 localhost\n"
            for host in hosts {
                scenarios.append(try await .steady("Typed \(host.kind)", on: host, underTwoTypes: true))
                names += "\(host.address) \(host.name).example\n"
                arguments += ["--gateway", "\(host.address):4000", "--gateway", "\(host.name).example:4000"]
            }
            try Data(names.utf8).write(to: URL(fileURLWithPath: folder.path("hosts")))
            let watchingHosts = try await Self.watchers(lan: 12)
            for host in watchingHosts + hosts {
                let mount = try await Lab.run(on: host.name, "mount", "--bind", folder.path("hosts"), "/etc/hosts")
                try #require(mount.status == 0, "\(mount.errors)")
            }
            var watches: [LineWatch] = []
            for (index, host) in watchingHosts.enumerated() {
                // In turn: the first gateway by address and the second by name; both by both; only the first by name.
                let own = [Array(arguments[0...1] + arguments[6...7]), arguments, Array(arguments[2...3])][index % 3]
                watches.append(try LineWatch(on: host, own))
            }
            for host in hosts { watches.append(try LineWatch(on: host, ["--gateway", "localhost:4000"])) }
            try await Scenario.play(scenarios, watchedBy: watches, for: Self.length)
        }

        /// A watch prints a single line for a gateway when it is found, even if four paths lead to it.
        @Test(arguments: LabHost.Kind.allCases) func aGatewayWithFourPathsIsOneLine(kind: LabHost.Kind) async throws {
            let host = try await LabHost.add("four-\(kind)", kind, lan: 18, interfaces: 2)
            let watchingHost = try await LabHost.add("reader-\(kind)", kind, lan: 18, interfaces: 2)
            try await LabGateway("Four \(kind)", on: host).start(port: 4_000)
            let watch = try LineWatch(on: watchingHost)
            try await watch.found(["Four \(kind)"])
            try await Scenario.letTimePass(.seconds(3))
            let lines = watch.lines.filter { $0.name == "Four \(kind)" }.map(\.text)
            #expect(lines.count == 1, "\(lines.joined(separator: "\n"))")
            try await watch.stop()
        }

        @Test func everydayEventsOfLinksAndOfManyGateways() async throws {
            @Sendable func host(_ name: String, _ kind: LabHost.Kind) async throws -> LabHost {
                try await LabHost.add("\(name)-\(kind)", kind, lan: 14)
            }
            var makers: [@Sendable () async throws -> Scenario] = []
            for kind in Self.kinds(.bare) {
                makers += [
                    { try await .addressChanged("Moved \(kind)", on: host("moved", kind), listen: "0.0.0.0") },
                    {
                        let host = try await host("claw", kind)
                        return try await .addressChanged("Claw \(kind)", on: host, listen: "0.0.0.0", isOpenClaw: true)
                    },
                ]
            }
            for kind in Self.kinds(.avahi) {
                makers += [
                    { try await .linkFlapped("Flapped \(kind)", on: host("flapped", kind)) },
                    {
                        let host = try await host("flapping", kind)
                        return try await .linkFlapped("Flapping claw \(kind)", on: host, isOpenClaw: true)
                    },
                    { try await .addressChanged("Shifted \(kind)", on: host("shifted", kind), listen: "::") },
                ]
            }
            makers.append { try await .halfOfTwelve("Dozen", on: host("dozen", .avahi)) }
            let scenarios = try await Scenario.prepare(makers)
            let watches = try await Self.watchers(lan: 14).map { try LineWatch(on: $0) }
            try await Scenario.play(scenarios, watchedBy: watches, for: Self.length)
        }

        /// These restarts have a test of their own, since the scanner probes at most twenty endpoints a second in all.
        @Test(.timeLimit(.minutes(25))) func sixGatewaysOfOneHostAreRestarted() async throws {
            var makers: [@Sendable () async throws -> Scenario] = []
            for kind in Self.kinds(.bare) {
                makers.append {
                    try await .restarts(
                        "Six \(kind)",
                        count: 6,
                        on: LabHost.add("six-\(kind)", kind, lan: 20),
                        rounds: Lab.isLong ? 60 : 3,
                        every: .seconds(Lab.isLong ? 10 : 6)
                    )
                }
            }
            let scenarios = try await Scenario.prepare(makers)
            let watches = try await Self.watchers(lan: 20).map { try LineWatch(on: $0) }
            try await Scenario.play(scenarios, watchedBy: watches, for: Self.length)
        }

        /// An event of the host on which a watch runs, and how often the watch may report an interruption.
        private struct OwnEvent: Sendable {
            let name: String
            let kind: LabHost.Kind
            let blips: Int
            let play: @Sendable (LabHost) async throws -> Void
        }

        /// The statements about a gateway that are permitted at each interruption.
        private static let interruption = [
            "~ not advertised any more", "~ suspect", "~ answering", "~ now at another address",
        ]

        /// The same of a gateway of the dialect OpenClaw, each check of which opens a connection: while the link goes down each
        /// second, it may be lost, too.
        private static let interruptionByFlaps =
            interruption + [
                "~ gone", "- it is not advertised any more, and does not answer", "+ openclaw, no bots known",
            ]

        private static var ownEvents: [OwnEvent] {
            kinds(.bare).map {
                OwnEvent(name: "address", kind: $0, blips: 1) { try await Scenario.changeAddress(of: $0) }
            }
                + kinds(.avahi).map {
                    OwnEvent(name: "link", kind: $0, blips: 1) { try await Scenario.flap($0, down: .seconds(2)) }
                }
                + kinds(.avahi).map {
                    OwnEvent(name: "rename", kind: $0, blips: 1) { try await Scenario.renameInterface(of: $0) }
                }
                + kinds(.bare).map {
                    OwnEvent(name: "flaps", kind: $0, blips: 10) { host in
                        for _ in 1...10 {
                            try await Scenario.flap(host, down: .milliseconds(400))
                            try await Scenario.letTimePass(.milliseconds(600))
                        }
                    }
                }
        }

        /// When the network of the watching host changes, gateways may be reported as missed for a short time, but not
        /// as lost, and all must be answering in the end.
        @Test func everydayEventsOfTheWatchingHost() async throws {
            let hosts = try await LabHost.add([("still-avahi", .avahi, 2), ("still-bare", .bare, 1)], lan: 16)
            // One of each dialect on each host: that of OpenClaw is also asked whether it is ready.
            var still: [(name: String, host: LabHost, found: LineScript, isOpenClaw: Bool)] = []
            for host in hosts {
                for isOpenClaw in [false, true] {
                    let name = "Still \(isOpenClaw ? "claw " : "")\(host.kind)"
                    let listen = host.kind == .avahi ? "::" : "0.0.0.0"
                    let types = ["--type", "_openclaw._tcp", "--type", "_openclaw-gw._tcp"]
                    try await LabGateway(name, on: host, listen: listen, types + (isOpenClaw ? Scenario.openClaw : []))
                        .start(port: isOpenClaw ? 4_001 : 4_000)
                    still.append((name, host, isOpenClaw ? .openClawFound : .found, isOpenClaw))
                }
            }
            let events = Self.ownEvents
            let watchingHosts = try await LabHost.add(
                events.enumerated().map { ("own-\($1.name)-\($1.kind)", $1.kind, $0 % 2 + 1) },
                lan: 16
            )
            let watches = try watchingHosts.map { try LineWatch(on: $0) }
            for watch in watches { try await watch.found(Set(still.map(\.name))) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (event, host) in zip(events, watchingHosts) { group.addTask { try await event.play(host) } }
                try await group.waitForAll()
            }
            // If packets were lost, it takes up to this time until the records are queried again.
            try await Scenario.letTimePass(.seconds(10))
            let settled = ContinuousClock.now
            try await Scenario.letTimePass(Self.length)
            for watch in watches { try await watch.stop() }
            for (event, watch) in zip(events, watches) {
                let lines = watch.lines
                for (name, host, found, isOpenClaw) in still {
                    let blip = isOpenClaw && event.blips > 1 ? Self.interruptionByFlaps : Self.interruption
                    let expectation = LineExpectation(
                        name,
                        on: host,
                        details: 8 * (event.blips + 1),
                        [
                            found, .times(0...event.blips, .atMostOnce(blip)),
                            .either([[], "~ answering"]),
                        ]
                    )
                    if let complaint = expectation.complaint(about: lines) {
                        Issue.record("\(event.name) of \(watch.host.name): \(complaint)")
                    }
                }
                for name in still.map(\.name) {
                    let reported = lines.filter { $0.name == name }.flatMap(\.facts)
                    let last = reported.last { $0 != "~ not advertised any more" && $0 != "~ now at another address" }
                    #expect(
                        last == "~ answering" || last?.hasPrefix("+") == true,
                        "\(name): \(event.name) of \(watch.host.name)"
                    )
                }
                let late = lines.filter { $0.time > settled }.map(\.text)
                #expect(late.isEmpty, "\(event.name) of \(watch.host.name): lines were printed more than 10 s later")
                let unexpected = lines.filter { line in !still.contains { $0.name == line.name } }
                #expect(unexpected.map(\.text).isEmpty, "\(event.name) of \(watch.host.name)")
            }
        }
    }
}
