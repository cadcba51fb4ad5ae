import Foundation
import Testing

/// The operator of a reference gateway in the lab, who decides about devices.
struct LabOperator: Sendable {
    let host: LabHost

    /// The options that name the state of the gateway.
    let state: [String]

    /// Decides about a device, by a command of the reference gateway.
    func decide(_ verb: String, _ id: String) async throws {
        let result = try await Lab.run(on: host.name, [Lab.referenceGateway, verb, id] + state)
        try #require(result.status == 0, "\(verb): \(result.errors)")
    }

    /// Has a device ask to be paired twice: it is rejected, which has a sentence of its own, and then approved.
    ///
    /// - Returns: The identifier of the device.
    func rejectsAndApproves(_ device: LabDevice, _ options: [String], sentence: String) async throws -> String {
        var id = ""
        for verb in ["reject", "approve"] {
            let pairing = try Lab.start(on: device.host.name, device.command(["pair"] + options))
            let isShown = await InProcess.wait(within: .seconds(20)) {
                pairing.errorText.contains("waiting for approval: ")
            }
            try #require(isShown, "\(pairing.errorText)")
            let devices = try await Lab.run(
                on: host.name,
                [Lab.referenceGateway, "devices", "--format", "json"] + state
            )
            id = String(try #require(devices.output.firstMatch(of: /[0-9a-f]{8}-[0-9a-f-]{27}/)).output)
            try await decide(verb, id)
            let result = try await pairing.finish(within: .seconds(20))
            #expect((result.status == 0) == (verb == "approve"), "\(result.output) \(result.errors)")
            if verb == "reject" { #expect(result.errors.contains(sentence), "\(result.errors)") }
        }
        return id
    }
}
