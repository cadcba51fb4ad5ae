import Foundation
import Synchronization

/// The command lines and environments of all processes that have run during a test, sampled from */proc*. Other users
/// can read command lines there.
final class ProcessSampler: Sendable {
    private struct Samples {
        var commands: Set<Data> = []
        var environments: Set<Data> = []
        var isEnded = false
    }

    private static let interval = 0.02
    private let samples = Mutex(Samples())

    init() {
        Thread { [self] in
            while samples.withLock({ !$0.isEnded }) {
                sample()
                Thread.sleep(forTimeInterval: Self.interval)
            }
        }.start()
    }

    deinit {
        end()
    }

    func end() { samples.withLock { $0.isEnded = true } }

    private func sample() {
        let files = FileManager.default
        let processes = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).filter { Int($0) != nil }
        func read(_ file: String) -> Set<Data> {
            Set(processes.compactMap { files.contents(atPath: "/proc/\($0)/\(file)") })
        }
        let (commands, environments) = (read("cmdline"), read("environ"))
        samples.withLock { samples in
            samples.commands.formUnion(commands)
            samples.environments.formUnion(environments)
        }
    }

    /// All sampled command lines, their arguments separated by spaces.
    var commands: [String] { Self.texts(samples.withLock { $0.commands }) }

    /// All sampled environments, their variables separated by spaces.
    var environments: [String] { Self.texts(samples.withLock { $0.environments }) }

    private static func texts(_ data: Set<Data>) -> [String] {
        data.map { String(decoding: $0, as: UTF8.self).replacingOccurrences(of: "\0", with: " ") }
    }
}
