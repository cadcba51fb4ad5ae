import Foundation
import Testing

extension LabTests {
    /// A Clawdbot bridge: found, paired, restarted, impersonated and revoked, with TLS and without.
    @Suite struct BridgeLabTests {
        @Test(arguments: [true, false])
        func aBridgeIsPairedAndKept(isPlain: Bool) async throws {
            let kind = isPlain ? "plain" : "tls"
            let names = ["\(kind)-bridge", "\(kind)-pad", "\(kind)-fake"]
            let hosts = try await LabHost.add(names.map { ($0, .bare, 1) }, lan: isPlain ? 34 : 35)
            let folder = try ScratchFolder()
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path(""))
            let state = ["--state", folder.path("bridge.json")]
            let gateway = LabGateway("Studio", on: hosts[0], isPlain: isPlain, ["--dialect", "bridge"] + state)
            try await gateway.start(port: 18_790, isPublished: false)
            let address = try await Lab.address(hosts[0].name)
            let device = try LabDevice(on: hosts[1])
            let person = LabOperator(host: hosts[0], state: state)

            let trust = isPlain ? ["--trust", "address"] : []
            let id = try await person.rejectsAndApproves(
                device,
                ["\(address):18790", "--yes", "--name", "Studio"] + trust,
                sentence: "was rejected"
            )
            let tokens = try await device.tokens()
            try #require(tokens.count == 1)

            let watch = try SessionWatch(of: device)
            _ = try await watch.next("Studio", "connected", at: ":18790", within: .seconds(10))
            try await gateway.stop()
            _ = try await watch.next("Studio", "gone", within: .seconds(10))

            // In its place, on its host and on another one under its address, something else gets no token.
            let log = folder.path("secrets.ndjson")
            let fake = ["--dialect", "bridge", "--approve", "auto", "--log-secrets", log]
            let impostor = LabGateway("Studio", on: hosts[isPlain ? 2 : 0], isPlain: isPlain, fake)
            if isPlain {
                try await hosts[0].ip("address delete \(address)/16 dev eth0")
                try await hosts[2].ip("address add \(address)/16 brd + dev eth0")
            }
            try await impostor.start(port: 18_790, isPublished: false)
            #expect(try await watch.settles("Studio", isPlain ? "moved" : "changed-certificate", within: .seconds(60)))
            let received = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            for token in tokens { #expect(!received.contains("\(token)")) }
            #expect(received.isEmpty, "\(received)")
            try await impostor.stop()
            if isPlain {
                try await hosts[2].ip("address delete \(address)/16 dev eth0")
                try await hosts[0].ip("address add \(address)/16 brd + dev eth0")
            }

            try await gateway.start(port: 18_790, isPublished: false)
            _ = try await watch.next("Studio", "connected", at: ":18790", within: .seconds(60))
            #expect(try await device.tokens() == tokens)
            try await person.decide("revoke", id)
            _ = try await watch.next("Studio", "revoked", within: .seconds(10))
            try await watch.stop()
            #expect(try await device.pairings().isEmpty)
            try await gateway.stop()
        }
    }
}
