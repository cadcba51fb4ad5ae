import Foundation
import Testing

extension LabTests {
    /// A look around a network whose hosts advertise nothing.
    @Suite struct SweepLabTests {
        /// Of a network with five gateways, a host that takes connections and says nothing, closed ports and many addresses that
        /// nobody has, all five are found in 8 seconds, and no host is asked at another port than the usual ones.
        @Test func allGatewaysOfTheNetworkAreFound() async throws {
            let device = try LabDevice(on: try await LabHost.add("sweep-device", .bare, lan: 118))
            let hosts = try await LabHost.add((1...5).map { ("sweep-\($0)", .bare, 1) }, lan: 118)
            let silent = try await LabHost.add("sweep-silent", .bare, lan: 118)
            let usual = [3_000, 18_789, 18_790, 9_099, 18_800]
            let gateways = zip(hosts.indices, [3_000, 18_789, 3_000, 18_789, 3_000]).map { index, port in
                (LabGateway("Swept \(index)", on: hosts[index], ["--no-advertise"]), port)
            }
            for (gateway, port) in gateways { try await gateway.start(port: port) }
            // The kernel takes connections that the program never accepts.
            let tarpit = try Lab.start(on: silent.name, ["python3", "-u", "-c", Self.tarpit] + usual.map(String.init))
            _ = try await tarpit.line(within: .seconds(10), "message that it listens") { $0 == "ready" }
            // Ports beside the usual ones.
            let beside = try Lab.start(on: silent.name, ["python3", Lab.tool("count-connections"), "18791", "9"])
            _ = try await beside.line(within: .seconds(10), "message that it listens") { $0 == "ready" }

            let begin = ContinuousClock.now
            let scan = try await device.run(["scan", "--sweep", "\(silent.address)/24", "--format", "json"])
            #expect(.now - begin < .seconds(8), "\(scan.errors)")
            for (gateway, _) in gateways {
                #expect(scan.output.contains(gateway.name), "\(scan.output) \(scan.errors)")
            }
            #expect(
                scan.output.contains(#""foundBy":"sweep""#) && !scan.output.contains("\"\(silent.address)\""),
                "\(scan.output)"
            )
            let usualScan = try await device.run(["scan"])
            #expect(!usualScan.output.contains("Swept"), "\(usualScan.output)")
            // The network of the lab is too large to be asked as a whole.
            let whole = try await device.run(["scan", "--sweep"])
            #expect(!whole.output.contains("Swept") && whole.errors.contains("too many hosts"), "\(whole.errors)")
            let counted = try await beside.stop(SIGKILL)
            #expect(!counted.output.contains("connection"), "\(counted.output)")

            try await tarpit.stop(SIGKILL)
            for (gateway, _) in gateways { try await gateway.stop() }
        }

        private static let tarpit = """
            import socket, sys, time
            listeners = [socket.create_server(("", int(port))) for port in sys.argv[1:]]
            print("ready")
            time.sleep(1000)
            """
    }
}
