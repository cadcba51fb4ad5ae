import DNSSD
import Discovery
import Foundation
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Agent

/// The gateways that a user names in the file and the environment.
@Suite struct SettingsTests {
    /// Returns the addresses that a file with this content and this environment configure.
    private static func addresses(
        file content: String?,
        environment: [String: String] = [:]
    ) async throws -> [String] {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("config-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try content?.write(toFile: path, atomically: true, encoding: .utf8)
        do {
            let file = ConfigurationFile(path: path)
            return try Settings.gateways(environment: environment, file: file) { _ in }.map(\.description)
        } catch {
            // The path differs from run to run.
            throw ConfigurationProblem(error.description.replacing(path, with: "FILE"))
        }
    }

    private static let keys =
        "gateways, types, interfaces, domains, server, advertise, site, notify, trust, port, page, "
        + "metrics-file, this-host and tailnet"

    /// Returns the settings in a file with this content, or everything that is wrong in it.
    private static func settings(
        _ content: String,
        environment: [String: String] = [:]
    ) throws -> Result<Settings, ConfigurationError> {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("config-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try content.write(toFile: path, atomically: true, encoding: .utf8)
        do throws(ConfigurationError) {
            return .success(try Settings(environment: environment, file: ConfigurationFile(path: path)) { _ in })
        } catch {
            let problems = error.problems.map {
                ConfigurationProblem($0.description.replacing(path, with: "FILE"))
            }
            return .failure(ConfigurationError(problems))
        }
    }

    private static func failure(
        file content: String,
        environment: [String: String] = [:]
    ) async throws -> ConfigurationProblem? {
        do {
            _ = try await addresses(file: content, environment: environment)
            return nil
        } catch let failure as ConfigurationProblem {
            return failure
        }
    }

    /// The recipes and the other examples of the guides are valid: whoever copies one has a configuration. Only that its files
    /// are not there may be said.
    @Test(arguments: [("docs/agent.md", 1), ("docs/be-told.md", 5)])
    func theExamplesOfTheGuidesAreValid(guide: String, least: Int) throws {
        let text = try DocumentedCommand.text(guide)
        let examples = text.split(separator: "```yaml\n").dropFirst().compactMap { part in
            part.firstRange(of: "```").map { String(part[..<$0.lowerBound]) }
        }
        #expect(examples.count >= least)
        for example in examples {
            if case .failure(let error) = try Self.settings(example) {
                Issue.record("\(guide): \(error.problems.map(\.description))\n\(example)")
            }
        }
    }

    @Test func theFileHasAList() async throws {
        let file = "# mine\ngateways:\n  - 192.168.1.50:3000\n  - wss://bot.example.org\n  - \"[fd00::1]:18789\"\n"
        #expect(
            try await Self.addresses(file: file) == ["192.168.1.50:3000", "bot.example.org:443", "[fd00::1]:18789"]
        )
    }

    @Test(arguments: [
        nil, "", "# nothing yet\n\n---\n", "gateways: []\n", "gateways:\n", "gateways:\n  # - 10.0.0.1:1\n",
    ])
    func nothingIsConfigured(content: String?) async throws {
        #expect(try await Self.addresses(file: content) == [])
    }

    /// The gateways that an agent advertises are read with the line of their key.
    @Test func theFileSaysWhatIsAdvertised() throws {
        let settings = try Self.settings(
            "gateways: [10.0.0.1:1]\nadvertise:\n - gateway: ws://127.0.0.1:18789\n   name: Studio\n - gateway: 127.0.0.1:2\n"
        ).get()
        #expect(settings.advertised.value.map(\.address.description) == ["127.0.0.1:18789", "127.0.0.1:2"])
        #expect(settings.advertised.value.map(\.name) == ["Studio", nil])
        guard case .file(_, let line) = settings.advertised.source else { throw ConfigurationProblem("not of a file") }
        #expect(line == 2)
    }

    /// The machines of the tailnet are asked only where somebody wants it: all, or those that are named.
    @Test(
        arguments: [
            ("", nil), ("tailnet: true", []), ("tailnet: false", nil),
            ("tailnet: [studio, 'tag:ai']", ["studio", "tag:ai"]),
            ("tailnet: []", nil),
        ] as [(String, [String]?)]
    )
    func theTailnetIsAskedOnRequest(_ content: String, _ expected: [String]?) throws {
        #expect(try Self.settings(content).get().tailnet.value == expected)
    }

    /// Gateways of this host can be found, and advertised as they are found, beside those that are named.
    @Test(arguments: [
        ("", false, false), ("this-host: true", false, true), ("this-host: false", false, false),
        ("advertise: auto", true, true),
        ("advertise: [auto, {gateway: \"127.0.0.1:1\"}]\nthis-host: false", true, true),
    ])
    func whatIsFoundOnThisHost(_ content: String, isAdvertised: Bool, isFound: Bool) throws {
        let settings = try Self.settings(content).get()
        #expect(settings.advertisesFound.value == isAdvertised && settings.findsOnThisHost == isFound)
        #expect(settings.advertised.value.count == (content.contains("gateway:") ? 1 : 0))
    }

    /// Of what the user is told, and how.
    @Test func theFileSaysHowTheUserIsTold() throws {
        let settings = try Self.settings(
            """
            notify:
              watch: [Home, 10.0.0.1:1]
              quiet-hours: "22:00-07:00"
              new-gateways: true
              per-hour: 10
              per-hour-and-gateway: 3
              sinks:
                - {name: log, exec: [/bin/tell, -v]}
                - {name: phone, webhook: "https://ntfy.sh/secret", form: ntfy, token-file: /t, ca-file: /c}
                - {name: own, webhook-file: /u, template: '{"a": "{title}"}'}
                - {name: desk, desktop: true}
                - {name: post, mail: me@example.org}

            """
        ).get().notify
        #expect(settings.value.policy.watched == .named(["Home", "10.0.0.1:1"]))
        #expect(settings.value.policy.quietHours?.description == "22:00-07:00")
        #expect(settings.value.policy.tellsNewGateways && !NoticePolicy().tellsNewGateways)
        #expect(settings.value.policy.most == 10 && settings.value.policy.mostPerGateway == 3)
        let url = try #require(WebURL("https://ntfy.sh/secret"))
        #expect(
            settings.value.sinks.map(\.channel) == [
                .exec(["/bin/tell", "-v"]),
                .webhook(Webhook(.url(url), form: .ntfy, tokenFile: "/t", caFile: "/c")),
                .webhook(Webhook(.file("/u"), form: .template("{\"a\": \"{title}\"}"))), .desktop,
                .mail(to: "me@example.org"),
            ]
        )
        // The path of an address can be a secret.
        #expect(settings.value.sinks.allSatisfy { !$0.summary.contains("secret") })
    }

