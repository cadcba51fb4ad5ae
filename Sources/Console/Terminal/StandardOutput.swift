@preconcurrency internal import Dispatch
internal import Glibc
internal import SystemPackage

/// Standard output, to which results are written. Nothing is buffered: after a write the text has left the process.
package struct StandardOutput: Sendable {
    private static let descriptor: Int32 = 1

    package init() {}

    /// Writes all of a text.
    package func write(_ text: String) throws(OutputError) { try write(bytes: Array(text.utf8)) }

    /// Writes all of some bytes.
    package func write(bytes: [UInt8]) throws(OutputError) {
        if let failure = StandardStreams.write(bytes, to: Self.descriptor) { throw failure }
    }

    /// Waits until the reader of standard output has gone away, and throws then; returns when the task is cancelled.
    package static func waitForItsReader(of descriptor: Int32 = 1) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        // The thread waits until the process ends, without a timer.
        DispatchQueue(label: "clawradar.reader").async {
            // Without any wanted event, poll(2) returns only when the other end is closed: POLLERR of a pipe, or POLLHUP.
            var state = pollfd(fd: descriptor, events: 0, revents: 0)
            while poll(&state, 1, -1) <= 0 { guard errno == EINTR else { return } }
            end.yield()
        }
        for await _ in ends { throw OutputError(code: .brokenPipe) }
    }

    /// The terminal that standard output is; `nil` if it is a file or a pipe.
    package var terminal: Terminal? {
        guard isatty(Self.descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(Self.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return Terminal(columns: 80, rows: 24)
        }
        return Terminal(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// The style of what is written there: plain unless it is a terminal whose user wants colours.
    package var style: Style { Style(isOn: terminal != nil && Environment.wantsColour) }
}

extension StandardOutput: Canvas {}

/// An output on which a live picture is shown while it is a terminal.
package protocol Canvas: Sendable {
    /// Writes all of a text.
    func write(_ text: String) throws(OutputError)

    /// The terminal that the output is; `nil` if it is none, or no longer one.
    var terminal: Terminal? { get }
}

/// The size of a terminal, in cells.
package struct Terminal: Hashable, Sendable {
    package let columns: Int
    package let rows: Int
}
