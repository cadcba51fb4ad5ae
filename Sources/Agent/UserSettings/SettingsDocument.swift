internal import DNSSD
internal import Discovery
internal import Reports
internal import Scanning
internal import Yams

/// The content of a configuration file: what can be read of it, and everything that cannot. A value.
struct SettingsDocument {
    /// The keys that a file may have.
    private enum Key: String, CaseIterable {
        case gateways, types, interfaces, domains, server, advertise, site, notify, trust, port, page
        case metricsFile = "metrics-file"
        case thisHost = "this-host"
        case tailnet
    }

    /// The keys, for people.
    private static let keys =
        Key.allCases.dropLast().map(\.rawValue).joined(separator: ", ") + " and " + (Key.allCases.last?.rawValue ?? "")

    /// The maximum number of gateways of one host to advertise.
    private static let mostAdvertised = 64

    private(set) var gateways: Setting<[ProbeAddress]>?
    private(set) var advertised: Setting<[AdvertisedGateway]>?
    private(set) var advertisesFound: Setting<Bool>?
    var site: Setting<SiteSetting?>?
    var thisHost: Setting<Bool>?
    var tailnet: Setting<[String]?>?
    var notify: Setting<NoticeSettings>?
    var types: Setting<[ServiceType]>?
    var interfaces: Setting<[String]>?
    var domains: Setting<[DomainName]>?
    var server: Setting<[DNSServerAddress]>?
    var trust: Setting<PlainTrustSetting?>?
    var port: Setting<UInt16?>?
    var pageNames: Setting<[String]>?
    var metricsFile: Setting<String?>?
    private(set) var problems: [ConfigurationProblem] = []

    private var file: ConfigurationFile?

    /// Makes an empty document.
    init() {}

