import DNSSD
import GatewayProtocol
import GatewaySamples
import Reports
import Scanning
import Testing

@testable import Agent
@testable import Commands
@testable import Console
@testable import Pairing

/// A gateway in trouble, as its names and reasons can be.
struct Trouble: Sendable, CustomTestStringConvertible {
    static let time = Timestamp("2026-11-26T12:00:00.000Z")!
    static let address = "[fe80::aaaa:bbbb:cccc:dddd%wlp0s20f3]:18789"
    static let digest = String(repeating: "5f", count: 32)
    static let all = [
        Trouble(name: "Home Gateway in the attic", details: "nothing is sent to it", command: "clawradar doctor Attic"),
        Trouble(
            name: String(repeating: "漢字🤖", count: 20),
            details: String(repeating: "漢字", count: 60),
            command: "clawradar pair \"漢字🤖 in the attic of the summer house\" --as-admin --trust address --timeout 2m"
        ),
        Trouble(
            name: "Attic\u{1B}[H\r\nEvil\u{202E}\u{200B}, " + String(repeating: "e\u{301}", count: 60),
            details: "\u{1B}[2J\r\n14:03:09 + Attic\u{202E} " + String(repeating: "x", count: 200),
            command: "clawradar trust 1a2b3c4d --trust address"
        ),
    ]

    let name: String
    let details: String
    let command: String

    /// The reason, with a command in it.
    var reason: String {
        "it was at \(Self.address) at pairing, and is not now: \(details). To accept it: \(command). Nothing else helps"
    }

    var testDescription: String { DisplayText(name, limit: 8).text }
}

/// The text that one verb prints in trouble.
struct TroubleScreen {
    let verb: String

    /// The texts that stand there whole, on however many lines.
    var whole: [String] = []

    /// The commands, addresses and digests that stand there in one piece.
    var pieces: [String] = []

    /// Indicates whether it is a picture, in which no line is too long.
    var isLive = false

    let text: (_ width: Int) -> String
}

extension Trouble {
    private static let plain = Style(isOn: false)
    private static let gone = "2026-11-26 "

    /// Returns the screens of all verbs that have a table or a picture.
    func screens() throws -> [TroubleScreen] {
        [try scan(), try services(), try watch(), try watchedServices(), status(), session(isLive: false)]
            + [
                session(isLive: true), agent(), try bots(), history(), try approvals(), probe(), doctor(),
                try healthy(),
            ]
            + [try pairings(), try bin(), try aliases(), device(), mutes(), config(), notify()]
    }

    private func scan() throws -> TroubleScreen {
        let gateway = GatewayRow(
            name: DisplayText(name, limit: 64).text,
            state: "suspect: floods",
            liveness: .suspect,
            time: "12345.6 ms",
            dialect: "openagents",
            address: "\(Self.address) TLS",
            fingerprint: Self.digest,
            bots: [DisplayText(name, limit: 64).text + " (busy, gone)", "Jarvis"],
            remarks: [DisplayText(sentence: reason).text, GatewayFlag.changedLeaf.text]
        )
        let why = DisplayText(sentence: reason).text
        let other = OtherRow(name: gateway.name, address: Self.address, type: "_openclaw-gw._tcp", reason: why)
        return TroubleScreen(verb: "scan", whole: [reason, "(busy, gone)", "\(Self.address) TLS"], pieces: [command]) {
            GatewayTable.text([gateway], [other], width: $0, style: Self.plain)
        }
    }

    private func services() throws -> TroubleScreen {
        let names = [try Fixture.service(name: String(name.prefix(10)), resolution: .failed(reason: reason))]
        return TroubleScreen(verb: "scan --no-probe", whole: [reason], pieces: [command]) {
            ScanTable.text(names, width: $0)
        }
    }

    /// The lines around a live table, in trouble.
    private var caption: LiveTableCaption {
        let trouble = BackendCondition(
            source: .avahi,
            status: .unavailable(BackendError(.noDaemon, reason)),
            warnings: [BackendWarning(.cacheNearlyFull, reason)]
        )
        let waits = "! Attic  “iPad” waits for approval, 2 s: it asks for operator.read  (clawradar approve 1b4e0f3c)"
        return LiveTableCaption(status: trouble.lines, lastChange: "14:03:09", style: Self.plain, notes: [waits])
    }

