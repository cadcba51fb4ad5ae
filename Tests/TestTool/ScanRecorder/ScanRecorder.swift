import DNSSD
import Discovery
import Foundation
import GatewayProtocol
import Scanning

/// Runs a scanner until it is killed, and prints what it learns, one line each:
///
/// * `row LIVENESS DIALECT BOTS NAME`, whenever one of the four is new for a row;
/// * `lost NAME` for a row, `service lost NAME` for a service;
/// * `asked N of M, answered K, slowest S ms, sockets X, peak Y kB`, at most twice a second, whenever it is new. S is
///   the longest time from the moment at which a service was resolved to its gateway's answer; X is the highest number
///   of open TCP sockets so far, sampled every 5 ms, without those that were open at the start.
enum ScanRecorder {
    static func run() async throws {
        let browser = Browser(BrowserConfiguration(types: ServiceType.gatewayTypes), backend: try Backends.system())
        let scanner = GatewayScanner(browser: browser)
        let record = Record()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await scanner.run() }
            group.addTask {
                for await change in browser.changes { await record.note(change) }
            }
            group.addTask {
                for await update in scanner.constellation.updates { await record.note(update) }
            }
            group.addTask {
                var most = 0
                var last = ""
                let first = sockets()
                for round in 1... {
                    most = max(most, sockets() - first)
                    if round.isMultiple(of: 100) {
                        let progress = await scanner.progress
                        let line =
                            "asked \(progress.asked) of \(progress.targets), answered \(progress.gateways), "
                            + "slowest \(await record.slowest) ms, sockets \(most), peak \(peak()) kB"
                        if line != last { say(line) }
                        last = line
                    }
                    try? await Task.sleep(for: .milliseconds(5))
                }
            }
        }
    }

    /// Returns the number of open TCP sockets.
    private static func sockets() -> Int {
        var count = 0
        for descriptor in 0..<Int32(512) {
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let result = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            var kind: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            // Datagram sockets, such as those of the one-shot query, do not count.
            guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 else { continue }
            guard kind == Int32(SOCK_STREAM.rawValue) else { continue }
            if result == 0, [AF_INET, AF_INET6].contains(Int32(address.ss_family)) { count += 1 }
        }
        return count
    }

    /// Returns the peak memory of the process, in kB.
    private static func peak() -> Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return usage.ru_maxrss
    }

    /// Prints a line at once, also into a pipe.
    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
