import Foundation
import GatewayClient
import GatewayProtocol
import Glibc
import HostSystem
import Reports
import Testing

@testable import Agent

/// The messages that sinks are given, and what becomes of them.
@Suite struct SinkTests {
    /// Names that somebody on the network may choose.
    static let hostile = [
        "\u{1B}[2J\u{07}", "a\nBcc: x@y\r\n\r\n", "\u{202E}gpj.exe", "<b>&amp;</b>", "$(reboot)`reboot`; reboot",
        "{title}{text}", "@everyone <!channel> *b* [x](http://y)", String(repeating: "x", count: 65_536), "\"}],\"", "",
        "\u{0}",
    ]

    private static func message(_ name: String) -> WaitingMessage {
        var notice = Notice(.gone, [Notice.Subject(key: "k", name: name)], at: .now)
        notice.since = .now
        notice.reason = "connection refused"
        return WaitingMessage(notice)
    }

    private static func body(_ name: String, _ form: Webhook.Form) throws -> JSONValue {
        try JSONValue(parsing: WebhookBody(message(name), form, target: "/x/topic").bytes)
    }

    @Test(arguments: hostile)
    func everyBodyIsJSONWhoseTextsAreCleaned(name: String) throws {
        let template = Webhook.Form.template("{\"a\": \"{title}\", \"b\": [\"{text} {id}\"]}")
        for form in Webhook.Form.named.map(\.form) + [template] {
            let body = try Self.body(name, form)
            let text = String(decoding: body.encoded, as: UTF8.self)
            #expect(text.utf8.count < 4_096)
            #expect(!text.contains("\\n\\n") && !text.contains("\u{202E}") && !text.contains("\\u001b"))
        }
    }

    @Test func formsHaveWhatTheirServicesRead() throws {
        #expect(try Self.body("Home", .ntfy)["topic"]?.string == "topic")
        // The query can have the token of who sends it.
        #expect(WebhookBody(Self.message("Home"), .ntfy, target: "/x/topic?auth=b").target == "/x/?auth=b")
        #expect(WebhookBody(Self.message("Home"), .ntfy, target: "/topic").target == "/")
        #expect(try Self.body("Home", .ntfy)["title"]?.string == "Home is gone")
        #expect(try Self.body("<!channel>", .slack)["text"]?.string?.contains("&lt;!channel\u{200B}&gt;") == true)
        let discord = try Self.body("@everyone", .discord)
        #expect(discord["content"]?.string?.contains("\\@everyone") == true)
        #expect(discord["allowed_mentions"]?["parse"]?.array == [])
        #expect(try Self.body("Home", .homeAssistant)["kind"]?.string == "gone")
        // A name that looks like a name of the template is none.
        let filled = try Self.body("{text}", .template("[\"{title}\"]"))
        #expect(filled.array == ["{text} is gone"])
    }

    /// However many gateways it is about, and whatever they are called, it arrives with its texts.
    @Test func aLargeMessageIsNotBlank() throws {
        // The largest characters that are shown, and such as are escaped.
        for name in ["👨‍👩‍👧‍👦", "\\", "x"] {
            let subjects = (0..<1_000).map { number in
                let text = String(repeating: name, count: 300)
                return Notice.Subject(key: "\(number):\(text)", name: text)
            }
            let notice = Notice(.gone, subjects, at: .now)
            let message = WaitingMessage(notice)
            #expect(message.line.utf8.count <= 65_536)
            #expect(message.title == "1000 gateways are gone" && message.text.hasSuffix(" and 980 more."))
            let report = try JSONValue(parsing: Array(message.line.utf8))
            let listed = try #require(report["gateways"]?.array?.count)
            #expect(listed <= 100 && listed >= 20 && report["gatewaysLeftOut"]?.int == 1_000 - listed)
            let ntfy = try JSONValue(parsing: WebhookBody(message, .ntfy, target: "/topic").bytes)
            #expect(ntfy["message"]?.string.map { $0.utf8.count <= 3_900 } == true)
        }
    }