    private func watch() throws -> TroubleScreen {
        let answer = Rows.gateway(fingerprint: "fp", name: name, bots: Rows.bots([name, "Jarvis"]))
        let foreign = ProbeOutcome.somethingElse(ForeignAnswer(summary: details, bytes: Array(details.utf8)))
        var (model, map) = (GatewayTableModel(), BotMap())
        for event: BotMapEvent in [
            .endpointAdded(Rows.endpoint(), .local), .probed(Rows.endpoint(), answer), .flooding(Rows.endpoint(), true),
            .endpointAdded(Rows.endpoint(3), .local), .probed(Rows.endpoint(3), foreign),
        ] {
            for change in map.apply(event) { model.apply(change, now: .now) }
        }
        let reasons = model.present.filter { !$0.isGateway }.map(\.reasonForNoGateway)
        #expect(reasons.count == 1)
        let caption = caption
        return TroubleScreen(
            verb: "watch",
            whole: [reason, "changed 14:03:09", caption.notes[0]] + reasons,
            pieces: [command, "clawradar approve 1b4e0f3c"],
            isLive: true
        ) {
            GatewayTableView(model: model, caption: caption).lines(Terminal(columns: $0, rows: 200))
                .joined(separator: "\n")
        }
    }

    private func watchedServices() throws -> TroubleScreen {
        var model = ServiceTableModel()
        let services = [try Fixture.service(), try Fixture.service(name: String(name.prefix(10)))]
        for service in services { model.apply(.found(service), now: .now) }
        model.apply(.lost(services[0], .missingAfterRestart), now: .now)
        let (shown, caption) = (model, caption)
        return TroubleScreen(
            verb: "watch --no-probe",
            whole: [reason, LossReason.missingAfterRestart.text, "last change 14:03:09"],
            pieces: [command],
            isLive: true
        ) {
            ServiceTableView(model: shown, caption: caption).lines(Terminal(columns: $0, rows: 200))
                .joined(separator: "\n")
        }
    }

    /// Everything that `status` can show at once.
    private func status() -> TroubleScreen {
        let part = "phone: the server says 403, which is no success, since 2026-11-26 12:00"
        let request = JSONValue.object(["id": "1b4e0f3c", "name": .string(name), "deviceID": "x"])
        var document = StatusDocument(
            gateways: [
                .object([
                    "name": .string(name), "state": "away", "since": .string("\(Self.time)"),
                    "path": .string(Self.address), "command": .string(command),
                    "heldBy": .object(["program": .string(name), "process": 123_456]),
                ]), .object(["name": "Studio", "state": "changed-certificate", "reason": .string(reason)]),
                .object([
                    "name": .string(name), "state": "waiting", "readiness": "not", "readinessReason": .string(details),
                ]),
            ],
            unpaired: [.object(["name": .string(name), "liveness": "answering"])],
            waiting: [.object(["name": "Studio", "request": request])]
        )
        let notices = JSONValue.object([
            "name": "notices", "state": "impaired", "reason": .string(part), "since": .string("\(Self.time)"),
        ])
        document.agent = .object(["version": "1.0", "process": 4_711, "parts": .array([notices])])
        document.silence = ["nothing is told of \(DisplayText(name, limit: 64)) until 2026-11-26 14:00"]
        document.outage = outage
        let (shown, now) = (document, Self.time.advanced(by: .seconds(3 * 3_600)))
        return TroubleScreen(
            verb: "status",
            whole: [reason, details, part, "it was connected last 3 h ago", "and it lasts, for 3 h"] + document.silence,
            pieces: [command, "clawradar notify test", "clawradar approve 1b4e0f3c", "clawradar history"]
        ) { StatusScreen.text(shown, at: now, width: $0) }
    }

    private func session(isLive: Bool) -> TroubleScreen {
        let session = ShownSession(
            id: "x",
            pairing: "1a2b3c4d5e6f",
            gateway: "fingerprint:abc",
            name: name,
            bots: [],
            state: .changedLeaf,
            reason: reason,
            remedy: .acceptAddress,
            path: Self.address,
            latency: .milliseconds(12_345),
            since: .now
        )
        let whole = [reason, session.text ?? "", Self.address]
        return TroubleScreen(verb: "connect", whole: whole, pieces: [command], isLive: isLive) { width in
            let lines =
                isLive
                ? SessionTable.picture([session], width: width, height: 100, style: Self.plain)
                : SessionTable.lines([session], width: width, style: Self.plain)
            return lines.joined(separator: "\n")
        }
    }

