import Foundation
import Glibc
import Testing

extension LabTests {
    /// The number of copies of a secret in the memory of the tool while it runs: as many as it will be needed again.
    /// Whoever reads this memory finds no token that was merely sent or received.
    @Suite(.enabled(if: geteuid() == 0, "only root can read the memory of the tool"))
    struct SecretMemoryLabTests {
        @Test func aLiveSessionKeepsNoCopyOfItsToken() async throws {
            let hosts = try await LabHost.add(
                [("remembered-gateways", .bare, 1), ("remembering-device", .avahi, 1)],
                lan: 70
            )
            let folder = try ScratchFolder()
            let shared = try SecretFile(folder.path("token"))
            // Trust in a whole network needs a router, and its session is that of the kind before it.
            let kinds = PairedKind.all(token: shared).filter { $0.name != "Lan" }
            let gateways = kinds.map { $0.gateway(on: hosts[0], in: folder) }
            _ = try await Array(zip(gateways, kinds)).atOnce { try await $0.start(port: $1.port) }
            let device = try LabDevice(on: hosts[1])
            for kind in kinds { try await device.pair(kind.name, kind.pairingOptions) }
            let watch = try SessionWatch(of: device)
            for kind in kinds { #expect(try await watch.settles(kind.name, "connected"), "\(kind.name)") }
            let tokens = try await device.pairings().compactMap { pairing in
                pairing.credentials[0].token.map { (pairing.name, $0) }
            }
            #expect(tokens.count == kinds.count)
            // A ping comes after everything that belongs to the connecting.
            let secrets = tokens.map(\.1) + [try String(contentsOfFile: shared.path, encoding: .utf8)]
            let process = watch.process.pid
            _ = await InProcess.wait(within: .seconds(5)) {
                (try? MemoryHunt.copies(of: secrets, in: process).allSatisfy { $0 == 0 }) == true
            }
            let copies = try MemoryHunt.copies(of: secrets, in: process)
            for (name, count) in zip(tokens.map(\.0) + ["the shared token"], copies) {
                print("copies of the token of \(name) in a live session: \(count)")
                // Of an OpenClaw gateway, whose answer brings the token once more, one copy was seen to stay.
                withKnownIssue("a copy of the token that an answer has brought", isIntermittent: true) {
                    #expect(count == 0, "\(name)")
                } when: {
                    name == "Claw" && count == 1
                }
            }
            try await watch.stop()
            for gateway in gateways { try await gateway.stop() }
        }

        @Test func aSecretThatWasTypedIsThereOnceWhileItIsNeeded() async throws {
            let hosts = try await LabHost.add([("prompting", .bare, 1), ("prompted", .avahi, 1)], lan: 71)
            let folder = try ScratchFolder()
            let shared = try SecretFile(folder.path("token"))
            let gateway = LabGateway(
                "Prompting",
                on: hosts[0],
                isPlain: false,
                ["--dialect", "openclaw", "--approve", "ask", "--token-file", shared.path]
            )
            try await gateway.start(port: 4_000)
            let device = try LabDevice(on: hosts[1])
            let person = [Lab.tool("person"), "--secret", shared.path, "--choose", "its token", "--"]
            let pair = try Lab.start(on: hosts[1].name, person + device.command(["pair", "Prompting"]))
            let running = try #require(gateway.running)
            let isAsked = await InProcess.wait(within: .seconds(30)) {
                running.errorText.contains("asks to be paired")
                    || running.lines.contains { $0.text.contains("asks to be paired") }
            }
            try #require(isAsked, "\(running.errorText)")
            let secret = try String(contentsOfFile: shared.path, encoding: .utf8)
            let process = try MemoryHunt.process("pair Prompting")
            _ = await InProcess.wait(within: .seconds(5)) {
                (try? MemoryHunt.copies(of: [secret], in: process)) == [1]
            }
            let copies = try MemoryHunt.copies(of: [secret], in: process)
            print("copies of a typed token while its approval is awaited: \(copies[0])")
            // It is sent again when the approval is asked for.
            #expect(copies == [1])
            // First the command: it has inherited the descriptor by which the end of `person` is noticed.
            kill(process, SIGKILL)
            try await pair.stop(SIGKILL)
            try await gateway.stop()
        }

        /// A password that was typed, once the pairing is stored: the tool waits only for somebody to read its last line,
        /// and needs it no more.
        @Test func aPasswordThatWasTypedIsGoneOnceItHasPaired() async throws {
            let hosts = try await LabHost.add([("guarded", .bare, 1), ("guarding", .avahi, 1)], lan: 69)
            let folder = try ScratchFolder()
            let password = try SecretFile(folder.path("password"))
            let gateway = LabGateway(
                "Guarded",
                on: hosts[0],
                isPlain: false,
                ["--dialect", "openclaw", "--approve", "auto", "--password-file", password.path]
            )
            try await gateway.start(port: 4_001)
            let device = try LabDevice(on: hosts[1])
            let pipe = folder.path("output")
            try #require(mkfifo(pipe, 0o600) == 0)
            // Both ends, so that nobody waits for the other one; and full, so that the tool waits for room.
            let output = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            try #require(output >= 0)
            defer { close(output) }
            let filling = [UInt8](repeating: 10, count: 65_536)
            while filling.withUnsafeBytes({ write(output, $0.baseAddress, $0.count) }) > 0 {}
            let person = [Lab.tool("person"), "--secret", password.path, "--choose", "its password", "--"]
            let shell = ["sh", "-c", "exec \"$@\" > \(pipe)", "sh"]
            let pair = try Lab.start(on: hosts[1].name, person + shell + device.command(["pair", "Guarded"]))
            var patience = Patience(.seconds(30))
            while try await device.pairings().isEmpty {
                let isLeft = patience.isLeft()
                try #require(isLeft, "it is not paired")
                try await Task.sleep(for: patience.step)
            }
            let secret = try String(contentsOfFile: password.path, encoding: .utf8)
            let process = try MemoryHunt.process("pair Guarded")
            _ = await InProcess.wait(within: .seconds(5)) {
                (try? MemoryHunt.copies(of: [secret], in: process)) == [0]
            }
            let copies = try MemoryHunt.copies(of: [secret], in: process)
            print("copies of a typed password once its pairing is stored: \(copies[0])")
            #expect(copies == [0])
            kill(process, SIGKILL)
            try await pair.stop(SIGKILL)
            try await gateway.stop()
        }
    }
}
