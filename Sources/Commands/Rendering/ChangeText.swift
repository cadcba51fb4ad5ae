internal import DNSSD
internal import Reports

/// The changes of a service as text for people.
enum ChangeText {
    /// The maximum number of characters of a TXT value that are shown.
    private static let valueLimit = 60

    /// Returns a text such as `txt bots=4, port 3001`; cleaned.
    ///
    /// - Parameter before: The service before the change. Without it, changed entries of the TXT record are not listed.
    static func text(
        _ service: DiscoveredService,
        since before: DiscoveredService?,
        aspects: Set<ServiceAspect>
    ) -> String {
        aspects.sorted().map { aspect -> String in
            switch aspect {
            case .txt:
                let entries = before.map { changedEntries($0.txt, service.txt) } ?? []
                return (["txt"] + entries).joined(separator: " ")
            case .port:
                return service.port.map { "port \($0)" } ?? "port unknown"
            case .host:
                return service.host.map { "host \(DisplayText($0.escaped))" } ?? "host unknown"
            case .addresses:
                return (["addresses"] + service.addresses.map(\.description)).joined(separator: " ")
            case .paths:
                return (["paths"] + service.paths.map(\.description)).joined(separator: " ")
            case .resolution:
                return service.resolution.obstacle.map { "not resolved: \(DisplayText($0))" } ?? "resolved"
            case .ownership:
                return service.isOurs ? "ours" : "not ours"
            }
        }
        .joined(separator: ", ")
    }

    /// Returns each new or changed entry as `key=value`, and each removed entry as `key gone`.
    private static func changedEntries(_ before: TXTRecord?, _ after: TXTRecord?) -> [String] {
        let before = before ?? TXTRecord()
        let after = after ?? TXTRecord()
        let new = after.entries.filter { before.value(forKey: $0.key) != after.value(forKey: $0.key) }
            .map { entry -> String in
                guard let value = entry.value else { return entry.key }
                return "\(entry.key)=\(DisplayText(String(decoding: value, as: UTF8.self), limit: valueLimit))"
            }
        let gone = before.entries.filter { after.value(forKey: $0.key) == nil }.map { "\($0.key) gone" }
        return new + gone
    }
}
