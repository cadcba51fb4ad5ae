import DNSSD
import GatewayProtocol
import Pairing
import Scanning
import TestSupport
import Testing

@testable import Reports

/// Every cause, from the facts that show it, and the same facts but for the one that makes the difference.
@Suite struct DiagnosisTests {
    private static let minute = 60_000

    /// The facts of one case: those with a cause, and those without it.
    struct Case: CustomTestStringConvertible, Sendable {
        let cause: Cause
        let facts: DiagnosisFacts

        /// The same without the cause: another cause is found, or none.
        let without: DiagnosisFacts
        let other: Cause?

        /// A part of the sentence, and of the command.
        let sentence: String
        let command: String

        var testDescription: String { cause.rawValue }
    }

    /// Returns the facts of a gateway at one place.
    private static func facts(_ answer: PlaceAnswer, _ change: (inout PlaceFacts) -> Void = { _ in }) -> DiagnosisFacts
    {
        var place = PlaceFacts(Samples.home, sources: [.advertised], answer: answer, neighbour: .known)
        change(&place)
        return DiagnosisFacts(word: "\"Home\"", places: [place], now: 100 * minute)
    }

    /// Returns the facts of a paired gateway that answers.
    private static func facts(
        _ pairing: PairedStatus,
        _ change: (inout DiagnosisFacts) -> Void = { _ in }
    )
        -> DiagnosisFacts
    {
        var facts = facts(Samples.alive) { $0.sources = [.paired] }
        facts.pairing = pairing
        change(&facts)
        return facts
    }

    private static let healthy = facts(Samples.alive)

