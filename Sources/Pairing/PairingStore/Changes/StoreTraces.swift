internal import HostSystem
internal import SystemPackage

/// The decision to ask the database for commits of other processes, from traces that a commit leaves on its files. A value.
///
/// Asking takes locks, reads, and another thread; most of the time the file tells that nobody has written to it. It cannot
/// tell of a write within the resolution of its clock, nor of one whose transaction goes on: the journal is removed after
/// the last write, and its removal is the commit.
struct StoreTraces {
    /// The age in nanoseconds from which a trace counts, far longer than the resolution of any file system's clock.
    private static let settled: Int64 = 3_000_000_000

    /// The number of looks of which one asks in any case: the file's clock may be that of another machine.
    private static let sure = 10

    /// The traces at the last look.
    private var last: FileTrace?
    private var hadJournal = true
    private var looks = 0

    /// Decides whether to ask the database.
    ///
    /// - Parameters:
    ///   - file: The traces on its file; `nil` if it cannot be looked at.
    ///   - hasJournal: `true` if there is a journal beside it.
    ///   - now: The time in nanoseconds since 1970.
    mutating func mayHaveChanged(_ file: FileTrace?, hasJournal: Bool, now: Int64) -> Bool {
        defer { (last, hadJournal) = (file, hasJournal) }
        looks += 1
        guard let file, file == last, !hasJournal, !hadJournal, looks < Self.sure,
            file.changed < now - Self.settled
        else {
            looks = 0
            return true
        }
        return false
    }

    /// Looks at the files of a database, and decides as above.
    mutating func mayHaveChanged(_ path: String) -> Bool {
        mayHaveChanged(
            FileTrace.of(FilePath(path)),
            hasJournal: FileTrace.of(FilePath(path + "-journal")) != nil,
            now: FileTrace.now
        )
    }
}
