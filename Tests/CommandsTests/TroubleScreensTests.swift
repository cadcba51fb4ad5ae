import Constellation
import DNSSD
import GatewayProtocol
import Notices
import PairedFacts
import Reports
import Testing

@testable import Commands
@testable import PairingStore

/// What helps in trouble is read whole on every terminal: no command, time or reason is cut. A command that is cut cannot be
/// copied, and half a reason sends people the wrong way.
@Suite struct TroubleScreensTests {
    private static let widths = [40, 60, 80, 120]
    private static let time = Timestamp("2026-11-26T12:00:00.000Z")!
    private static let command = "clawradar trust 1a2b3c4d --trust address"
    private static let reason =
        "it is at another address than at pairing, 192.168.100.200:18789: nothing is sent to it. To accept it: \(command)"
    private static let address = "[fe80::aaaa:bbbb:cccc:dddd%wlp0s20f3]:18789"

    /// Checks that a screen contains texts whole, whatever lines they take, and commands in one line each.
    private static func check(
        _ screen: String,
        _ width: Int,
        whole texts: [String],
        commands: [String] = [command],
        isLive: Bool = false
    ) {
        func bare(_ text: String) -> String { text.filter { !$0.isWhitespace } }
        for text in texts { #expect(bare(screen).contains(bare(text)), "\(width): \(text) in\n\(screen)") }
        let lines = screen.split(separator: "\n").map(String.init)
        for command in commands {
            if isLive, command.count + 4 > width { continue }
            #expect(lines.contains { $0.contains(command) }, "\(width): \(command) in\n\(screen)")
        }
        // A column of times is there or not, and its times are whole.
        #expect(screen.firstMatch(of: /20\d\d[\-0-9: ]*…|\d\d:\d\d[\d:]*…|[\d.]+ ?m?…/) == nil, "\(width):\n\(screen)")
        for line in lines where !commands.contains(where: line.contains) {
            #expect(DisplayWidth.of(line) <= width, "\(width): \(line)")
        }
    }

    @Test(arguments: widths) func status(width: Int) {
        let row = StatusRow(
            name: "Home Gateway in the attic",
            state: .moved,
            since: Self.time,
            path: Self.address,
            reason: Self.reason,
            holder: "clawradar 123456"
        )
        Self.check(StatusTable.text([row], width: width), width, whole: [Self.reason])
    }

    /// Everything that `status` can show at once.
    @Test(arguments: widths) func glance(width: Int) {
        let doctor = "clawradar doctor \"Home Gateway in the attic\""
        let part = "phone: the server says 403, which is no success, since 2026-11-26 12:00"
        var document = StatusDocument(
            gateways: [
                .object([
                    "name": "Home Gateway in the attic", "state": "away", "since": .string("\(Self.time)"),
                    "path": .string(Self.address), "command": .string(doctor),
                ]),
                .object([
                    "name": "Studio", "state": "moved", "reason": .string(Self.reason),
                    "command": .string(Self.command),
                ]),
            ],
            unpaired: [.object(["name": "A gateway of somebody else", "liveness": "answering"])],
            waiting: [
                .object(["name": "Studio", "request": .object(["id": "1b4e0f3c", "name": "iPad", "deviceID": "x"])])
            ]
        )
        document.agent = .object([
            "parts": .array([
                .object([
                    "name": "notices", "state": "impaired", "reason": .string(part), "since": .string("\(Self.time)"),
                ])
            ])
        ])
        document.silence = ["nothing is told of Home Gateway in the attic until 2026-11-26 14:00"]
        let reason = "no answer at \(Self.address), and the host is there"
        document.outage = GatewayHistory.Outage(
            key: "a",
            name: "Home Gateway in the attic",
            began: Self.time,
            ended: nil,
            reason: reason
        )
        let now = Self.time.advanced(by: .seconds(3 * 3_600))
        Self.check(
            StatusScreen.text(document, at: now, width: width),
            width,
            whole: [
                Self.reason, part, reason, "it was connected last 3 h ago", "and it lasts, for 3 h",
                document.silence[0],
                "“iPad” waits for approval",
            ],
            commands: [
                doctor, Self.command, "clawradar notify test", "clawradar approve 1b4e0f3c", "clawradar history",
            ]
        )
        document.agent = nil
        let alone = StatusScreen.text(document, at: now, width: width)
        Self.check(alone, width, whole: ["nothing tells you when a gateway is away"], commands: [doctor, Self.command])
        document.absence = .notAsked
        let asked = StatusScreen.text(document, at: now, width: width)
        Self.check(asked, width, whole: [], commands: [doctor, Self.command, "clawradar agent status"])
    }

    @Test(arguments: widths, [false, true]) func sessions(width: Int, isLive: Bool) {
        let session = ShownSession(
            id: "x",
            pairing: "1a2b3c4d5e6f",
            gateway: "fingerprint:abc",
            name: "Home Gateway in the attic",
            bots: [],
            state: .moved,
            reason: "it is at another address than at pairing, and nothing is sent to it",
            remedy: .acceptAddress,
            since: .now
        )
        let style = Style(isOn: false)
        let lines =
            isLive
            ? SessionTable.picture([session], width: width, height: 100, style: style)
            : SessionTable.lines([session], width: width, style: style)
        let whole = session.text.map { [$0] } ?? []
        #expect(whole.count == 1)
        Self.check(lines.joined(separator: "\n"), width, whole: whole, isLive: isLive)
    }

    @Test(arguments: widths) func agent(width: Int) {
        let restart = "systemctl --user restart clawradar-agent"
        let reason = "expected a socket in /run/user/1000, found none: \(restart)"
        let part: JSONValue = .object([
            "name": .string("sink phone"), "state": .string("unavailable"), "since": .string("\(Self.time)"),
            "reason": .string("\(reason). \(Self.reason)"),
        ])
        let text = AgentTable.text(.object(["parts": .array([part])]), width: width)
        Self.check(text, width, whole: [reason, Self.reason], commands: [restart, Self.command])
    }

    @Test(arguments: widths) func history(width: Int) {
        let outage = GatewayHistory.Outage(
            key: "aaaa1",
            name: "Home Gateway in the attic",
            began: Self.time,
            ended: nil,
            reason: "no answer at \(Self.address), and the host is there",
            ways: [.lanIPv4, .tailnet]
        )
        let history = GatewayHistory(
            since: Self.time,
            until: Self.time,
            alive: Self.time,
            gateways: [GatewayHistory.Gateway(key: "aaaa1", name: "Home Gateway in the attic", since: Self.time)],
            outages: [outage],
            transitions: [],
            unknown: []
        )
        let text = HistoryTable.text(history, width: width)
        Self.check(text, width, whole: outage.reason.map { [$0] } ?? [], commands: [])
        #expect(text.contains("2026-11-26"))
    }

    @Test(arguments: widths) func bin(width: Int) throws {
        let pairing = try Pairings.pairing("Home Gateway in the attic", id: "a", at: "fe80::aaaa:bbbb:cccc:dddd")
        let word = "not-paired: the operator has removed this device"
        let item = BinnedPairing(
            pairing: pairing,
            reason: .revoked(word),
            time: Self.time.milliseconds,
            isWhole: true
        )
        let text = PairingTable.text([item], width: width)
        Self.check(text, width, whole: ["revoked by the gateway: \(DisplayText(word, limit: 48))"], commands: [])
        #expect(text.contains("2026-12-26"), "\(text)")
    }

    @Test(arguments: widths) func scan(width: Int) throws {
        let reason = "it says that it is “Studio”, which is at \(Self.address): \(Self.command)"
        let row = OtherRow(name: "Printer on the second floor", address: Self.address, type: "_x._tcp", reason: reason)
        let text = GatewayTable.text([], [row], width: width, style: Style(isOn: false))
        Self.check(text, width, whole: [reason])
    }

    @Test(arguments: widths) func bots(width: Int) throws {
        let row = BotTableRow(
            name: "Jarvis the butler",
            emoji: nil,
            gateway: "Home Gateway in the attic",
            state: .gone,
            botState: .paired,
            trust: try Pairings.pairing("Home", id: "a").trust,
            path: Self.address,
            roundTrip: .milliseconds(12_345),
            isHere: false,
            lastSeen: Self.time
        )
        Self.check(BotTable.text([row], width: width), width, whole: [], commands: [])
    }

    /// Below a live table stand the devices that wait, each with its command.
    @Test(arguments: widths) func footer(width: Int) {
        let command = "clawradar approve 1b4e0f3c"
        let note = "! Home Gateway  “Kitchen iPad” waits for approval, 2 s: it asks for operator.read  (\(command))"
        let caption = LiveTableCaption(
            status: ["browsing with avahi-daemon"],
            lastChange: "14:03:09",
            style: Style(isOn: false),
            notes: [note]
        )
        let lines = caption.footer("3 gateways answer · changed 14:03:09 · Ctrl-C ends", width: width)
        let whole = [note, "3 gateways answer · changed 14:03:09 · Ctrl-C ends"]
        Self.check(lines.joined(separator: "\n"), width, whole: whole, commands: [command], isLive: true)
    }

    /// At every width, what was written is there, in its order, and a command is on one line.
    @Test(arguments: 20...130) func wrappedTextIsWhole(width: Int) {
        let quoted = "clawradar pair 'Home, sweet; home.'"
        let texts = [
            Self.reason, "try `\(quoted)`, or ask again.", "\(quoted). Then look", "x (\(quoted))",
            String(repeating: "漢字", count: 50), "a", "",
        ]
        for text in texts {
            let lines = WrappedText.lines(text, width: width)
            let live = WrappedText.lines(text, width: width, isLive: true)
            for found in [lines, live] {
                let bare = found.joined().filter { !$0.isWhitespace }
                #expect(bare == text.filter { !$0.isWhitespace }, "\(found)")
            }
            #expect(live.allSatisfy { DisplayWidth.of($0) <= width }, "\(live)")
            for command in [Self.command, quoted] where text.contains(command) && width >= 40 {
                #expect(lines.contains { $0.contains(command) }, "\(lines)")
            }
        }
    }
}
