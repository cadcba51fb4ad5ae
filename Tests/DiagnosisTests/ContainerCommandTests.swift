import Foundation
import GatewayProtocol
import Testing

@testable import Reports

/// The command against an advertised address of containers, as a shell runs it: it adds the interface, and takes nothing
/// away.
@Suite struct ContainerCommandTests {
    private static func finding(_ interface: String?) throws -> Finding {
        let place = PlaceFacts(
            Samples.endpoint("172.18.0.1"),
            sources: [.advertised],
            answer: .notAllowed(.ownAddress),
            isOfContainers: true,
            containerInterface: interface
        )
        return try #require(Diagnosis(DiagnosisFacts(word: "Home", places: [place], now: 0)).findings.first)
    }

    /// Runs the command with a file in place of that of avahi-daemon, and returns what the file has then.
    private static func edited(_ content: String, _ command: String) throws -> (status: Int32, content: String) {
        let file = FileManager.default.temporaryDirectory.appending(path: "clawradar-avahi-\(UUID())")
        try Data(content.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.standardError = FileHandle.nullDevice
        process.arguments = [
            "-c",
            command.replacing("sudo sed", with: "sed").replacing("sudo systemctl restart avahi-daemon", with: "true")
                .replacing("/etc/avahi/avahi-daemon.conf", with: "'\(file.path)'"),
        ]
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, try String(contentsOf: file, encoding: .utf8))
    }

    @Test(arguments: [
        ("[server]\nuse-ipv4=yes\ndeny-interfaces=eth1,docker0\n", "deny-interfaces=br-1a2b,eth1,docker0"),
        ("[server]\ndeny-interfaces = eth1\n#deny-interfaces=eth2\n", "deny-interfaces = br-1a2b,eth1"),
        ("# avahi\n[server]\n#deny-interfaces=eth1\n[wide-area]\n", "[server]\ndeny-interfaces=br-1a2b\n#"),
        ("[server]\n", "[server]\ndeny-interfaces=br-1a2b\n"),
    ])
    func theListBeforeIsKept(_ before: String, _ part: String) throws {
        let finding = try Self.finding("br-1a2b")
        #expect(finding.cause == .containerAddress && finding.sentence.contains("172.18.0.1 (br-1a2b), an address of"))
        let (status, after) = try Self.edited(before, finding.command)
        #expect(status == 0 && after.contains(part), "\(after)")
        #expect(after.split(separator: "\n").count { $0.hasPrefix("deny-interfaces") } == 1, "\(after)")
        for line in before.split(separator: "\n") where !line.hasPrefix("deny-interfaces") {
            #expect(after.split(separator: "\n").contains(line), "\(after)")
        }
    }

    /// From elsewhere, the bridge is looked up by its address on the gateway's host; where it is not found, nothing is
    /// changed.
    @Test func anInterfaceThatIsNotKnownIsLookedUp() throws {
        let finding = try Self.finding(nil)
        #expect(!finding.command.contains("docker0") && finding.host == .gateway)
        let lookup = "ip -o address show to 172.18.0.1"
        #expect(finding.command.contains("$(\(lookup) | awk '{print $2; exit}')"))
        let line = "3: br-9    inet 172.18.0.1/16 brd 172.18.255.255 scope global br-9"
        let found = finding.command.replacing(lookup, with: "echo '\(line)'")
        #expect(try Self.edited("[server]\n", found).content == "[server]\ndeny-interfaces=br-9\n")
        let (status, after) = try Self.edited("[server]\n", finding.command.replacing(lookup, with: "true"))
        #expect(status != 0 && after == "[server]\n")
    }
}
