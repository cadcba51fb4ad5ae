package import DNSSD
internal import SystemPackage

extension MonotonicClock {
    /// Creates a resource, such as an event loop with its thread. While the system has no thread or descriptor for it,
    /// which may be temporary, this reports why, and tries again every two seconds; while it has no library for it, once a
    /// minute.
    ///
    /// - Parameters:
    ///   - onTrouble: Receives the reason of the first failure, and whenever it is another one.
    ///   - make: Creates the resource.
    /// - Returns: The resource; `nil` once the task is cancelled.
    package func retry<Resource>(
        _ onTrouble: (SystemError) -> Void,
        _ make: () throws(SystemError) -> Resource
    ) async -> Resource? {
        var trouble: SystemError?
        while !Task.isCancelled {
            do throws(SystemError) {
                return try make()
            } catch {
                if error != trouble { onTrouble(error) }
                trouble = error
                try? await sleep(for: .seconds(error.code == .noSuchFileOrDirectory ? 60 : 2))
            }
        }
        return nil
    }
}
