import DNSSD
import Testing

@testable import Commands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct OutputTests {
    private static let date = Date(timeIntervalSince1970: 1_700_000_000.125)

    @Test func scanIsOneObject() throws {
        let result = ScanResult(
            services: [],
            status: .running,
            source: .avahi,
            warnings: ["the cache is nearly full"],
            elapsed: .milliseconds(1_031)
        )
        let json = try JSONText.line(ScanOutput(result))
        #expect(
            json == """
                {"backend":"avahi","elapsedMs":1031,"losses":{"entries":0,"packets":0},"services":[],"warnings":["the cache is nearly full"]}

                """
        )
    }

    @Test(arguments: [
        (0, 0, nil), (1, 0, "1 packet was lost."),
        // Once for each time that one of six services came.
        (0, 90, "services or records were left out, since there was no room for them."),
        (2, 3, "2 packets were lost, and services or records were left out, since there was no room for them."),
    ])
    func lossesAreToldWithTheirNumber(packets: Int, entries: Int, text: String?) {
        let losses = BackendLosses(packets: packets, entries: entries)
        #expect(losses.text == text)
        let result = ScanResult(
            services: [],
            status: .running,
            source: .avahi,
            warnings: [],
            losses: losses,
            elapsed: .zero
        )
        #expect(ScanOutput(result.adding(warnings: ["x"])).losses == LossesOutput(losses))
    }

    @Test func scanWithoutADaemonSaysSoInTheObject() {
        let error = BackendError(.noDaemon, "no daemon")
        let result = ScanResult(
            services: [],
            status: .unavailable(error),
            source: .avahi,
            warnings: ["first"],
            elapsed: .zero
        )
        #expect(ScanOutput(result).warnings == ["first", "no daemon"])
    }

    @Test func changeNamesWhatChanged() throws {
        let output = try WatchOutput(.changed(Fixture.service(), [.txt, .port]), at: Self.date)
        #expect(
            try JSONText.line(output)
                .hasPrefix(
                    #"{"at":"2023-11-14T22:13:20.125Z","changed":["port","txt"],"event":"changed","kind":"service","service":{"#
                )
        )
    }

    @Test func lossNamesTheReason() throws {
        let output = try WatchOutput(.lost(Fixture.service(), .interfaceDown), at: Self.date)
        #expect((output.event, output.reason, output.changed) == ("lost", "interfaceDown", nil))
    }

    @Test(arguments: [(0, "22:13:20"), (3_600, "23:13:20"), (7_200, "00:13:20"), (-82_800, "23:13:20")])
    func timeOfDayFollowsTheZone(offset: Int, text: String) {
        #expect(TimeText.time(Self.date, offset: offset) == text)
    }
}
