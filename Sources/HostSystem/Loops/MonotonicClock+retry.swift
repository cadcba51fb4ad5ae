package import DNSSD

extension MonotonicClock {
    /// Creates a resource, such as an event loop with its thread. While the system has no thread or descriptor for it,
    /// which may be temporary, this reports why, and tries again every two seconds.
    ///
    /// - Parameters:
    ///   - onTrouble: Receives the reason of each failure.
    ///   - make: Creates the resource.
    /// - Returns: The resource; `nil` once the task is cancelled.
    package func retry<Resource>(
        _ onTrouble: (SystemError) -> Void,
        _ make: () throws(SystemError) -> Resource
    ) async -> Resource? {
        while !Task.isCancelled {
            do throws(SystemError) {
                return try make()
            } catch {
                onTrouble(error)
                try? await sleep(for: .seconds(2))
            }
        }
        return nil
    }
}
