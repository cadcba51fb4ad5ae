internal import HostSystem
internal import Scanning

/// The decision on when freed memory goes back to the system: whenever half of a crowd has gone. A value.
///
/// The allocator keeps what is freed, and on a quiet network nobody would ever need that again.
struct CrowdTide {
    /// The smallest crowd of services that is worth it.
    private static let crowd = 256

    /// The time in which all who hold something of what has gone let go of it.
    private static let delay = Duration.seconds(2)

    /// The largest number of services since memory was last given back.
    private var most = 0

    /// Takes in the number of services.
    ///
    /// - Returns: Whether memory is to be given back now.
    mutating func note(_ count: Int) -> Bool {
        most = max(most, count)
        guard most >= Self.crowd, count <= most / 2 else { return false }
        most = count
        return true
    }

    /// Gives memory back for as long as the task runs: for programs only, since it concerns the whole process.
    static func follow(_ constellation: Constellation) async {
        var tide = CrowdTide()
        for await count in await constellation.crowdSizes() where tide.note(count) {
            guard (try? await Task.sleep(for: delay)) != nil else { return }
            ProcessMemory.returnFreed()
        }
    }
}
