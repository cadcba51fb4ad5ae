import Dispatch
import Foundation
import Pairing
import Testing

@testable import Agent

/// A store that another process keeps holds nobody up for long.
@Suite(.timeLimit(.minutes(1))) struct StoreReadingsTests {
    @Test func aReadingThatTakesTooLongIsRefusedAndSoAreThoseAfterIt() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("readings-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try PairingStore(StoreLocation(folder: "\(folder)/data", keyFile: "\(folder)/state/sealing.key"))
        let readings = StoreReadings()
        #expect(try await readings.read(store) { store throws(StoreError) in try store.pairings() }.isEmpty)

        let goOn = DispatchSemaphore(value: 0)
        let slow = await #expect(throws: StoreError.self) {
            try await readings.read(store) { _ in goOn.wait() }
        }
        #expect(slow?.code == .busy)
        let start = ContinuousClock.now
        for _ in 0..<100 {
            let next = await #expect(throws: StoreError.self) {
                try await readings.read(store) { store throws(StoreError) in try store.pairings() }
            }
            #expect(next?.code == .busy)
        }
        // None of them has waited.
        #expect(ContinuousClock.now - start < .seconds(1))
        goOn.signal()
        await store.settle(within: .seconds(10))
        #expect(try await readings.read(store) { store throws(StoreError) in try store.pairings() }.isEmpty)
    }
}
