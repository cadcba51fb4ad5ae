import Foundation
import Glibc
import Testing

extension LabTests {
    /// Pairing with real gateways by requests to an agent, beside which terminal and agent go on as before.
    @Suite struct AgentPairingLabTests {
        /// A document of a pairing, as far as it matters here.
        private struct Document: Decodable, Equatable {
            struct Question: Decodable, Equatable {
                let number: Int
                let kind: String
                var trust: [String]?
                var kinds: [String]?
            }
            struct Offer: Decodable, Equatable {
                let name: String
                let leafSha256: String?
            }
            let id: String
            let state: String
            let question: Question?
            let offer: Offer?
            let pairing: String?
            let reason: String?
        }

        /// An agent with a store of its own, and whoever asks it.
        private struct Scene {
            let socket: String
            let device: LabDevice
            let agent: LabProcess
            let folder: ScratchFolder

            init() async throws {
                folder = try ScratchFolder()
                device = try LabDevice(
                    on: try await LabHost("h1", .avahi),
                    environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
                )
                agent = try Lab.start(on: "h1", device.command(["agent"]))
                socket = "\(folder.path("run"))/clawradar/agent.sock"
                try await AgentLabTests.waitForSocket(socket, agent)
            }

            /// Sends a request, and returns its status and its answer. The body goes in by standard input, as a secret does.
            func ask(_ method: String, _ path: String, _ body: String? = nil) async throws -> (Int, Data, String) {
                var command = [
                    "curl", "--silent", "--show-error", "--include", "--max-time", "10", "--unix-socket", socket,
                    "--request", method, "http://localhost/api/v1/\(path)",
                ]
                if let body {
                    let file = folder.path("body")
                    try body.write(toFile: file, atomically: true, encoding: .utf8)
                    command += ["--data-binary", "@\(file)"]
                }
                let result = try await Lab.run(on: "h1", command)
                let parts = result.output.components(separatedBy: "\r\n\r\n")
                let head = try #require(parts.first, "\(result.errors)")
                let status = try #require(head.split(separator: " ").dropFirst().first.flatMap { Int($0) }, "\(head)")
                return (status, Data((parts.dropFirst().last ?? "").utf8), head)
            }

            func begin(_ body: String) async throws -> Document {
                // The store is open a moment after the socket is there.
                var patience = Patience(.seconds(10))
                while true {
                    let (status, text, head) = try await ask("POST", "pair", body)
                    if status == 503, patience.isLeft() {
                        try await Task.sleep(for: patience.step)
                        continue
                    }
                    try #require(status == 201, "\(String(decoding: text, as: UTF8.self))")
                    let document = try JSONDecoder().decode(Document.self, from: text)
                    #expect(head.lowercased().contains("location: /api/v1/pair/\(document.id)"), "\(head)")
                    return document
                }
            }

            func wait(_ id: String, until isIt: (Document) -> Bool) async throws -> Document {
                var patience = Patience(.seconds(20))
                while true {
                    let (status, text, _) = try await ask("GET", "pair/\(id)")
                    try #require(status == 200)
                    let document = try JSONDecoder().decode(Document.self, from: text)
                    if isIt(document) { return document }
                    guard patience.isLeft() else { throw LabProcess.TimedOut(description: "pairing: \(document)") }
                    try await Task.sleep(for: patience.step)
                }
            }

            func reply(_ id: String, _ body: String) async throws -> Int {
                try await ask("POST", "pair/\(id)/answer", body).0
            }
        }

