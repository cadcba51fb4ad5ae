import Foundation
import Testing

extension LabTests {
    /// The output of `--format avahi`, which scripts for avahi-browse read.
    @Suite struct AvahiFormatLabTests {
        /// A service with its names and TXT strings as bytes on the wire.
        private struct Wire {
            let instance: [UInt8]
            let host: [[UInt8]]
            let txt: [[UInt8]]

            init(_ instance: String, _ host: String..., txt: [String] = []) {
                self.instance = Array(instance.utf8)
                self.host = host.map { Array($0.utf8) }
                self.txt = txt.map { Array($0.utf8) }
            }

            init(bytes instance: [UInt8], host: [[UInt8]], txt: [[UInt8]]) {
                (self.instance, self.host, self.txt) = (instance, host, txt)
            }

            /// The argument of *Tools/forge-services* for this service.
            var argument: String {
                ([Self.hex(instance), host.map(Self.hex).joined(separator: ".")] + txt.map(Self.hex))
                    .joined(separator: " ")
            }

            private static func hex(_ bytes: [UInt8]) -> String {
                bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
        }

        private static let services = [
            Wire("Zoës Gerät (ÄÖÜß)", "büro-pc", txt: ["name=Grüße", "path=/a=b"]),
            Wire("日本 のゲートウェイ", "東京", txt: ["name=日本"]), Wire("🤖 👨‍👩‍👧", "🤖", txt: ["name=🤖"]),
            Wire("a;b\"c\\d.e", "ev;il host", txt: ["x=a;b\"c\\d", "y=\0\u{1}\u{1F} ~\u{7F}"]),
            Wire("tab\there\nnl", "UPPER", "sub", txt: ["z=\u{FF}"]), Wire("dotted", "a.b\\c", "d"),
            Wire("esc\u{1B}[31m", "h\u{1B}\u{7F}"), Wire("plain", "plain", txt: ["flag", "empty="]),
            Wire(bytes: Array("bytes".utf8), host: [Array("bytes".utf8)], txt: [[0x6B, 0x3D, 0xFF, 0xFE, 0x80, 0x9B]]),
            Wire(String(repeating: "x", count: 63), String(repeating: "é", count: 31), txt: ["a=b"]),
            // Avahi does not resolve a service whose host name is not UTF-8.
            Wire(bytes: Array("badhost".utf8), host: [[0xFF, 0xFE]], txt: []),
        ]

        /// Returns the lines of one kind, sorted, since avahi-browse prints them in an arbitrary order.
        private static func lines(_ output: String, _ kind: String) -> [String] {
            output.split(separator: "\n").filter { $0.hasPrefix(kind) }.map(String.init).sorted()
        }

        @Test func everyLineIsThatOfAvahiBrowse() async throws {
            let type = "_openclaw._tcp"
            let forger = try Lab.start(
                on: "h2",
                [Lab.tool("forge-services"), try await Lab.address("h2"), "eth0"] + Self.services.map(\.argument)
            )
            // When the second announcement is sent, the first has been received and processed.
            for _ in 1...2 { _ = try await forger.line(within: .seconds(10), "message of an announcement") }
            let theirs = try await Lab.run(on: "h1", "avahi-browse", "-rpt", type).output
            let ours = try await Lab.run(on: "h1", Lab.clawradar, "scan", "--format", "avahi", "--type", type).output
            try await forger.stop(SIGINT)

            #expect(Self.lines(ours, "+") == Self.lines(theirs, "+"))
            let resolved = Self.lines(theirs, "=")
            func name(_ line: String) -> Substring { line.split(separator: ";")[3] }
            let names = Set(resolved.map(name))
            #expect(names.count == Self.services.count - 1, "\(theirs)")
            #expect(Self.lines(ours, "=").filter { names.contains(name($0)) } == resolved)
        }
    }
}
