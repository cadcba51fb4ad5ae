internal import DNSSD

/// The gateways that the user entered, each with a number that is never used again.
struct ManualEntries {
    private var numbers: [ManualGateway: Int] = [:]
    private var last = 0

    /// Their endpoints that have a host name, by the same without it, as it may be advertised.
    private(set) var named: [Endpoint: Set<Endpoint>] = [:]

    /// The usual ports of hosts that were entered without one.
    var sought = SoughtPorts()

    var isEmpty: Bool { numbers.isEmpty }

    /// Adds a gateway.
    ///
    /// - Returns: Its number; `nil` if it is there already.
    mutating func add(_ gateway: ManualGateway) -> Int? {
        guard numbers[gateway] == nil else { return nil }
        last += 1
        numbers[gateway] = last
        sought.add(gateway, number: last)
        for endpoint in gateway.endpoints where endpoint.serverName != nil {
            named[endpoint.unnamed, default: []].insert(endpoint)
        }
        return last
    }

    /// Removes a gateway.
    ///
    /// - Returns: Its number; `nil` if it is not there.
    mutating func remove(_ gateway: ManualGateway) -> Int? {
        guard let number = numbers.removeValue(forKey: gateway) else { return nil }
        sought.remove(gateway)
        // Others may lead to the same names.
        let all = Set(numbers.keys.flatMap(\.endpoints).filter { $0.serverName != nil })
        named = Dictionary(grouping: all, by: \.unnamed).mapValues(Set.init)
        return number
    }

    /// Returns the first gateway that fulfils a condition, with its number: one that the user has named before one that was
    /// found.
    func first(where condition: (ManualGateway) -> Bool) -> (gateway: ManualGateway, number: Int)? {
        func rank(_ entry: (key: ManualGateway, value: Int)) -> (Int, Int) {
            (entry.key.source == nil ? 0 : 1, entry.value)
        }
        return numbers.filter { condition($0.key) }.min { rank($0) < rank($1) }.map { ($0.key, $0.value) }
    }
}
