import GatewayProtocol
import Testing

@testable import Commands
@testable import Pairing

/// The lines that the user is shown before the file of another device is taken in.
@Suite struct DeviceImportTests {
    /// Each pairing has a line that says what becomes of it, and the question says how many come.
    @Test func itSaysWhatWouldCome() throws {
        let home = try Pairings.pairing(
            "Home",
            id: "a",
            trust: .pinned(#require(LeafFingerprint(String(repeating: "a1", count: 32))))
        )
        let studio = try Pairings.pairing("Studio", id: "b")
        var bridge = try Pairings.pairing("Bridge", id: "c")
        bridge.dialect = .bridge
        let secrets = Dictionary(uniqueKeysWithValues: home.credentials.map { ($0.id, Secret("t")) })
        let file = DeviceFile(
            deviceName: "Laptop",
            time: 1,
            pairings: [
                CarriedPairing(home, secrets: secrets), CarriedPairing(studio, secrets: [:]),
                CarriedPairing(bridge, secrets: [:]),
            ],
            aliases: []
        )
        let plan = DeviceImport(file, live: [studio], bin: [])
        let lines = DeviceImportCommand.lines(plan)
        #expect(
            lines.map { $0.split(separator: "  ").last.map(String.init) } == [
                "comes", "stays as it is here", "comes without a token: pair again",
            ]
        )
        #expect(DeviceImportCommand.question(plan) == "Take in 2 of 3?")
    }

    /// The recovery code is shown as text wherever there is no room for a picture.
    @Test func theCodeIsShownAsTextToo() {
        let text = Array(repeating: "ABCD", count: RecoveryCode.groups).joined(separator: "-")
        let row = Array(repeating: "ABCD", count: 7).joined(separator: "-")
        #expect(RecoveryCodeText.lines(text, columns: 36) == [row, row])
        #expect(Array(RecoveryCodeText.lines(text, columns: 80).suffix(2)) == [row, row])
    }
}
