internal import Reports
internal import SystemPackage

/// Reads a recording line by line, so that little more than its longest line is in memory.
///
/// The recording may be a pipe. Waiting for its writer blocks no thread.
struct RecordingReader: ~Copyable {
    private static let chunk = 65_536

    /// The interval at which an empty pipe is checked again.
    private static let pipeInterval = Duration.milliseconds(50)

    private let path: String
    private let descriptor: FileDescriptor
    private var buffer: [UInt8] = []

    /// The index in `buffer` at which the next line begins.
    private var next = 0
    private var isAtEnd = false
    private var line = 0

    /// The first line.
    private(set) var header = RecordingHeader(startedAt: Timestamp(milliseconds: 0))

    /// Opens a recording and reads its first line.
    static func opened(path: String) async throws(RecordingError) -> RecordingReader {
        var reader = RecordingReader(path, try descriptor(path))
        try await reader.readHeader()
        return reader
    }

    private init(_ path: String, _ descriptor: FileDescriptor) {
        (self.path, self.descriptor) = (path, descriptor)
    }

    deinit {
        try? descriptor.close()
    }

    private static func descriptor(_ path: String) throws(RecordingError) -> FileDescriptor {
        do {
            // Nonblocking, because opening a pipe would otherwise wait for a writer.
            return try .open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch {
            throw RecordingError(path: path, line: nil, message: "cannot be opened: \(error)")
        }
    }

    private mutating func readHeader() async throws(RecordingError) {
        guard let first = try await nextLine() else {
            throw RecordingError(path: path, line: nil, message: "is empty; expected a recording")
        }
        do throws(RecordingProblem) {
            header = try RecordingHeader(line: first)
        } catch {
            throw RecordingError(path: path, line: 1, message: error.description)
        }
    }

    /// Reads the next event; returns `nil` at the end, or if the task is cancelled while it waits.
    ///
    /// Events before an invalid line have already been returned, and stay valid.
    mutating func event() async throws(RecordingError) -> RecordedEvent? {
        guard let bytes = try await nextLine() else { return nil }
        do throws(RecordingProblem) {
            return try RecordedEvent(line: bytes)
        } catch {
            // A recorder that was killed leaves an incomplete last line.
            let isCut = isAtEnd && next == buffer.count && buffer.last != UInt8(ascii: "\n")
            let message = isCut ? "the recording ends in the middle of an event" : error.description
            throw RecordingError(path: path, line: line, message: message)
        }
    }

    private mutating func nextLine() async throws(RecordingError) -> [UInt8]? {
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
            try await fill()
        }
    }

    private mutating func fill() async throws(RecordingError) {
        while SystemCalls.readiness(of: descriptor) == .waiting {
            do {
                try await Task.sleep(for: Self.pipeInterval)
            } catch {
                (buffer, next, isAtEnd) = ([], 0, true)
                return
            }
        }
        do {
            let chunk = try [UInt8](unsafeUninitializedCapacity: Self.chunk) { bytes, count in
                count = try descriptor.read(into: UnsafeMutableRawBufferPointer(bytes))
            }
            if chunk.isEmpty { isAtEnd = true }
            buffer += chunk
        } catch Errno.resourceTemporarilyUnavailable {
            // Another reader of the pipe has taken the data.
        } catch {
            throw RecordingError(path: path, line: nil, message: "cannot be read: \(error)")
        }
    }
}

/// The reason why a recording cannot be read or written: what was expected, what was found and where.
struct RecordingError: Error, Hashable, CustomStringConvertible {
    /// The file.
    let path: String

    /// The number of the invalid line, where the first is 1; `nil` if the error is about the file as a whole.
    let line: Int?

    let message: String

    var description: String { line.map { "\(path), line \($0): \(message)" } ?? "\(path): \(message)" }
}
