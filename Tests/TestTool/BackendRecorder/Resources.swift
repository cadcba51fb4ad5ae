import Foundation

/// The resources that a process must not leak.
struct Resources {
    let descriptors: Int

    /// The number of threads, without those that run Swift tasks and Dispatch sources.
    let threads: Int

    static var now: Resources {
        let files = FileManager.default
        let threads = (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let names = threads.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        return Resources(
            descriptors: (try? files.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0,
            threads: names.count { !$0.contains("qos") && !$0.hasPrefix("test-tool") }
        )
    }
}
