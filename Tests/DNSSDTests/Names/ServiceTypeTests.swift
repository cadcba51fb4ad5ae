import DNSSD
import Testing

@Suite struct ServiceTypeTests {
    @Test(arguments: [
        ("_openclaw._tcp", "_openclaw._tcp"),
        ("_openclaw._tcp.", "_openclaw._tcp"),
        ("_openclaw._tcp.local", "_openclaw._tcp"),
        ("_openclaw._tcp.local.", "_openclaw._tcp"),
        ("_OpenClaw._TCP.Local", "_openclaw._tcp"),
        ("_clawdbot-bridge._tcp", "_clawdbot-bridge._tcp"),
        ("_x._udp", "_x._udp"),
        ("_openclaw._tcp,_home,_lab", "_openclaw._tcp,_home,_lab"),
        ("_openclaw._tcp.local.,_home", "_openclaw._tcp,_home"),
        ("_home._sub._openclaw._tcp", "_openclaw._tcp,_home"),
        ("_Home._sub._openclaw._tcp,_lab", "_openclaw._tcp,_Home,_lab"),
        ("_openclaw._tcp,_home,_HOME", "_openclaw._tcp,_home"),
        (#"_openclaw._tcp,a\,b\.c"#, #"_openclaw._tcp,a\,b\.c"#),
        ("_openclaw._tcp,Größe", "_openclaw._tcp,Größe"),
    ])
    func readsEveryNotation(text: String, expected: String) throws {
        let type = try ServiceType(text)
        #expect(type.description == expected)
        #expect(try ServiceType(type.description) == type)
    }

    @Test(arguments: [
        ("openclaw._tcp", ErrorCode<DNSSDError>.missingUnderscore, "_openclaw._tcp?"),
        ("_openclaw.tcp", .missingUnderscore, "_openclaw._tcp?"),
        ("openclaw", .invalidServiceType, "_openclaw._tcp?"),
        ("_openclaw", .invalidServiceType, "_openclaw._tcp?"),
        ("", .invalidServiceType, "_openclaw._tcp"),
        (".", .invalidServiceType, "_openclaw._tcp"),
        ("_a.._tcp", .invalidServiceType, "_a.._tcp"),
        ("_openclaw._sctp", .unknownTransport, "_sctp"),
        ("_openclaw._tcp.example.org", .unexpectedDomain, "example.org"),
        ("_clawdbot-gateway._tcp", .serviceNameTooLong, "15"),
        ("_._tcp", .invalidServiceName, "letter"),
        ("_12._tcp", .invalidServiceName, "letter"),
        ("_-a._tcp", .invalidServiceName, "-a"),
        ("_a-._tcp", .invalidServiceName, "a-"),
        ("_a--b._tcp", .invalidServiceName, "a--b"),
        ("_a_b._tcp", .invalidServiceName, "a_b"),
        ("_clàw._tcp", .invalidServiceName, "clàw"),
        ("_openclaw._tcp,", .invalidSubtype, "_home"),
        ("_openclaw._tcp,a.b", .invalidSubtype, "a.b"),
    ])
    func saysWhatIsWrong(text: String, code: ErrorCode<DNSSDError>, hint: String) {
        let error = #expect(throws: DNSSDError.self) { try ServiceType(text) }
        #expect(error?.code == code)
        #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
    }

    @Test func errorsAreFreeOfTerminalEscapes() {
        let error = #expect(throws: DNSSDError.self) { try ServiceType("\u{1B}[31mclaw") }
        #expect(error?.message.unicodeScalars.contains("\u{1B}") == false)
    }

    @Test func subtypesAreBrowsedUnderTheirOwnNames() throws {
        #expect(try ServiceType("_openclaw._tcp").browseTypes == ["_openclaw._tcp"])
        #expect(
            try ServiceType(#"_openclaw._tcp,_home,_l\.b"#).browseTypes
                == ["_home._sub._openclaw._tcp", #"_l\.b._sub._openclaw._tcp"#]
        )
    }

    @Test func baseHasNoSubtypes() throws {
        #expect(try ServiceType("_openclaw._tcp,_home").base == ServiceType("_openclaw._tcp"))
        #expect(try ServiceType("_openclaw._tcp,_home") != ServiceType("_openclaw._tcp"))
    }

    @Test func subtypesAreComparedWithoutCase() throws {
        let types: Set = [try ServiceType("_a._tcp,_Home"), try ServiceType("_A._tcp,_hOME")]
        #expect(types.count == 1)
    }
}
