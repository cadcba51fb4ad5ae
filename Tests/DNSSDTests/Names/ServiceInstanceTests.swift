import DNSSD
import Testing

@Suite struct ServiceInstanceTests {
    private func instance(_ name: String, domain: String = "local") throws -> ServiceInstance {
        try ServiceInstance(name: name, type: ServiceType("_openclaw._tcp"), domain: domain)
    }

    @Test func isTheSameInAnyASCIICase() throws {
        let instances: Set = [try instance("Home Gateway"), try instance("HOME gateway", domain: "LOCAL.")]
        #expect(instances.count == 1)
    }

    @Test func differsWhereOnlyUnicodeSeesNoDifference() throws {
        // The precomposed and the decomposed é are equal strings, but different names.
        let names = ["caf\u{E9}", "cafe\u{301}"]
        #expect(names[0] == names[1])
        #expect(try instance(names[0]) != instance(names[1]))
        #expect(try Set(names.map { try instance($0) }).count == 2)
    }

    @Test func foldsNothingBeyondASCII() throws {
        #expect(try instance("Größe") != instance("GRÖSSE"))
        #expect(try instance("Ö") != instance("ö"))
    }

    @Test func orderAgreesWithEquality() throws {
        let sorted = try ["b", "A", "a b", "ab", "B", "é"].map { try instance($0) }.sorted()
        #expect(sorted.map(\.name) == ["A", "a b", "ab", "b", "B", "é"])
        #expect(try !(instance("a") < instance("A")))
        #expect(try !(instance("A") < instance("a")))
    }

    @Test func typeIsWithoutSubtypes() throws {
        let instance = try ServiceInstance(name: "a", type: ServiceType("_openclaw._tcp,_home"))
        #expect(instance.type.subtypes.isEmpty)
        #expect(try instance == self.instance("a"))
    }

    @Test(arguments: [
        ("Home Gateway", #"Home\032Gateway._openclaw._tcp.local"#),
        ("Foo.bar", #"Foo\.bar._openclaw._tcp.local"#),
        (#"a\b"#, #"a\\b._openclaw._tcp.local"#),
        ("\u{1B}[0m\n", #"\027[0m\010._openclaw._tcp.local"#),
        ("del\u{7F}", #"del\127._openclaw._tcp.local"#),
        ("Größe 🦞", #"Größe\032🦞._openclaw._tcp.local"#),
        ("-rf", "-rf._openclaw._tcp.local"),
    ])
    func fullNameIsEscapedAndReadBack(name: String, fullName: String) throws {
        let instance = try instance(name)
        #expect(instance.fullName == fullName)
        #expect(try ServiceInstance(fullName: fullName) == instance)
        #expect(try ServiceInstance(fullName: fullName + ".").name.utf8.elementsEqual(name.utf8))
    }

    @Test(arguments: [
        (#"Gr\195\182\195\159e\.b\\\032x\032\0402\041"#, #"Größe.b\ x (2)"#),
        (#"a\(b\)"#, "a(b)"),
        (#"a\000b"#, "a\u{0}b"),
        ("plain text", "plain text"),
    ])
    func unescapesWhatAvahiAndAppleWrite(escaped: String, name: String) throws {
        #expect(try ServiceInstance.unescape(escaped) == name)
    }

    @Test(arguments: [
        (#"a\"#, ErrorCode<DNSSDError>.invalidInstanceName),
        (#"a\1b"#, .invalidInstanceName),
        (#"a\256"#, .invalidInstanceName),
        ("a.b", .invalidInstanceName),
        ("", .invalidInstanceName),
        (#"\255\254"#, .instanceNameNotUTF8),
        (String(repeating: "x", count: 64), .invalidInstanceName),
    ])
    func refusesWhatIsNoEscapedName(escaped: String, code: ErrorCode<DNSSDError>) {
        let error = #expect(throws: DNSSDError.self) { try ServiceInstance.unescape(escaped) }
        #expect(error?.code == code)
    }

    @Test(arguments: [
        ("", ErrorCode<DNSSDError>.invalidFullName),
        ("_openclaw._tcp.local", .invalidFullName),
        ("a._openclaw._tcp", .invalidFullName),
        ("a..local", .invalidFullName),
        ("a.openclaw._tcp.local", .invalidInstanceType),
        ("a._openclaw._xyz.local", .invalidInstanceType),
        (#"\255._openclaw._tcp.local"#, .instanceNameNotUTF8),
        (#"a.\255._tcp.local"#, .invalidInstanceType),
    ])
    func refusesWhatIsNoFullName(fullName: String, code: ErrorCode<DNSSDError>) {
        let error = #expect(throws: DNSSDError.self) { try ServiceInstance(fullName: fullName) }
        #expect(error?.code == code)
    }

    @Test func nameIsOneTo63Bytes() throws {
        #expect(try instance(String(repeating: "ö", count: 31)).name.utf8.count == 62)
        for name in ["", String(repeating: "ö", count: 32)] {
            let error = #expect(throws: DNSSDError.self) { try instance(name) }
            #expect(error?.code == .invalidInstanceName)
        }
    }

    @Test(arguments: ["", ".", "a..b", #"a\"#, String(repeating: "abcdefg.", count: 30)])
    func refusesBadDomains(domain: String) {
        let error = #expect(throws: DNSSDError.self) {
            try instance(String(repeating: "x", count: 63), domain: domain)
        }
        #expect(error?.code == .invalidInstanceDomain)
    }

    @Test func domainIsEscapedInOneWay() throws {
        #expect(try instance("a", domain: #"my\.net.example."#).domain == #"my\.net.example"#)
        #expect(try instance("a", domain: #"\109y.example"#) == instance("a", domain: "my.example"))
    }

    @Test func descriptionIsSafeToPrint() throws {
        #expect(try instance("a\u{1B}b").description == "a\u{FFFD}b._openclaw._tcp.local")
    }
}