    @Test(arguments: [
        ("notify: 1", "1: notify: expected the keys watch, sinks, quiet-hours"),
        ("notify:\n  wach: all", "2: notify: expected the keys"),
        ("notify:\n  watch: some", "2: notify, watch: expected own, all, none"),
        ("notify:\n  quiet-hours: 22-7", "2: notify, quiet-hours: expected a text such as"),
        ("notify:\n  new-gateways: 1", "2: notify, new-gateways: expected true or false"),
        ("notify:\n  per-hour: 0", "2: notify, per-hour: expected a number from 1 to 1000"),
        ("notify:\n  sinks: x", "2: notify, sinks: expected a list of at most 16"),
        ("notify:\n  sinks:\n  - {name: a}", "3: notify, sinks, entry 1: expected “name”, and one of “exec”"),
        (
            "notify:\n  sinks:\n  - {name: a b, desktop: true}",
            "3: notify, sinks, entry 1: name: expected 1 to 32 letters"
        ),
        ("notify:\n  sinks:\n  - {name: a, exec: tell}", "3: notify, sinks, entry 1: exec: expected a list"),
        (
            "notify:\n  sinks:\n  - {name: a, exec: [tell]}",
            "3: notify, sinks, entry 1: exec: expected the program as a path"
        ),
        (
            "notify:\n  sinks:\n  - {name: a, webhook: ftp://x}",
            "3: notify, sinks, entry 1: webhook: expected an address"
        ),
        (
            "notify:\n  sinks:\n  - {name: a, webhook: \"https://x/\", template: '{\"a\": {title}}'}",
            "3: notify, sinks, entry 1: template: expected JSON"
        ),
        (
            "notify:\n  sinks:\n  - {name: a, webhook: \"http://x/\", token-file: /t}",
            "3: notify, sinks, entry 1: token-file: expected it with https:// alone"
        ),
        ("notify:\n  sinks:\n  - {name: a, mail: -x}", "3: notify, sinks, entry 1: mail: expected an address"),
        (
            "notify:\n  sinks:\n  - {name: a, desktop: true, form: json}",
            "3: notify, sinks, entry 1: form: expected it with a"
        ),
        (
            "notify:\n  sinks:\n  - {name: a, desktop: true}\n  - {name: a, desktop: true}",
            "4: notify, sinks, entry 2: expected a name of its own"
        ),
    ])
    func eachMistakeInHowTheUserIsToldHasItsLine(content: String, message: String) throws {
        guard case .failure(let error) = try Self.settings(content + "\n") else {
            throw ConfigurationProblem("nothing was wrong")
        }
        #expect(error.problems.count == 1 && error.description.hasPrefix("FILE:\(message)"), "\(error)")
    }

