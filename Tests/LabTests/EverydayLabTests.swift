import Foundation
import Testing

extension LabTests {
    /// Everyday events, and the lines that a person would expect of them, and no other.
    ///
    /// All at once, each on a host of its own, on LANs where nobody else is. With `CLAWRADAR_LAB_LONG` everything is there
    /// with Avahi and with our own engine, and is watched for a minute.
    @Suite struct EverydayLabTests {
        private static let length: Duration = Lab.isLong ? .seconds(60) : .seconds(12)

        /// On which kinds of hosts something is tried: all when there is time, else this one.
        private static func kinds(_ kind: LabHost.Kind) -> [LabHost.Kind] {
            Lab.isLong ? LabHost.Kind.allCases : [kind]
        }

        /// Adds the hosts that watch: with two interfaces, and when there is time also with one.
        private static func watchers(lan: Int) async throws -> [LabHost] {
            var hosts: [(name: String, kind: LabHost.Kind, interfaces: Int)] = [
                ("seer\(lan)-avahi", .avahi, 2), ("seer\(lan)-bare", .bare, 2),
            ]
            if Lab.isLong { hosts += [("seer\(lan)-avahi1", .avahi, 1), ("seer\(lan)-bare1", .bare, 1)] }
            return try await LabHost.add(hosts, lan: lan)
        }