    /// The causes that places show.
    static let ofPlaces: [Case] = [
        Case(
            cause: .notFound,
            facts: DiagnosisFacts(word: "Home", now: 0),
            without: healthy,
            other: nil,
            sentence: "nobody advertises it",
            command: "clawradar scan"
        ),
        Case(
            cause: .notFound,
            facts: {
                var facts = DiagnosisFacts(word: "Home", now: 0)
                facts.isInTailnet = true
                return facts
            }(),
            without: healthy,
            other: nil,
            sentence: "machines of your tailnet",
            command: "clawradar scan --tailnet"
        ),
        Case(
            cause: .unresolved,
            facts: DiagnosisFacts(word: "Home", obstacles: ["no address\u{1B}"], now: 0),
            without: DiagnosisFacts(word: "Home", now: 0),
            other: .notFound,
            sentence: "no address\u{FFFD}",
            command: "clawradar scan --no-probe"
        ),
        Case(
            cause: .noNetwork,
            facts: with(facts(.unreachable)) { $0.hasNetwork = false },
            without: facts(.unreachable),
            other: .hostDown,
            sentence: "no network",
            command: "ip -brief address"
        ),
        Case(
            cause: .loopbackOnly,
            facts: facts(.refused) {
                $0.neighbour = .ownHost
                $0.listeners = [Samples.endpoint("127.0.0.1")]
            },
            without: facts(.refused) {
                $0.neighbour = .ownHost
                $0.listeners = [Samples.endpoint("127.0.0.1"), Samples.endpoint("0.0.0.0")]
            },
            other: .portClosed,
            sentence: "127.0.0.1:3000 alone",
            command: "openclaw config set gateway.bind lan"
        ),
        Case(
            cause: .portClosed,
            facts: facts(.refused),
            without: healthy,
            other: nil,
            sentence: "no program listens at port 3000",
            command: "ss -ltn \"sport = :3000\""
        ),
        Case(
            cause: .containerAddress,
            facts: facts(.silent(.seconds(2))) { $0.isOfContainers = true },
            without: facts(.silent(.seconds(2))) {
                $0.isOfContainers = true
                $0.sources = [.typed]
            },
            other: .filtered,
            sentence: "network of containers",
            command: "i=$(ip -o address show to 10.0.0.2 |"
        ),
        Case(
            cause: .forbiddenAddress,
            facts: facts(.notAllowed(.metadata)),
            without: healthy,
            other: nil,
            sentence: "a cloud's metadata address",
            command: "clawradar scan --no-probe"
        ),
        Case(
            cause: .hostDown,
            facts: facts(.unreachable),
            without: facts(.unreachable) { $0.neighbour = .noRoute },
            other: .noRoute,
            sentence: "Nobody has the address 10.0.0.2",
            command: "clawradar scan"
        ),
        Case(
            cause: .noRoute,
            facts: facts(.silent(.seconds(1))) { $0.neighbour = .noRoute },
            without: facts(.silent(.seconds(1))) { $0.neighbour = .unknown },
            other: .hostDown,
            sentence: "No way leads from this host to 10.0.0.2",
            command: "ip route get 10.0.0.2"
        ),
        Case(
            cause: .filtered,
            facts: facts(.silent(.seconds(1))),
            without: facts(.refused),
            other: .portClosed,
            sentence: "a firewall drops it, or the host has just gone",
            command: "sudo nft list ruleset"
        ),
        Case(
            cause: .silent,
            facts: facts(.silent(.milliseconds(1_500))) { $0.neighbour = .beyond },
            without: facts(.hanging(.seconds(1))) { $0.neighbour = .beyond },
            other: .hanging,
            sentence: "in 1.5 s",
            command: "clawradar probe \"10.0.0.2:3000\" --timeout 30"
        ),
        Case(
            cause: .hanging,
            facts: facts(.hanging(.seconds(3))),
            without: facts(.silent(.seconds(3))),
            other: .filtered,
            sentence: "answers nothing in 3 s",
            command: "openclaw gateway restart"
        ),
        Case(
            cause: .closed,
            facts: facts(.closed),
            without: healthy,
            other: nil,
            sentence: "without a word",
            command: "clawradar probe"
        ),
        Case(
            cause: .notAGateway,
            facts: facts(.somethingElse("a web server\u{202E}")),
            without: healthy,
            other: nil,
            sentence: "is a web server\u{FFFD}, and no gateway",
            command: "clawradar probe \"10.0.0.2:3000\""
        ),
        Case(
            cause: .frontAlone,
            facts: facts(.front(status: 502)),
            without: healthy,
            other: nil,
            sentence: "HTTP 502",
            command: "openclaw gateway status"
        ),
        Case(
            cause: .anotherGateway,
            facts: facts(.anotherGateway),
            without: healthy,
            other: nil,
            sentence: "Another gateway answers at 10.0.0.2:3000",
            command: "clawradar probe"
        ),
        Case(
            cause: .noTLS,
            facts: facts(Samples.alive) { $0.demand = .tls },
            without: facts(.gateway(.openClaw, isTLS: true, roundTrip: nil)) { $0.demand = .tls },
            other: nil,
            sentence: "it answers to ws://",
            command: "clawradar pair 'ws://10.0.0.2:3000'"
        ),
        Case(
            cause: .onlyTLS,
            facts: facts(.gateway(.openClaw, isTLS: true, roundTrip: nil)) { $0.demand = .plain },
            without: facts(Samples.alive) { $0.demand = .plain },
            other: nil,
            sentence: "it answers to wss://",
            command: "clawradar pair 'wss://10.0.0.2:3000'"
        ),
        Case(
            cause: .notAsked,
            facts: facts(.notAsked("many others go first")),
            without: healthy,
            other: nil,
            sentence: "many others go first",
            command: "clawradar probe"
        ),
        Case(
            cause: .dialect,
            facts: facts(.gateway(.openAgents, isTLS: false, roundTrip: nil)),
            without: facts(.gateway(.openAgents, isTLS: true, roundTrip: nil)),
            other: nil,
            sentence: "openagents without TLS",
            command: "--send-in-clear"
        ),
        Case(
            cause: .claimed,
            facts: with(healthy) { $0.isClaimedByOthers = true },
            without: healthy,
            other: nil,
            sentence: "claims the same fingerprint",
            command: "clawradar probe \"10.0.0.2:3000\""
        ),
        Case(
            cause: .notReady,
            facts: with(healthy) { $0.readiness = .failing(["discord\u{1B}", "telegram"]) },
            without: with(healthy) { $0.readiness = .ready },
            other: nil,
            sentence: "it is not ready: these fail: discord\u{FFFD}, telegram.",
            command: "openclaw channels status --probe"
        ),
    ]

