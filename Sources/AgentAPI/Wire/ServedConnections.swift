internal import NIOCore
internal import Synchronization

/// The connections that are being served, so that all of them end at one moment: at the end of an agent, nobody reads of the
/// end of its sessions.
final class ServedConnections: Sendable {
    /// The tasks that serve them; `nil` once they were ended.
    private let tasks = Mutex<[ObjectIdentifier: Task<Void, Never>]?>([:])

    /// Serves a connection, until that is done, or all of them are ended.
    func serve(_ channel: any Channel, _ body: @escaping @Sendable () async -> Void) async {
        let task = Task { await body() }
        let name = ObjectIdentifier(channel)
        let isOpen = tasks.withLock { tasks in
            tasks?[name] = task
            return tasks != nil
        }
        if !isOpen { task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        tasks.withLock { $0?[name] = nil }
    }

    /// Ends all of them, and those that come.
    func end() {
        let ended = tasks.withLock { tasks in
            defer { tasks = nil }
            return tasks ?? [:]
        }
        for task in ended.values { task.cancel() }
    }
}
