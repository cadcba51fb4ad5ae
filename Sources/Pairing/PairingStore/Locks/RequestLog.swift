internal import GatewayProtocol
internal import HostSystem
internal import SystemPackage

/// A request of which a gateway takes few in a minute from one device, whichever of its processes makes them.
package enum CountedRequest: Hashable, Sendable {
    /// To pair, as the device of this identifier: the one by which the gateway counts, whatever address it is asked at.
    case pair(as: String)

    /// For a session with a credential.
    case session(CredentialID)

    /// The first word of its line.
    fileprivate var key: String {
        switch self {
        case .pair(let device):
            "pair:\(String(decoding: device.utf8.map { $0 > 0x20 && $0 < 0x7F ? $0 : 0x5F }.prefix(200), as: UTF8.self))"
        case .session(let credential): "session:\(credential)"
        }
    }
}

/// The times of the latest requests of all processes of this user, as they stand in a file. A value.
///
/// Each line is a key and times in milliseconds since 1970. What cannot be read is ignored: the gateway counts as well.
struct RequestLog: Sendable {
    /// The maximum number of keys. Of more, those that were used last are kept.
    static let mostKeys = 64

    /// The time for which a request counts, in milliseconds.
    static let window = Int(AttemptLimit.window / .milliseconds(1))

    private(set) var entries: [(key: String, times: [Int])] = []

    init(_ text: String = "") {
        for line in text.split(separator: "\n").suffix(Self.mostKeys) {
            let words = line.split(separator: " ")
            let times = words.dropFirst().suffix(AttemptLimit.most).compactMap { Int($0) }.filter { $0 >= 0 }
            guard let key = words.first, key.utf8.count <= 256, !times.isEmpty else { continue }
            entries.removeAll { $0.key == key }
            entries.append((String(key), times))
        }
    }

    /// The content of the file.
    var text: String {
        entries.map { "\($0.key) \($0.times.map(String.init).joined(separator: " "))\n" }.joined()
    }

    /// Records a request, if one more may be made.
    ///
    /// - Returns: `nil` if it may; otherwise the time after which it may, in milliseconds.
    mutating func take(_ request: CountedRequest, at time: Int) -> Int? {
        // A time to come is that of a clock that was set back, or of a damaged file. Nothing is written while somebody waits,
        // so that it would count until then, however far that is. The gateway counts as well.
        entries = entries.map { ($0.key, $0.times.filter { $0 <= time && time - $0 < Self.window }) }
            .filter { !$0.times.isEmpty }
        let key = request.key
        var times = entries.first { $0.key == key }?.times.sorted() ?? []
        if times.count >= AttemptLimit.most { return times[times.count - AttemptLimit.most] + Self.window - time }
        times.append(time)
        entries.removeAll { $0.key == key }
        entries = (entries + [(key, times)]).suffix(Self.mostKeys)
        return nil
    }
}

extension PairingStore {
    /// The maximum size of the file, in bytes.
    private static let requestLogLimit = 65_536

    /// Records a request in a file that all processes of this user share, if one more may be made now.
    ///
    /// - Parameters:
    ///   - request: The request, which is to be made right after this.
    ///   - now: Returns the time, in milliseconds since 1970. It is asked once no other process can record one: a time
    ///     from before would be earlier than those that others have recorded meanwhile, which would then not count.
    /// - Returns: `nil` if it may be made; otherwise the time to wait.
    /// - Throws: ``StoreError`` when the file cannot be written.
    package func take(_ request: CountedRequest, now: () -> Int) throws(StoreError) -> Duration? {
        let folder = SessionLock.folder(location)
        do throws(SafeFileError) {
            try PrivateFolder(path: folder).prepare()
            // It is held for the time of one write, which on a busy disk may be long. A process that was stopped meanwhile
            // holds the others up no longer than this.
            let lock = try FileLock.wait(folder.appending("requests.lock"), seconds: 5)
            defer { lock?.release() }
            let file = SafeFile(path: folder.appending("requests"))
            var log = RequestLog(String(decoding: try file.read(limit: Self.requestLogLimit) ?? [], as: UTF8.self))
            let wait = log.take(request, at: now())
            if wait == nil { try file.write(Array(log.text.utf8)) }
            return wait.map { .milliseconds($0) }
        } catch {
            throw StoreError(error)
        }
    }
}