    /// The causes that the pairing and its sessions show.
    static let ofPairings: [Case] = [
        Case(
            cause: .sealed,
            facts: facts(Samples.status(.paired)) { $0.keyProblem = "expected a key" },
            without: facts(Samples.status(.paired)),
            other: nil,
            sentence: "expected a key",
            command: "clawradar device"
        ),
        Case(
            cause: .ownFailure,
            facts: facts(Samples.status(.failed, "no socket")),
            without: facts(Samples.status(.failed, "no socket")) { $0.keyProblem = "no key" },
            other: .sealed,
            sentence: "no socket",
            command: "clawradar connect \"Home\""
        ),
        Case(
            cause: .disconnected,
            facts: facts(Samples.status(.paired, connects: false)),
            without: facts(Samples.status(.connected, connects: false)),
            other: nil,
            sentence: "You have disconnected it",
            command: "clawradar connect \"Home\""
        ),
        Case(
            cause: .wayDead,
            facts: facts(Samples.status(.connected)) { $0.places.append(Samples.outside(.refused)) },
            without: facts(Samples.status(.connected)) { $0.places.append(Samples.outside(Samples.alive)) },
            other: nil,
            sentence: "not at its address outside of it, 203.0.113.9:443: connection refused",
            command: "clawradar probe \"203.0.113.9:443\""
        ),
        Case(
            cause: .noSession,
            facts: facts(Samples.status(.paired)) { $0.sessionProblem = "it says nothing" },
            without: facts(Samples.status(.connected)) { $0.sessionProblem = "it says nothing" },
            other: nil,
            sentence: "it says nothing",
            command: "clawradar connect \"Home\" --verbose"
        ),
        Case(
            cause: .changedLeaf,
            facts: facts(Samples.status(.changedLeaf)),
            without: facts(Samples.status(.moved)),
            other: .moved,
            sentence: "Another certificate than the pinned one",
            command: "clawradar trust \"Home\""
        ),
        Case(
            cause: .uncertified,
            facts: facts(Samples.status(.uncertified, trust: .certified(host: "home.example"))),
            without: facts(Samples.status(.connected, trust: .certified(host: "home.example"))),
            other: nil,
            sentence: "that it is home.example",
            command: "openssl s_client -connect \"home.example:3000\" </dev/null | openssl x509"
        ),
        Case(
            cause: .moved,
            facts: facts(Samples.status(.moved, "another machine has its address")),
            without: facts(Samples.status(.paired)),
            other: nil,
            sentence: "another machine has its address",
            command: "clawradar trust \"Home\" --trust address"
        ),
        Case(
            cause: .revoked,
            facts: facts(PairedStatus(revoked: Samples.binned, reason: "gone")),
            without: facts(Samples.status(.paired)),
            other: nil,
            sentence: "has ended this pairing",
            command: "clawradar pair \"Home\""
        ),
    ]

    /// The causes that a gateway itself tells, each by one reason among others.
    static let ofRefusals: [(SessionRefusal.Reason, Cause, command: String)] = [
        (.protocolMismatch, .protocolVersion, "openclaw update"), (.tokenMissing, .tokenMissing, "clawradar pair"),
        (.passwordMissing, .tokenMissing, "clawradar pair"), (.tokenMismatch, .tokenWrong, "clawradar pair"),
        (.deviceTokenMismatch, .tokenWrong, "clawradar pair"), (.rateLimited, .lockedOut, "clawradar connect"),
        (.notPaired, .approvalWaits, "openclaw devices approve r-1"),
        (.scopeUpgrade, .scopeUpgrade, "openclaw devices approve r-1"),
        (.metadataUpgrade, .scopeUpgrade, "openclaw devices approve r-1"), (.signatureExpired, .clock, "timedatectl"),
        (.starting, .notReady, "clawradar connect"), (.accessDenied, .refused, "openclaw logs --follow"),
    ]