    /// Reads the content of a file.
    init(_ bytes: [UInt8], of file: ConfigurationFile) {
        self.file = file
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
            problem("expected UTF-8, found bytes that are none", line.map { $0 + 1 })
            return
        }
        do {
            guard let root = try Yams.compose(yaml: text) else { return }
            take(root)
        } catch {
            let (line, words) = Self.position(error)
            problem("expected YAML such as “gateways: [192.168.1.50:3000]”; \(words)", line)
        }
    }

    private mutating func take(_ root: Node) {
        guard let root = Self.value(root) else { return }
        let expected = Self.keys
        guard case .mapping(let mapping) = root else {
            return problem("expected the keys \(expected), found something else", root.mark?.line)
        }
        for (name, node) in mapping {
            let line = name.mark?.line
            guard let key = name.scalar.flatMap({ Key(rawValue: $0.string) }) else {
                problem("expected the keys \(expected), found \(Self.shown(name))", line)
                continue
            }
            // A key without a value is not set.
            guard let value = Self.value(node) else { continue }
            switch key {
            case .gateways: takeGateways(value, line)
            case .advertise: takeAdvertised(value, line)
            case .site: takeSite(value, line)
            case .notify: takeNotify(value, line)
            case .types: takeTypes(value, line)
            case .interfaces: takeInterfaces(value, line)
            case .domains: takeDomains(value, line)
            case .server: takeServer(value, line)
            case .trust: takeTrust(value, line)
            case .port: takePort(value, line)
            case .page: takePage(value, line)
            case .metricsFile: takeMetricsFile(value, line)
            case .thisHost: takeThisHost(value, line)
            case .tailnet: takeTailnet(value, line)
            }
        }
    }

    private mutating func takeGateways(_ node: Node, _ line: Int?) {
        guard case .sequence(let entries) = node else {
            return problem("gateways: expected a list of addresses, found something else", line)
        }
        // An entry that is no text is reported as a wrong address.
        let list = AddressList(entries.map { $0.scalar?.string ?? "" })
        for wrong in list.problems {
            let text: String =
                if let index = wrong.index, entries[index].scalar == nil {
                    "entry \(index + 1): expected an address, found something else"
                } else {
                    wrong.text
                }
            problem("gateways, \(text)", wrong.index.flatMap { entries[$0].mark?.line } ?? line)
        }
        gateways = Setting(list.addresses, from: source(line))
    }

    private mutating func takeAdvertised(_ node: Node, _ line: Int?) {
        // What is found is advertised beside what is named.
        func isAuto(_ node: Node) -> Bool { node.scalar?.string == "auto" }
        if isAuto(node) {
            advertisesFound = Setting(true, from: source(line))
            return
        }
        guard case .sequence(let entries) = node, entries.count <= Self.mostAdvertised else {
            let found = node.sequence.map { "\($0.count)" } ?? "something else"
            return problem(
                "advertise: expected a list of at most \(Self.mostAdvertised) gateways, each with “gateway” and, if you "
                    + "like, “name”, “zone”, “key” and “server”, or auto; found \(found)",
                line
            )
        }
        var found: [AdvertisedGateway] = []
        for (index, entry) in entries.enumerated() {
            if isAuto(entry) {
                advertisesFound = Setting(true, from: source(line))
                continue
            }
            var wrong: [ConfigurationProblem] = []
            let gateway = Self.advertised(entry, &wrong)
            do throws(ConfigurationProblem) {
                if let gateway { try found.add(gateway) }
            } catch {
                wrong.append(error)
            }
            for wrong in wrong { problem("advertise, entry \(index + 1): \(wrong)", entry.mark?.line ?? line) }
        }
        advertised = Setting(found, from: source(line))
    }

    /// Returns the gateway of an entry; `nil` if too much of it is wrong.
    ///
    /// - Parameter problems: Gets everything that is wrong in it.
    private static func advertised(_ entry: Node, _ problems: inout [ConfigurationProblem]) -> AdvertisedGateway? {
        let expected = "expected “gateway” and, if you like, “name”, “zone”, “key” and “server”"
        guard case .mapping(let mapping) = entry else {
            problems.append(ConfigurationProblem("\(expected); found something else"))
            return nil
        }
        for (name, _) in mapping
        where !["gateway", "name", "zone", "key", "server"].contains(name.string) {
            problems.append(ConfigurationProblem("\(expected); found \(shown(name))"))
        }
        let name = mapping["name"].flatMap { value($0) }
        if let name, name.scalar == nil {
            problems.append(ConfigurationProblem("name: expected a text, found something else"))
        }
        guard let text = mapping["gateway"]?.scalar?.string else {
            problems.append(
                ConfigurationProblem("expected “gateway” with the address of a gateway of this host, found none")
            )
            return nil
        }
        do {
            let address = try ProbeAddress(text)
            do throws(ConfigurationProblem) {
                let zone = Self.zone(mapping, &problems)
                return try AdvertisedGateway(address, name: name?.scalar?.string, zone: zone)
            } catch {
                problems.append(error)
            }
        } catch {
            problems.append(ConfigurationProblem("found “\(Redaction.address(text))”. \(error)"))
        }
        return nil
    }

    // MARK: Words

    mutating func problem(_ text: String, _ line: Int?) {
        guard let file else { return }
        problems.append(file.failure(text, line: line))
    }

    func source(_ line: Int?) -> SettingSource { .file(path: file?.path ?? "", line: line ?? 1) }

    /// Returns a node; `nil` if it stands for no value.
    static func value(_ node: Node) -> Node? {
        guard case .scalar(let scalar) = node, scalar.style == .plain else { return node }
        return ["", "~", "null"].contains(scalar.string) ? nil : node
    }

    /// Returns a key as it may be repeated: anything but a word may be a part of a secret.
    static func shown(_ key: Node) -> String {
        guard let text = key.scalar?.string, text.count <= 32,
            text.utf8.allSatisfy({ byte in
                (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }), !text.isEmpty
        else { return "something else" }
        return "“\(text)”"
    }

    /// Returns the line of an error of the parser, and its words. The line itself is left out, because it can contain a
    /// secret.
    private static func position(_ error: any Error) -> (line: Int?, words: String) {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            (mark.line, Redaction.text(problem))
        case .duplicatedKeysInMapping(let keys, let context):
            (context.mark.line, "a key is there twice: \(keys.map { shown(Node($0)) }.joined(separator: ", "))")
        case .reader: (nil, "it has characters that are not allowed")
        default: (nil, "it cannot be read")
        }
    }
}
