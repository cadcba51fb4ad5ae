internal import DNSSD
internal import GatewayProtocol
internal import Scanning

/// The doubt that a name leads to the gateway that is meant, since others use it as well.
extension PairingSubject {
    /// The maximum number of places that are named.
    private static let mostNamed = 8

    /// Returns the rows that show a certificate; all of them if there is none.
    static func rows(_ rows: [Gateway], showing leaf: LeafFingerprint?) -> [Gateway] {
        guard let leaf else { return rows }
        return rows.filter { row in
            row.paths.contains { !$0.contradicts && $0.outcome?.identity?.leaf == leaf }
        }
    }

    /// Returns the reason why a name may mean another gateway than the one that it leads to, as a sentence; `nil` if
    /// there is none.
    ///
    /// Anybody can use any name, and whoever is fastest is not more likely to be meant: others that are found under the
    /// name and have not been decided yet count, and so does another gateway at an address of the same service.
    ///
    /// - Parameters:
    ///   - name: The name that was typed.
    ///   - row: The gateway that it leads to.
    ///   - rows: All that was found.
    ///   - lookTime: The time for which was looked.
    static func doubt(_ name: String, _ row: Gateway, among rows: [Gateway], within lookTime: TimeLimit) -> String? {
        let shown = DisplayText(name, limit: 64).quoted
        let contradicting = row.paths.filter { $0.contradicts && $0.outcome?.identity != nil }
        if !contradicting.isEmpty {
            return
                "several gateways are found as \(shown): one at \(list(row.paths.filter { !$0.contradicts })), another at "
                + "\(list(contradicting)). Give the address of the one you mean, or --certificate."
        }
        let undecided = rows.filter { $0.isFound(as: name) || $0.id == row.id }
            .flatMap { row in row.paths.filter(\.isUndecided) }
        let unresolved = rows.filter { $0.isFound(as: name) && $0.paths.isEmpty && $0.isUnresolved }
        guard !undecided.isEmpty || !unresolved.isEmpty else { return nil }
        let places = undecided.isEmpty ? "an unknown place" : list(undecided)
        return
            "\(shown) is also found at \(places), where nothing has answered within \(lookTime) s, so it is not certain whom "
            + "the name means. Give an address, --certificate, or --timeout more."
    }

    /// Indicates whether any gateway that has a name as a whole could be another one than is meant.
    static func hasDoubt(_ name: String, among rows: [Gateway], within lookTime: TimeLimit) -> Bool {
        rows.contains { row in
            !NameSearch.wholeMatches(name, among: nameables([row])).isEmpty
                && doubt(name, row, among: rows, within: lookTime) != nil
        }
    }

    private static func list(_ paths: [GatewayPath]) -> String {
        let rest = paths.count > mostNamed ? " and \(paths.count - mostNamed) more" : ""
        return paths.prefix(mostNamed).map { "\($0.endpoint)" }.joined(separator: ", ") + rest
    }
}

extension GatewayPath {
    /// Indicates whether it has neither answered nor failed to.
    var isUndecided: Bool { outcome == nil }
}

extension Gateway {
    /// Indicates whether a service of it is not resolved yet.
    fileprivate var isUnresolved: Bool {
        discoveredServices.contains { $0.resolution == .resolving }
    }

    /// Indicates whether it is found under a name, whether it has answered or not.
    fileprivate func isFound(as name: String) -> Bool {
        // In `GATEWAY/BOT`, others can be called like the gateway.
        let owners = name.indices.filter { name[$0] == "/" }.map { String(name[..<$0]) }
        let wanted = Set(([name] + owners).map(NameKeys.key))
        return ([self.name] + services.map(\.name)).contains { name in
            wanted.contains(NameKeys.key(name)) || wanted.contains(NameKeys.key(DisplayText(name).text))
        }
    }
}
