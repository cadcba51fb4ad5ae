import Glibc
import Testing

@testable import Agent

@Suite struct ServiceManagerTests {
    @Test func withoutASocketThereIsNone() {
        #expect(ServiceManager(environment: [:]) == nil)
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "relative"]) == nil)
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 200)]) == nil)
    }

    @Test func itsWatchdogIsForOneProcess() {
        func interval(_ more: [String: String]) -> Duration? {
            let environment = more.merging(["NOTIFY_SOCKET": "/run/notify"]) { $1 }
            return ServiceManager(environment: environment, process: 7)?.watchdogInterval
        }
        #expect(interval([:]) == nil)
        #expect(interval(["WATCHDOG_USEC": "20000000"]) == .seconds(20))
        #expect(interval(["WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"]) == .seconds(20))
        #expect(interval(["WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "8"]) == nil)
        #expect(interval(["WATCHDOG_USEC": "0"]) == nil)
    }

    @Test func itGetsOneDatagramForEachReport() throws {
        // In the abstract namespace, as systemd's is for services with a private network.
        let name = "clawradar-test-\(getpid())"
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: [0] + Array(name.utf8)) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(bound == 0)
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": "@\(name)"]))
        manager.tell("READY=1", "STATUS=all parts work")
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        #expect(String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self) == "READY=1\nSTATUS=all parts work")
    }
}
