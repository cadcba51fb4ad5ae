internal import GatewayProtocol
internal import Yams

/// The key `notify`: of what a user is told, and how.
extension SettingsDocument {
    /// The keys of `notify`.
    private enum NotifyKey: String, CaseIterable {
        case watch, sinks
        case quietHours = "quiet-hours"
        case newGateways = "new-gateways"
        case perHour = "per-hour"
        case perGateway = "per-hour-and-gateway"
    }

    /// The maximum number of sinks, and of names in `watch`.
    private static let mostSinks = 16
    private static let mostNames = 256

    /// The range of both limits on messages within an hour.
    private static let perHour = 1...1_000

    mutating func takeNotify(_ node: Node, _ line: Int?) {
        let expected = "the keys \(NotifyKey.allCases.map(\.rawValue).joined(separator: ", "))"
        guard case .mapping(let mapping) = node else {
            return problem("notify: expected \(expected), found something else", line)
        }
        var settings = NoticeSettings()
        for (name, node) in mapping {
            let line = name.mark?.line ?? line
            guard let key = name.scalar.flatMap({ NotifyKey(rawValue: $0.string) }) else {
                problem("notify: expected \(expected), found \(Self.shown(name))", line)
                continue
            }
            guard let value = Self.value(node) else { continue }
            switch key {
            case .watch: takeWatched(value, line, &settings.policy)
            case .sinks: takeSinks(value, line, &settings)
            case .quietHours:
                if let hours = value.scalar.flatMap({ QuietHours($0.string) }) {
                    settings.policy.quietHours = hours
                } else {
                    problem("notify, quiet-hours: expected a text such as \"22:00-07:00\", found something else", line)
                }
            case .newGateways:
                switch value.scalar?.string {
                case "true": settings.policy.tellsNewGateways = true
                case "false": settings.policy.tellsNewGateways = false
                default: problem("notify, new-gateways: expected true or false, found something else", line)
                }
            case .perHour: takeLimit(value, line, key, &settings.policy.most)
            case .perGateway: takeLimit(value, line, key, &settings.policy.mostPerGateway)
            }
        }
        notify = Setting(settings, from: source(line))
    }

    private mutating func takeLimit(_ node: Node, _ line: Int?, _ key: NotifyKey, _ limit: inout Int) {
        guard let number = node.scalar.flatMap({ Int($0.string) }), Self.perHour.contains(number) else {
            let range = "\(Self.perHour.lowerBound) to \(Self.perHour.upperBound)"
            return problem("notify, \(key.rawValue): expected a number from \(range), found something else", line)
        }
        limit = number
    }

    private mutating func takeWatched(_ node: Node, _ line: Int?, _ policy: inout NoticePolicy) {
        switch node {
        case .scalar(let scalar) where scalar.string == "own": policy.watched = .own
        case .scalar(let scalar) where scalar.string == "all": policy.watched = .all
        case .scalar(let scalar) where scalar.string == "none": policy.watched = .none
        case .sequence(let names)
        where names.count <= Self.mostNames && names.allSatisfy({ $0.scalar?.string.isEmpty == false }):
            policy.watched = .named(names.compactMap { $0.scalar?.string })
        default:
            problem(
                "notify, watch: expected own, all, none, or a list of at most \(Self.mostNames) names, found something else",
                line
            )
        }
    }

    // MARK: Sinks

    private mutating func takeSinks(_ node: Node, _ line: Int?, _ settings: inout NoticeSettings) {
        guard case .sequence(let entries) = node, entries.count <= Self.mostSinks else {
            let found = node.sequence.map { "\($0.count)" } ?? "something else"
            return problem("notify, sinks: expected a list of at most \(Self.mostSinks), found \(found)", line)
        }
        for (index, entry) in entries.enumerated() {
            var reading = SinkEntry(entry)
            let sink = reading.sink()
            if let sink, settings.sinks.contains(where: { $0.name == sink.name }) {
                reading.problems.append(
                    ConfigurationProblem("expected a name of its own, found that of another sink")
                )
            }
            for wrong in reading.problems {
                problem("notify, sinks, entry \(index + 1): \(wrong)", entry.mark?.line ?? line)
            }
            if let sink, reading.problems.isEmpty { settings.sinks.append(sink) }
        }
    }
}

/// One entry of the list of sinks.
private struct SinkEntry {
    private static let keys = [
        "name", "exec", "webhook", "webhook-file", "desktop", "mail", "form", "template", "token-file", "ca-file",
    ]

    /// The keys of which one says what kind of sink it is.
    private static let kinds = ["exec", "webhook", "webhook-file", "desktop", "mail"]

    /// The keys that only a webhook has.
    private static let ofWebhooks = ["form", "template", "token-file", "ca-file"]

    private static let longestTemplate = 16_384
    private static let mostArguments = 64

    private var values: [String: Node] = [:]

    /// Everything that is wrong in the entry.
    var problems: [ConfigurationProblem] = []

    init(_ node: Node) {
        let expected = "“name”, and one of “exec”, “webhook”, “webhook-file”, “desktop” and “mail”"
        guard case .mapping(let mapping) = node else {
            problems = [ConfigurationProblem("expected \(expected); found something else")]
            return
        }
        for (name, node) in mapping {
            if let key = name.scalar?.string, Self.keys.contains(key) {
                if let value = SettingsDocument.value(node) { values[key] = value }
            } else {
                problems.append(ConfigurationProblem("expected \(expected); found \(SettingsDocument.shown(name))"))
            }
        }
        let values = values
        if Self.kinds.count(where: { values[$0] != nil }) != 1 {
            problems.append(ConfigurationProblem("expected \(expected); found none or several of these"))
        }
    }