    private static func with(_ facts: DiagnosisFacts, _ change: (inout DiagnosisFacts) -> Void) -> DiagnosisFacts {
        var facts = facts
        change(&facts)
        return facts
    }

    @Test(arguments: ofPlaces + ofPairings) func eachCauseIsFoundAndOnlyThen(_ sample: Case) throws {
        let diagnosis = Diagnosis(sample.facts)
        #expect(diagnosis.findings.map(\.cause) == [sample.cause])
        let finding = try #require(diagnosis.findings.first)
        #expect(finding.sentence.contains(sample.sentence), "\(finding.sentence)")
        #expect(finding.command.contains(sample.command), "\(finding.command)")
        #expect(!diagnosis.isHealthy && diagnosis.next == nil && diagnosis.notes.isEmpty)
        #expect(Diagnosis(sample.without).findings.map(\.cause) == [sample.other].compactMap(\.self))
    }

    @Test(arguments: ofRefusals.indices) func eachReasonOfAGatewayIsACause(_ index: Int) throws {
        let (reason, cause, command) = Self.ofRefusals[index]
        for state in [PairedState.waiting, .refused] {
            let found = Diagnosis(Self.facts(Samples.status(state, refusal: reason))).findings
            #expect(found.map(\.cause) == [cause], "\(reason)")
            #expect(found.first?.command.contains(command) == true, "\(found)")
        }
        #expect(Diagnosis(Self.facts(Samples.status(.connected, refusal: reason))).isHealthy)
    }

    /// All reasons that a gateway can have lead to a cause, with a sentence that ends and a command.
    @Test(arguments: SessionRefusal.Reason.allCases) func everyReasonHasASentence(
        _ reason: SessionRefusal.Reason
    ) throws {
        let finding = try #require(Diagnosis(Self.facts(Samples.status(.refused, refusal: reason))).findings.first)
        #expect(finding.sentence.hasSuffix(".") && !finding.command.isEmpty, "\(finding)")
    }

    @Test func everyCauseIsTested() {
        let tested = (Self.ofPlaces + Self.ofPairings).map(\.cause) + Self.ofRefusals.map { $0.1 }
        #expect(Set(tested) == Set(Cause.allCases))
    }