    /// A file that somebody else may write to names programs that would be run as this user.
    @Test func aFileOfOthersIsRefused() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("config-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "notify: {sinks: [{name: a, exec: [/bin/true]}]}\n".write(toFile: path, atomically: true, encoding: .utf8)
        func problems() -> String? {
            do throws(ConfigurationError) {
                _ = try Settings(environment: [:], file: ConfigurationFile(path: path)) { _ in }
                return nil
            } catch {
                return error.description
            }
        }
        #expect(problems() == nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        let words = "to which nobody else may write, since it says what is run, found one to which others may write."
        #expect(problems()?.hasSuffix("\(words) Run: chmod go-w \(path)") == true, "\(problems() ?? "")")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        guard geteuid() == 0 else { return }
        try FileManager.default.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: path)
        #expect(problems()?.hasSuffix("found one of the user 12345. Run: chown 0 \(path)") == true)
    }

    @Test(arguments: [
        ("https://a.example/x?y", "https://a.example", 443, "/x?y"), ("http://[::1]:81", "http://[::1]:81", 81, "/"),
        ("HTTPS://a:8443/", "https://a:8443", 8_443, "/"),
    ])
    func addressesOfWebServersAreRead(text: String, origin: String, port: Int, target: String) throws {
        let url = try #require(WebURL(text))
        #expect(url.origin == origin && url.port == port && url.target == target)
    }

    @Test(arguments: [
        "", "https://", "https://a@b/", "https://a/#b", "https://a b/", "https://a:0/", "https://a:x/", "https://[a]/",
        "https://a\r\nb/", "ftp://a/", "https://ä/",
    ])
    func otherTextsAreNoAddresses(text: String) {
        #expect(WebURL(text) == nil)
    }

    /// Everything that is wrong is named at once, each with its line.
    @Test func theFileSaysWhatIsLookedForAndWhereTheAgentAnswers() throws {
        let result = try Self.settings(
            """
            types: [_openclaw._tcp, _OpenClaw._tcp, "_x._udp"]
            interfaces:
              - eth0
              - eth0
            trust: lan
            domains: [openclaw.internal., OpenClaw.internal]
            server: 10.0.0.1
            port: 7417
            metrics-file: /tmp/x.prom
            page:
              names: [Box.example.org, box.example.org, box]
            """
        )
        let settings = try result.get()
        #expect(settings.types.value.map(\.description) == ["_openclaw._tcp", "_x._udp"])
        #expect(settings.interfaces.value == ["eth0"])
        #expect(settings.domains.value.map(\.escaped) == ["openclaw.internal"])
        #expect(settings.server.value.map(\.description) == ["10.0.0.1:53"])
        #expect(settings.wideArea.domains == settings.domains.value && settings.wideArea.servers.map(\.port) == [53])
        #expect(settings.trust.value == .lan)
        #expect(settings.port.value == 7_417)
        #expect(settings.metricsFile.value == "/tmp/x.prom")
        #expect(settings.pageNames.value == ["box.example.org", "box"])
        guard case .file(_, let line) = settings.port.source else { throw ConfigurationProblem("from elsewhere") }
        #expect(line == 8)
        let none = try Self.settings("types:\nport: ~\n").get()
        #expect(none == Settings())
    }

    /// A setting that is wrong is named with its line, and everything else that is wrong, too.
    @Test(arguments: [
        ("types: _openclaw._tcp", "FILE:1: types: expected a list of at most 16 service types"),
        ("types:\n - _openclaw._tcp\n - x", "FILE:3: types: "),
        ("types: [[a]]", "FILE:1: types: expected a list of service types"),
        ("interfaces: [eth0, a/b]", "FILE:1: interfaces: expected the name of a network interface"),
        ("interfaces: [sixteen-letters-]", "FILE:1: interfaces: expected the name of a network interface"),
        ("interfaces: {a: b}", "FILE:1: interfaces: expected a list of at most 16 names"),
        ("domains: [local]", "FILE:1: domains: expected a DNS domain such as openclaw.internal"),
        ("domains: [a..b]", "FILE:1: domains: expected a DNS domain such as openclaw.internal"),
        ("server: dns.example", "FILE:1: server: expected the address of a DNS server such as 10.0.0.1"),
        ("server: [10.0.0.1, 10.0.0.2:0]", "FILE:1: server: expected the address of a DNS server such as 10.0.0.1"),
        ("trust: all", "FILE:1: trust: expected address or lan"),
        ("trust: [lan]", "FILE:1: trust: expected address or lan"),
        ("port: 0", "FILE:1: port: expected a port from 1 to 65535"),
        ("port: 65536", "FILE:1: port: expected a port from 1 to 65535"),
        ("page: [box]", "FILE:1: page: expected “names” with a list of host names"),
        ("page: {names: [box], check: false}", "FILE:1: page: expected “names” with a list of host names"),
        ("page: {names: box}", "FILE:1: page, names: expected a list of at most 16 host names"),
        ("page: {names: [\"*\"]}", "FILE:1: page, names: expected a host name such as box.example.org"),
        ("page: {names: [\"box:7417\"]}", "FILE:1: page, names: expected a host name such as box.example.org"),
        ("tailnet: maybe", "FILE:1: tailnet: expected a list of at most 16 names of machines"),
        ("this-host: maybe", "FILE:1: this-host: expected true or false, found something else"),
        ("metrics-file: x.prom", "FILE:1: metrics-file: expected the path of a file that begins with /"),
        ("metrics-file: /tmp/", "FILE:1: metrics-file: expected the path of a file that begins with /"),
    ])
    func eachMistakeHasItsLine(content: String, message: String) throws {
        guard case .failure(let error) = try Self.settings("\(content)\nother: 1\n") else {
            throw ConfigurationProblem("nothing was wrong")
        }
        #expect(error.problems.count == 2, "\(error)")
        #expect(error.problems.first?.description.hasPrefix(message) == true, "\(error)")
    }

    @Test func allMistakesAreNamed() throws {
        let result = try Self.settings(
            "gateways:\n - x\n - 10.0.0.1:1\n - y\nother: 1\nadvertise:\n - gateway: z\n - gateway: 10.0.0.1:1\n - gateway: ws://10.0.0.1:1\n"
        )
        guard case .failure(let error) = result else { throw ConfigurationProblem("nothing was wrong") }
        let places = error.problems.map { $0.description.prefix { $0 != " " } }
        #expect(places == ["FILE:2:", "FILE:4:", "FILE:5:", "FILE:7:", "FILE:9:"])
    }

    /// Also those of one entry, and those of the variable beside those of the file.
    @Test func allMistakesOfAnEntryAreNamed() throws {
        let content = """
            gateways: [{a: b}, x]
            types: [[_a._tcp], no-type]
            advertise:
             - port: 3
               other: 4
               gateway: z
            notify:
              sinks:
               - name: "?"
                 sms: 1
                 exec: relative
                 form: ntfy
               - name: hook
                 webhook: nonsense
                 token-file: relative
                 form: other
                 ca-file: [a]

            """
        let result = try Self.settings(content, environment: ["CLAWRADAR_GATEWAYS": "y,10.0.0.1:1,z"])
        guard case .failure(let error) = result else { throw ConfigurationProblem("nothing was wrong") }
        let texts = error.problems.map(\.description)
        for part in [
            "CLAWRADAR_GATEWAYS: entry 1:", "CLAWRADAR_GATEWAYS: entry 3:", "gateways, entry 1:", "gateways, entry 2:",
            "FILE:2: types: expected a list of", "no-type", "found “port”", "found “other”", "found “z”",
            "entry 1: name:", "found “sms”", "entry 1: form:", "entry 1: exec:", "entry 2: webhook:",
            "entry 2: token-file:", "entry 2: form:", "entry 2: ca-file:",
        ] {
            #expect(texts.contains { $0.contains(part) }, "\(part) in \(texts)")
        }
    }

    @Test func theEnvironmentComesBeforeTheFile() async throws {
        let file = "gateways: [10.0.0.1:1]\n"
        let two = ["CLAWRADAR_GATEWAYS": "10.0.0.2:2, ws://10.0.0.3:3/x"]
        #expect(try await Self.addresses(file: file, environment: two) == ["10.0.0.2:2", "10.0.0.3:3"])
        #expect(try await Self.addresses(file: file, environment: ["CLAWRADAR_GATEWAYS": ""]) == [])
        // A file that is not read cannot be the cause of an error.
        #expect(try await Self.addresses(file: "gateways: {", environment: two).count == 2)
    }

    /// An error message says where the mistake is, and what was expected and found, in one line.
    @Test(arguments: [
        (
            "gateways:\n  - 10.0.0.1:1\n  - nonsense\n",
            "FILE:3: gateways, entry 2: found “nonsense”. An address is HOST:PORT"
        ),
        ("gateways: 10.0.0.1:1\n", "FILE:1: gateways: expected a list of addresses, found something else"),
        ("gateways:\n  - {a: b}\n", "FILE:2: gateways, entry 1: expected an address, found something else"),
        (
            "# mine\ngateway: [10.0.0.1:1]\n",
            "FILE:2: expected the keys \(Self.keys), found “gateway”"
        ),
        ("gateways: [\n", "FILE:2: expected YAML such as “gateways: [192.168.1.50:3000]”"),
        ("- 10.0.0.1:1\n", "FILE:1: expected the keys \(Self.keys), found something else"),
        ("a: \u{7}\n", "FILE: expected YAML"),
        ("gateways: []\ngateways: []\n", "FILE:1: expected YAML"),
        ("advertise: 10.0.0.1:1\n", "FILE:1: advertise: expected a list of at most 64 gateways"),
        ("advertise:\n - name: Studio\n", "FILE:2: advertise, entry 1: expected “gateway” with the address"),
        ("advertise:\n - gateway: 127.0.0.1:1/x\n", "FILE:2: advertise, entry 1: expected a gateway at the path /"),
        ("advertise:\n - gateway: a b\n", "FILE:2: advertise, entry 1: found “a b”. An address is HOST:PORT"),
        (
            "advertise:\n - gateway: 127.0.0.1:1\n   port: 3\n",
            "FILE:2: advertise, entry 1: expected “gateway” and, if you like, “name”, “zone”, “key” and “server”; found “port”"
        ),
    ])
    func whatIsWrongIsNamed(content: String, message: String) async throws {
        let failure = try #require(try await Self.failure(file: content))
        #expect(failure.description.hasPrefix(message), "\(failure.description)")
        #expect(!failure.description.contains("\n"))
    }

    /// The zones in which an agent publishes, each with the key of its server.
    @Test func zonesAreRead() throws {
        let settings = try Self.settings(
            """
            advertise:
            - {gateway: 127.0.0.1:3000, zone: kitchen.example.org, key: /etc/site1.key}
            - gateway: 127.0.0.1:3000
            site: {zone: kitchen.example.org, key: /etc/site1.key, server: "192.0.2.53:5300", gateways: [Studio, 'fingerprint:a\\032b']}
            """
        ).get()
        let zone = ZoneSetting(domain: try DomainName(escaped: "kitchen.example.org"), key: "/etc/site1.key")
        #expect(settings.advertised.value.map(\.zone) == [zone, nil])
        let fingerprint = try #require(GatewayFingerprint("a b"))
        #expect(settings.site.value?.gateways == [.name("Studio"), .fingerprint(fingerprint)])
        #expect(settings.site.value?.zone.server?.description == "192.0.2.53:5300")
        let all = try Self.settings("site: {zone: example.org, key: /k, gateways: all}").get()
        #expect(all.site.value?.gateways == .some(nil))
    }

    /// A zone that is named wrongly is never another one.
    @Test(arguments: [
        ("site: example.org\n", "FILE:1: site: expected “zone”, “key”"),
        ("site: {key: /k}\n", "FILE:1: site: “key” goes with “zone”, found no zone"),
        ("site: {zone: example.org}\n", "FILE:1: site: key: expected the path"),
        ("site: {zone: example.org, key: k}\n", "FILE:1: site: key: expected the path"),
        ("site: {zone: local, key: /k}\n", "FILE:1: site: zone: expected a domain"),
        ("site: {zone: example.org, key: /k, server: ns}\n", "FILE:1: site: server: expected an IP address"),
        ("site: {zone: example.org, key: /k, gateways: none}\n", "FILE:1: site, gateways: expected all or a list"),
        ("site: {zone: example.org, key: /k, gateways: ['fingerprint:']}\n", "FILE:1: site, gateways: expected all or"),
        ("site: {zone: example.org, key: /k, port: 1}\n", "FILE:1: site: expected “zone”, “key”"),
        ("advertise:\n- {gateway: '127.0.0.1:1', key: /k}\n", "FILE:2: advertise, entry 1: “key” goes with “zone”"),
    ])
    func aWrongZoneIsNamed(content: String, message: String) async throws {
        let failure = try #require(try await Self.failure(file: content))
        #expect(failure.description.hasPrefix(message), "\(failure.description)")
    }

    /// Too many addresses are an error; the list is not shortened.
    @Test func tooManyAddressesAreRefused() async throws {
        let many = (0...16_384).map { "  - 10.0.\($0 >> 8 & 0xFF).\($0 & 0xFF):\(1 + $0)\n" }.joined()
        let failure = try await Self.failure(file: "gateways:\n" + many)
        #expect(failure?.description == "FILE:1: gateways, expected at most 16384 addresses, found 16385")
    }

    @Test func aFileThatIsTooLongIsRefused() async throws {
        let comment = String(repeating: "#", count: 1_048_575) + "\n"
        #expect(try await Self.addresses(file: comment) == [])
        let failure = try await Self.failure(file: comment + "\n")
        #expect(failure?.description == "FILE: expected at most 1048576 bytes, found more")
    }

    @Test func aFolderCannotBeRead() async throws {
        let path = FileManager.default.temporaryDirectory.path
        let failure = #expect(throws: ConfigurationError.self) {
            try Settings.gateways(environment: [:], file: ConfigurationFile(path: path)) { _ in }
        }
        #expect(failure?.description == "\(path): cannot be read: Is a directory")
    }

    @Test func aSecretIsNotRepeated() async throws {
        let failure = try await Self.failure(file: "gateways: [\"ws://me:secret@10.0.0.1:1\"]\n")
        #expect(failure?.description.contains("found “ws://…@10.0.0.1:1”") == true, "\(failure?.description ?? "")")
    }

    @Test func aSecretInTheVariableIsNotRepeated() async throws {
        let failure = try await Self.failure(file: "", environment: ["CLAWRADAR_GATEWAYS": "me:hunter2@studio:18789"])
        let start = "CLAWRADAR_GATEWAYS: entry 1: found “…@studio:18789”. An address is"
        #expect(failure?.description.hasPrefix(start) == true, "\(failure?.description ?? "")")
    }

    /// No part of a password with a comma is repeated: commas separate addresses, so that the password is split into
    /// two of them.
    @Test(arguments: [
        "wss://me:hunter2,hunter3@studio:18789", "wss://me:hunter2@hunter3,hunter4@studio:1",
        "me:hunter2, hunter3 x@studio:1", "studio,me:hunter2@10.0.0.1:1",
    ])
    func aSecretWithACommaIsNotRepeated(text: String) async throws {
        let ofVariable = try await Self.failure(file: "", environment: ["CLAWRADAR_GATEWAYS": text])
        let ofFile = try await Self.failure(file: "gateways: [\(text)]\n")
        for failure in [ofVariable, ofFile] {
            let description = try #require(failure?.description)
            #expect(!description.contains("hunter"), "\(description)")
        }
    }

    /// The error message for malformed YAML does not repeat the line at which the parser stopped, since that may
    /// contain a password.
    @Test(arguments: [
        "gateways:\n  - \"me:hunter2\\@studio:1\"\n", "gateways: [me:hunter2@studio:1\n", "a: %hunter2\n b: @hunter2\n",
        "gateways: @hunter2\n", "me:hunter2@studio: 1\nme:hunter2@studio: 2\n", "gateways: [a]\n hunter2\n",
        "\tme:hunter2@studio\n", "hunter2: \u{7}\n",
    ])
    func aLineOfBadYAMLIsNotRepeated(content: String) async throws {
        let failure = try #require(try await Self.failure(file: content))
        #expect(failure.description.hasPrefix("FILE:") && failure.description.contains(": expected"))
        #expect(!failure.description.contains("hunter2"), "\(failure.description)")
    }

    /// A file that cannot be opened is left out with a warning, because the user has not named it. It may be unreadable
    /// if HOME belongs to another user.
    @Test func aFileThatMayNotBeReadIsLeftOut() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("config-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        // A symbolic link to itself cannot be opened by anybody, not even by root.
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        var warnings: [String] = []
        let addresses = try Settings.gateways(environment: [:], file: ConfigurationFile(path: path)) {
            warnings.append($0)
        }
        #expect(addresses.isEmpty)
        #expect(warnings.map { $0.hasPrefix("\(path) cannot be opened: ") } == [true])
    }

    @Test func aLineOfBadYAMLIsNamed() async throws {
        let failure = try #require(try await Self.failure(file: "gateways:\n  - a:1\n - b\n"))
        #expect(failure.description.contains("3:"), "\(failure.description)")
    }

    @Test func aWrongVariableIsNamed() async throws {
        let failure = try await Self.failure(file: "", environment: ["CLAWRADAR_GATEWAYS": "10.0.0.1:1,x"])
        #expect(failure?.description.hasPrefix("CLAWRADAR_GATEWAYS: entry 2: found “x”. An address is") == true)
    }

    @Test func theFileIsWhereXDGSays() {
        #expect(ConfigurationFile(environment: ["XDG_CONFIG_HOME": "/c"])?.path == "/c/clawradar/config.yaml")
        #expect(ConfigurationFile(environment: ["HOME": "/h"])?.path == "/h/.config/clawradar/config.yaml")
        let relative = ["XDG_CONFIG_HOME": "c", "HOME": "/h"]
        #expect(ConfigurationFile(environment: relative)?.path == "/h/.config/clawradar/config.yaml")
        #expect(ConfigurationFile(environment: [:]) == nil)
    }

    /// A key that is there twice is said with its line: one of both would be left out.
    @Test(arguments: [
        ("gateways: []\ntypes: []\ngateways: [10.0.0.1:1]\n", "gateways"),
        ("notify:\n  watch: own\n  watch: all\n", "watch"),
        ("notify:\n  sinks:\n    - {name: a, name: b, desktop: true}\n", "name"),
        ("advertise:\n  - {gateway: 127.0.0.1:1, gateway: 127.0.0.1:2}\n", "gateway"),
        ("\"notify\": {watch: own}\nnotify: {watch: all}\n", "notify"),
    ])
    func aKeyStandsOnce(content: String, key: String) throws {
        guard case .failure(let error) = try Self.settings(content) else {
            Issue.record("expected a problem")
            return
        }
        #expect(error.description.contains(/^FILE:[1-3]: .*a key is there twice/), "\(error)")
        #expect(error.description.hasSuffix("“\(key)”"), "\(error)")
    }

    /// Bytes that are no UTF-8 are said with their line, and not read as something else.
    @Test func theFileIsUTF8() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("config-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bytes = Array("gateways: []\nnotify: {watch: [K".utf8) + [0xFC] + Array("che]}\n".utf8)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(throws: ConfigurationError.self) {
            try Settings(environment: [:], file: ConfigurationFile(path: path)) { _ in }
        }
        do throws(ConfigurationError) {
            _ = try Settings(environment: [:], file: ConfigurationFile(path: path)) { _ in }
        } catch {
            #expect(error.description == "\(path):2: expected UTF-8, found bytes that are none")
        }
    }

    /// Programs and files of sinks that are not there are said, each with its sink and key.
    @Test func filesOfSinksAreLookedFor() throws {
        let sinks = [
            "{name: a, exec: [/bin/sh, -c]}", "{name: b, exec: [/nowhere/tell]}",
            "{name: c, webhook-file: /nowhere/url, token-file: /etc/passwd, ca-file: /nowhere/ca}",
            "{name: d, exec: [/etc/passwd]}", "{name: e, desktop: true}",
        ]
        let content = "notify:\n  sinks:\n" + sinks.map { "    - \($0)\n" }.joined()
        guard case .success(let settings) = try Self.settings(content) else {
            Issue.record("expected settings")
            return
        }
        #expect(
            settings.notify.value.missingFiles == [
                "sink b, exec: expected the file /nowhere/tell, found none",
                "sink c, webhook-file: expected the file /nowhere/url, found none",
                "sink c, ca-file: expected the file /nowhere/ca, found none",
                "sink d, exec: expected the file /etc/passwd, found one that this user may not use",
            ]
        )
    }
}
