internal import GatewayReports

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Reads a recording line by line: never more of it is in memory than its longest line.
struct RecordingReader: ~Copyable {
    private static let chunk = 65_536

    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// The index in `buffer` at which the next line begins.
    private var next = 0
    private var isAtEnd = false
    private var line = 0

    /// The first line.
    private(set) var header = RecordingHeader(startedAt: Timestamp(milliseconds: 0))

    /// Opens a recording and reads its first line.
    init(path: String) throws(RecordingError) {
        self.path = path
        self.descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw RecordingError(
                path: path,
                line: nil,
                message: "cannot be opened: \(String(cString: strerror(errno)))"
            )
        }
        guard let first = try nextLine() else {
            throw RecordingError(path: path, line: nil, message: "is empty; expected a recording")
        }
        do throws(RecordingProblem) {
            self.header = try RecordingHeader(line: first)
        } catch {
            throw RecordingError(path: path, line: 1, message: error.description)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The next event; `nil` at the end.
    ///
    /// What came before a broken line has been given, and counts.
    mutating func event() throws(RecordingError) -> RecordedEvent? {
        guard let bytes = try nextLine() else { return nil }
        do throws(RecordingProblem) {
            return try RecordedEvent(line: bytes)
        } catch {
            // A program that was killed leaves half a line.
            let isCut = isAtEnd && next == buffer.count && buffer.last != UInt8(ascii: "\n")
            let message = isCut ? "the recording ends in the middle of an event" : error.description
            throw RecordingError(path: path, line: line, message: message)
        }
    }

    private mutating func nextLine() throws(RecordingError) -> [UInt8]? {
        var searched = next
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { next = end + 1 }
                line += 1
                return Array(buffer[next..<end])
            }
            if isAtEnd {
                guard next < buffer.count else { return nil }
                defer { next = buffer.count }
                line += 1
                return Array(buffer[next...])
            }
            guard buffer.count - next <= RecordedEvent.lineLimit else {
                let message = "a line is to have at most \(RecordedEvent.lineLimit) bytes"
                throw RecordingError(path: path, line: line + 1, message: message)
            }
            buffer.removeFirst(next)
            next = 0
            searched = buffer.count
            try fill()
        }
    }

    private mutating func fill() throws(RecordingError) {
        var chunk = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                let message = "cannot be read: \(String(cString: strerror(errno)))"
                throw RecordingError(path: path, line: nil, message: message)
            }
            if count == 0 { isAtEnd = true }
            buffer += chunk[..<count]
            return
        }
    }
}

/// The reason why a recording cannot be read or written: what was expected, what was found and where.
struct RecordingError: Error, Hashable, CustomStringConvertible {
    /// The file.
    let path: String

    /// The line that is broken, the first being 1; `nil` when it is about the file as a whole.
    let line: Int?

    let message: String

    var description: String { line.map { "\(path), line \($0): \(message)" } ?? "\(path): \(message)" }
}