    /// The table of the documentation has each cause once, with its sentence and its command, but for what differs from
    /// case to case.
    @Test func theTableIsTrue() throws {
        let rows = try DocumentedCommand.text("docs/doctor.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
            .dropFirst().map { $0.replacing("\\|", with: "\u{1}").split(separator: "|").map { $0.trimmed } }
        #expect(rows.map { $0[0].filter { $0 != "`" } }.sorted() == Cause.allCases.map(\.rawValue).sorted())
        let samples =
            (Self.ofPlaces + Self.ofPairings).map(\.facts)
            + Self.ofRefusals.map { Self.facts(Samples.status(.refused, refusal: $0.0)) }
        var found: [String: Finding] = [:]
        for finding in samples.flatMap({ Diagnosis($0).findings }).reversed() {
            found[finding.cause.rawValue] = finding
        }
        for row in rows {
            let finding = try #require(found[row[0].filter { $0 != "`" }])
            // Where the gateway or this device says it, the table says so.
            if finding.cause != .ownFailure {
                #expect(row[1].split(separator: "…").allSatisfy { finding.sentence.contains($0.trimmed) }, "\(row[1])")
            }
            let command = try #require(row[2].firstMatch(of: /`([^`]*)`/)?.output.1).replacing("\u{1}", with: "|")
            #expect(command.split(separator: "…").allSatisfy { finding.command.contains($0.trimmed) }, "\(command)")
        }
    }

    // MARK: What the sentences say

    @Test func aRequestThatWaitsHasItsAge() {
        let text = Diagnosis(Self.facts(Samples.status(.waiting, refusal: .notPaired))).findings[0].sentence
        #expect(text.contains("the request waits for 90 min"))
        let late = Self.facts(Samples.status(.waiting, refusal: .notPaired)) { $0.now += 100 * Self.minute }
        #expect(Diagnosis(late).findings[0].sentence.contains("waits for 3 h"))
        let fresh = Self.facts(Samples.status(.waiting, refusal: .notPaired)) { $0.now = 10 * Self.minute }
        #expect(Diagnosis(fresh).findings[0].sentence.hasSuffix("the request waits."))
    }

    private static func request(_ dialect: GatewayDialect, _ id: String?, _ command: String?) -> WaitingRequest {
        WaitingRequest(dialect: dialect, since: 10 * minute, id: id, command: command)
    }

    /// A first pairing that an agent has begun, and that nobody has approved, with the command of each dialect.
    @Test(arguments: [
        (request(.openClaw, "r-1", "reference-gateway approve r-1"), "reference-gateway approve r-1", "gateway"),
        (request(.openClaw, nil, nil), "openclaw devices list", "gateway"),
        (request(.bridge, nil, nil), "clawdbot nodes pending", "gateway"),
        (request(.clawline, "5f0c-1", nil), "clawradar approve 5f0c-1", "admin"),
        (request(.clawline, "5f; reboot", nil), "clawradar approvals", "admin"),
    ])
    func aFirstPairingThatWaitsIsACause(_ request: WaitingRequest, _ command: String, _ host: String) throws {
        for pairing in [nil, PairedStatus(revoked: Samples.binned, reason: "gone")] {
            let facts = Self.with(Self.healthy) { ($0.request, $0.pairing) = (request, pairing) }
            let finding = try #require(Diagnosis(facts).findings.first)
            #expect(Diagnosis(facts).findings.count == 1 && finding.cause == .approvalWaits)
            #expect(finding.sentence.contains(" approved this device"))
            #expect(finding.sentence.hasSuffix("; the request waits for 90 min."))
            #expect(finding.sentence.contains("admin") == (host == "admin"))
            #expect(finding.command == command && finding.host.rawValue == host)
        }
        // One that has gone since is told as that; and so is what has become of a pairing.
        let gone = Self.with(Self.facts(.refused)) { $0.request = request }
        #expect(Diagnosis(gone).findings.map(\.cause) == [.portClosed])
        let paired = Self.facts(Samples.status(.moved)) { $0.request = request }
        #expect(Diagnosis(paired).findings.map(\.cause) == [.moved])
    }

    /// Of a Clawline provider, admins decide about what asks to pair.
    @Test func anAdminOfClawlineApproves() throws {
        let status = Samples.status(.waiting, refusal: .notPaired, dialect: .clawline, deviceID: "5f0c-1")
        let finding = try #require(Diagnosis(Self.facts(status)).findings.first)
        #expect(finding.cause == .approvalWaits && finding.sentence.contains("admin"), "\(finding)")
        #expect(finding.command == "clawradar approve r-1" && finding.host == .admin)
    }

    /// A paired device that its provider has suspended has no request that an admin could approve: `approve` would say that no
    /// such device waits.
    @Test func aSuspendedDeviceIsApprovedByWhoeverRunsTheProvider() throws {
        let status = Samples.status(.waiting, refusal: .notApproved, dialect: .clawline, deviceID: "5f0c-1")
        let finding = try #require(Diagnosis(Self.facts(status)).findings.first)
        #expect(finding.cause == .approvalWaits && finding.sentence.contains("whoever runs it has to approve it again"))
        #expect(finding.command.hasPrefix("clawradar connect ") && finding.host == .here)
    }

    @Test func aLockOutHasItsEnd() {
        let text = Diagnosis(Self.facts(Samples.status(.waiting, refusal: .rateLimited))).findings[0].sentence
        #expect(text.contains("until 1970-01-01T02:00:00"), "\(text)")
        let asked = Samples.status(.waiting, refusal: .rateLimited, dialect: .clawline)
        let sentence = Diagnosis(Self.facts(asked)).findings[0].sentence
        #expect(sentence.hasPrefix("This device has asked it as often in a minute as it allows"), "\(sentence)")
    }

    /// A gateway that answers, and is connected even, can say that it cannot do its work: `scan` and `status` show it.
    @Test(arguments: [
        (Readiness.failing(["discord"]), "this fails: discord", "openclaw channels status --probe"),
        (.failing([]), "it gives no reason", "openclaw channels status --probe"),
        (.starting, "starting", "clawradar connect \"Home\""), (.draining, "draining", "clawradar connect \"Home\""),
    ])
    func aPairedGatewayThatIsNotReadyCannotBeUsed(_ readiness: Readiness, _ reason: String, _ command: String) {
        for state in [PairedState.connected, .paired] {
            let found = Diagnosis(Self.facts(Samples.status(state)) { $0.readiness = readiness }).findings
            #expect(found.map(\.cause) == [.notReady])
            #expect(found.first?.sentence == "It answers, and says that it is not ready: \(reason).")
            #expect(found.first?.command == command)
            #expect(found.first?.host == (command.hasPrefix("openclaw") ? .gateway : .here))
        }
    }

    @Test func whoIsOlderIsUpdated() {
        let newer = Samples.status(.refused, refusal: .protocolMismatch, expectedProtocol: 99)
        #expect(Diagnosis(Self.facts(newer)).findings[0].command == "clawradar --version")
        #expect(Diagnosis(Self.facts(newer)).findings[0].host == .here)
        let provider = Samples.status(.refused, refusal: .protocolMismatch, expectedProtocol: 2, dialect: .clawline)
        let finding = Diagnosis(Self.facts(provider)).findings[0]
        #expect(finding.cause == .protocolVersion && finding.command == "clawradar --version")
        #expect(finding.sentence == "Expected protocol 1, found protocol 2. Update required.")
        var place = PlaceFacts(
            Samples.home,
            sources: [.advertised],
            answer: .gateway(.clawline, isTLS: false, roundTrip: nil)
        )
        place.protocolVersion = 2
        let stranger = Diagnosis(DiagnosisFacts(word: "Claw", places: [place], now: 0)).findings
        #expect(stranger.map(\.cause) == [.protocolVersion] && stranger[0].sentence.contains("update required"))
        place.protocolVersion = 1
        #expect(Diagnosis(DiagnosisFacts(word: "Claw", places: [place], now: 0)).isHealthy)
        let older = Samples.status(.refused, refusal: .protocolMismatch, expectedProtocol: 2)
        #expect(Diagnosis(Self.facts(older)).findings[0].host == .gateway)
    }

    // MARK: More than one place

    /// A gateway that listens on IPv4 alone refuses at its link-local address, which is not what is wrong: the other one is
    /// told of, or both if nothing else is known.
    @Test func aLinkLocalAddressThatRefusesSaysNothing() {
        let linkLocal = PlaceFacts(
            Endpoint(address: IPAddress("fe80::1") ?? Samples.home.address, port: 3_000),
            sources: [.advertised],
            answer: .refused,
            neighbour: .known
        )
        let lan = PlaceFacts(Samples.home, sources: [.advertised], answer: .silent(.seconds(1)), neighbour: .known)
        let both = DiagnosisFacts(word: "Home", places: [linkLocal, lan], now: 0)
        #expect(Diagnosis(both).findings.map(\.cause) == [.filtered])
        #expect(
            Diagnosis(DiagnosisFacts(word: "Home", places: [linkLocal], now: 0)).findings.map(\.cause) == [.portClosed]
        )
    }

