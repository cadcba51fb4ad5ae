internal import DNSSD
internal import Notices
internal import PairingStore
internal import Reports
internal import SystemPackage
internal import Telling

/// The access of commands to the history of gateways, which an agent writes.
enum NoticeStoreAccess {
    /// Opens the history.
    ///
    /// - Parameter subject: The content that was expected in it, as the beginning of a sentence.
    /// - Throws: A failure with the exit status 1 if no agent has ever written one.
    static func open(expecting subject: String? = nil) throws(CommandFailure) -> NoticeStore {
        let folder = try CommandFailure.translating { () throws(StoreError) in try StoreLocation.standard().folder }
        let path = FilePath(folder).appending(NoticeStore.fileName)
        guard (try? FileDescriptor.open(path, .readOnly, options: .closeOnExec).close()) != nil else {
            let reason = "there is no history: it begins when `clawradar agent` runs."
            throw CommandFailure(.nothingFound, subject.map { "\($0), and \(reason)" } ?? reason)
        }
        return try translating { () throws(NoticeStoreError) in try NoticeStore(folder: folder) }
    }

    static func translating<Value>(
        _ body: () throws(NoticeStoreError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(NoticeStoreError) {
            return try body()
        } catch {
            throw CommandFailure(.unavailable, error.description)
        }
    }
}

extension GatewayHistory {
    /// Returns the key of the gateway that a text means: a watched one, else one that was watched and is not any more, such as
    /// one that is paired no more.
    ///
    /// - Throws: A failure with the exit status 1 if none is meant, or 64 if several are.
    func key(of name: String) throws(CommandFailure) -> String {
        let former = of(name).keys.sorted()
        guard of(name).gateways.isEmpty, let first = former.first else { return try gateway(name).key }
        guard former.count == 1 else {
            let keys = former.map { DisplayText($0, limit: 64).text }.joined(separator: ", ")
            let shown = DisplayText(name, limit: 64).quoted
            throw CommandFailure(.usage, "\(shown) was the name of \(former.count) gateways. Give one of \(keys).")
        }
        return first
    }

    /// Returns the watched gateway that a text means.
    ///
    /// - Throws: A failure with the exit status 1 if none is meant, or 64 if several are.
    func gateway(_ name: String) throws(CommandFailure) -> Gateway {
        let found = of(name).gateways
        let shown = DisplayText(name, limit: 64).quoted
        guard let first = found.first else {
            throw CommandFailure(
                .nothingFound,
                "no gateway that the agent watches is called \(shown). `clawradar history` lists those that it watches."
            )
        }
        guard found.count == 1 else {
            let keys = found.map { DisplayText($0.key, limit: 64).text }.joined(separator: ", ")
            throw CommandFailure(.usage, "\(shown) can be one of \(found.count) gateways. Give one of \(keys).")
        }
        return first
    }
}
