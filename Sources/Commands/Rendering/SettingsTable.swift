internal import Agent
internal import Console
internal import DNSSD
internal import Discovery
internal import GatewayProtocol
internal import Reports
internal import Scanning

/// The table of the settings that are in force.
enum SettingsTable {
    private static let columns = [
        TextTable.Column("SETTING", minimum: 9),
        TextTable.Column("VALUE", minimum: 16, keepsEnd: true),
        TextTable.Column("FROM", minimum: 16, keepsEnd: true),
    ]

    /// Returns the table, with a row for each value of a list.
    ///
    /// - Parameter width: The width of the terminal in cells; `nil` if nothing needs to be cut.
    static func text(_ settings: Settings, width: Int?) -> String {
        let advertised = settings.advertised.value.map { gateway in
            (gateway.name.map { "\(gateway.address) as “\($0)”" } ?? "\(gateway.address)")
                + (gateway.zone.map { " in \($0.domain)" } ?? "")
        }
        let site = settings.site.value.map { site in
            ["\(site.zone.domain): \(site.gateways?.map(\.description).joined(separator: ", ") ?? "all")"]
        }
        let auto = settings.advertisesFound.value ? ["auto"] : []
        let rows =
            rows("gateways", settings.gateways.value.map(\.description), settings.gateways.source)
            + rows("types", settings.types.value.map(\.description), settings.types.source)
            + rows("interfaces", settings.interfaces.value, settings.interfaces.source)
            + rows("domains", settings.domains.value.map(\.escaped), settings.domains.source)
            + rows("server", settings.server.value.map(\.description), settings.server.source)
            + rows("advertise", auto + advertised, settings.advertisedSource)
            + rows("site", site ?? [], settings.site.source)
            + rows("notify", Self.words(settings.notify.value), settings.notify.source)
            + rows("trust", settings.trust.value.map { [$0.rawValue] } ?? [], settings.trust.source)
            + rows("port", settings.port.value.map { ["\($0)"] } ?? [], settings.port.source)
            + rows("page, names", settings.pageNames.value, settings.pageNames.source)
            + rows("metrics-file", settings.metricsFile.value.map { [$0] } ?? [], settings.metricsFile.source)
            + rows("this-host", settings.thisHost.value ? ["true"] : [], settings.thisHost.source)
            + rows("tailnet", settings.tailnet.value.map { $0.isEmpty ? ["true"] : $0 } ?? [], settings.tailnet.source)
        return text(rows: rows, width: width)
    }

    /// Returns the table with these rows.
    static func text(rows: [[String]], width: Int?) -> String {
        TextTable(columns: columns, rows: rows).lines(width: width).map { $0 + "\n" }.joined()
    }

    /// Returns the settings of what the user is told, and how, as one text each; none if nothing is told.
    private static func words(_ settings: NoticeSettings) -> [String] {
        guard settings != NoticeSettings() else { return [] }
        let policy = settings.policy
        let hours = policy.quietHours.map { ["quiet-hours \($0)"] } ?? []
        let news = policy.tellsNewGateways ? ["new-gateways"] : []
        let limits = ["per-hour \(policy.most)", "per-hour-and-gateway \(policy.mostPerGateway)"]
        let sinks = settings.sinks.map { "\($0.name): \($0.summary)" }
        return ["watch \(policy.watched.words)"] + hours + news + limits + sinks
    }

    private static func rows(_ name: String, _ values: [String], _ source: SettingSource) -> [[String]] {
        guard !values.isEmpty else { return [[name, "-", cleaned(source.description)]] }
        return values.enumerated().map { index, value in
            [index == 0 ? name : "", cleaned(value), index == 0 ? cleaned(source.description) : ""]
        }
    }

    private static func cleaned(_ text: String) -> String { DisplayText(text, limit: 400).text }
}

extension Settings {
    /// The source of what is advertised: named by the command line, it comes before that of the file.
    fileprivate var advertisedSource: SettingSource {
        advertised.source == .standard ? advertisesFound.source : advertised.source
    }
}

extension NoticePolicy.Watched {
    fileprivate var words: String {
        switch self {
        case .own: "own"
        case .all: "all"
        case .none: "none"
        case .named(let names): "[\(names.joined(separator: ", "))]"
        }
    }

    fileprivate var json: JSONValue {
        if case .named(let names) = self { JSONValue(names) } else { .string(words) }
    }
}

/// The settings that are in force, as outsiders read them.
struct SettingsReport: JSONReport {
    private let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
    }

    var fields: [String: JSONValue] {
        let named = settings.advertised.value.map { gateway in
            JSONValue.object([
                "gateway": .string("\(gateway.address)"), "name": JSONValue(gateway.name),
                "zone": JSONValue(gateway.zone.map { "\($0.domain)" }),
            ])
        }
        let advertised = (settings.advertisesFound.value ? [.string("auto")] : []) + named
        return [
            "gateways": .object([
                "value": JSONValue(settings.gateways.value.map(\.description)),
                "from": Self.source(settings.gateways.source),
            ]),
            "advertise": .object([
                "value": .array(advertised), "from": Self.source(settings.advertisedSource),
            ]),
            "site": Self.setting(settings.site) { site in
                guard let site else { return .null }
                return .object([
                    "zone": .string("\(site.zone.domain)"),
                    "gateways": site.gateways.map { JSONValue($0.map(\.description)) } ?? .string("all"),
                ])
            },
            "this-host": Self.setting(settings.thisHost) { .bool($0) },
            "tailnet": Self.setting(settings.tailnet) {
                $0.map { $0.isEmpty ? .bool(true) : JSONValue($0) } ?? .bool(false)
            },
            "notify": .object([
                "value": Self.notify(settings.notify.value), "from": Self.source(settings.notify.source),
            ]),
            "types": Self.setting(settings.types) { JSONValue($0.map(\.description)) },
            "interfaces": Self.setting(settings.interfaces) { JSONValue($0) },
            "domains": Self.setting(settings.domains) { JSONValue($0.map(\.escaped)) },
            "server": Self.setting(settings.server) { JSONValue($0.map(\.description)) },
            "trust": Self.setting(settings.trust) { JSONValue($0?.rawValue) },
            "port": Self.setting(settings.port) { $0.map { .number(JSONNumber(Int($0))) } ?? .null },
            "page": Self.setting(settings.pageNames) { .object(["names": JSONValue($0)]) },
            "metrics-file": Self.setting(settings.metricsFile) { JSONValue($0) },
        ]
    }

    /// The sinks without addresses and tokens: those can be secrets.
    private static func notify(_ settings: NoticeSettings) -> JSONValue {
        .object([
            "watch": settings.policy.watched.json,
            "quiet-hours": JSONValue(settings.policy.quietHours?.description),
            "new-gateways": .bool(settings.policy.tellsNewGateways),
            "per-hour": .number(JSONNumber(settings.policy.most)),
            "per-hour-and-gateway": .number(JSONNumber(settings.policy.mostPerGateway)),
            "sinks": .array(
                settings.sinks.map { .object(["name": .string($0.name), "summary": .string($0.summary)]) }
            ),
        ])
    }

    private static func setting<Value>(_ setting: Setting<Value>, _ json: (Value) -> JSONValue) -> JSONValue {
        .object(["value": json(setting.value), "from": source(setting.source)])
    }

    private static func source(_ source: SettingSource) -> JSONValue {
        switch source {
        case .standard: .null
        case .file(let path, let line):
            .object(["file": .string(path), "line": .number(JSONNumber(line))])
        case .variable(let name): .object(["variable": .string(name)])
        case .commandLine: .object(["option": .string("--advertise")])
        }
    }
}
