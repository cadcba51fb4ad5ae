internal import Agent
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// The things in settings that are well written and lead nowhere, as far as a command can know it.
enum SettingsDoubts {
    /// Returns all of them, each as a sentence.
    static func all(_ settings: Settings) -> [String] {
        let notify = settings.notify.value
        var doubts = notify.missingFiles
        let wanted = notify.policy.watched.names
        if !wanted.isEmpty {
            let known = names(settings)
            doubts += wanted.filter { !known.contains($0) }.map { name in
                let near = SpellingSuggestion.nearest(to: name, among: known.sorted()).map {
                    " Did you mean \(DisplayText($0, limit: 64).quoted)?"
                }
                return
                    "watch: \(DisplayText(name, limit: 64).quoted) is no gateway that is paired, named or known to the agent.\(near ?? "")"
            }
        }
        return doubts.map { "notify, \($0)" }
    }

    /// Returns the names and places of the gateways that are known. What cannot be read is left out: others say why.
    private static func names(_ settings: Settings) -> Set<String> {
        var names = Set(settings.gateways.value.flatMap { ["\($0)", "\($0)\($0.resource)"] })
        let store = try? StoreAccess.openExisting()
        for pairing in (try? store?.pairings()) ?? [] {
            names.formUnion(pairing.names + [pairing.shortID, "\(pairing.id)"])
        }
        names.formUnion(((try? store?.aliases()) ?? []).map(\.name))
        names.formUnion(((try? NoticeStoreAccess.open().remembered()) ?? []).map(\.subject.name))
        let document = (try? AgentOption.client.ask("GET", "/api/v1/gateways"))?.document
        for row in document?["gateways"]?.array ?? [] {
            names.formUnion([row["name"]?.string].compactMap(\.self))
            names.formUnion((row["paths"]?.array ?? []).compactMap { $0["endpoint"]?.string })
        }
        return names
    }
}
