import DNSSD
import GatewaySamples
import Testing

@testable import Reports

@Suite struct ServiceReportTests {
    @Test func shapeIsExact() throws {
        let json = ServiceReport(try Fixture.service()).line
        #expect(
            json == """
                {"addresses":["10.0.0.2"],"domain":"local","gateway":{"bots":3,"fingerprint":"abc123","name":"Home",\
                "problems":[],"version":3},"host":"h2.local","instance":"Home Gateway","isOurs":false,"paths":[{"address":\
                "10.0.0.2","family":"ipv4","interface":"eth0","port":3000,"source":"avahi"},{"address":null,\
                "family":"ipv6","interface":"eth0","port":null,"source":"avahi"}],"port":3000,"schema":2,"txt":{"bots":"3","fp":"abc123","name":"Home","ver":"3"},"type":\
                "_openclaw._tcp"}

                """
        )
    }

    @Test func whatIsNotKnownIsNull() throws {
        let service = try Fixture.service(resolution: .failed(reason: "no SRV record in 2 s"))
        let json = ServiceReport(service).line
        for part in [
            #""addresses":[]"#, #""host":null"#, #""port":null,"schema":2,"txt":null"#,
            #""unresolved":"no SRV record in 2 s""#,
            #""fingerprint":null,"name":"Home Gateway""#,
        ] {
            #expect(json.contains(part), "\(part) is missing in \(json)")
        }
    }

    @Test func txtKeepsEveryByte() throws {
        let record = TXTRecord(strings: [
            Array("flag".utf8), Array("empty=".utf8), Array("path=/a=b".utf8), Array("raw=".utf8) + [0xFF, 0x00],
            Array("esc=\u{1B}[31m\u{2028}\"".utf8),
        ])
        let json = record.report.line
        #expect(
            json == #"{"empty":"","esc":"\u001b[31m"# + "\u{2028}"
                + #"\"","flag":null,"path":"/a=b","raw":{"base64":"/wA="}}"# + "\n"
        )
    }

    @Test func namesAreExact() throws {
        let service = try Fixture.service(name: "Bob's 🤖 \\. \t-\u{202E}x\u{0}", txt: [])
        let json = ServiceReport(service).line
        #expect(json.contains(#""instance":"Bob's 🤖 \\. \t-"# + "\u{202E}" + #"x\u0000""#))
        #expect(json.contains(#""txt":{}"#))
    }
}
