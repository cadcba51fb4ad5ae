import Foundation
import GatewayProtocol
import Synchronization
import Testing

@testable import Pairing

/// The requests of which a gateway takes five in a minute from one device, counted for all of its processes.
@Suite struct RequestLogTests {
    private static let pair = CountedRequest.pair(as: "device-1")

    /// The time of a clock that has gone on whenever it is read, in milliseconds.
    private static let clock = Atomic(5_000)

    /// However many processes ask, each of which reads what the one before has written, no minute has more than five.
    @Test func noMinuteHasMoreThanFiveRequests() {
        var (text, taken) = ("", [Int]())
        for time in stride(from: 1_000_000, to: 2_000_000, by: 500) {
            var log = RequestLog(text)
            guard let wait = log.take(Self.pair, at: time) else {
                taken.append(time)
                text = log.text
                continue
            }
            #expect((1...RequestLog.window).contains(wait))
        }
        #expect(taken.count > 60)
        for (first, sixth) in zip(taken, taken.dropFirst(5)) { #expect(sixth - first == RequestLog.window) }
    }

    /// A clock that was set back makes nobody wait, however often it is asked before the file is written; and from then on
    /// five count in a minute as ever.
    @Test(arguments: [1, RequestLog.window, 7_200_000, Int.max - 20_000_000])
    func aClockThatWasSetBackAddsNoWait(back: Int) {
        var text = ""
        func take(_ time: Int) -> Int? {
            var log = RequestLog(text)
            guard let wait = log.take(Self.pair, at: time) else {
                text = log.text
                return nil
            }
            return wait
        }
        for second in 0..<5 { #expect(take(10_000_000 + back + second) == nil) }
        for second in 0..<5 { #expect(take(10_000_000 + second * 1_000 - 1) == nil) }
        #expect(take(10_005_000) == RequestLog.window - 5_001)
        #expect(take(10_000_000 + RequestLog.window) == nil)
    }

    /// Devices and credentials are counted apart, few of them are kept, and their texts make no lines of their own.
    @Test func eachIsCountedApart() throws {
        var log = RequestLog()
        for _ in 0..<5 { _ = log.take(Self.pair, at: 1_000) }
        #expect(log.take(.pair(as: "device-2"), at: 1_000) == nil)
        #expect(log.take(.session(CredentialID()), at: 1_000) == nil)
        #expect(log.take(.pair(as: "device-3\ndevice-1 \u{202E}"), at: 1_000) == nil)
        #expect(log.text.split(separator: "\n").count == 4 && RequestLog(log.text).text == log.text)
        for number in 0..<1_000 { _ = log.take(.pair(as: "\(number)" + String(repeating: "x", count: 999)), at: 2_000) }
        #expect(log.entries.count == RequestLog.mostKeys && log.text.utf8.count < 20_000)
    }

    /// A file that was cut, or that something else has written, is no reason not to ask.
    @Test(arguments: [
        "\u{0}\u{FF}", "pair:a", "pair:a x y", "pair:a -9223372036854775808", " \n\n 1 2 3",
        "pair:a 99999999999999999999",
    ])
    func whatCannotBeReadIsIgnored(text: String) {
        var log = RequestLog(text)
        #expect(log.take(.pair(as: "a"), at: 1_000) == nil)
        #expect(log.take(.pair(as: "a"), at: .max) == nil)
    }

    /// Stores of several processes count together, also at the same time, whichever of them has read the clock first.
    @Test func allStoresCountTogether() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "requests-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let location = StoreLocation(folder: "\(folder)/data", keyFile: "\(folder)/state/sealing.key")
        let stores = try (0..<6).map { _ in try PairingStore(location) }
        let waits = try await withThrowingTaskGroup(of: Duration?.self) { group in
            for store in stores {
                for _ in 0..<3 {
                    group.addTask {
                        try await store.perform { store throws(StoreError) in
                            try store.take(Self.pair) { Self.clock.add(1, ordering: .relaxed).newValue }
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(waits.count { $0 == nil } == 5 && waits.count == 18)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(location.folder)/locks") == ["requests"])
    }
}
