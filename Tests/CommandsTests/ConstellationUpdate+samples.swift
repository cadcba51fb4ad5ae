import DNSSD
import Scanning

extension ConstellationUpdate {
    /// Returns an update with changes of services.
    static func services(_ changes: ServiceChange...) -> ConstellationUpdate {
        .changes(changes.map(ConstellationChange.service), revision: 0)
    }

    /// Returns an update with changes of rows.
    static func rows(_ changes: [BotMapChange]) -> ConstellationUpdate {
        .changes(changes.map(ConstellationChange.gateway), revision: 0)
    }
}
