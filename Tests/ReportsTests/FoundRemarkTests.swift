import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Reports

/// What a row says of a gateway that nobody advertises: the same from the map and from an agent's document.
@Suite struct FoundRemarkTests {
    private var map = BotMap()

    private mutating func answer(
        at text: String,
        _ source: PlaceSource?,
        dialect: GatewayDialect = .openClaw
    ) throws {
        let endpoint = Endpoint(address: try #require(IPAddress(text)), port: 18_789)
        map.apply(.endpointAdded(endpoint, .local, entry: "one", source: source))
        map.apply(.probed(endpoint, .gateway(GatewayIdentity(fingerprint: nil, dialect: dialect, leaf: nil))))
    }

    private var remark: String? {
        get throws {
            let row = try #require(map.gateways.first)
            #expect(FoundRemark(report: GatewayReport(row).json) == row.foundRemark)
            return row.foundRemark?.description
        }
    }

    /// One that only this host reaches has the command that opens it, one that others reach that which advertises it.
    @Test mutating func eachHasItsCommand() throws {
        try answer(at: "127.0.0.1", .thisHost)
        #expect(
            try remark
                == "on this host, loopback only; to open it to other devices: openclaw config set gateway.bind lan"
        )
        map = BotMap()
        try answer(at: "192.168.1.5", .thisHost)
        #expect(try remark?.hasSuffix("clawradar advertise --gateway 192.168.1.5:18789") == true)
        try answer(at: "2001:db8::5", .thisHost)
        #expect(try remark?.hasSuffix("192.168.1.5:18789") == true)
        map = BotMap()
        try answer(at: "127.0.0.1", .thisHost, dialect: .optaplus)
        #expect(try remark?.hasSuffix("let it listen on 0.0.0.0 or ::") == true)
    }

    /// What the user has named needs no remark.
    @Test mutating func whatIsNamedHasNone() throws {
        try answer(at: "127.0.0.1", nil)
        #expect(try remark == nil)
    }

    /// A recording shows how a place was found.
    @Test func theSourceIsRecorded() throws {
        let endpoint = Endpoint(address: try #require(IPAddress("127.0.0.1")), port: 1)
        for source in PlaceSource.allCases {
            let event = RecordedEvent(at: .zero, event: .endpointAdded(endpoint, .local, source: source))
            #expect(try RecordedEvent(line: event.line.dropLast()) == event)
        }
    }
}
