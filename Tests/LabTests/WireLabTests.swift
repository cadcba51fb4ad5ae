import Foundation
import Glibc
import Testing

extension LabTests {
    /// The packets that our engine sends, as tshark, a program of others, decodes them.
    @Suite struct WireLabTests {
        /// An mDNS packet, as tshark decodes it.
        private struct Packet {
            let time: Double
            let source: String
            let sourcePort: Int
            let destination: String
            let isResponse: Bool
            let questions: [String]
            let answers: [String]
            let isMalformed: Bool

            init?(_ line: Substring) {
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                guard fields.count == 10, let time = Double(fields[0]), let port = Int(fields[5]) else { return nil }
                self.time = time
                source = fields[1].isEmpty ? fields[2] : fields[1]
                destination = fields[3].isEmpty ? fields[4] : fields[3]
                sourcePort = port
                isResponse = fields[6] == "1" || fields[6] == "True"
                questions = fields[7].isEmpty ? [] : fields[7].components(separatedBy: ",")
                answers = fields[8].isEmpty ? [] : fields[8].components(separatedBy: ",")
                isMalformed = !fields[9].isEmpty
            }
        }

        private static func read(_ file: String) async throws -> [Packet] {
            let fields = [
                "frame.time_epoch", "ip.src", "ipv6.src", "ip.dst", "ipv6.dst", "udp.srcport", "dns.flags.response",
                "dns.qry.name", "dns.resp.name", "_ws.malformed",
            ]
            let tshark = try LabProcess(
                ["/usr/bin/env", "tshark", "-r", file, "-T", "fields"] + fields.flatMap { ["-e", $0] }
            )
            return try await tshark.finish(within: .seconds(60)).output.split(separator: "\n").compactMap(Packet.init)
        }

        /// The length of the capture: five minutes in a long run.
        private static let length: Duration = Lab.isLong ? .seconds(300) : .seconds(20)

        /// Returns the maximum number of questions within a time: they are sent at 0, 1, 3, 7, 15, … seconds, with
        /// intervals that double up to an hour (RFC 6762 §5.2).
        private static func questions(within time: Duration) -> Int {
            var (count, due, interval) = (0, Duration.zero, Duration.seconds(1))
            while due <= time {
                count += 1
                due += interval
                interval = min(interval * 2, .seconds(3_600))
            }
            return count
        }

        /// One host browses with our engine, and another one publishes. All packets must be well formed. There must be
        /// no more questions and answers than RFC 6762 permits, and the multicast answer must come no sooner than after
        /// 20 ms.
        @Test func sendsNoMoreThanRFC6762Permits() async throws {
            try await Lab.control("host", "add", "wirea", "--no-daemon", "--no-bus")
            try await Lab.control("host", "add", "wireb", "--no-daemon", "--no-bus")
            let addresses = [
                try await Lab.address("wirea"), try await Lab.address("wireb"),
            ]
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("wire-\(getpid()).pcap").path
            defer { unlink(file) }
            try await Lab.control("capture", "start", file)
            let publisher = try Lab.start(
                on: "wireb",
                [Lab.clawradar, "advertise", "--backend", "embedded", "--name", "Wired", "--port", "3000"]
            )
            _ = try await publisher.line(within: .seconds(15), "message that it is published") {
                $0.contains("published")
            }
            // Records that were multicast less than a second ago are not repeated (§6).
            try #require(try await Lab.run(on: "h1", "sleep", "2.5").status == 0)
            let type = "_openclaw._tcp"
            let watch = try Watch(on: "wirea", "--backend", "embedded", "--type", type)
            try await watch.event("found", "Wired")
            let wait = try await Lab.run(on: "h1", "sleep", "\(Self.length.components.seconds)", within: .seconds(330))
            #expect(wait.status == 0)
            try await watch.stop()
            try await publisher.stop(SIGINT)
            try await Lab.control("capture", "stop")

            let packets = try await Self.read(file)
            #expect(packets.allSatisfy { !$0.isMalformed })
            // Only IPv4 packets are checked: the engine treats both families alike, and the test does not know the IPv6
            // addresses.
            let ours = packets.filter { addresses.contains($0.source) }
            #expect(!ours.isEmpty)
            let asked = ours.filter {
                $0.source == addresses[0] && $0.sourcePort == 5353 && !$0.isResponse
                    && $0.questions.contains("\(type).local")
            }
            let most = Self.questions(within: Self.length + .seconds(2))
            print("\(ours.count) packets of ours in \(Self.length), \(asked.count) browse questions, at most \(most)")
            #expect((1...most).contains(asked.count))
            for (earlier, later) in zip(asked, asked.dropFirst()) {
                #expect(later.time - earlier.time > 0.99, "there must be a second between questions (§5.2)")
            }
            // A responder delays its answer by 20–120 ms if other hosts may answer as well (§6). Unsolicited responses
            // are announcements, which were sent before the watch began.
            var delays: [Double] = []
            for question in asked {
                let answer = ours.first {
                    $0.source == addresses[1] && $0.isResponse && $0.destination == "224.0.0.251"
                        && $0.answers.contains("\(type).local")
                        && $0.time > question.time && $0.time < question.time + 0.5
                }
                if let answer { delays.append((answer.time - question.time) * 1_000) }
            }
            print("answered after \(delays.map { String(format: "%.1f", $0) }) ms")
            // The lower bound is 20 ms less the imprecision of the timestamps; the upper one allows for a busy machine.
            #expect(delays.allSatisfy { (19.5...500).contains($0) })
            // Only the first question is answered: the later ones contain the known answer (§7.1).
            #expect(delays.count == 1)
        }

        /// Two hosts without a daemon find each other's services, in both directions.
        @Test func twoBareHostsSeeEachOther() async throws {
            for host in ["bareone", "baretwo"] {
                try await Lab.control("host", "add", host, "--no-daemon", "--no-bus", "--interfaces", "2")
            }
            for (here, there) in [("bareone", "baretwo"), ("baretwo", "bareone")] {
                let watch = try Watch(on: here)
                let publisher = try await Publisher.clawradar(on: there, "From \(there)", "--fp", "abc")
                let found = try await watch.event("found", "From \(there)").event
                #expect(found.service.host == "\(there).local")
                #expect(found.service.gateway.fingerprint == "abc")
                try await watch.paths(4, of: "From \(there)")
                let scan = try ScanOutput(try await Lab.run(on: here, Lab.clawradar, "scan", "--format", "json").output)
                #expect(scan.backend == "embedded")
                let service = try #require(scan.service("From \(there)"))
                #expect(service.paths.count == 4)
                #expect(service.paths.allSatisfy { ["embedded", "one-shot"].contains($0.source) })
                let end = ContinuousClock.now
                try await publisher.stop(SIGINT)
                let lost = try await watch.event("lost", "From \(there)")
                print("goodbye between bare hosts: \(lost.time - end)")
                #expect(lost.time - end < .seconds(2.5))
                try await watch.stop()
            }
        }
    }
}