        /// The secrets and requests that a gateway has logged.
        private static func log(_ path: String) -> String {
            (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        }

        /// A pairing that the agent has begun, and that nobody has approved yet, is what `doctor` says of the gateway.
        @Test func aPairingThatWaitsIsKnownToDoctor() async throws {
            let scene = try await Scene()
            let host = try await LabHost("h2", .avahi)
            let gateway = LabGateway("Waits", on: host, ["--dialect", "clawline"])
            try await gateway.start(port: 18_801, isPublished: false)
            let place = "\(try await Lab.address("h2", "eth0")):18801"
            let begun = try await scene.begin(#"{"address":"\#(place)"}"#)
            let before = try await scene.device.run(["doctor", place, "--format", "json"])
            #expect(before.status == 0, "\(before)")
            _ = try await scene.wait(begun.id) { $0.question != nil }
            #expect(try await scene.reply(begun.id, #"{"question":1,"confirm":true,"trust":"address"}"#) == 200)
            let waiting = try await scene.wait(begun.id) { $0.state == "approvalNeeded" }
            #expect(waiting.offer != nil)
            let found = try await scene.device.run(["doctor", place])
            #expect(found.status == 1 && found.output.contains("the request waits"), "\(found)")
            let command = found.output.firstMatch(of: /clawradar approve [0-9a-f-]{36} +\(on a device that is an admin/)
            #expect(command != nil, "\(found)")
            _ = try await scene.ask("DELETE", "pair/\(begun.id)")
            try await scene.agent.stop()
            try await gateway.stop()
        }

        /// A gateway that asks for its token and for an approval is paired by requests alone, its steps are events, and its
        /// token is nowhere in what the agent says. Before the question is answered, nothing was sent.
        @Test func aGatewayIsPairedByRequests() async throws {
            let scene = try await Scene()
            let folder = try ScratchFolder()
            let token = try SecretFile(folder.path("token"))
            let log = folder.path("secrets")
            let host = try await LabHost("h2", .avahi)
            let gateway = LabGateway(
                "Asked",
                on: host,
                isPlain: false,
                ["--dialect", "openclaw", "--approve", "auto", "--token-file", token.path, "--log-secrets", log]
            )
            try await gateway.start(port: 4_330)
            let secret = try String(contentsOfFile: token.path, encoding: .utf8)
            let url = "http://localhost/api/v1/events"
            let events = try Lab.start(
                on: "h1",
                "curl",
                "--silent",
                "--no-buffer",
                "--unix-socket",
                scene.socket,
                url
            )
            let address = try await Lab.address("h2", "eth0")
            let begun = try await scene.begin(#"{"address":"\#(address):4330","name":"By request"}"#)
            let asked = try await scene.wait(begun.id) { $0.question != nil }
            #expect(asked.question?.kind == "confirm" && asked.question?.trust == [])
            let leaf = try #require(asked.offer?.leafSha256)

            // A wrong digit, or the reply to another question, sends nothing, and the question waits.
            let wrong = String(leaf.dropLast()) + (leaf.last == "0" ? "1" : "0")
            #expect(try await scene.reply(begun.id, #"{"question":1,"confirm":true,"leaf":"\#(wrong)"}"#) == 409)
            #expect(try await scene.reply(begun.id, #"{"question":2,"confirm":true}"#) == 409)
            #expect(Self.log(log) == "")
            #expect(try await scene.wait(begun.id) { _ in true } == asked)

            #expect(try await scene.reply(begun.id, #"{"question":1,"confirm":true,"leaf":"\#(leaf)"}"#) == 200)
            let secretAsked = try await scene.wait(begun.id) { $0.question?.number == 2 }
            #expect(secretAsked.question?.kind == "secret")
            #expect(secretAsked.question?.kinds?.contains("sharedToken") == true)
            #expect(!Self.log(log).contains(secret))
            let body = #"{"question":2,"kind":"sharedToken","secret":"\#(secret)"}"#
            #expect(try await scene.reply(begun.id, body) == 200)
            let end = try await scene.wait(begun.id) { $0.pairing != nil || $0.reason != nil }
            #expect(end.state == "paired", "\(end)")
            #expect(Self.log(log).contains(secret))

            let paired = try await scene.device.pairings()
            #expect(paired.map(\.name) == ["By request"] && paired.first?.id == end.pairing)
            let told = try await events.line(within: .seconds(10), "that it is paired") { line in
                line.hasPrefix("data: ") && line.contains(begun.id) && line.contains(#""state":"paired""#)
            }
            #expect(!told.text.isEmpty)
            let names = Set(events.lines.map(\.text).filter { $0.hasPrefix("event: ") })
            #expect(names.contains("event: pairing"))
            for line in events.lines { #expect(!line.text.contains(secret)) }
            if let mine = paired.first?.credentials.first?.token {
                for line in events.lines { #expect(!line.text.contains(mine)) }
            }
            // The agent keeps what was paired connected.
            var patience = Patience(.seconds(20))
            var shown = ""
            while !shown.contains(" connected "), patience.isLeft() {
                shown = try await scene.device.run(["status"]).output
                try await Task.sleep(for: patience.step)
            }
            #expect(shown.contains(" connected "), "\(shown)")
            if geteuid() == 0 {
                let process = scene.agent.pid
                _ = await InProcess.wait(within: .seconds(5)) {
                    (try? MemoryHunt.copies(of: [secret], in: process)) == [0]
                }
                let copies = try MemoryHunt.copies(of: [secret], in: process)
                print("copies of the token in the agent after pairing: \(copies[0])")
                #expect(copies == [0])
            }
            let output = try await scene.agent.stop(SIGTERM)
            #expect(!output.errors.contains(secret) && !output.output.contains(secret))
            try await gateway.stop()
        }

        /// Neither a question that is cancelled, nor one that is answered with no, nor a certificate other than the one that
        /// was given, has anything sent; and what the terminal pairs is shown by the agent.
        @Test func whoeverGivesUpHasNothingSent() async throws {
            let scene = try await Scene()
            let folder = try ScratchFolder()
            let log = folder.path("secrets")
            let gateway = LabGateway(
                "Left alone",
                on: try await LabHost("h2", .avahi),
                isPlain: false,
                ["--log-secrets", log]
            )
            try await gateway.start(port: 4_331)
            let address = try await Lab.address("h2", "eth0")
            let place = #""address":"\#(address):4331""#
            let first = try await scene.begin("{\(place)}")
            _ = try await scene.wait(first.id) { $0.question != nil }
            // One pairing with a gateway at a time.
            let second = try await scene.begin("{\(place)}")
            #expect(try await scene.wait(second.id) { $0.reason != nil }.reason == "underWay")
            #expect(try await scene.ask("DELETE", "pair/\(first.id)").0 == 200)
            #expect(try await scene.wait(first.id) { $0.state == "cancelled" }.pairing == nil)

            let third = try await scene.begin("{\(place)}")
            _ = try await scene.wait(third.id) { $0.question != nil }
            #expect(try await scene.reply(third.id, #"{"question":1,"confirm":false}"#) == 200)
            _ = try await scene.wait(third.id) { $0.state == "cancelled" }

            let digits = String(repeating: "ab", count: 32)
            let fourth = try await scene.begin(#"{\#(place),"leaf":"\#(digits)"}"#)
            #expect(try await scene.wait(fourth.id) { $0.reason != nil }.reason == "anotherGateway")
            #expect(Self.log(log) == "")
            let running = try #require(gateway.running)
            #expect(!(running.lines.map(\.text) + [running.errorText]).contains { $0.contains("asks to be paired") })
            #expect(try await scene.device.pairings().isEmpty)

            // A pairing of the terminal is the agent's, too.
            try await scene.device.pair("Left alone")
            var patience = Patience(.seconds(20))
            var sessions = ""
            while !sessions.contains(#""state":"connected""#), patience.isLeft() {
                sessions = String(decoding: try await scene.ask("GET", "sessions").1, as: UTF8.self)
                try await Task.sleep(for: patience.step)
            }
            #expect(sessions.contains(#""state":"connected""#), "\(sessions)")
            try await scene.agent.stop()
            try await gateway.stop()
        }
    }
}
