import Foundation

/// A folder for the history of one test, which is removed with this object.
final class StoreFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("history-\(UUID().uuidString)").path

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
