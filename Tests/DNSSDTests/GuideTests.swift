import DNSSD
import TestSupport
import Testing

// The code up to the suite repeats the listings of Sources/DNSSD/DNSSD.docc word for word, and has to be changed
// together with them.

func isSameService(_ one: String, _ other: String) throws -> Bool {
    let type = try ServiceType("_openclaw._tcp")
    return try ServiceInstance(name: one, type: type) == ServiceInstance(name: other, type: type)
}

func labels(of text: String) throws -> [String] {
    try DomainName(escaped: text).labels.map { String(decoding: $0, as: UTF8.self) }
}

func title(_ service: DiscoveredService) -> String {
    "\(DisplayText(service.instance.name)) on port \(service.port.map(String.init) ?? "?")"
}

/// The listings of the guide compile, and do what the guide says.
@Suite struct GuideTests {
    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "DNSSD")
        #expect(listings.count == 3)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }

    @Test func namesAreComparedWithoutRegardToCase() throws {
        #expect(try isSameService("Den", "dEN"))
        #expect(try !isSameService("Den", "Dén"))
    }

    @Test func aDotWithinALabelIsEscaped() throws {
        #expect(try labels(of: #"a\.b._openclaw._tcp.local"#) == ["a.b", "_openclaw", "_tcp", "local"])
    }

    @Test func aNameDoesNothingToATerminal() throws {
        let instance = try ServiceInstance(name: "Den\u{1B}[2J", type: ServiceType("_openclaw._tcp"))
        #expect(!title(DiscoveredService(instance: instance)).contains("\u{1B}"))
    }
}
