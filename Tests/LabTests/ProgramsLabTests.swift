import Foundation
import Testing

extension LabTests {
    /// The programs of one import in `examples/`, as they are, in the order in which a user would try them.
    @Suite struct ProgramsLabTests {
        /// Starts a program on a host, with a store of pairings in a folder.
        private func start(
            _ program: String,
            _ argument: String = "",
            on host: LabHost,
            _ folder: ScratchFolder
        ) throws
            -> LabProcess
        {
            let places = ["DATA", "STATE"].map { "XDG_\($0)_HOME=\(folder.path($0))" }
            // What they print is read through a pipe, line by line. The user of one agrees to what it asks.
            let command = "exec \(Lab.executable(program)) \(argument) <<<y"
            return try Lab.start(on: host.name, ["env"] + places + ["bash", "-c", command])
        }

        @Test(arguments: LabHost.Kind.allCases) func theyDoWhatTheySay(kind: LabHost.Kind) async throws {
            let lan = kind == .avahi ? 85 : 86
            let hosts = try await LabHost.add(
                [("programs-home-\(kind)", kind, 1), ("programs-user-\(kind)", kind, 1)],
                lan: lan
            )
            let (home, user, folder) = (hosts[0], hosts[1], try ScratchFolder())
            let state = ["--no-advertise", "--state", folder.path("gateway.json")]
            let gateway = LabGateway("Kitchen", on: home, isPlain: false, state)
            try await gateway.start(port: 3_000)

            let advertiser = try start("advertise-gateway", "3000", on: home, folder)
            _ = try await advertiser.line(within: .seconds(10), "name") { $0 == "published as “Kitchen”" }
            let services = try start("browse-services", on: user, folder)
            _ = try await services.line(within: .seconds(10), "service") { $0.hasPrefix("+ Kitchen at ") }
            let rows = try start("list-gateways", on: user, folder)
            _ = try await rows.line(within: .seconds(10), "gateway") {
                $0 == #"  Kitchen, answering, bots: ["Jarvis"]"#
            }

            let pairing = try await start("pair-gateway", "Kitchen", on: user, folder).finish(within: .seconds(20))
            #expect(pairing.status == 0, "\(pairing.errors)")
            #expect(pairing.output.contains("Kitchen at \(home.address)"), "\(pairing.output)")
            #expect(pairing.output.contains("\npaired: "), "\(pairing.output)")

            let session = try start("stay-connected", on: user, folder)
            _ = try await session.line(within: .seconds(10), "session") {
                $0.hasPrefix("connected at ") && $0.contains(#""ok":true"#)
            }
            try await gateway.stop()
            _ = try await session.line(within: .seconds(10), "end") { $0.hasPrefix("disconnected: ") }
            try await gateway.start(port: 3_000)
            _ = try await session.line(within: .seconds(20), "session again") { $0.hasPrefix("connected at ") }
            // The longer ones flush what they print themselves, or log to the standard error.
            let places =
                ["XDG_RUNTIME_DIR=\(folder.path("."))"] + ["DATA", "STATE"].map { "XDG_\($0)_HOME=\(folder.path($0))" }
            let programs = ["background-scanner", "embedded-agent", "embedded-browser", "paired-scanner"]
            let longer = try programs.map { program in
                (program, try Lab.start(on: user.name, ["env"] + places + [Lab.executable(program)]))
            }
            for (program, process) in longer {
                let hasShown = await InProcess.wait(within: .seconds(20)) {
                    // The paired one shows the bots, the others their gateway.
                    let shown = program == "paired-scanner" ? "Jarvis" : "Kitchen"
                    return process.errorText.contains(shown) || process.lines.contains { $0.text.contains(shown) }
                }
                #expect(hasShown, "\(program): \(process.lines.map(\.text)) \(process.errorText)")
                let ended = try await process.stop(SIGINT)
                #expect(ended.status == 0, "\(program): \(ended.errors)")
            }
            // Ctrl-C ends each of them in order.
            for program in [session, rows, services, advertiser] {
                let ended = try await program.stop(SIGINT)
                #expect(ended.status == 0, "\(ended.errors)")
            }
            #expect(advertiser.lines.last?.text == "withdrawn")
        }
    }
}
