import DNSSD
import GatewayProtocol
import GatewaySamples
import Reports
import Testing

@testable import Commands
@testable import Console

@Suite struct OutputTests {
    private static let date = Timestamp(milliseconds: 1_700_000_000_125)

    @Test func scanIsOneObject() throws {
        let result = ScanResult(
            services: [],
            status: .running,
            source: .avahi,
            warnings: ["the cache is nearly full"],
            elapsed: .milliseconds(1_031)
        )
        let json = result.report.line
        #expect(
            json == """
                {"backend":"avahi","elapsedMs":1031,"losses":{"entries":0,"packets":0},"schema":2,"services":[],"warnings":["the cache is nearly full"]}

                """
        )
    }

    @Test(arguments: [
        (0, 0, nil), (1, 0, "1 packet was lost."),
        // The number of entries is not shown: an entry is counted again each time that it arrives, and 90 may be six
        // services that came 15 times.
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
        let reported = result.adding(warnings: ["x"]).report.fields["losses"]
        #expect(reported?["packets"]?.int == packets)
        #expect(reported?["entries"]?.int == entries)
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
        #expect(result.report.fields["warnings"]?.array?.map(\.string) == ["first", "no daemon"])
    }

    @Test func changeNamesWhatChanged() throws {
        let report = try ServiceChangeReport(.changed(Fixture.service(), [.txt, .port]), at: Self.date)
        #expect(
            report.line
                .hasPrefix(
                    #"{"at":"2023-11-14T22:13:20.125Z","changed":["port","txt"],"event":"changed","kind":"service","schema":2,"service":{"#
                )
        )
    }

    @Test func lossNamesTheReason() throws {
        let fields = try ServiceChangeReport(.lost(Fixture.service(), .interfaceDown), at: Self.date).fields
        #expect(fields["event"] == "lost")
        #expect(fields["reason"] == "interfaceDown")
        #expect(fields["changed"] == nil)
    }

    @Test(arguments: [(0, "22:13:20"), (3_600, "23:13:20"), (7_200, "00:13:20"), (-82_800, "23:13:20")])
    func timeOfDayFollowsTheZone(offset: Int, text: String) {
        #expect(TimeText.time(Self.date, offset: offset) == text)
    }
}
