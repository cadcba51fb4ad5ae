import Foundation
import Testing

extension LabTests {
    /// `clawradar trust` for gateways that nobody advertises.
    @Suite struct TrustLabTests {
        /// A gateway that tells a fingerprint, and is at another address by now: where the user says it is, it is looked for,
        /// though nothing else leads there.
        @Test func whereTheUserSaysItIsItIsLookedFor() async throws {
            let hosts = try await LabHost.add([("moved-pad", .bare, 1), ("moved-user", .bare, 1)], lan: 35)
            let folder = try ScratchFolder()
            let gateway = LabGateway(
                "Old Pad",
                on: hosts[0],
                ["--state", folder.path("pad.json"), "--fp", "pad", "--no-advertise"]
            )
            try await gateway.start(port: 4_701, isPublished: false)
            let device = try LabDevice(on: hosts[1])
            let address = hosts[0].address
            try await device.pair("\(address):4701", ["--trust", "address"])
            try await gateway.stop()

            let other = address.split(separator: ".").dropLast().joined(separator: ".") + ".201"
            // The first address of a network takes the later ones with it.
            try await hosts[0].ip("address delete \(address)/16 dev eth0")
            try await hosts[0].ip("address add \(other)/16 brd + dev eth0")
            try await gateway.start(port: 4_701, isPublished: false)
            let trust = ["trust", "Old Pad", "--trust", "address", "--timeout", "6", "--address"]
            let trusted = try await device.run(trust + ["\(other):4701"])
            #expect(
                trusted.status == 0 && trusted.output.contains("\(other):4701"),
                "\(trusted.output) \(trusted.errors)"
            )
            try await gateway.stop()
        }
    }
}
