internal import DNSSD
internal import Discovery
internal import Yams

/// The settings of one value or a list of words: what is looked for and where, whom to trust, and where an agent answers.
extension SettingsDocument {
    /// The maximum number of service types or interfaces.
    private static let mostWords = 16

    /// The longest name that an interface has, in bytes.
    private static let longestInterface = 15

    mutating func takeTypes(_ node: Node, _ line: Int?) {
        let words = words(node, "types", "service types such as _openclaw._tcp", line)
        var found: [ServiceType] = []
        for (text, line) in words {
            do throws(DNSSDError) {
                let type = try ServiceType(text)
                if !found.contains(type) { found.append(type) }
            } catch {
                problem("types: \(DisplayText(error.description, limit: 200))", line)
            }
        }
        types = Setting(found, from: source(line))
    }

    mutating func takeInterfaces(_ node: Node, _ line: Int?) {
        let words = words(node, "interfaces", "names of network interfaces such as eth0", line)
        var found: [String] = []
        for (text, line) in words {
            let isName = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }
            guard (1...Self.longestInterface).contains(text.utf8.count), isName else {
                problem("interfaces: expected the name of a network interface such as eth0, found another text", line)
                continue
            }
            if !found.contains(text) { found.append(text) }
        }
        interfaces = Setting(found, from: source(line))
    }

    mutating func takeDomains(_ node: Node, _ line: Int?) {
        var found: [DomainName] = []
        for (text, line) in words(node, "domains", "DNS domains such as openclaw.internal", line) {
            guard let domain = try? DomainName(typed: text), domain.isZone else {
                problem("domains: expected a DNS domain such as openclaw.internal, found another text", line)
                continue
            }
            if !found.contains(domain) { found.append(domain) }
        }
        domains = Setting(found, from: source(line))
    }

    mutating func takeServer(_ node: Node, _ line: Int?) {
        let expected = "addresses of DNS servers such as 10.0.0.1"
        let texts = node.scalar.map { [($0.string, line)] } ?? words(node, "server", expected, line)
        var found: [DNSServerAddress] = []
        for (text, line) in texts {
            guard let server = DNSServerAddress(text) else {
                problem("server: expected the address of a DNS server such as 10.0.0.1, found another text", line)
                continue
            }
            if !found.contains(server) { found.append(server) }
        }
        server = Setting(found, from: source(line))
    }

    mutating func takeTrust(_ node: Node, _ line: Int?) {
        guard let value = node.scalar.flatMap({ PlainTrustSetting(rawValue: $0.string) }) else {
            return problem("trust: expected address or lan, found something else", line)
        }
        trust = Setting(value, from: source(line))
    }

    mutating func takeThisHost(_ node: Node, _ line: Int?) {
        guard let value = node.scalar.flatMap({ Bool($0.string) }) else {
            return problem("this-host: expected true or false, found something else", line)
        }
        thisHost = Setting(value, from: source(line))
    }

    mutating func takeTailnet(_ node: Node, _ line: Int?) {
        if let isWanted = node.scalar.flatMap({ Bool($0.string) }) {
            tailnet = Setting(isWanted ? [] : nil, from: source(line))
            return
        }
        let words = words(node, "tailnet", "names of machines, or tags such as tag:ai, or true or false", line)
        // Without one that can be read, it would be all.
        tailnet = Setting(words.isEmpty ? nil : words.map(\.0), from: source(line))
    }

    mutating func takePort(_ node: Node, _ line: Int?) {
        guard let value = node.scalar.flatMap({ UInt16($0.string) }), value > 0 else {
            return problem("port: expected a port from 1 to 65535, found something else", line)
        }
        port = Setting(value, from: source(line))
    }

    mutating func takePage(_ node: Node, _ line: Int?) {
        guard case .mapping(let mapping) = node, mapping.allSatisfy({ $0.key.string == "names" }) else {
            return problem("page: expected “names” with a list of host names, found something else", line)
        }
        guard let list = mapping["names"].flatMap(Self.value) else { return }
        var found: [String] = []
        for (text, line) in words(list, "page, names", "host names such as box.example.org", line) {
            let name = text.lowercased()
            // Without a port: a browser says the one by which it has come.
            let isName = name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E
            }
            guard (1...253).contains(name.utf8.count), isName else {
                problem("page, names: expected a host name such as box.example.org, found another text", line)
                continue
            }
            if !found.contains(name) { found.append(name) }
        }
        pageNames = Setting(found, from: source(line))
    }

    mutating func takeMetricsFile(_ node: Node, _ line: Int?) {
        guard let path = node.scalar?.string, path.hasPrefix("/"), path.utf8.count <= 4_000, !path.hasSuffix("/"),
            !path.utf8.contains(0)
        else {
            return problem("metrics-file: expected the path of a file that begins with /, found something else", line)
        }
        metricsFile = Setting(path, from: source(line))
    }

    /// Returns the texts of a list, each with its line.
    private mutating func words(_ node: Node, _ name: String, _ expected: String, _ line: Int?) -> [(String, Int?)] {
        guard case .sequence(let entries) = node, entries.count <= Self.mostWords else {
            let found = node.sequence.map { "\($0.count)" } ?? "something else"
            problem("\(name): expected a list of at most \(Self.mostWords) \(expected), found \(found)", line)
            return []
        }
        for entry in entries where entry.scalar == nil {
            problem("\(name): expected a list of \(expected), found something else in it", entry.mark?.line ?? line)
        }
        return entries.compactMap { entry in entry.scalar.map { ($0.string, entry.mark?.line ?? line) } }
    }
}