    /// A change of transport at the place of the pairing is said as such, with a command that works: pairing anew for one that
    /// has TLS by now, and a look at what answers for one that has lost it.
    @Test func aChangeOfTransportIsSaid() throws {
        let gained = Samples.status(.moved, "\(MoveReason.hasTLS): nothing is sent to it")
        let first = try #require(Diagnosis(Self.facts(gained)).findings.first)
        #expect(first.cause == .moved && first.command == "clawradar pair \"Home\"")
        #expect(first.sentence.contains("has TLS now"))
        let leaf = try #require(LeafFingerprint(bytes: Array(repeating: 7, count: 32)))
        let lost = try #require(Diagnosis(Self.facts(Samples.status(.moved, trust: .pinned(leaf)))).findings.first)
        #expect(lost.cause == .moved && lost.command == "clawradar probe \"10.0.0.2:3000\"")
        #expect(lost.sentence.contains("lost its TLS"))
    }

    /// Nor is it told of first where it does something else, such as drop what is sent.
    @Test func aLinkLocalAddressIsToldOfLast() {
        let places = [("fe80::1", PlaceAnswer.closed), ("10.0.0.2", .silent(.seconds(1)))].map { address, answer in
            PlaceFacts(Samples.endpoint(address), sources: [.advertised], answer: answer, neighbour: .known)
        }
        let found = Diagnosis(DiagnosisFacts(word: "Home", places: places, now: 0)).findings
        #expect(found.map(\.cause) == [.filtered, .closed])
    }