    /// Returns the sink; `nil` if too much of it is wrong.
    mutating func sink() -> NoticeSink? {
        guard !values.isEmpty else { return nil }
        let name = attempt { entry throws(ConfigurationProblem) in try entry.name() }
        let channel = channel()
        guard let name, let channel else { return nil }
        return NoticeSink(name: name, channel: channel)
    }

    /// Returns a part of the entry; `nil` if it is wrong, which is noted.
    private mutating func attempt<Part>(
        _ read: (SinkEntry) throws(ConfigurationProblem) -> Part
    ) -> Part? {
        do throws(ConfigurationProblem) {
            return try read(self)
        } catch {
            problems.append(error)
            return nil
        }
    }

    private func name() throws(ConfigurationProblem) -> String {
        guard let name = try text("name"), (1...32).contains(name.utf8.count),
            name.utf8.allSatisfy({ byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
            })
        else { throw ConfigurationProblem("name: expected 1 to 32 letters, digits, - and _, found none") }
        return name
    }

    private mutating func channel() -> NoticeSink.Channel? {
        if values["webhook"] != nil || values["webhook-file"] != nil { return webhook().map { .webhook($0) } }
        for key in Self.ofWebhooks where values[key] != nil {
            problems.append(
                ConfigurationProblem("\(key): expected it with a webhook alone, found it with another sink")
            )
        }
        return attempt { entry throws(ConfigurationProblem) in try entry.localChannel() } ?? nil
    }

    private func localChannel() throws(ConfigurationProblem) -> NoticeSink.Channel? {
        if values["exec"] != nil { return .exec(try command()) }
        if let address = try text("mail") { return .mail(to: try Self.mail(address)) }
        guard values["desktop"] != nil else { return nil }
        guard try text("desktop") == "true" else {
            throw ConfigurationProblem("desktop: expected true, found something else")
        }
        return .desktop
    }

    private func command() throws(ConfigurationProblem) -> [String] {
        let expected = "exec: expected a list of a program and at most \(Self.mostArguments) arguments"
        guard case .sequence(let nodes)? = values["exec"], !nodes.isEmpty, nodes.count <= Self.mostArguments + 1,
            nodes.allSatisfy({ $0.scalar.map { !$0.string.utf8.contains(0) } == true })
        else { throw ConfigurationProblem("\(expected), found something else") }
        let command = nodes.compactMap { $0.scalar?.string }
        guard command[0].hasPrefix("/") else {
            throw ConfigurationProblem("exec: expected the program as a path that begins with /, found another")
        }
        return command
    }

    /// Checks an address: it becomes an argument and a header.
    private static func mail(_ address: String) throws(ConfigurationProblem) -> String {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain =
            address.utf8.count <= 254
            && address.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "@.+-_".utf8.contains(byte)
            }
        guard isPlain, parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }), !address.hasPrefix("-") else {
            throw ConfigurationProblem("mail: expected an address such as me@example.org, found something else")
        }
        return address
    }

    private mutating func webhook() -> Webhook? {
        let place = attempt { entry throws(ConfigurationProblem) in try entry.place() }
        let tokenFile = attempt { entry throws(ConfigurationProblem) in try entry.path("token-file") } ?? nil
        if tokenFile != nil, case .url(let url)? = place, !url.isSecure, !url.isThisHost {
            problems.append(ConfigurationProblem("token-file: expected it with https:// alone, found http://"))
        }
        let form = attempt { entry throws(ConfigurationProblem) in try entry.form() }
        let caFile = attempt { entry throws(ConfigurationProblem) in try entry.path("ca-file") } ?? nil
        guard let place, let form else { return nil }
        return Webhook(place, form: form, tokenFile: tokenFile, caFile: caFile)
    }

    private func place() throws(ConfigurationProblem) -> Webhook.Place {
        if let text = try text("webhook") {
            guard let url = WebURL(text) else {
                throw ConfigurationProblem(
                    "webhook: expected an address that begins with https://, found something else"
                )
            }
            return .url(url)
        }
        return .file(try path("webhook-file") ?? "")
    }

    private func form() throws(ConfigurationProblem) -> Webhook.Form {
        let name = try text("form")
        if let template = try text("template") {
            guard name == nil, template.utf8.count <= Self.longestTemplate else {
                throw ConfigurationProblem(
                    "template: expected at most \(Self.longestTemplate) bytes and no “form”, found another"
                )
            }
            guard Webhook.Form.isTemplate(template) else {
                throw ConfigurationProblem(
                    "template: expected JSON, with {title}, {text}, {kind} and {id} within its strings, found something else"
                )
            }
            return .template(template)
        }
        guard let name else { return .json }
        guard let form = Webhook.Form.named.first(where: { $0.name == name })?.form else {
            let names = Webhook.Form.named.map(\.name).joined(separator: ", ")
            throw ConfigurationProblem("form: expected one of \(names), found another")
        }
        return form
    }

    private func path(_ key: String) throws(ConfigurationProblem) -> String? {
        guard let path = try text(key) else { return nil }
        guard path.hasPrefix("/") else {
            throw ConfigurationProblem("\(key): expected a path that begins with /, found another")
        }
        return path
    }

    private func text(_ key: String) throws(ConfigurationProblem) -> String? {
        guard let node = values[key] else { return nil }
        guard let text = node.scalar?.string, !text.isEmpty else {
            throw ConfigurationProblem("\(key): expected a text, found something else")
        }
        return text
    }
}
