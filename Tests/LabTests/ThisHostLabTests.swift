import Foundation
import Testing

extension LabTests {
    /// Gateways of a host that nobody advertises: shown there, with what makes others find them, and advertised by an agent
    /// that is to do so.
    @Suite struct ThisHostLabTests {
        /// A gateway on loopback, one on an odd port, and one in a container are shown; another program at a usual port is not,
        /// and nothing is without the option.
        @Test func whatListensHereIsShown() async throws {
            let host = try await LabHost.add("this-host", .bare, lan: 111)
            let device = try LabDevice(on: host)
            let onLoopback = LabGateway("On loopback", on: host, listen: "127.0.0.1", ["--no-advertise"])
            let onOddPort = LabGateway("On an odd port", on: host, ["--no-advertise"])
            try await onLoopback.start(port: 4_376)
            try await onOddPort.start(port: 4_377)
            let web = try Lab.start(on: host.name, "python3", "-m", "http.server", "18789", "--bind", "127.0.0.1")
            let inside = try await Self.container(on: host)

            let scan = try await device.run(["scan", "--this-host", "--timeout", "8"])
            #expect(scan.status == 0, "\(scan.errors)")
            for text in [
                "On loopback", "127.0.0.1:4376", "on this host, loopback only", "On an odd port",
                "clawradar advertise --gateway \(host.address):4377", "Inside", "172.30.0.2:3000",
                "in another network namespace of this host",
            ] { #expect(scan.output.contains(text), "\(text): \(scan.output) \(scan.errors)") }
            #expect(!scan.output.contains(":18789"), "\(scan.output)")
            let usual = try await device.run(["scan"])
            #expect(
                !usual.output.contains("On loopback") && !usual.output.contains("On an odd port"),
                "\(usual.output)"
            )

            try await inside.stop(SIGKILL)
            try await web.stop(SIGKILL)
            try await onLoopback.stop()
            try await onOddPort.stop()
        }

        /// With `advertise: auto` another host finds what answers where it can be reached, and neither what is on loopback nor
        /// what is in a container; what ends is withdrawn, and what advertises itself is advertised once.
        @Test func theAgentAdvertisesWhatNobodyDoes() async throws {
            let host = try await LabHost.add("auto-host", .avahi, lan: 113)
            let other = try LabDevice(on: try await LabHost.add("auto-other", .avahi, lan: 113))
            let onLoopback = LabGateway("Not to be reached", on: host, listen: "127.0.0.1", ["--no-advertise"])
            let reachable = LabGateway("Not advertised", on: host, ["--no-advertise"])
            let itself = LabGateway("Advertises itself", on: host)
            try await onLoopback.start(port: 4_376)
            try await reachable.start(port: 4_378)
            try await itself.start(port: 4_379)
            let inside = try await Self.container(on: host)

            let folder = try ScratchFolder()
            let config = folder.path("config/clawradar")
            try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
            try "advertise: auto\n".write(toFile: config + "/config.yaml", atomically: true, encoding: .utf8)
            let device = try LabDevice(
                on: host,
                environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
            )
            let agent = try Lab.start(on: host.name, device.command(["agent"]))
            try await AgentLabTests.waitForSocket("\(folder.path("run"))/clawradar/agent.sock", agent)

            func wait(_ isThere: Bool) async throws -> LabProcess.Result {
                var patience = Patience(.seconds(40))
                while true {
                    let scan = try await other.run(["scan", "--format", "json"])
                    if scan.output.contains("Not advertised") == isThere || !patience.isLeft() { return scan }
                }
            }
            let scan = try await wait(true)
            #expect(scan.output.contains("Not advertised"), "\(scan.output)")
            #expect(!scan.output.contains("Not to be reached"), "\(scan.output)")
            #expect(!scan.output.contains("Inside") && !scan.output.contains("172.30.0."), "\(scan.output)")
            let status = try await device.run(["agent", "status"])
            #expect(status.output.contains("advertiser of \(host.address):4378"), "\(status.output)")
            #expect(!status.output.contains("4379"), "\(status.output)")
            try await reachable.stop()
            #expect(try await !wait(false).output.contains("Not advertised"))

            #expect(try await agent.stop(SIGTERM).status == 0)
            try await inside.stop(SIGKILL)
            try await itself.stop()
            try await onLoopback.stop()
        }

        /// Starts a gateway in a network namespace of its own, with an interface to the host, as in a container.
        private static func container(on host: LabHost) async throws -> LabProcess {
            let script = """
                ip link set lo up
                echo "process $$"
                until ip link show eth0 >/dev/null 2>&1; do sleep 0.1; done
                ip address add 172.30.0.2/24 dev eth0 && ip link set eth0 up
                exec "$0" --port 3000 --host 0.0.0.0 --name Inside --plain --no-advertise --bot bot-1=Jarvis
                """
            let process = try Lab.start(
                on: host.name,
                ["unshare", "-n", "--", "sh", "-c", script, Lab.referenceGateway]
            )
            let line = try await process.line(within: .seconds(10), "number of the process") {
                $0.hasPrefix("process ")
            }
            let number = line.text.dropFirst("process ".count)
            try await host.ip(
                "link add docker7 type veth peer name eth0 netns \(number)",
                "address add 172.30.0.1/24 dev docker7",
                "link set docker7 up"
            )
            _ = try await process.line(within: .seconds(20), "message that the gateway listens") {
                $0.contains("listens")
            }
            return process
        }
    }
}