    /// A gateway that nobody advertises cannot be paired with by its name: the command names the place where it answers, or
    /// where it was.
    @Test func whatNobodyAdvertisesIsPairedByItsPlace() {
        var facts = Self.with(Self.facts(PairedStatus(revoked: Samples.binned, reason: "gone"))) {
            $0.isAdvertised = false
        }
        facts.places = []
        #expect(Diagnosis(facts).findings.map(\.command) == ["clawradar pair \"10.0.0.2:3000\""])
        facts.places = [PlaceFacts(Samples.endpoint("10.0.0.7"), sources: [.paired], answer: Samples.alive)]
        #expect(Diagnosis(facts).findings.map(\.command) == ["clawradar pair \"10.0.0.7:3000\""])
        facts.places[0].sources = [.typed]
        #expect(Diagnosis(facts).findings.map(\.command) == ["clawradar pair \"Home\""])
    }

    /// A path that refuses is no problem while another one answers, as with addresses that advertisements list in vain.
    @Test(arguments: [
        PlaceAnswer.refused, .unreachable, .silent(.seconds(1)), .notAllowed(.loopback), .hanging(.seconds(1)),
    ])
    func oneLivingWayIsEnough(_ dead: PlaceAnswer) {
        var facts = Self.healthy
        facts.places.insert(PlaceFacts(Samples.endpoint("10.0.0.1"), sources: [.advertised], answer: dead), at: 0)
        #expect(Diagnosis(facts).isHealthy)
        facts.pairing = Samples.status(.paired)
        facts.places[0].sources = [.paired]
        #expect(Diagnosis(facts).isHealthy)
    }

    @Test func eachCauseIsSaidOnceAndWhatWasTypedFirst() {
        let answers: [(String, PlaceFacts.Source, PlaceAnswer)] = [
            ("10.0.0.3", .paired, .closed), ("10.0.0.4", .advertised, .refused), ("10.0.0.5", .advertised, .refused),
            ("10.0.0.6", .typed, .hanging(.seconds(1))),
        ]
        let places = answers.map { PlaceFacts(Samples.endpoint($0.0), sources: [$0.1], answer: $0.2) }
        let found = Diagnosis(DiagnosisFacts(word: "Home", places: places, now: 0)).findings
        #expect(found.map(\.cause) == [.hanging, .portClosed, .closed])
        #expect(found[1].sentence.contains("10.0.0.4"))
    }

    /// A pairing that is judged not to be trusted now is the cause, whatever answers.
    @Test func aVerdictOnTrustComesFirst() {
        let facts = Self.facts(Samples.status(.moved)) { $0.places = [Samples.outside(.refused)] }
        #expect(Diagnosis(facts).findings.map(\.cause) == [.moved])
    }