    @Test(arguments: hostile)
    func noNameBecomesAHeaderOfMail(name: String) {
        let text = String(decoding: MailText.bytes(Self.message(name), to: "me@example.org"), as: UTF8.self)
        let head = text.split(separator: "\n\n", maxSplits: 1)[0].split(separator: "\n")
        let names = head.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
        #expect(
            names == [
                "To", "Subject", "X-Clawradar-Id", "Auto-Submitted", "MIME-Version", "Content-Type",
                "Content-Transfer-Encoding",
            ]
        )
        #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
        #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 78 })
    }

    @Test(arguments: hostile)
    func whatOthersCanReadHasNoNames(name: String) {
        #expect(Self.message(name).publicTitle == "a gateway is gone")
    }

    /// A service that gives a meaning to marks, names and addresses finds none in what a gateway is called.
    @Test func noNameIsMarkupForAService() throws {
        let name = "@everyone <!channel> <@U1> [x](http://y) `z` *b*"
        let slack = try #require(try Self.body(name, .slack)["text"]?.string)
        // The title stands between the marks of the form itself.
        #expect(
            !slack.contains("<") && !slack.contains("://") && !slack.contains("@e") && slack.count { $0 == "*" } == 4
        )
        #expect(!slack.dropFirst().contains(/\*[a-z]/))
        let discord = try #require(try Self.body(name, .discord)["content"]?.string)
        #expect(!discord.contains(/[^\\][@<\[\]()`]/))
        #expect(!discord.contains("http://"))
        let ntfy = try Self.body(name, .ntfy)
        #expect(Set(try #require(ntfy.object).keys) == ["topic", "title", "message", "priority"])
    }

    /// The desktop reads markup, and every user of the host reads the arguments of its program.
    @Test(arguments: hostile)
    func noNameIsInAnArgument(name: String) {
        #expect(SinkDelivery.desktop(Self.message(name)) == SinkDelivery.desktop(Self.message("Home")))
    }

    /// A program is given the same arguments and the same environment, whatever a gateway is called, and one line of JSON.
    @Test(arguments: hostile)
    func aProgramGetsNamesOnItsInputAlone(name: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "clawradar-sink-\(UUID())").path
        defer { for end in ["", ".env"] { try? FileManager.default.removeItem(atPath: file + end) } }
        let script = "printf '%s\\n' \"$#\" \"$@\" >\(file).env; env | sort >>\(file).env; cat >\(file)"
        let sink = NoticeSink(name: "file", channel: .exec(["/bin/sh", "-c", script, "sh", "own"]))
        func give(_ message: WaitingMessage) async throws -> (input: String, environment: String) {
            guard case .delivered = await SinkDelivery.deliver(message, to: sink) else {
                throw POSIXError(.EIO)
            }
            return (
                try String(contentsOfFile: file, encoding: .utf8),
                try String(contentsOfFile: file + ".env", encoding: .utf8)
            )
        }
        let message = Self.message(name)
        let (input, environment) = try await give(message)
        #expect(input == message.line && input.split(separator: "\n").count == 1)
        #expect(input.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 } && input.utf8.count <= 65_536)
        _ = try JSONValue(parsing: Array(input.utf8))
        #expect(environment.hasPrefix("1\nown\n"))
        #expect(environment == (try await give(Self.message("Home")).environment))
    }

    @Test func answersAreJudged() {
        func outcome(_ status: Int, _ pause: Int? = nil) -> SinkOutcome {
            WebhookCall.outcome(
                WebReply(status: status, retryAfter: pause.map(String.init), body: Array("x\u{1B}y\nz".utf8))
            )
        }
        #expect(outcome(204) == .delivered("it answers with 204: x\u{FFFD}y"))
        #expect(outcome(400) == .refused("it answers with 400: x\u{FFFD}y"))
        #expect(outcome(429, 30) == .failed("it answers with 429: x\u{FFFD}y", retryAfter: .seconds(30)))
        #expect(outcome(503, 1 << 40) == .failed("it answers with 503: x\u{FFFD}y", retryAfter: .seconds(3_600)))
        guard case .failed(let reason, _) = outcome(302) else { return #expect(Bool(false), "a redirect was taken") }
        #expect(reason.contains("A redirect is not followed"))
    }

    // MARK: Programs

    private static func run(
        _ command: [String],
        _ input: String = "",
        _ timeout: Duration = .seconds(20)
    ) -> (
        ProgramRun.End, String
    ) {
        let (end, output) = ProgramRun(command, input: Array(input.utf8), timeout: timeout).run()
        return (end, String(decoding: output, as: UTF8.self))
    }

    @Test func aProgramGetsItsInputAndNoMore() {
        let (end, output) = Self.run(["/bin/sh", "-c", "cat; echo $#; ls /proc/self/fd | wc -l"], "{\"a\": 1}\n")
        #expect(end == .exit(0))
        // Its three descriptors, and that of the folder that is read.
        #expect(output.split(whereSeparator: \.isWhitespace).suffix(2) == ["0", "4"])
        #expect(output.hasPrefix("{\"a\": 1}\n"))
        #expect(Self.run(["/bin/sh", "-c", "exit 3"]).0 == .exit(3))
        #expect(Self.run(["/bin/sh", "-c", "kill -9 $$"]).0 == .signal(9))
        guard case .failed = Self.run(["/nonexistent"]).0 else { return #expect(Bool(false), "it has run") }
    }

    @Test func aProgramIsBounded() {
        let start = ContinuousClock.now
        #expect(Self.run(["/bin/sh", "-c", "yes; sleep 100"], "", .milliseconds(300)).0 == .timedOut)
        let (end, output) = Self.run(["/bin/sh", "-c", "yes | head -c 100000"])
        #expect(end == .exit(0) && output.utf8.count == 4_096)
        // One that closes its output, and goes on.
        #expect(Self.run(["/bin/sh", "-c", "exec >&- 2>&-; sleep 100"], "", .milliseconds(300)).0 == .timedOut)
        // One that leaves another behind, which has its output: its own end counts.
        let left = Self.run(["/bin/sh", "-c", "echo $$; sleep 100 & echo $!"])
        #expect(left.0 == .exit(0))
        let numbers = left.1.split(separator: "\n").compactMap { pid_t($0) }
        #expect(numbers.count == 2)
        for number in numbers.dropFirst() { kill(number, SIGKILL) }
        #expect(ContinuousClock.now - start < .seconds(20))
        // One for which nobody waits any more.
        #expect(ProgramRun(["/bin/true"], input: [], timeout: .seconds(20)).run { true }.end == .stopped)
        let stopped = ProgramRun(["/bin/sh", "-c", "echo begun; exec sleep 100"], input: [], timeout: .seconds(60))
        var looks = 0
        let cut = stopped.run {
            looks += 1
            return looks > 2
        }
        #expect(cut.end == .stopped && String(decoding: cut.output, as: UTF8.self) == "begun\n")
        // One that never reads its input.
        #expect(Self.run(["/bin/true"], String(repeating: "x", count: 200_000)).0 == .exit(0))
    }
}
