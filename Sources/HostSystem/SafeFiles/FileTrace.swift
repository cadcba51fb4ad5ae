internal import Glibc
package import SystemPackage

/// The traces that writing leaves on a file: as long as they are the same, and older than the resolution of the clock of
/// its file system, nobody has written to it.
package struct FileTrace: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64
    private let size: Int64
    private let written: Int64

    /// The time of the last change of its content or status, in nanoseconds since 1970.
    package let changed: Int64

    /// Returns the traces on the file at a path; `nil` if it cannot be looked at. Symbolic links are not followed.
    package static func of(_ path: FilePath) -> FileTrace? {
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return nil }
        return FileTrace(
            device: UInt64(status.st_dev),
            number: UInt64(status.st_ino),
            size: Int64(status.st_size),
            written: nanoseconds(status.st_mtim),
            changed: nanoseconds(status.st_ctim)
        )
    }

    /// Returns the time of the system's clock, in nanoseconds since 1970.
    package static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
    }
}
