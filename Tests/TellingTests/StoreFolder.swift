import Foundation
import GRDB

@testable import Agent

/// A folder for the history of one test, which is removed with this object.
final class StoreFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("history-\(UUID().uuidString)").path

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

extension NoticeStore {
    /// Returns the oldest message that waits for a sink, and the number of all that do; `nil` if none does.
    func next(for sink: String) throws -> (message: WaitingMessage, count: Int)? {
        let all = try waiting(for: sink)
        return all.first.map { ($0, all.count) }
    }

    /// Makes changes of the database fail, as on a full disk, or lets them succeed again.
    func refuseChanges(_ isRefused: Bool) throws {
        let trigger = "CREATE TRIGGER refuse BEFORE INSERT ON agent BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        try queue.inDatabase { try $0.execute(sql: isRefused ? trigger : "DROP TRIGGER refuse") }
    }
}
