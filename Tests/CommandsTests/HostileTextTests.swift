import DNSSD
import GatewayProtocol
import GatewaySamples
import Scanning
import Testing

@testable import Commands
@testable import Console
@testable import Discovery
@testable import reference_gateway

/// Text from the network never reaches the terminal without being cleaned: control characters could forge lines, or
/// move the cursor.
@Suite struct HostileTextTests {
    private static let name = "a\u{1B}[31m\r\nb\u{202E}c\u{7}d\u{200B}e\u{9B}"

    private static func services() throws -> [DiscoveredService] {
        let txt = [Array("name=\(name)".utf8), Array("fp=\(name)".utf8), Array("bots=\(name)".utf8)]
        return [
            try Fixture.service(name: name, txt: []),
            try Fixture.service(name: "x", txt: txt),
            try Fixture.service(name: name, resolution: .failed(reason: name)),
        ]
    }

    private static func isClean(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || ![.control, .format, .lineSeparator].contains(scalar.properties.generalCategory)
        }
    }

    @Test func tableIsClean() throws {
        let text = ScanTable.text(try Self.services(), width: nil)
        #expect(Self.isClean(text))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 8)
    }

    @Test func watchLinesAreClean() throws {
        for service in try Self.services() {
            let before = try Fixture.service()
            for change: ServiceChange in [
                .found(service), .changed(service, Set(ServiceAspect.allCases)), .lost(service, .withdrawn),
            ] {
                let line = WatchLine.text(change, before: before, time: "12:00:00")
                #expect(Self.isClean(line) && !line.contains("\n"))
            }
        }
    }

    @Test func liveTableIsClean() throws {
        var model = ServiceTableModel()
        for service in try Self.services() { model.apply(.found(service), now: .now) }
        let view = ServiceTableView(
            model: model,
            caption: LiveTableCaption(
                status: BackendCondition(
                    source: .avahi,
                    status: .unavailable(BackendError(.noDaemon, Self.name)),
                    warnings: [BackendWarning(.cacheNearlyFull, Self.name)]
                )
                .lines,
                lastChange: "12:00:00",
                style: Style(isOn: false)
            )
        )
        #expect(view.lines(Terminal(columns: 100, rows: 20)).allSatisfy { Self.isClean($0) && !$0.contains("\n") })
    }

    @Test func publishedNameIsClean() throws {
        let text = PublicationText(Advertisement(name: "x", types: [.openClaw], port: 3000))
        #expect(
            text.item(.published(name: "a\u{1B}b"))
                == .result("published \"a\u{FFFD}b\" as _openclaw._tcp on port 3000 (Ctrl-C withdraws it)")
        )
    }

    /// The names of devices that want to pair are cleaned, because any device may choose its own name.
    @Test func answersOfTheGatewaysVerbsAreClean() {
        let device = JSONValue.object(["deviceId": .string(Self.name), "displayName": .string(Self.name)])
        let lines = [
            GatewayVerbs.Approve.text(.object(["device": device])), GatewayVerbs.Reject.text(device),
            GatewayVerbs.Revoke.text(device),
        ]
        for line in lines { #expect(Self.isClean(line) && line.split(separator: "\n").count == 1) }
    }
}