    private func agent() -> TroubleScreen {
        let restart = "systemctl --user restart clawradar-agent"
        let why = "expected a socket in /run/user/1000, found none: \(restart). \(reason)"
        let part = JSONValue.object([
            "name": "sink phone", "state": "unavailable", "since": .string("\(Self.time)"), "reason": .string(why),
        ])
        let agent = JSONValue.object([
            "version": .string(name), "process": 123_456, "parts": .array([part]),
        ])
        return TroubleScreen(verb: "agent status", whole: [why, Self.gone], pieces: [restart, command]) {
            AgentTable.text(agent, width: $0)
        }
    }

    private func bots() throws -> TroubleScreen {
        let row = BotTableRow(
            name: name,
            emoji: "🤖",
            gateway: name,
            state: .gone,
            botState: .paired,
            trust: try Pairings.pairing("Home", id: "a").trust,
            path: Self.address,
            roundTrip: .milliseconds(12_345),
            isHere: false,
            lastSeen: Self.time
        )
        return TroubleScreen(verb: "bots") { BotTable.text([row], width: $0) }
    }

    private var outage: GatewayHistory.Outage {
        let ways: [Way] = [.lanIPv4, .tailnet]
        return GatewayHistory.Outage(key: "k", name: name, began: Self.time, ended: nil, reason: reason, ways: ways)
    }

    private func history() -> TroubleScreen {
        let change = GatewayHistory.Transition(key: "k", name: name, time: Self.time, kind: .revoked, way: nil)
        let unknown = GatewayHistory.Unknown(key: nil, began: Self.time, ended: Self.time, reason: details)
        let history = GatewayHistory(
            since: Self.time,
            until: Self.time,
            alive: Self.time,
            gateways: [GatewayHistory.Gateway(key: "k", name: name, since: Self.time)],
            outages: [outage],
            transitions: [change],
            unknown: [unknown]
        )
        return TroubleScreen(verb: "history", whole: [reason, details, Self.gone], pieces: [command]) {
            HistoryTable.text(history, width: $0)
        }
    }

    private func approvals() throws -> TroubleScreen {
        let id = "7a9619ff-8b86-4d01-b42d-00cf4fc964f1"
        let address = "fe80::aaaa:bbbb:cccc:dddd%wlp0s20f3"
        var pairing = try Pairings.pairing(name, id: "a")
        pairing.dialect = .openClaw
        pairing.credentials[0].scopes = ["operator.read", "operator.pairing"]
        let scope = "operator.approvals-of-other-devices-and-nodes"
        let requests: [[String: JSONValue]] = [
            [
                "requestId": .string(id), "displayName": .string(name), "role": "operator",
                "scopes": .array([.string(scope), "operator.talk.secrets"]),
            ],
            [
                "requestId": .string(id + "-2"), "nodeId": "n", "displayName": .string(name),
                "platform": "ios of a tablet in the kitchen", "version": "26.1", "remoteIp": .string(address),
            ],
        ]
        let list = try DeviceRequestList(json: .object(["pending": .array(requests.map(JSONValue.object))]))
        let reports = list.requests.map { DeviceRequestReport($0, at: pairing) }
        return TroubleScreen(
            verb: "approvals",
            whole: [scope, "operator.talk.secrets", "from \(address)"],
            pieces: [id]
        ) {
            ApprovalText.table(reports, at: 0, width: $0)
        }
    }

    private func probe() -> TroubleScreen {
        let report = GatewayProbeReport(
            verdict: .other(ForeignAnswer(summary: "a web server", bytes: Array(details.utf8))),
            path: GatewayProbePath(endpoint: Rows.endpoint(), leaf: LeafFingerprint(Self.digest)),
            steps: [
                GatewayProbeStep(
                    kind: .webSocket,
                    endpoint: Rows.endpoint(),
                    question: "upgrade /, gateway.discover",
                    result: "no WebSocket: status 401, with a certificate for another name than that of the gateway",
                    elapsed: .milliseconds(12_345),
                    succeeded: false
                )
            ],
            elapsed: .milliseconds(12_345)
        )
        let whole = report.steps.map(\.result.text) + [TimeText.milliseconds(report.elapsed)]
        return TroubleScreen(verb: "probe", whole: whole, pieces: [Self.digest]) {
            ProbeTable.text(report, width: $0)
        }
    }

    private func doctor() -> TroubleScreen {
        let diagnosis = Diagnosis(DiagnosisFacts(word: nil, obstacles: [details], now: 0))
        #expect(!diagnosis.findings.isEmpty)
        let (sentences, commands) = (diagnosis.findings.map(\.sentence), diagnosis.findings.map(\.command))
        return TroubleScreen(verb: "doctor", whole: sentences, pieces: commands) {
            DiagnosisText.text(DiagnosisReport(diagnosis), width: $0)
        }
    }