        @Test func whatHappensToOneGateway() async throws {
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
                    { try await .nameless("Nameless \(kind)", on: host("nameless", kind)) },
                    { try await .twoGatewaysOfOneName("Pair \(kind)", on: host("pair", kind)) },
                ]
            }
            makers.append { try await .twoAddressSets("Sets", on: host("sets", .avahi)) }
            let scenarios = try await Scenario.prepare(makers)
            let watches = try await Self.watchers(lan: 10).map { try LineWatch(on: $0) }
            try await Scenario.play(scenarios, watchedBy: watches, for: Self.length)
        }

        @Test func advertisedAndTypedInIsOneGateway() async throws {
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
            let seers = try await Self.watchers(lan: 12)
            for host in seers + hosts {
                let mount = try await Lab.run(on: host.name, "mount", "--bind", folder.path("hosts"), "/etc/hosts")
                try #require(mount.status == 0, "\(mount.errors)")
            }
            var watches: [LineWatch] = []
            for (index, seer) in seers.enumerated() {
                // By address, by name, and by both.
                let own = [Array(arguments[0...1] + arguments[6...7]), arguments, Array(arguments[2...3])][index % 3]
                watches.append(try LineWatch(on: seer, own))
            }
            for host in hosts { watches.append(try LineWatch(on: host, ["--gateway", "localhost:4000"])) }
            try await Scenario.play(scenarios, watchedBy: watches, for: Self.length)
        }

        /// A reader first sees one line for a gateway, however many paths lead to it.
        @Test(arguments: LabHost.Kind.allCases) func aGatewayWithFourPathsIsOneLine(kind: LabHost.Kind) async throws {
            let host = try await LabHost.add("four-\(kind)", kind, lan: 18, interfaces: 2)
            let seer = try await LabHost.add("reader-\(kind)", kind, lan: 18, interfaces: 2)
            try await LabGateway("Four \(kind)", on: host).start(port: 4_000)
            let watch = try LineWatch(on: seer)
            try await watch.found(["Four \(kind)"])
            try await Scenario.letTimePass(.seconds(3))
            let lines = watch.lines.filter { $0.name == "Four \(kind)" }.map(\.text)
            #expect(lines.count == 1, "\(lines.joined(separator: "\n"))")
            try await watch.stop()
        }

        @Test func whatHappensToManyGatewaysAndTheirLinks() async throws {
            @Sendable func host(_ name: String, _ kind: LabHost.Kind) async throws -> LabHost {
                try await LabHost.add("\(name)-\(kind)", kind, lan: 14)
            }
            var makers: [@Sendable () async throws -> Scenario] = []
            for kind in Self.kinds(.bare) {
                makers += [
                    { try await .addressChanged("Moved \(kind)", on: host("moved", kind), listen: "0.0.0.0") }
                ]
            }
            for kind in Self.kinds(.avahi) {
                makers += [
                    { try await .linkFlapped("Flapped \(kind)", on: host("flapped", kind)) },
                    { try await .addressChanged("Shifted \(kind)", on: host("shifted", kind), listen: "::") },
                ]
            }
            makers.append { try await .halfOfTwelve("Dozen", on: host("dozen", .avahi)) }
            let scenarios = try await Scenario.prepare(makers)
            let watches = try await Self.watchers(lan: 14).map { try LineWatch(on: $0) }
            try await Scenario.play(scenarios, watchedBy: watches, for: Self.length)
        }

        /// By themselves: of all gateways together, no more than twenty are asked in a second.
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

        /// Something that happens to the host of who watches, and how often it may be noticed.
        private struct OwnEvent: Sendable {
            let name: String
            let kind: LabHost.Kind
            let blips: Int
            let happens: @Sendable (LabHost) async throws -> Void
        }

        /// The news that may be told of a gateway each time.
        private static let noticed = [
            "~ not advertised any more", "~ suspect", "~ answering", "~ now at another address",
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

        @Test func whatHappensToTheHostOfWhoWatches() async throws {
            let hosts = try await LabHost.add([("still-avahi", .avahi, 2), ("still-bare", .bare, 1)], lan: 16)
            for host in hosts {
                try await LabGateway(
                    "Still \(host.kind)",
                    on: host,
                    listen: host.kind == .avahi ? "::" : "0.0.0.0",
                    ["--type", "_openclaw._tcp", "--type", "_openclaw-gw._tcp"]
                ).start(port: 4_000)
            }
            let events = Self.ownEvents
            let seers = try await LabHost.add(
                events.enumerated().map { ("own-\($1.name)-\($1.kind)", $1.kind, $0 % 2 + 1) },
                lan: 16
            )
            let watches = try seers.map { try LineWatch(on: $0) }
            for watch in watches { try await watch.found(Set(hosts.map { "Still \($0.kind)" })) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (event, seer) in zip(events, seers) { group.addTask { try await event.happens(seer) } }
                try await group.waitForAll()
            }
            // As long as it may take until what was lost on the way is asked for again.
            try await Scenario.letTimePass(.seconds(10))
            let settled = ContinuousClock.now
            try await Scenario.letTimePass(Self.length)
            for watch in watches { try await watch.stop() }
            for (event, watch) in zip(events, watches) {
                let lines = watch.lines
                for host in hosts {
                    let expectation = LineExpectation(
                        "Still \(host.kind)",
                        on: host,
                        details: 8 * (event.blips + 1),
                        [.found, .times(0...event.blips, .atMostOnce(Self.noticed)), .either([[], "~ answering"])]
                    )
                    if let complaint = expectation.complaint(about: lines) {
                        Issue.record("\(event.name) of \(watch.host.name): \(complaint)")
                    }
                }
                for host in hosts {
                    let reported = lines.filter { $0.name == "Still \(host.kind)" }.flatMap(\.facts)
                    let last = reported.last { $0 != "~ not advertised any more" && $0 != "~ now at another address" }
                    #expect(
                        last == "~ answering" || last?.hasPrefix("+") == true,
                        "\(event.name) of \(watch.host.name)"
                    )
                }
                let late = lines.filter { $0.time > settled }.map(\.text)
                #expect(late.isEmpty, "\(event.name) of \(watch.host.name): more than 10 s later there was still news")
                let strangers = lines.filter { line in !hosts.contains { "Still \($0.kind)" == line.name } }
                #expect(strangers.map(\.text).isEmpty, "\(event.name) of \(watch.host.name)")
            }
        }
    }
}
