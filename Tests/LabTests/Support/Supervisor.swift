import Foundation
import Glibc
import Synchronization
import Testing

/// A service manager that runs one unit as systemd does: it starts the command of the unit, is told how that does, ends it
/// when its watchdog is not heard, and starts it again.
final class Supervisor: Sendable {
    private let command: [String]
    private let host: String
    private let pause: Duration
    private let watchdog: Duration
    private let notices: NoticeSocket
    private let current = Mutex<LabProcess?>(nil)
    private let end = Mutex(ContinuousClock.now)

    /// Makes what runs a unit on a host.
    ///
    /// - Parameters:
    ///   - unit: The text of the unit.
    ///   - environment: The command that sets the environment, before that of the unit.
    ///   - watchdog: The time within which the watchdog has to be heard, in place of that of the unit.
    init(unit: String, on host: String, environment: [String], watchdog: Duration) throws {
        func setting(_ name: String) throws -> String {
            let line = unit.split(separator: "\n").first { $0.hasPrefix("\(name)=") }
            return String(try #require(line).dropFirst(name.count + 1))
        }
        // One word in quotes and one more, as this unit has it.
        let words = try setting("ExecStart").split(separator: "\"").map { $0.trimmingCharacters(in: .whitespaces) }
        let notices = try NoticeSocket()
        let variables = [
            "NOTIFY_SOCKET=\(notices.path)", "WATCHDOG_USEC=\(watchdog.components.seconds * 1_000_000)",
            // `swift test` turns it on: it would examine a process that crashes for half a minute before that ends.
            "SWIFT_BACKTRACE=enable=no",
        ]
        self.command = environment + variables + words
        self.host = host
        self.pause = .seconds(try #require(Int(try setting("RestartSec"))))
        self.watchdog = watchdog
        self.notices = notices
    }

    /// The process that runs the unit; `nil` between two of them.
    var process: LabProcess? { current.withLock { $0 } }

    /// The time at which the last process has ended.
    var lastEnd: ContinuousClock.Instant { end.withLock { $0 } }

    /// Runs the unit again and again until the task is cancelled.
    func run() async throws {
        while !Task.isCancelled {
            notices.forget()
            let process = try Lab.start(on: host, command)
            current.withLock { $0 = process }
            var patience = Patience(.seconds(10))
            while process.isRunning, !Task.isCancelled {
                // Until it is ready, the time to start counts, and not the watchdog.
                let (isReady, last) = notices.state
                if isReady, .now - last > watchdog { process.signal(SIGKILL) }
                if !isReady, !patience.isLeft() { process.signal(SIGKILL) }
                try? await Task.sleep(for: .milliseconds(10))
            }
            end.withLock { $0 = .now }
            current.withLock { $0 = nil }
            if Task.isCancelled { process.signal(SIGTERM) }
            try? await Task.sleep(for: pause)
        }
    }
}

/// The socket at which a service says how it does (sd_notify(3)).
private final class NoticeSocket: Sendable {
    let path: String
    private let folder: ScratchFolder
    private let descriptor: Int32
    private let heard = Mutex((isReady: false, last: ContinuousClock.now))

    init() throws {
        folder = try ScratchFolder()
        path = folder.path("notify")
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    deinit { close(descriptor) }

    /// Indicates whether the service is ready, and the time of its last sign of life.
    var state: (isReady: Bool, last: ContinuousClock.Instant) {
        heard.withLock { heard in
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
                let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
                if lines.contains("READY=1") { heard.isReady = true }
                if lines.contains("READY=1") || lines.contains("WATCHDOG=1") { heard.last = .now }
            }
            return heard
        }
    }

    /// Forgets what a former process has said.
    func forget() {
        _ = state
        heard.withLock { $0 = (false, .now) }
    }
}
