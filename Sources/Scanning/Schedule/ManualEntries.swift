/// The gateways that the user entered, each with a number that is never used again.
struct ManualEntries {
    private var numbers: [ManualGateway: Int] = [:]
    private var last = 0

    var isEmpty: Bool { numbers.isEmpty }

    /// Adds a gateway.
    ///
    /// - Returns: Its number; `nil` if it is there already.
    mutating func add(_ gateway: ManualGateway) -> Int? {
        guard numbers[gateway] == nil else { return nil }
        last += 1
        numbers[gateway] = last
        return last
    }

    /// Removes a gateway.
    ///
    /// - Returns: Its number; `nil` if it is not there.
    mutating func remove(_ gateway: ManualGateway) -> Int? { numbers.removeValue(forKey: gateway) }

    /// Returns the first gateway that fulfils a condition, with its number.
    func first(where condition: (ManualGateway) -> Bool) -> (gateway: ManualGateway, number: Int)? {
        numbers.filter { condition($0.key) }.min { $0.value < $1.value }.map { ($0.key, $0.value) }
    }
}