    private func healthy() throws -> TroubleScreen {
        let address = try #require(IPAddress("fe80::aaaa:bbbb:cccc:dddd"))
        let answer = PlaceAnswer.gateway(.openClaw, isTLS: true, roundTrip: .milliseconds(12_345))
        let sources = Set(PlaceFacts.Source.allCases)
        let place = PlaceFacts(Endpoint(address: address, port: 18_789), sources: sources, answer: answer)
        let word = "\"Home Gateway in the attic of the summer house\""
        let diagnosis = Diagnosis(DiagnosisFacts(word: word, places: [place], now: 0))
        #expect(diagnosis.isHealthy && diagnosis.next != nil)
        let pieces = [diagnosis.next].compactMap(\.self)
        return TroubleScreen(verb: "doctor", whole: ["\(place.endpoint)", "12345.0 ms"], pieces: pieces) {
            DiagnosisText.text(DiagnosisReport(diagnosis), width: $0)
        }
    }

    private func pairings() throws -> TroubleScreen {
        let url = "wss://\(String(repeating: "a", count: 60)).elsewhere.example/gw"
        var pairing = try Pairings.pairing(name, id: "a", bots: [("bot-a", name), ("bot-b", "Jarvis")])
        pairing.remoteURL = url
        let shown = pairing
        return TroubleScreen(verb: "pairings", whole: ["outside this network: \(url)"], pieces: [url]) {
            PairingTable.text([shown], width: $0)
        }
    }

    private func bin() throws -> TroubleScreen {
        var pairing = try Pairings.pairing(name, id: "a")
        pairing.dialect = .openClaw
        pairing.operatorTool = .clawdbot
        pairing.credentials = [StoredCredential(bots: [], createdAt: 0, deviceID: Self.digest)]
        let removal = try #require(pairing.removingCommand)
        let items = [BinReason.unpaired(withdrawnThere: false), .revoked(reason)].map {
            BinnedPairing(pairing: pairing, reason: $0, time: Self.time.milliseconds, isWhole: true)
        }
        let whole = ["revoked by the gateway: \(DisplayText(sentence: reason))", "2026-12-26 "]
        return TroubleScreen(verb: "pairings --bin", whole: whole, pieces: [removal, command]) {
            PairingTable.text(items, width: $0)
        }
    }

    private func aliases() throws -> TroubleScreen {
        let alias = GatewayAlias(gatewayID: Self.digest, fingerprint: nil, leaf: nil, name: name)
        return TroubleScreen(verb: "alias", pieces: [Self.digest]) {
            AliasCommand.table([alias], among: [], width: $0)
        }
    }

    private func device() -> TroubleScreen {
        let device = DeviceIdentity(
            id: "7a9619ff-8b86-4d01-b42d-00cf4fc964f1",
            name: name,
            emoji: "🤖",
            platform: "linux",
            publicKey: [],
            privateKey: nil,
            sealed: nil
        )
        var report = DeviceReport(device, openClawID: Self.digest)
        report.lastActive = Self.time
        return TroubleScreen(verb: "device", whole: ["last active  2026-11-26 "], pieces: [device.id, Self.digest]) {
            [report] in DeviceCommand.text(report, width: $0)
        }
    }

    private func mutes() -> TroubleScreen {
        let hours = QuietHours("22:00-07:00")
        let now = Moment(instant: .now, time: Self.time, minuteOfDay: 23 * 60)
        let lines = SilenceText.lines(hours, muted: [(name, Self.time)], at: now)
        return TroubleScreen(verb: "mute", whole: lines) { SilenceText.text(lines, width: $0) }
    }

    private func config() -> TroubleScreen {
        let path = "/home/me/.config/clawradar/config.yaml, line 12"
        let rows = [
            ["metrics-file", "/var/lib/node_exporter/of/this/host/clawradar.prom", path], ["types", "-", "-"],
        ]
        return TroubleScreen(verb: "config", whole: [rows[0][1], path]) { SettingsTable.text(rows: rows, width: $0) }
    }

    private func notify() -> TroubleScreen {
        TroubleScreen(verb: "notify test", whole: [reason], pieces: [command]) {
            NotifyTestCommand.text("phone", "not taken: \(reason)", width: $0)
        }
    }
}
