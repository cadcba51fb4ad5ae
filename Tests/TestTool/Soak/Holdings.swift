import Foundation

/// The resources of the system that this process holds.
struct Holdings: CustomStringConvertible {
    let descriptors: Int
    let threads: Int

    /// The number of threads that run one of our poll loops. Other threads belong to the runtime, which keeps some.
    let avahiThreads: Int

    let kilobytes: Int

    static var now: Holdings {
        let files = FileManager.default
        let threads = (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let names = threads.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let memory = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return Holdings(
            descriptors: ((try? files.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 1) - 1,
            threads: threads.count,
            avahiThreads: names.count { $0.hasPrefix("avahi") },
            kilobytes: memory.flatMap { Int($0.filter(\.isNumber)) } ?? 0
        )
    }

    /// Indicates whether the process holds more descriptors or poll-loop threads than before.
    func isMore(than before: Holdings) -> Bool {
        descriptors > before.descriptors || avahiThreads > before.avahiThreads
    }

    var description: String {
        "\(descriptors) descriptors, \(threads) threads (\(avahiThreads) avahi), \(kilobytes) kB"
    }
}