    /// A gateway that is known by its certificate, and has moved, is paired with where it answers now: nothing else makes
    /// another place one of its own.
    @Test func aPinnedGatewayThatHasMovedIsPairedWithThere() throws {
        let leaf = try #require(LeafFingerprint(String(repeating: "5f", count: 32)))
        let alive = PlaceAnswer.gateway(.openAgents, isTLS: true, roundTrip: nil)
        func finding(_ places: [(String, PlaceAnswer)]) throws -> Finding {
            let facts = Self.facts(Samples.status(.moved, trust: .pinned(leaf), dialect: .openAgents)) { facts in
                facts.places[0].answer = .refused
                facts.places += places.map {
                    PlaceFacts(Samples.endpoint($0.0, port: 9_099), sources: [.advertised], answer: $0.1)
                }
            }
            let found = Diagnosis(facts).findings
            #expect(found.map(\.cause) == [.moved])
            return try #require(found.first)
        }
        let one = try finding([("10.0.0.8", .refused), ("10.0.0.9", alive)])
        #expect(one.command == "clawradar pair \"10.0.0.9:9099\"")
        #expect(one.sentence.hasSuffix("It answers at 10.0.0.9:9099: pair with it there."), "\(one.sentence)")
        let several = try finding([("10.0.0.7", alive), ("10.0.0.9", alive)])
        #expect(several.command == "clawradar pair \"10.0.0.7:9099\"")
        #expect(several.sentence.hasSuffix("10.0.0.7:9099, 10.0.0.9:9099: pair with the one that is yours."))
        #expect(try finding([("10.0.0.8", .refused)]).command == "clawradar scan --format json")
    }

    @Test func insideDeadIsAWayDeadToo() {
        let facts = Self.facts(Samples.status(.connected)) {
            $0.places[0].answer = .silent(.seconds(2))
            $0.places.append(Samples.outside(Samples.alive))
        }
        let found = Diagnosis(facts).findings
        #expect(found.map(\.cause) == [.wayDead])
        #expect(found[0].sentence.contains("not inside, at 10.0.0.2:3000: no answer in 2 s"))
    }

    @Test func aHealthyGatewaySaysWhatComesNext() {
        #expect(Diagnosis(Self.healthy).next == "clawradar pair \"Home\"")
        #expect(Diagnosis(Self.facts(Samples.status(.paired))).next == nil)
        var facts = Self.healthy
        facts.places[0].listeners = [Samples.endpoint("127.0.0.1")]
        #expect(Diagnosis(facts).notes.count == 1 && Diagnosis(facts).isHealthy)
    }

    @Test func theReportHasEverything() throws {
        let line = DiagnosisReport(Diagnosis(Self.facts(.refused))).line
        let json = try JSONValue(parsing: Array(line.utf8))
        #expect(json["healthy"]?.bool == false && json["gateway"]?.string == "\"Home\"")
        #expect(json["findings"]?.array?.first?["cause"]?.string == "port-closed")
        #expect(json["findings"]?.array?.first?["typedOn"]?.string == "gateway")
        #expect(json["places"]?.array?.first?["answer"]?.string == "connection refused")
        #expect(json["places"]?.array?.first?["sources"]?.array?.first?.string == "advertised")
        let healthy = try JSONValue(parsing: Array(DiagnosisReport(Diagnosis(Self.healthy)).line.utf8))
        #expect(healthy["places"]?.array?.first?["roundTripMs"]?.int == 2)
        #expect(healthy["next"]?.string == "clawradar pair \"Home\"")
        // It is shown as it was, whoever has made it.
        for facts in [Self.facts(.refused), Self.healthy] {
            let report = DiagnosisReport(Diagnosis(facts))
            #expect(try DiagnosisReport(report.json) == report)
        }
    }
}

extension StringProtocol {
    /// The text without the white space around it.
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
